// SPDX-License-Identifier: MIT
// The operator call that an auto_functionalized wrapper carries: which arguments it writes, how many
// values it returns, and its arguments as the dispatcher would pass them on. Known from the
// operator's schema; without one it is inferred from the wrapper and from what reads its results.
#pragma once

#include "core/ir/capture_facts.h"
#include "core/ir/op_facts.h"

namespace reinspect
{

class CarriedCall
{
public:
    // `inferred`: what a call of the first form is taken to write when there is no schema.
    CarriedCall(const Graph& graph, NodeId wrapper, const CaptureFacts& facts,
                std::vector<std::string> inferred);
    CarriedCall(const CarriedCall&) = delete; // m_declared points into m_schema
    CarriedCall& operator=(const CarriedCall&) = delete;

    const std::string& target() const { return m_target; } // empty when it is not known
    bool hasSchema() const { return !m_schema.empty(); }
    // In the order of the schema, which is that of the results.
    const std::vector<std::string>& writtenNames() const { return m_written; }
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
    const Argument* value(std::string_view name) const;
    std::size_t positionalCount() const;

    const Graph& m_graph;
    const NodeId m_wrapper;
    std::string m_target;
    std::string m_schema;
    std::vector<SchemaArgument> m_declared; // views into m_schema
    std::vector<std::string> m_written;
    std::vector<NamedArgument> m_values; // by name, in order
    std::unordered_map<std::string, std::size_t> m_placeOf;
    std::size_t m_lastRead = 0; // greatest result index that is read
};

} // namespace reinspect
