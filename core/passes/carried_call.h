// SPDX-License-Identifier: MIT
// The operator call that an auto_functionalized wrapper carries: which arguments it writes, how many
// values it returns, and its arguments as the dispatcher would pass them on. Known from the
// operator's schema; without one it is inferred from the wrapper and from what reads its results.
#pragma once

#include "core/ir/op_facts.h"
#include "core/passes/lowering_edit.h"

namespace reinspect
{

class CarriedCall
{
public:
    CarriedCall(const LoweringEdit& edit, NodeId wrapper);
    CarriedCall(const CarriedCall&) = delete; // m_declared points into m_schema
    CarriedCall& operator=(const CarriedCall&) = delete;

    const std::string& target() const { return m_target; } // empty when it is not known
    bool hasSchema() const { return !m_schema.empty(); }
    // In the order of the schema, which is that of the results.
    const std::vector<std::string>& writtenNames() const { return m_written; }
    // Without a schema, of the first form: the place in writtenNames() that result `index` shows.
    std::optional<std::size_t> writtenByResult(std::size_t index) const;
    // Likewise: something still reads what the call wrote there, so that it was not done in place.
    bool isResultRead(const std::string& name) const;
    // Values that the operator itself returns; `written` is how many results follow them.
    std::size_t returnCount(std::size_t written) const;

    void set(const std::string& name, Argument value);
    // By position as far as the schema allows, without what is at its default at the end; everything by
    // keyword without a schema.
    std::vector<Argument> positional() const;
    std::vector<NamedArgument> keywords() const;

private:
    void findWritten();
    void inferWritten();
    void inferWrittenOfV2();
    bool mayBeWritten(NodeId tensor) const;
    void noteWritten(const std::string& name, std::size_t result);
    std::vector<std::size_t> noteCopiedBack();
    std::optional<std::string> copiedInto(NodeId result) const;
    const Argument* value(std::string_view name) const;
    std::size_t positionalCount() const;

    const Graph& m_graph;
    const std::vector<std::uint32_t>& m_position; // of the nodes before the lowering began
    const NodeId m_wrapper;
    std::string m_target;
    std::string m_schema;
    std::vector<SchemaArgument> m_declared; // views into m_schema
    std::vector<std::string> m_written;
    std::vector<std::size_t> m_resultOf; // inferred: result index of each written name
    std::vector<NamedArgument> m_values; // by name, in order
    std::unordered_map<std::string, std::size_t> m_placeOf;
    std::size_t m_lastRead = 0; // greatest result index that is read
};

} // namespace reinspect
