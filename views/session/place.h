// SPDX-License-Identifier: MIT
// A place in a trace by names, so that it can be found again in another run over the same graph: the
// decision by node and argument, and what of it was looked at.
#pragma once

#include "core/passes/pass_trace.h"

namespace reinspect
{

struct Place
{
    std::string node; // empty: outside of decisions
    std::string argument;
    Phase phase = Phase::Canonicalize; // of an event outside of decisions
    enum class Part : std::uint8_t
    {
        Candidate, // where the call was found
        Tried,
        Check, // a check, or what it looked at
        Decided,
    } part = Part::Decided;
    Check check = Check::StorageFree; // of Part::Check
};

Place placeOf(const PassTrace& trace, EventIndex event);

// Invalid when the trace has no such decision or phase. A check that this run does not make leads to
// the verdict.
EventIndex findPlace(const PassTrace& trace, const Place& place);

// Invalid when there is none.
DecisionIndex findDecision(const PassTrace& trace, std::string_view node,
                           std::string_view argument);
// Whether the trace tries what the override is about.
bool overrideConcerns(const PassTrace& trace, const DecisionOverride& override);
NodeId findNode(const PassTrace& trace, std::string_view name);

} // namespace reinspect
