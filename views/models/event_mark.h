// SPDX-License-Identifier: MIT
// What an event of the trace is, at a glance: chooses its mark and gives it a word.
#pragma once

#include <QMetaType>
#include <QString>

#include "core/passes/pass_trace.h"

namespace reinspect
{

enum class EventMark : std::uint8_t
{
    Phase,
    Note,       // found, and nothing decided by it
    Edit,       // the graph changed
    Candidate,  // not decided by this build
    Reinplaced, // a decision, or a call all of whose decisions are yes
    Kept,       // likewise, with a no
    Passed,     // a check
    Failed,
    Blocking, // a use that refuses
    Harmless, // a use that does not count
    Overlaps,
    Disjoint,
};

EventMark eventMark(const PassTrace& trace, EventIndex event);
QString eventMarkWord(EventMark mark); // "kept"

} // namespace reinspect

Q_DECLARE_METATYPE(reinspect::EventMark)
