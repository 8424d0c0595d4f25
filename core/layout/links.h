// SPDX-License-Identifier: MIT
// The ways between parts: from an exit of one to an entry of another, through the gutters of an
// arrangement. First every link reserves its tracks, then the arrangement settles, then ways are
// drawn.
#pragma once

#include "core/layout/arrangement.h"

namespace reinspect
{

// One value on its way between two parts. Edges that carry it there share the way.
struct Link
{
    std::uint32_t fromPart = 0;
    std::uint32_t exit = 0; // gate of fromPart
    std::uint32_t toPart = 0;
    std::uint32_t entry = 0;      // gate of toPart
    std::uint32_t firstTrack = 0; // below the row of fromPart
    std::uint32_t sideTrack = 0;  // right of its column
    std::uint32_t lastTrack = 0;  // above the row of toPart

    friend bool operator==(const Link&, const Link&) = default;
};

// Links of all parts, by toPart and entry.
std::vector<Link> findLinks(const std::vector<RequestPart>& parts);
void reserveTracks(std::vector<Link>& links, Arrangement& arrangement);
// From the exit at `start` to the entry at `end`, corners only.
std::vector<LayoutPoint> wayOf(const Link& link, LayoutPoint start, LayoutPoint end,
                               const Arrangement& arrangement);

} // namespace reinspect
