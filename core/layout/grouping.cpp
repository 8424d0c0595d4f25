// SPDX-License-Identifier: MIT
#include "core/layout/grouping.h"

#include <algorithm>
#include <limits>

namespace reinspect
{

// crossings[i]: edges from before box i to box i or later.
static std::vector<std::int64_t> crossingsOf(std::size_t boxCount,
                                             std::span<const LayoutEdge> edges)
{
    std::vector<std::int64_t> crossings(boxCount + 1, 0);
    for (const LayoutEdge& edge : edges)
    {
        ++crossings[edge.from + 1];
        --crossings[edge.to + 1];
    }
    for (std::size_t i = 1; i < crossings.size(); ++i)
        crossings[i] += crossings[i - 1];
    return crossings;
}

// The cheapest cuts by dynamic programming: each cut costs the edges that cross it, squared so that
// two thin cuts beat a thick one, and each group costs a little, so that few are made.
static std::vector<std::uint32_t> cheapestCuts(const std::vector<std::int64_t>& crossings,
                                               std::size_t smallest, std::size_t largest)
{
    constexpr std::int64_t kGroupCost = 6;
    constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 2;
    const std::size_t boxCount = crossings.size() - 1;
    std::vector<std::int64_t> cost(boxCount + 1, kNever);
    std::vector<std::uint32_t> cutBefore(boxCount + 1, 0);
    cost[0] = 0;
    for (std::size_t end = 1; end <= boxCount; ++end)
    {
        const std::size_t least = end == boxCount ? 1 : smallest;
        const std::size_t first = end > largest ? end - largest : 0;
        for (std::size_t start = first; start + least <= end; ++start)
        {
            const std::int64_t total = cost[start] + kGroupCost;
            if (total < cost[end])
            {
                cost[end] = total;
                cutBefore[end] = static_cast<std::uint32_t>(start);
            }
        }
        if (end < boxCount && cost[end] < kNever)
            cost[end] += crossings[end] * crossings[end];
    }
    return cutBefore;
}

std::vector<std::uint32_t> groupStarts(std::size_t boxCount, std::span<const LayoutEdge> edges,
                                       std::size_t groupSize)
{
    if (boxCount == 0)
        return {};
    if (boxCount <= groupSize)
        return {0};
    const std::vector<std::uint32_t> cutBefore =
        cheapestCuts(crossingsOf(boxCount, edges), groupSize / 3, groupSize);
    std::vector<std::uint32_t> starts;
    for (std::size_t end = boxCount; end > 0; end = cutBefore[end])
        starts.push_back(cutBefore[end]);
    std::reverse(starts.begin(), starts.end());
    return starts;
}

} // namespace reinspect
