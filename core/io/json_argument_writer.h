// SPDX-License-Identifier: MIT
// ARG and VALUE of the capture format, written. Hints of sizes come from the ShapeEnv.
#pragma once

#include "core/io/json_text.h"
#include "core/ir/graph.h"
#include "core/ir/shape_env.h"

namespace reinspect
{

class JsonArgumentWriter
{
public:
    JsonArgumentWriter(std::string& text, const Graph& graph, const ShapeEnv& shapes)
        : m_text(text)
        , m_graph(graph)
        , m_shapes(shapes)
    {}

    void argument(const Argument& value) { std::visit(*this, value.value); }
    void arguments(const std::vector<Argument>& items); // as a JSON array
    void meta(const MetaValue& value);

    // One overload an alternative of Argument, for std::visit.
    void operator()(None);
    void operator()(bool value);
    void operator()(std::int64_t value);
    void operator()(double value);
    void operator()(const std::complex<double>& value);
    void operator()(const std::string& value);
    void operator()(NodeId node);
    void operator()(const SymArgument& value);
    void operator()(const ConstantArgument& value);
    void operator()(const ListArgument& value);
    void operator()(const TupleArgument& value);
    void operator()(const DictArgument& value);
    void operator()(const SliceArgument& value);
    void operator()(const ViewArgument& value);
    void operator()(const OpaqueArgument& value);

private:
    void tagged(std::string_view tag, std::string_view content);
    void tagged(std::string_view tag, const std::vector<Argument>& items);
    void size(const SymExpr& expr);
    void sizes(const std::vector<SymExpr>& items);
    void kind(std::string_view name);
    void tensor(const TensorMeta& meta);
    void symbolic(const SymScalarMeta& meta);
    void sequence(const SequenceMeta& meta);

    std::string& m_text;
    const Graph& m_graph;
    const ShapeEnv& m_shapes;
};

} // namespace reinspect
