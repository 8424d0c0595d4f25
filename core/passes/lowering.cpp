// SPDX-License-Identifier: MIT
#include "core/passes/lowering.h"

#include "core/passes/trace_cursor.h"

namespace reinspect
{

std::optional<PassStage> passStageNamed(std::string_view name)
{
    if (name == "canonical")
        return PassStage::Canonical;
    if (name == "core")
        return PassStage::Core;
    if (name == "after")
        return PassStage::After;
    if (name == "final")
        return PassStage::Final;
    if (name == "baseline")
        return PassStage::Baseline;
    return {};
}

namespace
{

// The first wrapper whose clones a later pass would turn into nodes.
NodeId firstWrapper(const Graph& graph)
{
    for (const NodeId id : graph.order())
        if (graph[id].target == "higher_order.triton_kernel_wrapper_functional"
            || graph[id].target.starts_with("higher_order.auto_functionalized"))
            return id;
    return {};
}

} // namespace

Result<Graph> graphAtStage(const PassTrace& trace, PassStage stage, const CaptureFacts&)
{
    switch (stage)
    {
    case PassStage::Canonical: return graphAfterEdits(trace, trace.canonicalEdits);
    case PassStage::Core: return graphAfterEdits(trace, trace.coreEdits);
    case PassStage::After: return *trace.result;
    case PassStage::Final:
        if (const NodeId wrapper = firstWrapper(*trace.result))
            return Error{.message = "stage 'final': '" + trace.nameOf(wrapper)
                             + "' cannot be lowered by this build",
                         .hint = "Stage 'after' shows the decisions: tensors_to_clone lists the "
                                 "clones that stay.",
                         .kind = ErrorKind::CannotRunHere};
        return *trace.result;
    case PassStage::Baseline: break;
    }
    return Error{.message = "stage 'baseline' is not part of this build",
                 .hint = "Stages canonical, core and after are.",
                 .kind = ErrorKind::CannotRunHere};
}

} // namespace reinspect
