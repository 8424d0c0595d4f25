// SPDX-License-Identifier: MIT
#include "views/session/place.h"

namespace reinspect
{

static Place outside(const PassTrace& trace, EventIndex event)
{
    Place place;
    for (std::size_t i = 0; i <= event.index(); ++i)
        if (const PhaseBegan* began = trace.events[i].as<PhaseBegan>())
            place.phase = began->phase;
    return place;
}

Place placeOf(const PassTrace& trace, EventIndex event)
{
    const DecisionIndex index = trace.decisionAt(event);
    if (!index)
        return outside(trace, event);
    const Decision& decision = trace.decision(index);
    Place place{trace.nameOf(decision.node), decision.argument};
    if (event < decision.tried)
        place.part = Place::Part::Candidate;
    else if (event == decision.tried)
        place.part = Place::Part::Tried;
    else if (event < decision.decided)
        for (std::size_t i = decision.tried.index() + 1; i <= event.index(); ++i)
            if (const CheckDone* check = trace.events[i].as<CheckDone>())
            {
                place.part = Place::Part::Check;
                place.check = check->check;
            }
    return place;
}

static EventIndex findCheck(const PassTrace& trace, const Decision& decision, Check wanted)
{
    for (std::size_t i = decision.tried.index() + 1; i < decision.decided.index(); ++i)
    {
        const CheckDone* check = trace.events[i].as<CheckDone>();
        if (check && check->check == wanted)
            return EventIndex(i);
    }
    return decision.decided;
}

static EventIndex findPhase(const PassTrace& trace, Phase phase)
{
    for (std::size_t i = 0; i < trace.events.size(); ++i)
    {
        const PhaseBegan* began = trace.events[i].as<PhaseBegan>();
        if (began && began->phase == phase)
            return EventIndex(i);
    }
    return {};
}

// Where the call was found; for a later argument of it, where that is tried.
static EventIndex candidateOf(const PassTrace& trace, const Decision& decision)
{
    const std::size_t tried = decision.tried.index();
    const bool isFirst = tried > 0 && trace.events[tried - 1].as<CandidateFound>();
    return isFirst ? EventIndex(tried - 1) : decision.tried;
}

EventIndex findPlace(const PassTrace& trace, const Place& place)
{
    if (place.node.empty())
        return findPhase(trace, place.phase);
    const DecisionIndex index = findDecision(trace, place.node, place.argument);
    if (!index)
        return {};
    const Decision& decision = trace.decision(index);
    switch (place.part)
    {
    case Place::Part::Candidate: return candidateOf(trace, decision);
    case Place::Part::Tried: return decision.tried;
    case Place::Part::Check: return findCheck(trace, decision, place.check);
    case Place::Part::Decided: break;
    }
    return decision.decided;
}

DecisionIndex findDecision(const PassTrace& trace, std::string_view node, std::string_view argument)
{
    for (std::size_t i = 0; i < trace.decisions.size(); ++i)
    {
        const Decision& decision = trace.decisions[i];
        if (decision.argument == argument && trace.nameOf(decision.node) == node)
            return DecisionIndex(i);
    }
    return {};
}

bool overrideConcerns(const PassTrace& trace, const DecisionOverride& override)
{
    return override.argument.empty()
        ? trace.decisionFor(override.node) != nullptr
        : findDecision(trace, override.node, override.argument).isValid();
}

NodeId findNode(const PassTrace& trace, std::string_view name)
{
    for (std::size_t slot = 0; slot < trace.result->slotCount(); ++slot)
        if (trace.nameOf(NodeId(slot)) == name)
            return NodeId(slot);
    return {};
}

} // namespace reinspect
