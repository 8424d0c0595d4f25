// SPDX-License-Identifier: MIT
// What is worth noticing about a decision, each as one badge: a mark, a colour and a word.
#pragma once

#include <QList>
#include <QMetaType>
#include <QString>

#include "core/passes/trace_diff.h"

namespace reinspect
{

enum class Badge : std::uint8_t
{
    InPlace,
    Kept,
    Hazard,      // written in place, though something could notice
    Missed,      // upstream counts it as missed
    Opportunity, // kept, though nothing could notice
    Overruled,   // the user decided
    Assumed,
    Same, // of two policies
    Differs,
    OnlyHere,
};

QString badgeWord(Badge badge); // "missed"

Badge badgeOf(Verdict verdict);
Badge badgeOf(DiffKind kind);
// What comes beside the verdict, the gravest first.
QList<Badge> badgesOf(const Decision& decision);
// Of a call (all its arguments), an argument or a verdict; none for other events.
QList<Badge> badgesAt(const PassTrace& trace, EventIndex event);

} // namespace reinspect

Q_DECLARE_METATYPE(reinspect::Badge)
