// SPDX-License-Identifier: MIT
// The graph at one event of a trace, and where each kind of step leads. Steps compare depths, as a
// debugger's step into, over and out do.
#pragma once

#include "core/passes/pass_trace.h"

namespace reinspect
{

enum class Move
{
    Into,         // next event
    Over,         // next event that is not deeper
    Out,          // next event that is shallower
    BackInto,     // previous event
    BackOver,     // previous event that is not deeper
    NextDecision, // next Decided
    PreviousDecision,
    NextRefusal, // next Decided: kept
    PreviousRefusal,
    ToStart, // first event
    ToEnd,   // last event
};

// Where `move` leads from `from`; nothing when there is no such place (the caller stays).
std::optional<EventIndex> destination(const PassTrace& trace, EventIndex from, Move move);

// Where a reader should look first: the first refusal, else the first decision, else the first event.
// Invalid for a trace without events.
EventIndex openingEvent(const PassTrace& trace);

class TraceCursor
{
public:
    // Stands on the first event.
    explicit TraceCursor(std::shared_ptr<const PassTrace> trace);

    const PassTrace& trace() const { return *m_trace; }
    EventIndex event() const { return m_event; }
    // The graph with the edits up to and including the current event's.
    const Graph& graph() const { return m_graph; }

    // Applies or reverts the edits between; the index must be an event of the trace.
    void goTo(EventIndex event);

private:
    void goToEdit(std::size_t count);

    std::shared_ptr<const PassTrace> m_trace;
    Graph m_graph;
    std::size_t m_applied = 0;
    EventIndex m_event;
};

// The graph with the first `count` edits applied: the stages of `apply`.
Graph graphAfterEdits(const PassTrace& trace, std::size_t count);

} // namespace reinspect
