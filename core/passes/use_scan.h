// SPDX-License-Identifier: MIT
// What happens to one memory after a call wrote part of it in place: each later access in program
// order, of the values that lived there before ("old") and of the call's results ("new"). Says whether
// each read finds what it would have found with separate memories.
#pragma once

#include "core/passes/shared_memory.h"

#include <optional>

namespace reinspect
{

struct ScanInput
{
    const SharedMemory& memory;
    const ShapeEnv& shapes;
    NodeId call;
    NodeId argument;
    std::uint32_t position = 0; // of the call
    std::span<const NodeId> results;
    std::span<const PlacedRegion> written;
    NodeId copied; // the written part holds exactly this tensor afterwards; invalid: a new value
};

struct ScanFinding
{
    enum class Kind
    {
        OldValueRead,      // `user` reads a value from before the call
        ResultOverwritten, // `writer` wrote over the result before `user` reads it
        OperandAlias,      // a later call reads and writes what would now be one memory
        TooMuch,           // not all could be looked at
    };
    Kind kind = Kind::OldValueRead;
    NodeId user;
    NodeId view;
    NodeId writer;
    bool atEnd = false; // the read of an input by the end of the graph
    std::string_view assumption;
};

// What all scans of one graph did so far, which limits what is left.
struct ScanWork
{
    std::size_t comparisons = 0;
    std::size_t passedOver = 0; // accesses that lie outside all that was written
};

std::optional<ScanFinding> scanUses(const ScanInput& input, ScanWork& work);

} // namespace reinspect
