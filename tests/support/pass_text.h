// SPDX-License-Identifier: MIT
// What the pass decides on a program of a few lines, as text that a test can compare.
#pragma once

#include "core/passes/reinplace_pass.h"

#include "tests/support/graph_text.h"

namespace reinspect
{

using TracePtr = std::shared_ptr<const PassTrace>;

inline TracePtr traceOf(std::string_view code, const ReinplacePolicy& policy = {})
{
    return runReinplace({std::make_shared<const Graph>(graphFrom(code))}, policy).value();
}

inline TracePtr traceOf(std::string_view code, std::string_view policy)
{
    return traceOf(code, policyNamed(policy).value());
}

// "kept UsedLater: add, view": the reason and its witnesses.
inline std::string verdictText(const PassTrace& trace, const Decision& decision)
{
    std::string text(verdictName(decision.verdict));
    if (decision.reason)
        text += " " + std::string(reasonName(*decision.reason));
    for (std::size_t i = 0; i < decision.witnesses.size(); ++i)
        text += (i == 0 ? ": " : ", ") + trace.nameOf(decision.witnesses[i]);
    return text;
}

// All decisions, in order, with "; " between them.
inline std::string verdicts(const PassTrace& trace)
{
    std::string text;
    for (const Decision& decision : trace.decisions)
        text += (text.empty() ? "" : "; ") + verdictText(trace, decision);
    return text;
}

} // namespace reinspect
