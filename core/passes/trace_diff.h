// SPDX-License-Identifier: MIT
// Two runs of the pass over one graph, side by side: which decisions agree, which part, and the first
// check at which they part. Decisions are matched by the names of node and argument, so the traces
// may have walked through different phases.
#pragma once

#include "core/passes/pass_trace.h"

namespace reinspect
{

enum class DiffKind
{
    Same,       // the same verdict for the same reason
    Differs,    // another verdict, or the same for another reason
    OnlyFirst,  // a candidate of the first alone
    OnlySecond, // of the second alone
};

struct DecisionDiff
{
    DiffKind kind = DiffKind::Same;
    std::string node;
    std::string argument;
    DecisionIndex first; // invalid for OnlySecond
    DecisionIndex second;
    // The check that refused, as an event of its own trace; for a run that does not refuse, how it
    // answered the check that the other failed, invalid when it never asked.
    EventIndex firstCause;
    EventIndex secondCause;

    bool verdictDiffers = false; // not only the reason
};

struct TraceDiff
{
    std::vector<DecisionDiff>
        rows; // in the order of the first trace, what only the second has between
    std::size_t same = 0;
    std::size_t differing = 0; // Differs
    std::size_t onlyFirst = 0;
    std::size_t onlySecond = 0;
    std::int64_t firstBytes =
        0; // that one run keeps cloned and the other does not; symbolic ones count 0
    std::int64_t secondBytes = 0;
};

TraceDiff diffTraces(const PassTrace& first, const PassTrace& second);

std::string_view diffKindName(DiffKind kind); // "differs"

// "torch-2.11 writes it in place, pr-111627 keeps it: ...": where the two part, as one sentence. Empty for Same.
std::string explainDiff(const PassTrace& first, const PassTrace& second, const DecisionDiff& row);

} // namespace reinspect
