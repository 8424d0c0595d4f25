// SPDX-License-Identifier: MIT
#include "views/models/event_mark.h"

#include <QCoreApplication>

namespace reinspect
{

static EventMark markOf(Verdict verdict)
{
    return verdict == Verdict::Reinplaced ? EventMark::Reinplaced : EventMark::Kept;
}

// A call is as good as the worst of its arguments, which follow it in the trace.
static EventMark candidateMark(const PassTrace& trace, EventIndex event)
{
    EventMark mark = EventMark::Candidate;
    const std::uint8_t depth = trace.event(event).depth;
    for (std::size_t i = event.index() + 1;
         i < trace.events.size() && trace.events[i].depth > depth; ++i)
    {
        const ArgumentTried* tried = trace.events[i].as<ArgumentTried>();
        if (tried && mark != EventMark::Kept)
            mark = markOf(trace.decision(tried->decision).verdict);
    }
    return mark;
}

static EventMark useMark(UseVerdict verdict)
{
    switch (verdict)
    {
    case UseVerdict::Blocks: return EventMark::Blocking;
    case UseVerdict::NotExamined: return EventMark::Note;
    case UseVerdict::BeforeNode:
    case UseVerdict::AfterCopyBack:
    case UseVerdict::ShapeOnly:
    case UseVerdict::OverwrittenByCopy:
    case UseVerdict::OrderingOnly:
    case UseVerdict::Disjoint: break;
    }
    return EventMark::Harmless;
}

namespace
{
struct MarkOfBody
{
    const PassTrace& trace;
    EventIndex event;

    EventMark operator()(const PhaseBegan&) const { return EventMark::Phase; }
    EventMark operator()(const ScatterCanonicalized&) const { return EventMark::Edit; }
    EventMark operator()(const ScattersFused&) const { return EventMark::Edit; }
    EventMark operator()(const CopyBackFound&) const { return EventMark::Note; }
    EventMark operator()(const CandidateFound&) const { return candidateMark(trace, event); }
    EventMark operator()(const ArgumentTried& e) const
    {
        return markOf(trace.decision(e.decision).verdict);
    }
    EventMark operator()(const CheckDone& e) const
    {
        return e.passed ? EventMark::Passed : EventMark::Failed;
    }
    EventMark operator()(const OverlapTested& e) const
    {
        return e.answer.kind == OverlapKind::Disjoint ? EventMark::Disjoint : EventMark::Overlaps;
    }
    EventMark operator()(const UseExamined& e) const { return useMark(e.verdict); }
    EventMark operator()(const UsesSummed& e) const { return useMark(e.verdict); }
    EventMark operator()(const Decided& e) const
    {
        return markOf(trace.decision(e.decision).verdict);
    }
    EventMark operator()(const ReplacementPlanned&) const { return EventMark::Note; }
    EventMark operator()(const Edited&) const { return EventMark::Edit; }
};
} // namespace

EventMark eventMark(const PassTrace& trace, EventIndex event)
{
    return std::visit(MarkOfBody{trace, event}, trace.event(event).body);
}

QString eventMarkWord(EventMark mark)
{
    const auto say = [](const char* text) {
        return QCoreApplication::translate("EventMark", text);
    };
    switch (mark)
    {
    case EventMark::Phase: return say("phase");
    case EventMark::Note: return say("found");
    case EventMark::Edit: return say("edit");
    case EventMark::Candidate: return say("candidate");
    case EventMark::Reinplaced: return say("in place");
    case EventMark::Kept: return say("kept");
    case EventMark::Passed: return say("passed");
    case EventMark::Failed: return say("failed");
    case EventMark::Blocking: return say("blocks");
    case EventMark::Harmless: return say("does not count");
    case EventMark::Overlaps: return say("may overlap");
    case EventMark::Disjoint: return say("lies elsewhere");
    }
    return {};
}

} // namespace reinspect
