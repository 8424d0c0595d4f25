// SPDX-License-Identifier: MIT
#include "core/passes/lowering.h"

#include "core/ir/op_facts.h"
#include "core/passes/dead_code.h"
#include "core/passes/lower_auto_functionalized.h"
#include "core/passes/lower_triton.h"
#include "core/passes/trace_cursor.h"
#include "core/passes/view_scatter.h"
#include "core/passes/written_arguments.h"

#include <map>

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

// What calls of the first form are taken to write, by wrapper. Calls of one operator are inferred
// together, so that one answer holds for all that name the same arguments.
std::unordered_map<NodeId, std::vector<std::string>>
writtenWithoutSchema(const Graph& graph, const Graph& before, const CaptureFacts& facts)
{
    std::unordered_map<NodeId, std::vector<std::string>> written;
    std::map<std::string, std::vector<std::string>> known;
    for (const NodeId id : graph.order())
    {
        const Node& node = graph[id];
        const ConstantArgument* op = node.target == kAutoFunctionalized && !node.args.empty()
            ? node.args.front().as<ConstantArgument>()
            : nullptr;
        if (!op || facts.customOperator(op->text) || findOpFacts(op->text))
            continue;
        std::string call = op->text;
        for (const NamedArgument& argument : node.kwargs)
            call += "," + argument.name;
        auto answer = known.find(call);
        if (answer == known.end())
            answer = known.emplace(call, inferWrittenArguments(before, id)).first;
        written.emplace(id, answer->second);
    }
    return written;
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

Result<StageGraph> lowerWrappers(Graph graph, const CaptureFacts& facts, const Graph* before)
{
    const auto written = writtenWithoutSchema(graph, before ? *before : graph, facts);
    LoweringEdit edit(std::move(graph), facts);
    for (const NodeId id : wrappersBackwards(
             edit.graph(), [](std::string_view target) { return target == kTritonFunctional; }))
        REINSPECT_CHECK(lowerTritonWrapper(edit, id));
    for (const NodeId id : wrappersBackwards(edit.graph(), isAutoFunctionalized))
    {
        const auto names = written.find(id);
        REINSPECT_CHECK(lowerAutoFunctionalized(
            edit, id, names == written.end() ? std::vector<std::string>() : names->second));
    }
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
    case PassStage::Final: return lowerWrappers(*trace.result, facts, trace.initial.get());
    case PassStage::Baseline: break;
    }
    return lowerWrappers(withoutCore(trace), facts, trace.initial.get());
}

Result<Graph> graphAtStage(const PassTrace& trace, PassStage stage, const CaptureFacts& facts)
{
    REINSPECT_TRY(StageGraph lowered, stageOf(trace, stage, facts));
    return std::move(lowered.graph);
}

} // namespace reinspect
