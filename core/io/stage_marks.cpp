// SPDX-License-Identifier: MIT
#include "core/io/stage_marks.h"

#include "core/ir/op_facts.h"

#include <algorithm>

namespace reinspect
{
namespace
{

// Names that only the decompositions after the pass give: nodes made from a mutable argument.
bool isLoweredName(std::string_view name)
{
    constexpr std::string_view kMarks[] = {"copy__default", "as_strided_default"};
    return std::any_of(std::begin(kMarks), std::end(kMarks), [name](std::string_view mark) {
        return name == mark || (name.starts_with(mark) && name[mark.size()] == '_');
    });
}

bool isInPlaceTwin(std::string_view target)
{
    const auto isTwin = [target](const auto& row) { return row.inplace == target; };
    return std::ranges::any_of(reinplaceTable(), isTwin)
        || std::ranges::any_of(foreachTable(), isTwin)
        || std::ranges::any_of(laterForeachTable(), isTwin);
}

// "aten.add_.Tensor", "demo.scale_.default": the result is the argument.
bool isInPlace(std::string_view target)
{
    const std::size_t overload = target.rfind('.');
    return overload != std::string_view::npos && overload > 0 && target[overload - 1] == '_'
        && !target.starts_with("aten.copy_.");
}

// Dynamo's inputs are called after the Python variables they come from: "L_x_".
bool isDynamo(const Node& node)
{
    if (node.op == NodeOp::Placeholder)
        return node.target.starts_with("L_") && node.target.ends_with("_");
    return node.op == NodeOp::CallMethod || node.op == NodeOp::CallModule
        || node.target == "operator.setitem" || node.target == "operator.iadd"
        || node.target == "operator.imul" || node.target == "operator.isub";
}

bool isJointName(std::string_view name)
{
    return name == "joint_helper" || name == "joint_fn" || name == "inner_f";
}

} // namespace

PassLeftovers leftByPass(const Graph& graph)
{
    PassLeftovers left;
    for (const NodeId id : graph.order())
    {
        const Node& node = graph[id];
        if (node.target == "aten.clone.default")
            left.clones.push_back(id);
        if (node.target != "aten.copy_.default" || node.args.size() < 2)
            continue;
        NodeId source = node.args[1].node();
        while (source && source != node.args[0].node() && graph[source].op == NodeOp::CallFunction
               && isInPlace(graph[source].target) && !graph[source].args.empty())
            source = graph[source].args[0].node();
        if (source && source == node.args[0].node())
            left.selfCopies.push_back(id);
    }
    return left;
}

Stage stageFromMarks(const Graph& graph)
{
    constexpr std::string_view kMutation = "higher_order.triton_kernel_wrapper_mutation";
    constexpr std::string_view kScatter =
        "torch._inductor.fx_passes.reinplace._generalized_scatter";
    Stage stage = isJointName(graph.name) ? Stage::Joint : Stage::BeforePass;
    for (const NodeId id : graph.order())
    {
        const Node& node = graph[id];
        if (isDynamo(node))
            return Stage::Dynamo;
        if (node.op != NodeOp::CallFunction)
            continue;
        if (node.target == kMutation || isLoweredName(node.name))
            return Stage::Final;
        if (node.target == kScatter && stage == Stage::BeforePass)
            stage = Stage::Canonical;
        else if (isInPlaceTwin(node.target))
            stage = Stage::AfterPass;
    }
    return stage;
}

} // namespace reinspect
