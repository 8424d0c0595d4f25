// SPDX-License-Identifier: MIT
#include "core/layout/node_label.h"

#include <algorithm>

namespace reinspect
{

static std::string shapeOf(const TensorMeta& meta)
{
    std::string text(dtypeAbbreviation(meta.dtype));
    text += '[';
    for (std::size_t i = 0; i < meta.sizes.size(); ++i)
    {
        text += i == 0 ? "" : ", ";
        text += toText(meta.sizes[i]);
    }
    return text + ']';
}

std::string shapeText(const MetaValue& meta)
{
    if (const TensorMeta* tensor = meta.tensor())
        return shapeOf(*tensor);
    if (const SymScalarMeta* scalar = std::get_if<SymScalarMeta>(&meta.value))
        return scalar->text;
    const SequenceMeta* sequence = meta.sequence();
    if (!sequence)
        return {};
    std::string text = "(";
    for (std::size_t i = 0; i < sequence->items.size(); ++i)
    {
        text += i == 0 ? "" : ", ";
        text += shapeText(sequence->items[i]);
    }
    return text + ')';
}

static std::string_view withoutPrefix(std::string_view text, std::string_view prefix)
{
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

std::string shortOperator(std::string_view target)
{
    for (std::string_view prefix : {"aten.", "prims.", "operator.", "higher_order."})
        target = withoutPrefix(target, prefix);
    // A Python function by its path: "torch._inductor.fx_passes.reinplace._generalized_scatter".
    if (std::count(target.begin(), target.end(), '.') > 2)
        return std::string(target.substr(target.rfind('.') + 1));
    const std::size_t dot = target.rfind('.');
    const std::string_view overload = dot == std::string_view::npos ? "" : target.substr(dot + 1);
    const bool isOverload = overload == "default"
        || (!overload.empty() && overload.front() >= 'A' && overload.front() <= 'Z');
    // "sum.dim_IntList": whatever follows the last dot of an operator of one word is its overload.
    const bool isOneWord = dot != std::string_view::npos && target.find('.') == dot;
    return std::string(isOverload || isOneWord ? target.substr(0, dot) : target);
}

static std::string itemText(const Argument& key)
{
    if (const std::string* name = key.as<std::string>())
        return *name;
    if (const std::optional<std::int64_t> index = key.integer())
        return std::to_string(*index);
    return {};
}

std::string operationOf(const Node& node, std::string_view target)
{
    switch (node.op)
    {
    case NodeOp::Placeholder: return "input";
    case NodeOp::GetAttr: return "constant";
    case NodeOp::Output: return "output";
    case NodeOp::CallFunction:
    case NodeOp::CallMethod:
    case NodeOp::CallModule: break;
    }
    const std::string operation = shortOperator(target);
    if (operation == "getitem" && node.args.size() == 2)
        return "getitem [" + itemText(node.args[1]) + ']';
    const ConstantArgument* wrapped =
        node.args.empty() ? nullptr : node.args[0].as<ConstantArgument>();
    if (wrapped && wrapped->kind == ConstantArgument::Kind::Operator)
        return shortOperator(wrapped->text) + " (" + operation + ')';
    return operation;
}

static std::string returnedText(const Graph& graph)
{
    const std::size_t count = outputCount(graph);
    return std::to_string(count) + (count == 1 ? " value" : " values");
}

NodeLabel labelOf(const Graph& graph, NodeId id)
{
    const Node& node = graph[id];
    NodeLabel label{node.name, operationOf(node, node.target), shapeText(node.meta.value)};
    if (node.op == NodeOp::Output)
        label.shape = returnedText(graph);
    return label;
}

UnionGraph unionGraph(const Graph& graph)
{
    UnionGraph all;
    std::vector<std::uint32_t> placeOf(graph.slotCount(), 0);
    for (NodeId id : graph.order())
    {
        const NodeOp op = graph[id].op;
        placeOf[id.index()] = static_cast<std::uint32_t>(all.nodes.size());
        all.nodes.push_back({id, op == NodeOp::Placeholder || op == NodeOp::GetAttr});
        for (NodeId input : graph.inputs(id))
            all.edges.push_back({placeOf[input.index()], placeOf[id.index()]});
    }
    return all;
}

} // namespace reinspect
