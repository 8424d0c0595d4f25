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
    for (std::size_t i = event.index() + 1; i < trace.events.size() && trace.events[i].depth > depth; ++i)
    {
        const ArgumentTried* tried = trace.events[i].as<ArgumentTried>();
        if (tried && mark != EventMark::Kept)
            mark = markOf(trace.decision(tried->decision).verdict);
    }
    return mark;
}

static EventMark useMark(UseVerdict verdict)
{
    return verdict == UseVerdict::Blocks ? EventMark::Blocking : EventMark::Harmless;
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
    EventMark operator()(const ArgumentTried& e) const { return markOf(trace.decision(e.decision).verdict); }
    EventMark operator()(const CheckDone& e) const { return e.passed ? EventMark::Passed : EventMark::Failed; }
    EventMark operator()(const OverlapTested& e) const
    {
        return e.answer.kind == OverlapKind::Disjoint ? EventMark::Disjoint : EventMark::Overlaps;
    }
    EventMark operator()(const UseExamined& e) const { return useMark(e.verdict); }
    EventMark operator()(const UsesSummed& e) const { return useMark(e.verdict); }
    EventMark operator()(const Decided& e) const { return markOf(trace.decision(e.decision).verdict); }
    EventMark operator()(const ReplacementPlanned&) const { return EventMark::Note; }
    EventMark operator()(const Edited&) const { return EventMark::Edit; }
};

struct MarkText
{
    const char* word;
    const char* icon;
};
} // namespace

EventMark eventMark(const PassTrace& trace, EventIndex event)
{
    return std::visit(MarkOfBody{trace, event}, trace.event(event).body);
}

static MarkText markText(EventMark mark)
{
    switch (mark)
    {
    case EventMark::Phase: return {QT_TRANSLATE_NOOP("EventMark", "phase"), "phase"};
    case EventMark::Note: return {QT_TRANSLATE_NOOP("EventMark", "found"), "note"};
    case EventMark::Edit: return {QT_TRANSLATE_NOOP("EventMark", "edit"), "edit"};
    case EventMark::Candidate: return {QT_TRANSLATE_NOOP("EventMark", "candidate"), "candidate"};
    case EventMark::Reinplaced: return {QT_TRANSLATE_NOOP("EventMark", "in place"), "reinplaced"};
    case EventMark::Kept: return {QT_TRANSLATE_NOOP("EventMark", "kept"), "kept"};
    case EventMark::Passed: return {QT_TRANSLATE_NOOP("EventMark", "passed"), "passed"};
    case EventMark::Failed: return {QT_TRANSLATE_NOOP("EventMark", "failed"), "failed"};
    case EventMark::Blocking: return {QT_TRANSLATE_NOOP("EventMark", "blocks"), "blocking"};
    case EventMark::Harmless: return {QT_TRANSLATE_NOOP("EventMark", "does not count"), "harmless"};
    case EventMark::Overlaps: return {QT_TRANSLATE_NOOP("EventMark", "overlaps"), "overlaps"};
    case EventMark::Disjoint: return {QT_TRANSLATE_NOOP("EventMark", "disjoint"), "disjoint"};
    }
    return {"", ""};
}

QString eventMarkWord(EventMark mark)
{
    return QCoreApplication::translate("EventMark", markText(mark).word);
}

QString eventMarkIcon(EventMark mark)
{
    return QString::fromLatin1(markText(mark).icon);
}

} // namespace reinspect
