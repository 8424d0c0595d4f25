// SPDX-License-Identifier: MIT
// Where the stubs of a box stand: in rows above it, some to the left and some to the right of a
// channel in the middle through which the box's edges come in. The room is symmetric about the
// middle of the box, so that a chain of boxes with and without stubs still runs straight down.
#pragma once

#include "core/layout/visible_graph.h"

#include <functional>
#include <span>

namespace reinspect
{

struct StubShape
{
    double width = 0;
    bool onLeft = true; // of the channel
};

struct StubRoom
{
    std::vector<LayoutRect> stubs; // relative to the room's top left corner
    LayoutRect box;                // likewise
    LayoutBox room;
};

struct StubMetrics
{
    double height = 18;
    double gap = 5;
    double boxGap = 10;  // room for a ring around the box
    double channel = 22; // free width in the middle when edges come in
};

// `hasEdges`: the box has incoming edges, so the channel stays free.
StubRoom stubRoom(double boxWidth, double boxHeight, std::span<const StubShape> stubs,
                  bool hasEdges, const StubMetrics& metrics = {});

// The rooms of all boxes of a picture.
struct Rooms
{
    std::vector<StubRoom> rooms;          // by box
    std::vector<std::uint32_t> firstStub; // by box, into VisibleGraph::stubs; one more at the end
};

struct BoxSize
{
    double width = 0;
    double height = 0;
};

// Sizes are asked for by place in the union graph.
Rooms roomsOf(const VisibleGraph& visible, const std::function<BoxSize(std::uint32_t)>& boxSize,
              const std::function<double(std::uint32_t)>& stubWidth);
LayoutRequest requestFor(const VisibleGraph& visible, const Rooms& rooms);

} // namespace reinspect
