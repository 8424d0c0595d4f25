// SPDX-License-Identifier: MIT
#include "core/io/graph_writers.h"

#include "core/io/json_document.h"

namespace reinspect
{
namespace
{

// A quoted DOT string. Record characters need no care: labels are plain, not records.
std::string quoted(std::string_view text)
{
    std::string printed = "\"";
    for (const char c : text)
    {
        if (c == '"' || c == '\\')
            (printed += '\\') += c;
        else if (c == '\n')
            printed += "\\n";
        else if (static_cast<unsigned char>(c) >= 0x20)
            printed += c;
    }
    return printed + "\"";
}

// A drawing tells only a part of a graph; the whole travels in an attribute that Graphviz passes over.
std::string captureAttribute(const Graph& graph)
{
    std::string value;
    for (const char c : writeJsonDocument(Document{}, graph, Stage::Unknown))
    {
        if (c == '"' || c == '\\')
            value += '\\';
        value += c == '\n' ? ' ' : c;
    }
    return std::string(kDotCaptureAttribute) + "=\"" + value + "\"";
}

std::string_view shapeOf(NodeOp op)
{
    switch (op)
    {
    case NodeOp::Placeholder:
    case NodeOp::GetAttr: return "ellipse";
    case NodeOp::Output: return "doubleoctagon";
    case NodeOp::CallFunction:
    case NodeOp::CallMethod:
    case NodeOp::CallModule: break;
    }
    return "box";
}

std::string nodeStatement(const Node& node)
{
    std::string label = node.name;
    if (node.target != node.name)
        label += "\n" + node.target.str();
    if (const MetaValue printed = asPrinted(node.meta.value); printed.tensor())
        label += "\n" + toText(printed);
    return quoted(node.name) + " [label=" + quoted(label)
        + ", shape=" + std::string(shapeOf(node.op)) + "];";
}

} // namespace

std::string writeDot(const Graph& graph)
{
    std::string text =
        "digraph " + quoted(graph.name.empty() ? "graph" : graph.name) + " {\n    rankdir=TB;\n";
    for (const NodeId id : graph.order())
        text += "    " + nodeStatement(graph[id]) + "\n";
    for (const NodeId id : graph.order())
    {
        for (const NodeId input : graph.inputs(id))
            text += "    " + quoted(graph[input].name) + " -> " + quoted(graph[id].name) + ";\n";
    }
    return text + "    " + captureAttribute(graph) + ";\n}\n";
}

} // namespace reinspect
