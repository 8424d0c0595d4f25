// SPDX-License-Identifier: MIT
// Memory of a run, told from metadata alone: every value is a shadow with the bytes that it would have, and is
// dropped when the executor would drop it. Views share, in-place operators allocate nothing, functional wrappers
// clone what they are to clone, bodies of custom operators are walked. What could not be told is listed, and the
// forecast then says less than a run would.
#pragma once

#include "core/ir/capture_facts.h"

#include <map>

namespace reinspect::proof
{

struct MemoryForecast
{
    std::int64_t peakBytes =
        0; // over the inputs, each allocation rounded to 512, freed memory used again
    std::int64_t totalBytes = 0; // if nothing were used again
    std::size_t allocations = 0;
    NodeId peakNode;                     // invalid when nothing is allocated
    std::vector<std::int64_t> liveBytes; // after each node, in program order
    std::vector<std::int64_t> highBytes; // the most while it ran
    struct Holder
    {
        NodeId node; // that allocated it
        std::int64_t bytes = 0;
    };
    std::vector<Holder> atPeak; // largest first
    struct Life
    {
        NodeId node; // that allocated it
        std::int64_t bytes = 0;
        std::size_t born = 0; // in numbers of nodes run before
        std::size_t died = 0; // beyond the last node while it lives
    };
    std::vector<Life> lives;          // by birth
    std::vector<std::string> unknown; // sentences
};

using SymbolValues = std::map<std::string, std::int64_t, std::less<>>;

MemoryForecast forecastMemory(const Graph& graph, const CaptureFacts& facts,
                              const SymbolValues& symbols);

} // namespace reinspect::proof
