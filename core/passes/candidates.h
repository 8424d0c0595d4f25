// SPDX-License-Identifier: MIT
// The six kinds of candidates of the core phase: which arguments of a call the pass tries, and what a
// yes or no changes. Mirrors the branches of reinplace_inplaceable_ops_core.
#pragma once

#include "core/passes/core_analysis.h"
#include "core/passes/precise_judge.h"
#include "core/passes/trace_builder.h"
#include "core/passes/written_arguments.h"

namespace reinspect
{

// What deciding a candidate looks at, and what outlives it.
struct CoreContext
{
    const CoreAnalysis& analysis;
    const CaptureFacts& facts;
    PreciseJudge& judge;
    WrittenArguments& written;
    std::vector<ReplacementPlanned>& replacements; // planned only, and applied at the end
};

// Decides `node` if it is a candidate.
void decideCandidate(TraceBuilder& builder, const CoreContext& context, NodeId node);

// The final loop of the core phase: follows chains of replacements, rewrites users, erases.
void applyReplacements(TraceBuilder& builder, const std::vector<ReplacementPlanned>& replacements);

} // namespace reinspect
