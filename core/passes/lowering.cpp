// SPDX-License-Identifier: MIT
#include "core/passes/lowering.h"

#include "core/passes/dead_code.h"
#include "core/passes/lower_auto_functionalized.h"
#include "core/passes/lower_triton.h"
#include "core/passes/trace_cursor.h"
#include "core/passes/view_scatter.h"

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

// In reverse, as upstream does: the last wrapper takes the names without a number.
std::vector<NodeId> wrappersBackwards(const Graph& graph, auto isWanted)
{
    std::vector<NodeId> wrappers;
    for (NodeId id = graph.last(); id; id = graph.previous(id))
        if (isWanted(graph[id].target))
            wrappers.push_back(id);
    return wrappers;
}

bool isAutoFunctionalized(std::string_view target)
{
    return target == kAutoFunctionalized || target == kAutoFunctionalizedV2;
}

Graph withoutCore(const PassTrace& trace)
{
    Graph graph = graphAfterEdits(trace, trace.canonicalEdits);
    const std::vector<NodeId> scatters = scattersToDecompose(graph);
    if (scatters.empty())
        return graph;
    TraceBuilder builder(std::make_shared<const Graph>(std::move(graph)), trace.policy);
    for (const NodeId scatter : scatters)
        decomposeScatter(builder, scatter);
    return *builder.take().result;
}

} // namespace

Result<StageGraph> lowerWrappers(Graph graph, const CaptureFacts& facts)
{
    LoweringEdit edit(std::move(graph), facts);
    for (const NodeId id : wrappersBackwards(
             edit.graph(), [](std::string_view target) { return target == kTritonFunctional; }))
        REINSPECT_CHECK(lowerTritonWrapper(edit, id));
    for (const NodeId id : wrappersBackwards(edit.graph(), isAutoFunctionalized))
        REINSPECT_CHECK(lowerAutoFunctionalized(edit, id));
    StageGraph lowered{edit.finish(), edit.assumptions()};
    removeUnusedAttributes(lowered.graph);
    followStorages(lowered.graph, facts);
    return lowered;
}

Result<StageGraph> stageOf(const PassTrace& trace, PassStage stage, const CaptureFacts& facts)
{
    switch (stage)
    {
    case PassStage::Canonical: return StageGraph{graphAfterEdits(trace, trace.canonicalEdits), {}};
    case PassStage::Core: return StageGraph{graphAfterEdits(trace, trace.coreEdits), {}};
    case PassStage::After: return StageGraph{*trace.result, {}};
    case PassStage::Final: return lowerWrappers(*trace.result, facts);
    case PassStage::Baseline: break;
    }
    return lowerWrappers(withoutCore(trace), facts);
}

Result<Graph> graphAtStage(const PassTrace& trace, PassStage stage, const CaptureFacts& facts)
{
    REINSPECT_TRY(StageGraph lowered, stageOf(trace, stage, facts));
    return std::move(lowered.graph);
}

} // namespace reinspect
