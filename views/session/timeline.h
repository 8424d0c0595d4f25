// SPDX-License-Identifier: MIT
// Where the time of a run went: the calls of each stage in program order, side by side, with what each took and
// moved; and what the pass saves of it. Plain values, of a run here or of one that was read.
#pragma once

#include <QStringList>

#include "core/proof/equivalence.h"
#include "views/session/node_classes.h"

#include <unordered_map>

namespace reinspect
{

struct TimelineNode
{
    std::string name;
    std::string target;
    double begin = 0; // seconds that the nodes before it took
    double seconds = 0;
    std::int64_t bytes = 0;       // read and written
    std::uint8_t kind = kNoClass; // of Timeline::kinds
    bool isCopy = false;          // a clone, or a copy into another tensor
    bool isOnHost = false;        // of a run on a device that has no code for it

    double bytesPerSecond() const { return seconds > 0 ? static_cast<double>(bytes) / seconds : 0; }
};

struct TimelineStage
{
    std::string stage = {};  // "before", "after", "final", "baseline"
    std::string device = {}; // empty: the CPU
    std::vector<TimelineNode> nodes = {};
    std::unordered_map<std::string, std::size_t> placeOf = {}; // by name
    double seconds = 0;                                        // of its nodes
    std::int64_t copiedBytes = 0;                              // by clones and copies
    std::size_t copies = 0;

    double shareOf(const TimelineNode& node) const
    {
        return seconds > 0 ? node.seconds / seconds : 0;
    }
    // The node that runs then; nothing before the first and after the last.
    std::optional<std::size_t> placeAt(double second) const;
};

struct Timeline
{
    std::shared_ptr<const PassTrace> trace;
    std::vector<TimelineStage> stages; // that ran and were timed
    QStringList kinds;                 // as the picture is coloured by operator kind, then more

    double seconds() const; // of the longest stage
    const TimelineStage* stage(std::string_view name) const;
};

// No stages where nothing was timed. Inputs and outputs take no time and are left out.
Timeline makeTimeline(std::shared_ptr<const PassTrace> trace, const proof::Equivalence& proof);

// The graph with the pass against the one without it: "final" and "baseline" where both were timed, else "after" and
// "before".
struct TimeSaved
{
    const TimelineStage* without;
    const TimelineStage* with;
    std::size_t copies = 0;       // that only `without` has
    double copySeconds = 0;       // of those
    std::int64_t copiedBytes = 0; // that `without` copies beyond `with`; may be negative

    double seconds() const { return without->seconds - with->seconds; } // may be negative
};
std::optional<TimeSaved> timeSaved(const Timeline& timeline);

} // namespace reinspect
