// SPDX-License-Identifier: MIT
#include "core/layout/stub_room.h"

#include <algorithm>
#include <cmath>

namespace reinspect
{

namespace
{
// Stubs of one side, filled row by row from the top, so that they read in argument order.
struct Side
{
    std::vector<std::size_t> stubs;
    std::vector<std::size_t> rowOf;
    std::vector<double> rowWidths;

    double width() const
    {
        return rowWidths.empty() ? 0 : *std::max_element(rowWidths.begin(), rowWidths.end());
    }
};
} // namespace

static void fillRows(Side& side, std::span<const StubShape> stubs, double target, double gap)
{
    for (std::size_t stub : side.stubs)
    {
        const double width = stubs[stub].width;
        const bool fits = !side.rowWidths.empty() && side.rowWidths.back() + gap + width <= target;
        if (fits)
            side.rowWidths.back() += gap + width;
        else
            side.rowWidths.push_back(width);
        side.rowOf.push_back(side.rowWidths.size() - 1);
    }
}

// The width that a row may grow to: half the box, or more when many stubs would become a tower.
static double rowTarget(const Side& side, std::span<const StubShape> stubs, double boxShare,
                        const StubMetrics& metrics)
{
    double total = 0;
    for (std::size_t stub : side.stubs)
        total += stubs[stub].width + metrics.gap;
    const double square = std::sqrt(total * (metrics.height + metrics.gap) * 3);
    return std::max(boxShare, square);
}

// The last row stands next to the box.
static double rowTop(const StubRoom& room, const Side& side, std::size_t row,
                     const StubMetrics& metrics)
{
    const auto rowsBelow = static_cast<double>(side.rowWidths.size() - row);
    return room.box.y - metrics.boxGap + metrics.gap - rowsBelow * (metrics.height + metrics.gap);
}

// `anchor` is the x from which rows grow; a row is right-aligned there when `growsLeft`.
static void placeSide(StubRoom& room, const Side& side, double anchor, bool growsLeft,
                      const StubMetrics& metrics)
{
    std::vector<double> at(side.rowWidths.size());
    for (std::size_t row = 0; row < at.size(); ++row)
        at[row] = growsLeft ? anchor - side.rowWidths[row] : anchor;
    for (std::size_t i = 0; i < side.stubs.size(); ++i)
    {
        const std::size_t row = side.rowOf[i];
        LayoutRect& rect = room.stubs[side.stubs[i]];
        rect.x = at[row];
        rect.y = rowTop(room, side, row, metrics);
        at[row] += rect.width + metrics.gap;
    }
}

static void placeCentered(StubRoom& room, const Side& side, const StubMetrics& metrics)
{
    for (std::size_t i = 0; i < side.stubs.size();)
    {
        const std::size_t row = side.rowOf[i];
        double x = (room.room.width - side.rowWidths[row]) / 2;
        for (; i < side.stubs.size() && side.rowOf[i] == row; ++i)
        {
            LayoutRect& rect = room.stubs[side.stubs[i]];
            rect.x = x;
            rect.y = rowTop(room, side, row, metrics);
            x += rect.width + metrics.gap;
        }
    }
}

StubRoom stubRoom(double boxWidth, double boxHeight, std::span<const StubShape> stubs,
                  bool hasEdges, const StubMetrics& metrics)
{
    Side left;
    Side right;
    for (std::size_t i = 0; i < stubs.size(); ++i)
        (stubs[i].onLeft || !hasEdges ? left : right).stubs.push_back(i);
    const double share = hasEdges ? (boxWidth - metrics.channel) / 2 : boxWidth;
    fillRows(left, stubs, rowTarget(left, stubs, share, metrics), metrics.gap);
    fillRows(right, stubs, rowTarget(right, stubs, share, metrics), metrics.gap);

    StubRoom room;
    const double half = std::max(left.width(), right.width());
    const double stubsWidth = hasEdges && half > 0 ? 2 * half + metrics.channel : half;
    const auto rows = static_cast<double>(std::max(left.rowWidths.size(), right.rowWidths.size()));
    const double inset =
        rows > 0 ? rows * (metrics.height + metrics.gap) - metrics.gap + metrics.boxGap : 0;
    room.room = {std::max(boxWidth, stubsWidth), inset + boxHeight, inset};
    room.box = {(room.room.width - boxWidth) / 2, inset, boxWidth, boxHeight};
    for (const StubShape& stub : stubs)
        room.stubs.push_back({0, 0, stub.width, metrics.height});
    if (!hasEdges)
    {
        placeCentered(room, left, metrics);
        return room;
    }
    const double middle = room.room.width / 2;
    placeSide(room, left, middle - metrics.channel / 2, true, metrics);
    placeSide(room, right, middle + metrics.channel / 2, false, metrics);
    return room;
}

static std::vector<bool> boxesWithEdges(const VisibleGraph& visible)
{
    std::vector<bool> has(visible.boxes.size(), false);
    for (const LayoutEdge& edge : visible.edges)
        has[edge.to] = true;
    return has;
}

Rooms roomsOf(const VisibleGraph& visible, const std::function<BoxSize(std::uint32_t)>& boxSize,
              const std::function<double(std::uint32_t)>& stubWidth)
{
    const std::vector<bool> hasEdges = boxesWithEdges(visible);
    Rooms rooms;
    std::uint32_t next = 0;
    std::vector<StubShape> shapes;
    for (std::uint32_t box = 0; box < visible.boxes.size(); ++box)
    {
        rooms.firstStub.push_back(next);
        shapes.clear();
        for (; next < visible.stubs.size() && visible.stubs[next].user == box; ++next)
            shapes.push_back(
                {stubWidth(visible.stubs[next].value), visible.stubs[next].beforeEdges});
        const BoxSize size = boxSize(visible.boxes[box]);
        rooms.rooms.push_back(stubRoom(size.width, size.height, shapes, hasEdges[box]));
    }
    rooms.firstStub.push_back(next);
    return rooms;
}

LayoutRequest requestFor(const VisibleGraph& visible, const Rooms& rooms)
{
    LayoutRequest request{.edges = visible.edges, .groupStarts = visible.groupStarts};
    for (const StubRoom& room : rooms.rooms)
        request.boxes.push_back(room.room);
    return request;
}

} // namespace reinspect
