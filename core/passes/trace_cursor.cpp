// SPDX-License-Identifier: MIT
#include "core/passes/trace_cursor.h"

#include <cassert>
#include <functional>

namespace reinspect
{
namespace
{

using EventTest = std::function<bool(const Event&)>;

std::optional<EventIndex> findForward(const PassTrace& trace, EventIndex from,
                                      const EventTest& wanted)
{
    for (std::size_t i = from.index() + 1; i < trace.events.size(); ++i)
        if (wanted(trace.events[i]))
            return EventIndex(i);
    return {};
}

std::optional<EventIndex> findBackward(const PassTrace& trace, EventIndex from,
                                       const EventTest& wanted)
{
    for (std::size_t i = from.index(); i-- > 0;)
        if (wanted(trace.events[i]))
            return EventIndex(i);
    return {};
}

bool isDecided(const Event& event)
{
    return event.as<Decided>() != nullptr;
}

EventTest refusalIn(const PassTrace& trace)
{
    return [&trace](const Event& event) {
        const Decided* decided = event.as<Decided>();
        return decided && trace.decision(decided->decision).verdict == Verdict::Kept;
    };
}

std::optional<EventIndex> differentFrom(EventIndex from, EventIndex to)
{
    return from == to ? std::nullopt : std::optional<EventIndex>(to);
}

} // namespace

std::optional<EventIndex> destination(const PassTrace& trace, EventIndex from, Move move)
{
    if (trace.events.empty() || !from || from.index() >= trace.events.size())
        return {};
    const std::uint8_t depth = trace.event(from).depth;
    const EventTest any = [](const Event&) { return true; };
    const EventTest notDeeper = [depth](const Event& event) { return event.depth <= depth; };
    const EventTest shallower = [depth](const Event& event) { return event.depth < depth; };
    switch (move)
    {
    case Move::Into: return findForward(trace, from, any);
    case Move::Over: return findForward(trace, from, notDeeper);
    case Move::Out: return findForward(trace, from, shallower);
    case Move::BackInto: return findBackward(trace, from, any);
    case Move::BackOver: return findBackward(trace, from, notDeeper);
    case Move::NextDecision: return findForward(trace, from, isDecided);
    case Move::PreviousDecision: return findBackward(trace, from, isDecided);
    case Move::NextRefusal: return findForward(trace, from, refusalIn(trace));
    case Move::PreviousRefusal: return findBackward(trace, from, refusalIn(trace));
    case Move::ToStart: return differentFrom(from, EventIndex(0));
    case Move::ToEnd: return differentFrom(from, EventIndex(trace.events.size() - 1));
    }
    return {};
}

EventIndex openingEvent(const PassTrace& trace)
{
    if (trace.events.empty())
        return {};
    const EventIndex start(0);
    if (const auto refusal = destination(trace, start, Move::NextRefusal))
        return *refusal;
    return destination(trace, start, Move::NextDecision).value_or(start);
}

TraceCursor::TraceCursor(std::shared_ptr<const PassTrace> trace)
    : m_trace(std::move(trace))
    , m_graph(*m_trace->initial)
{
    if (!m_trace->events.empty())
        goTo(EventIndex(0));
}

void TraceCursor::goTo(EventIndex event)
{
    assert(event && event.index() < m_trace->events.size());
    m_event = event;
    goToEdit(m_trace->event(event).editCount);
}

void TraceCursor::goToEdit(std::size_t count)
{
    while (m_applied < count)
        applyEdit(m_graph, m_trace->edits[m_applied++]);
    while (m_applied > count)
        revertEdit(m_graph, m_trace->edits[--m_applied]);
}

Graph graphAfterEdits(const PassTrace& trace, std::size_t count)
{
    Graph graph = *trace.initial;
    for (std::size_t i = 0; i < count; ++i)
        applyEdit(graph, trace.edits[i]);
    return graph;
}

} // namespace reinspect
