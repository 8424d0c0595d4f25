// SPDX-License-Identifier: MIT
#include "views/models/decision_badges.h"

#include <QCoreApplication>

#include <algorithm>

namespace reinspect
{

QString badgeWord(Badge badge)
{
    const auto say = [](const char* text) { return QCoreApplication::translate("Badge", text); };
    switch (badge)
    {
    case Badge::InPlace: return say("in place");
    case Badge::Kept: return say("kept");
    case Badge::Hazard: return say("hazard");
    case Badge::Missed: return say("missed");
    case Badge::Opportunity: return say("missed opportunity");
    case Badge::Overruled: return say("your word");
    case Badge::Assumed: return say("assumed");
    case Badge::Same: return say("same");
    case Badge::Differs: return say("differs");
    case Badge::OnlyHere: return say("only one side");
    }
    return {};
}

Badge badgeOf(Verdict verdict)
{
    return verdict == Verdict::Reinplaced ? Badge::InPlace : Badge::Kept;
}

Badge badgeOf(DiffKind kind)
{
    switch (kind)
    {
    case DiffKind::Same: return Badge::Same;
    case DiffKind::Differs: return Badge::Differs;
    case DiffKind::OnlyFirst:
    case DiffKind::OnlySecond: break;
    }
    return Badge::OnlyHere;
}

static bool isOverruled(const Decision& decision)
{
    return decision.forced || decision.overruled || decision.reason == Reason::ForbiddenByUser;
}

QList<Badge> badgesOf(const Decision& decision)
{
    QList<Badge> badges;
    if (!decision.hazards.empty())
        badges.append(Badge::Hazard);
    if (decision.missed)
        badges.append(Badge::Missed);
    if (decision.safe)
        badges.append(Badge::Opportunity);
    if (isOverruled(decision))
        badges.append(Badge::Overruled);
    return badges;
}

static void addBadges(QList<Badge>& badges, const Decision& decision)
{
    for (const Badge badge : badgesOf(decision))
        if (!badges.contains(badge))
            badges.append(badge);
}

// The arguments of a call follow it in the trace.
static QList<Badge> badgesOfCall(const PassTrace& trace, EventIndex event)
{
    QList<Badge> badges;
    const std::uint8_t depth = trace.event(event).depth;
    for (std::size_t i = event.index() + 1;
         i < trace.events.size() && trace.events[i].depth > depth; ++i)
        if (const ArgumentTried* tried = trace.events[i].as<ArgumentTried>())
            addBadges(badges, trace.decision(tried->decision));
    std::ranges::sort(badges);
    return badges;
}

QList<Badge> badgesAt(const PassTrace& trace, EventIndex event)
{
    const Event& at = trace.event(event);
    if (at.as<CandidateFound>())
        return badgesOfCall(trace, event);
    if (const ArgumentTried* tried = at.as<ArgumentTried>())
        return badgesOf(trace.decision(tried->decision));
    if (const Decided* decided = at.as<Decided>())
        return badgesOf(trace.decision(decided->decision));
    return {};
}

} // namespace reinspect
