// SPDX-License-Identifier: MIT
#include "core/passes/layout_dependence.h"

#include "core/alias/storage_map.h"
#include "core/ir/op_set.h"

#include <algorithm>

namespace reinspect
{
namespace
{

// Views that go by sizes and dimensions, whatever the strides are.
bool goesByDimension(const OpTarget& target)
{
    static const OpSet kTargets = {"aten.slice.Tensor",
                                   "aten.select.int",
                                   "aten.permute.default",
                                   "aten.transpose.int",
                                   "aten.t.default",
                                   "aten.expand.default",
                                   "aten.unsqueeze.default",
                                   "aten.squeeze.default",
                                   "aten.squeeze.dim",
                                   "aten.squeeze.dims",
                                   "aten.diagonal.default",
                                   "aten.alias.default",
                                   "aten.detach.default",
                                   "aten.narrow.default",
                                   "aten.unfold.default",
                                   "aten.split.Tensor",
                                   "aten.split_with_sizes.default",
                                   "aten.unbind.int",
                                   "aten.chunk.default",
                                   "aten.movedim.int",
                                   "aten.swapaxes.default",
                                   "aten.numpy_T.default",
                                   "aten.mT.default",
                                   "aten.tensor_split.sections",
                                   "operator.getitem",
                                   "aten.copy_.default",
                                   "_c10d_functional.wait_tensor.default"};
    return kTargets.contains(target);
}

// Views that name positions of the storage.
const OpSet& asStridedTargets()
{
    static const OpSet kTargets = {"aten.as_strided.default", "aten.as_strided_scatter.default",
                                   "aten.as_strided_.default"};
    return kTargets;
}

// Operators of the table that are no views and go by strides nevertheless.
bool byAddress(const OpFacts& facts)
{
    return asStridedTargets().contains(facts) || facts.name == "aten._unsafe_view.default";
}

} // namespace

bool namesPositions(const Node& node)
{
    if (asStridedTargets().contains(node.target))
        return true;
    const std::vector<Argument>* views = node.target == kGeneralizedScatter && node.args.size() > 2
        ? node.args[2].sequence()
        : nullptr;
    const bool scatters = views && std::ranges::any_of(*views, [](const Argument& argument) {
                              const ViewArgument* view = argument.as<ViewArgument>();
                              return view && view->target == "aten.as_strided.default";
                          });
    return scatters || std::ranges::any_of(node.kwargs, [](const NamedArgument& argument) {
               return argument.name.ends_with("_storage_offset");
           });
}

bool dependsOnLayout(const Graph& graph, NodeId id)
{
    if (graph.op(id) == NodeOp::CallMethod || graph.op(id) == NodeOp::CallModule)
        return true;
    const OpFacts* facts = graph.facts(id);
    if (graph.op(id) != NodeOp::CallFunction || (facts && !facts->isView && !byAddress(*facts)))
        return false;
    const Node& node = graph[id];
    if (goesByDimension(node.target) || node.target.starts_with("operator.")
        || node.target.starts_with("math."))
        return false;
    if (node.target == kGeneralizedScatter)
        return namesPositions(node);
    return true;
}

} // namespace reinspect
