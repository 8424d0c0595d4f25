// SPDX-License-Identifier: MIT
// A document as one line of text, for rows that say what a dump reads as.
#pragma once

#include "tests/support/graph_text.h"

namespace reinspect
{

// "x = placeholder(target) = default|w = self.w|y = f(x)|return (y,)|body:{...}"
inline std::string factsOf(const Graph& graph)
{
    std::string lines;
    for (const NodeId id : graph.order())
    {
        const Node& node = graph[id];
        std::string line = toText(graph, id);
        if (node.op == NodeOp::GetAttr)
            line = node.name + " = self." + node.target;
        else if (node.op == NodeOp::CallModule)
            line = node.name + " = self." + line.substr(node.name.size() + 3);
        else if (node.op == NodeOp::CallMethod)
            line = node.name + " = ." + line.substr(node.name.size() + 3);
        else if (node.op == NodeOp::Placeholder && node.name != node.target)
            line += "(" + node.target + ")";
        if (node.op == NodeOp::Placeholder && !node.args.empty())
            line += " = " + toText(graph, node.args.front());
        lines += (lines.empty() ? "" : "|") + line;
    }
    for (const auto& [name, body] : graph.subgraphs)
        lines += "|" + name + ":{" + factsOf(*body) + "}";
    return lines;
}

// Each graph's facts; "||" stands between graphs.
inline std::string factsOf(const Document& document)
{
    std::string text;
    for (const DocumentGraph& entry : document.graphs)
        text += (text.empty() ? "" : "||") + factsOf(*entry.graph);
    return text;
}

// "title|stage|compile id|rank|nodes" of each graph, a line a graph.
inline std::string originsOf(const Document& document)
{
    std::string text;
    for (const DocumentGraph& entry : document.graphs)
        text += entry.origin.title + "|" + std::string(stageName(entry.stage)) + "|"
            + entry.origin.compileId + "|" + entry.origin.rank + "|"
            + std::to_string(entry.graph->size()) + "\n";
    return text;
}

// "12 what is wrong", a line a problem.
inline std::string problemsOf(const Document& document)
{
    std::string text;
    for (const Problem& problem : document.problems)
        text += std::to_string(problem.span.line) + " " + problem.text + "\n";
    return text;
}

} // namespace reinspect
