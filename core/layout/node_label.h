// SPDX-License-Identifier: MIT
// The three lines that a box shows, and the graph of boxes of one plain graph. Shared by the window
// and the SVG of the command line, so that they say the same.
#pragma once

#include "core/ir/graph.h"
#include "core/layout/visible_graph.h"

namespace reinspect
{

struct NodeLabel
{
    std::string name;
    std::string operation; // "index_put"; "input"; "scale_ (auto_functionalized_v2)"
    std::string shape;     // "f32[8, 4]"; empty when nothing is known
};

NodeLabel labelOf(const Graph& graph, NodeId id);
// "aten.index_put_.default" as "index_put_"; other namespaces keep their name.
std::string shortOperator(std::string_view target);
// The label's second line for a node that had another target.
std::string operationOf(const Node& node, std::string_view target);
// "f32[8, 4]", "(f32[8], i64[1])", "s77".
std::string shapeText(const MetaValue& meta);

// Linked nodes in program order with all their arguments.
UnionGraph unionGraph(const Graph& graph);

} // namespace reinspect
