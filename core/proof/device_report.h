// SPDX-License-Identifier: MIT
// What a device counted of a run on it, as text: memory by its own count, time of nodes, what ran on the host.
#pragma once

#include "core/proof/equivalence.h"

namespace reinspect::proof
{

// Lines, indented; empty for a run on the host whose nodes were not timed.
std::string deviceText(const StageRun& run);

// One line: the nodes' time with the pass (final) and without it (baseline), and the copies between. Empty where one of
// them was not timed.
std::string timeSavedText(const Equivalence& proof);

// A node's time, and what it moved over it.
struct SlowNode
{
    std::string name;
    double seconds = 0;
    std::int64_t bytes = 0;

    double bytesPerSecond() const { return seconds > 0 ? static_cast<double>(bytes) / seconds : 0; }
};
// The slowest calls first, at most `count`.
std::vector<SlowNode> slowestNodes(const StageRun& run, std::size_t count);

} // namespace reinspect::proof
