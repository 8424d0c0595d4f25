// SPDX-License-Identifier: MIT
#include "core/io/graph_writers.h"
#include "core/io/readable_code.h"

namespace reinspect
{
namespace
{

// The name that a statement defines: what stands before its annotation or its "=".
std::string_view definedName(std::string_view line)
{
    const std::size_t start = line.find_first_not_of(' ');
    if (start == std::string_view::npos)
        return {};
    line.remove_prefix(start);
    const std::size_t end = line.find_first_of(": =");
    const bool defines = end != std::string_view::npos && line.find('=') != std::string_view::npos;
    return defines ? line.substr(0, end) : line.starts_with("return") ? std::string_view("output") : std::string_view{};
}

void addLine(const Graph& graph, std::string_view line, std::size_t number, GraphListing& listing)
{
    if (line.find("def forward(") != std::string_view::npos)
    {
        for (const NodeId id : graph.order())
            if (graph[id].op == NodeOp::Placeholder)
                listing.lines.emplace_back(id, number);
        return;
    }
    const NodeId node = graph.find(definedName(line));
    if (node && graph[node].op != NodeOp::Placeholder)
        listing.lines.emplace_back(node, number);
}

} // namespace

GraphListing listGraph(const Graph& graph)
{
    GraphListing listing{writeReadableCode(graph), {}};
    const std::string_view text = listing.text;
    std::size_t number = 1;
    for (std::size_t begin = 0; begin < text.size(); ++number)
    {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        addLine(graph, text.substr(begin, end - begin), number, listing);
        begin = end + 1;
    }
    return listing;
}

} // namespace reinspect
