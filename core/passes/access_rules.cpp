// SPDX-License-Identifier: MIT
#include "core/passes/access_rules.h"

#include "core/ir/op_set.h"

namespace reinspect
{
bool ignoresFirstOperand(const OpTarget& target)
{
    static const OpSet kTargets = {"aten.sym_size.int",       "aten.sym_stride.int",
                                   "aten.sym_numel.default",  "aten.sym_storage_offset.default",
                                   "aten.empty_like.default", "aten.zeros_like.default",
                                   "aten.ones_like.default",  "aten.full_like.default",
                                   "aten.rand_like.default",  "aten.randn_like.default",
                                   "aten.new_empty.default",  "aten.new_empty_strided.default",
                                   "aten.new_zeros.default",  "aten.new_ones.default",
                                   "aten.new_full.default",   "aten.copy.default",
                                   "aten.fill.Scalar",        "aten.fill.Tensor"};
    return kTargets.contains(target);
}

bool mayCopy(const OpTarget& target)
{
    static const OpSet kTargets = {"aten.reshape.default",    "aten.contiguous.default",
                                   "aten.flatten.using_ints", "aten.reshape_as.default",
                                   "aten.to.dtype",           "aten.to.device"};
    return kTargets.contains(target);
}

bool isFunctionalWrapper(const OpTarget& target)
{
    static const OpSet kTargets = {"higher_order.triton_kernel_wrapper_functional",
                                   "higher_order.auto_functionalized",
                                   "higher_order.auto_functionalized_v2",
                                   "higher_order.cond",
                                   "higher_order.while_loop",
                                   "higher_order.scan",
                                   "higher_order.associative_scan",
                                   "higher_order.map_impl",
                                   "higher_order.flex_attention",
                                   "higher_order.flex_attention_backward",
                                   "higher_order.invoke_subgraph",
                                   "higher_order.run_const_graph"};
    return kTargets.contains(target);
}

std::string_view viewOfScatter(const OpTarget& target)
{
    if (target == "aten.slice_scatter.default")
        return "aten.slice.Tensor";
    if (target == "aten.select_scatter.default")
        return "aten.select.int";
    if (target == "aten.diagonal_scatter.default")
        return "aten.diagonal.default";
    if (target == "aten.as_strided_scatter.default")
        return "aten.as_strided.default";
    return {};
}

bool isPlainTarget(const OpTarget& target)
{
    const bool mayWrite = target.starts_with("operator.i") || target == "operator.setitem";
    return (target.starts_with("operator.") && !mayWrite) || target.starts_with("math.")
        || target.starts_with("torch.sym_");
}

std::optional<TensorMeta> scatteredPart(const Node& scatter, const TensorMeta& input)
{
    if (const std::string_view view = viewOfScatter(scatter.target); !view.empty())
    {
        if (scatter.args.size() < 2)
            return {};
        return viewResult(view, input, std::span(scatter.args).subspan(2), scatter.kwargs);
    }
    if (scatter.target != kGeneralizedScatter || scatter.args.size() < 3)
        return {};
    const std::vector<Argument>* views = scatter.args[2].sequence();
    std::optional<TensorMeta> part = input;
    for (std::size_t i = 0; views && part && i < views->size(); ++i)
    {
        const ViewArgument* view = (*views)[i].as<ViewArgument>();
        part = view ? viewResult(view->target, *part, view->args, view->kwargs) : std::nullopt;
    }
    return views ? part : std::nullopt;
}

std::string_view schemaOf(const OpTarget& target, const CaptureFacts& facts)
{
    if (const OpFacts* known = target.facts())
        return known->schema;
    const CustomOperator* custom = facts.customOperator(target);
    return custom ? std::string_view(custom->schema) : std::string_view{};
}

} // namespace reinspect
