// SPDX-License-Identifier: MIT
// writeIrText: what str(graph) of torch/fx/graph.py gives, node by node `Node.format_node`.
#include "core/io/graph_writers.h"
#include "core/io/operator_names.h"

namespace reinspect
{
namespace
{

// `_format_arg`: nodes with a percent sign, strings without quotes, dict keys without either.
class IrPrinter
{
public:
    explicit IrPrinter(const Graph& graph)
        : m_graph(graph)
    {}

    std::string text(const Argument& argument) const
    {
        if (const NodeId node = argument.node())
            return "%" + m_graph[node].name;
        if (const auto* string = argument.as<std::string>())
            return *string;
        if (const auto* list = argument.as<ListArgument>())
            return "[" + joined(list->items) + "]";
        if (const auto* tuple = argument.as<TupleArgument>())
            return "(" + joined(tuple->items) + (tuple->items.size() == 1 ? ",)" : ")");
        if (const auto* dict = argument.as<DictArgument>())
            return dictText(*dict);
        if (const auto* constant = argument.as<ConstantArgument>())
            return constantText(*constant);
        return toText(m_graph, argument);
    }

    std::string joined(const std::vector<Argument>& items) const
    {
        std::string printed;
        for (const Argument& item : items)
            printed += (printed.empty() ? "" : ", ") + text(item);
        return printed;
    }

private:
    std::string dictText(const DictArgument& dict) const
    {
        std::string printed;
        for (const auto& [key, value] : dict.items)
            printed += (printed.empty() ? "" : ", ") + text(key) + ": " + text(value);
        return "{" + printed + "}";
    }
    std::string constantText(const ConstantArgument& constant) const
    {
        const bool bare = constant.kind == ConstantArgument::Kind::Device
            || constant.kind == ConstantArgument::Kind::Operator;
        return bare ? constant.text : "torch." + constant.text;
    }

    const Graph& m_graph;
};

std::string callText(const Node& node, const IrPrinter& printer)
{
    std::string named;
    for (const NamedArgument& argument : node.kwargs)
        named += (named.empty() ? "" : ", ") + argument.name + ": " + printer.text(argument.value);
    return "(args = " + printer.text(Argument{TupleArgument{node.args}}) + ", kwargs = {" + named
        + "})";
}

std::string nodeLine(const Graph& graph, NodeId id)
{
    const Node& node = graph[id];
    const IrPrinter printer(graph);
    if (node.op == NodeOp::Output)
        return "return " + (node.args.empty() ? "None" : toText(graph, node.args.front()));
    const std::string target =
        node.op == NodeOp::CallFunction ? printedTarget(node.target) : node.target.str();
    std::string line = "%" + node.name + " : [num_users=" + std::to_string(graph.users(id).size())
        + "] = " + std::string(nodeOpName(node.op)) + "[target=" + target + "]";
    if (node.op == NodeOp::Placeholder && !node.args.empty())
        line += "(default=" + printer.text(node.args.front()) + ")";
    else if (node.op != NodeOp::Placeholder && node.op != NodeOp::GetAttr)
        line += callText(node, printer);
    return line;
}

} // namespace

std::string writeIrText(const Graph& graph)
{
    std::string text = "graph():\n";
    for (const NodeId id : graph.order())
        text += "    " + nodeLine(graph, id) + "\n";
    return text;
}

} // namespace reinspect
