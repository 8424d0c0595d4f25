// SPDX-License-Identifier: MIT
// Where a walk through the trace should stop: conditions on what an event is about, matched against the
// recorded events. A breakpoint is a line of terms that must all hold:
//     node:index_put op:add_kernel kind:triton reason:UsedLater check:"No later use" verdict:kept
//     storage:3 bytes>1M hazard:OperandAlias is:missed
// A bare word matches nodes and operators that contain it. Text is compared without regard to case.
// The same lines filter tables of decisions.
#pragma once

#include "core/base/result.h"
#include "core/passes/trace_cursor.h"

namespace reinspect
{

enum class BreakField
{
    Any, // node or operator, by part of the name
    Node,
    Operator,
    Kind,
    Reason,
    Check,
    Verdict,
    Storage,
    Bytes,
    Hazard,
    Is, // missed, hazard, opportunity, assumed or overruled
};

struct BreakTerm
{
    BreakField field = BreakField::Any;
    std::string text;        // in small letters
    char comparison = '=';   // '=', '<' or '>'; the last two for bytes
    std::int64_t number = 0; // of Bytes and Storage
};

struct Breakpoint
{
    std::string text; // as it was written
    std::vector<BreakTerm> terms;
    bool enabled = true;
};

// Errors say which term is not understood, and what there is.
Result<Breakpoint> parseBreakpoint(std::string_view text);

// Whether all terms hold for a decision; a check among them, when that check was made.
bool matches(const PassTrace& trace, DecisionIndex decision, const Breakpoint& breakpoint);

// What a term may be, for completion: "node:", "verdict:kept", "reason:UsedLater", "bytes>".
std::vector<std::string> breakpointWords();

// Whether the walk stops here: with a check among the terms on that check, else where a candidate's
// argument is first tried, so that the steps into it are still ahead.
bool stopsAt(const PassTrace& trace, EventIndex event, const Breakpoint& breakpoint);

// The next event behind `from` (before it, when `backwards`) at which an enabled breakpoint stops.
std::optional<EventIndex> runToBreakpoint(const PassTrace& trace, EventIndex from,
                                          std::span<const Breakpoint> breakpoints,
                                          bool backwards = false);

} // namespace reinspect
