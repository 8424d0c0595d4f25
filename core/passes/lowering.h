// SPDX-License-Identifier: MIT
// What later passes make of the decisions: clones and mutating calls become nodes. Mirrors
// decompose_triton_kernel_wrapper_functional and decompose_auto_functionalized, which run right
// after the reinplacing pass in torch/_inductor/fx_passes/post_grad.py.
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
    Baseline,  // the same lowering without phase 3: every clone present
};

std::optional<PassStage>
passStageNamed(std::string_view name); // "canonical", "core", "after", "final", "baseline"

// The graph at a stage. Final and Baseline fail (CannotRunHere) on a wrapper that this build cannot lower, and name it.
Result<Graph> graphAtStage(const PassTrace& trace, PassStage stage, const CaptureFacts& facts = {});

} // namespace reinspect
