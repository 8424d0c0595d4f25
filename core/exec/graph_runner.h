// SPDX-License-Identifier: MIT
// One run of one graph: the values of its nodes, and how arguments become values. Bodies of operators run in
// a runner of their own that shares the context.
#pragma once

#include "core/exec/executor.h"

namespace reinspect::exec
{

class GraphRunner
{
public:
    // `isBody`: the graph is what a custom operator's code was traced to.
    GraphRunner(const Graph& graph, RunContext& context, const RunControl& control,
                bool isBody = false);

    // Every node; stops at the first that cannot run and keeps its place in failedNode().
    Result<std::vector<Value>> run(const RunInputs& inputs);

    NodeObserver observe;
    bool isOutermost = false;                 // its nodes are what a device counts by
    std::vector<MemoryStep>* steps = nullptr; // null: not asked for
    // Null: not asked for. Seconds are those of the host's clock; a device has its own.
    std::vector<NodeTime>* times = nullptr;
    NodeId failedNode() const { return m_failed; }
    std::size_t nodesRun() const { return m_count; }

private:
    Result<Value> compute(NodeId id, const RunInputs& inputs);
    Result<Value> placeholder(const Node& node, const RunInputs& inputs);
    Result<Value> attribute(const Node& node, NodeId id, const RunInputs& inputs);
    Result<Value> call(const Node& node);
    Result<Value> valueOf(const Argument& argument) const;
    Result<ListValue> valuesOf(const std::vector<Argument>& arguments) const;
    Result<DictValue> keywordsOf(const std::vector<NamedArgument>& arguments) const;
    std::int64_t bytesMoved(NodeId id, const Value& value) const;
    void findLastUses();
    Error errorAt(const Node& node, std::string message) const;

    const Graph& m_graph;
    RunContext& m_context;
    const RunControl& m_control;
    bool m_isBody;
    std::vector<Value> m_values;                  // by slot
    std::vector<std::vector<NodeId>> m_dropAfter; // by slot: whose last user it is
    std::size_t m_nextInput = 0;
    std::size_t m_count = 0;
    NodeId m_failed;
};

// In the body of a custom operator: was this `x.mul_(s)`, which tracing writes as a mul and a copy into x? It
// then allocated nothing.
bool wasInPlace(const Graph& body, NodeId node);

// Symbols that the sizes, strides and numbers of these placeholders tell.
void learnSymbols(const Graph& graph, const std::vector<Value>& placeholders, RunContext& context);

} // namespace reinspect::exec
