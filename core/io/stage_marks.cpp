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
    const auto plain = reinplaceTable();
    const auto lists = foreachTable();
    return std::any_of(plain.begin(), plain.end(),
                       [target](const auto& row) { return row.inplace == target; })
        || std::any_of(lists.begin(), lists.end(),
                       [target](const auto& row) { return row.inplace == target; });
}

} // namespace

Stage stageFromMarks(const Graph& graph)
{
    constexpr std::string_view kMutation = "higher_order.triton_kernel_wrapper_mutation";
    constexpr std::string_view kScatter =
        "torch._inductor.fx_passes.reinplace._generalized_scatter";
    Stage stage = Stage::BeforePass;
    for (const NodeId id : graph.order())
    {
        const Node& node = graph[id];
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
