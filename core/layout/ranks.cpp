// SPDX-License-Identifier: MIT
#include "core/layout/ranks.h"

#include <algorithm>
#include <limits>

namespace reinspect
{

namespace
{
struct Degrees
{
    std::vector<std::uint32_t> inputs;
    std::vector<std::uint32_t> outputs;
};
} // namespace

using EdgeOrder = bool (*)(const LayoutEdge&, const LayoutEdge&);

static std::vector<LayoutEdge> sortedBy(std::span<const LayoutEdge> edges, EdgeOrder less)
{
    std::vector<LayoutEdge> sorted(edges.begin(), edges.end());
    std::stable_sort(sorted.begin(), sorted.end(), less);
    return sorted;
}

static Degrees degreesOf(std::size_t boxCount, std::span<const LayoutEdge> edges)
{
    Degrees degrees{std::vector<std::uint32_t>(boxCount), std::vector<std::uint32_t>(boxCount)};
    for (const LayoutEdge& edge : edges)
    {
        ++degrees.outputs[edge.from];
        ++degrees.inputs[edge.to];
    }
    return degrees;
}

static std::vector<std::uint32_t> longestPaths(std::size_t boxCount,
                                               std::span<const LayoutEdge> edges)
{
    std::vector<std::uint32_t> ranks(boxCount, 0);
    // Forward edges in order of their start reach each box only after everything above it is final.
    const auto byStart = [](const LayoutEdge& a, const LayoutEdge& b) { return a.from < b.from; };
    for (const LayoutEdge& edge : sortedBy(edges, byStart))
        ranks[edge.to] = std::max(ranks[edge.to], ranks[edge.from] + 1);
    return ranks;
}

// A value with more users than inputs gets shorter edges by standing just above its first user.
static void sink(std::vector<std::uint32_t>& ranks, std::span<const LayoutEdge> edges)
{
    const Degrees degrees = degreesOf(ranks.size(), edges);
    const auto byStartDown = [](const LayoutEdge& a, const LayoutEdge& b) {
        return a.from > b.from;
    };
    const std::vector<LayoutEdge> sorted = sortedBy(edges, byStartDown);
    for (std::size_t i = 0; i < sorted.size();)
    {
        const std::uint32_t box = sorted[i].from;
        std::uint32_t limit = std::numeric_limits<std::uint32_t>::max();
        for (; i < sorted.size() && sorted[i].from == box; ++i)
            limit = std::min(limit, ranks[sorted[i].to] - 1);
        if (degrees.inputs[box] < degrees.outputs[box] && limit > ranks[box])
            ranks[box] = limit;
    }
}

std::vector<std::uint32_t> ranksOf(std::size_t boxCount, std::span<const LayoutEdge> edges)
{
    std::vector<std::uint32_t> ranks = longestPaths(boxCount, edges);
    sink(ranks, edges);
    return ranks;
}

} // namespace reinspect
