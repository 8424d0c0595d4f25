// SPDX-License-Identifier: MIT
// The graph at each stage of the pass, and what later passes make of the decisions: copies and
// mutating calls become nodes. Mirrors decompose_triton_kernel_wrapper_functional and
// decompose_auto_functionalized, which run right after the reinplacing pass in
// torch/_inductor/fx_passes/post_grad.py.
#pragma once

#include "core/ir/capture_facts.h"
#include "core/passes/pass_trace.h"

namespace reinspect
{

enum class PassStage
{
    Canonical, // after phases 1 and 2
    Core,      // after phase 3
    After,     // after phase 4
    Final,     // After, lowered
    Baseline,  // phases 1, 2 and 4, lowered: no reinplacing
};

std::optional<PassStage>
passStageNamed(std::string_view name); // "canonical", "core", "after", "final", "baseline"

struct StageGraph
{
    Graph graph;
    std::vector<std::string> assumptions; // sentences: what the input did not say
};

// Final and Baseline fail (CannotRunHere) on a wrapper whose results cannot be told, and name it.
// Baseline copies every tensor that a Triton wrapper writes. What auto_functionalized writes it does
// not copy: without phase 3 nothing is listed to be cloned, and upstream takes that for an empty list.
Result<StageGraph> stageOf(const PassTrace& trace, PassStage stage, const CaptureFacts& facts = {});

// The graph alone.
Result<Graph> graphAtStage(const PassTrace& trace, PassStage stage, const CaptureFacts& facts = {});

// Final, of any graph. What is not a wrapper stays as it is. `before` is the graph as the pass was given it
// when there is one: it shows best what operators without a schema write.
Result<StageGraph> lowerWrappers(Graph graph, const CaptureFacts& facts = {},
                                 const Graph* before = nullptr);

} // namespace reinspect
