// SPDX-License-Identifier: MIT
#include "core/layout/links.h"

#include <unordered_map>

namespace reinspect
{

std::vector<Link> findLinks(const std::vector<RequestPart>& parts)
{
    struct Gate
    {
        std::uint32_t part;
        std::uint32_t exit;
    };
    std::unordered_map<std::uint32_t, Gate> exitOf; // by value
    for (std::uint32_t part = 0; part < parts.size(); ++part)
    {
        for (std::uint32_t exit = 0; exit < parts[part].exitValues.size(); ++exit)
            exitOf[parts[part].exitValues[exit]] = {part, exit};
    }
    std::vector<Link> links;
    for (std::uint32_t part = 0; part < parts.size(); ++part)
    {
        for (std::uint32_t entry = 0; entry < parts[part].entryValues.size(); ++entry)
        {
            const Gate& gate = exitOf.at(parts[part].entryValues[entry]);
            links.push_back({gate.part, gate.exit, part, entry});
        }
    }
    return links;
}

static const Row& rowOf(const Arrangement& arrangement, std::uint32_t part)
{
    return arrangement.rows[arrangement.rowOfPart[part]];
}

// The next row of the same column: one gutter lies between, no way around is needed.
static bool isNextRow(const Row& from, const Row& to)
{
    return from.column == to.column && from.indexInColumn + 1 == to.indexInColumn;
}

void reserveTracks(std::vector<Link>& links, Arrangement& arrangement)
{
    for (Link& link : links)
    {
        const Row& from = rowOf(arrangement, link.fromPart);
        const Row& to = rowOf(arrangement, link.toPart);
        Column& column = arrangement.columns[from.column];
        link.firstTrack = column.above[from.indexInColumn + 1].tracks++;
        if (isNextRow(from, to))
            continue;
        link.sideTrack = column.right.tracks++;
        link.lastTrack = arrangement.columns[to.column].above[to.indexInColumn].tracks++;
    }
}

std::vector<LayoutPoint> wayOf(const Link& link, LayoutPoint start, LayoutPoint end,
                               const Arrangement& arrangement)
{
    const Row& from = rowOf(arrangement, link.fromPart);
    const Row& to = rowOf(arrangement, link.toPart);
    const Column& column = arrangement.columns[from.column];
    const double firstY = column.above[from.indexInColumn + 1].track(link.firstTrack);
    if (isNextRow(from, to))
        return {start, {start.x, firstY}, {end.x, firstY}, end};
    const double x = column.right.track(link.sideTrack);
    const double lastY =
        arrangement.columns[to.column].above[to.indexInColumn].track(link.lastTrack);
    return {start, {start.x, firstY}, {x, firstY}, {x, lastY}, {end.x, lastY}, end};
}

} // namespace reinspect
