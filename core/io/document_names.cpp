// SPDX-License-Identifier: MIT
// The names of formats, wrappings and stages, and what is said of a stage.
#include "core/io/document.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

struct StageRow
{
    Stage stage;
    std::string_view name;
    std::string_view advice = {};
};

constexpr std::string_view kTakeAotGraphs =
    "Take the log again with TORCH_LOGS=\"aot_graphs\", or open the fx_graph_readable.py of "
    "TORCH_COMPILE_DEBUG=1: those show the graph that the pass is given.";
constexpr std::string_view kAfter =
    "It was taken after the pass, whose decisions can only be seen by what they left.";

constexpr std::array<StageRow, 12> kStages = {
    {{Stage::BeforePass, "before"},
     {Stage::Canonical, "canonical"},
     {Stage::CoreAfter, "core", kAfter},
     {Stage::CoreAfter, "core_after", kAfter},
     {Stage::AfterPass, "after", kAfter},
     {Stage::Final, "final", kAfter},
     {Stage::Baseline, "baseline", kAfter},
     {Stage::Unknown, "unknown"},
     {Stage::Dynamo, "dynamo", kTakeAotGraphs},
     {Stage::PreGrad, "pre_grad", kTakeAotGraphs},
     {Stage::Joint, "joint",
      "The pass is given the forward and the backward graph one by one: TORCH_LOGS=\"aot_graphs\" "
      "shows them."},
     {Stage::Fragment, "fragment",
      "It is the part of a lowered graph that one kernel computes. TORCH_LOGS=\"aot_graphs\" shows "
      "the whole graph."}}};

const StageRow& rowOf(Stage stage)
{
    return *std::find_if(kStages.begin(), kStages.end(),
                         [stage](const StageRow& row) { return row.stage == stage; });
}

} // namespace

std::string_view formatName(DocumentFormat format)
{
    switch (format)
    {
    case DocumentFormat::Capture: return "reinspect-graph";
    case DocumentFormat::Readable: return "readable";
    case DocumentFormat::Runnable: return "runnable";
    case DocumentFormat::Dot: return "dot";
    case DocumentFormat::IrText: break;
    }
    return "ir";
}

std::string_view wrappingName(Wrapping wrapping)
{
    switch (wrapping)
    {
    case Wrapping::Paste: return "paste";
    case Wrapping::Log: return "log";
    case Wrapping::Trace: return "trace";
    case Wrapping::Folder: return "folder";
    case Wrapping::None: break;
    }
    return "none";
}

std::string_view stageName(Stage stage)
{
    return rowOf(stage).name;
}

std::string_view stageAdvice(Stage stage)
{
    return rowOf(stage).advice;
}

bool isAfterPass(Stage stage)
{
    return stage == Stage::CoreAfter || stage == Stage::AfterPass || stage == Stage::Final
        || stage == Stage::Baseline;
}

Stage stageFromName(std::string_view name)
{
    // A remark may follow: "baseline (no reinplacing)".
    name = name.substr(0, name.find(' '));
    const auto found = std::find_if(kStages.begin(), kStages.end(),
                                    [name](const StageRow& row) { return row.name == name; });
    return found == kStages.end() ? Stage::Unknown : found->stage;
}

const SourceText& sourceOf(const Document& document, const DocumentGraph& graph)
{
    return graph.source ? *graph.source : *document.source;
}

} // namespace reinspect
