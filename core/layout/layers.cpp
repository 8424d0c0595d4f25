// SPDX-License-Identifier: MIT
#include "core/layout/layers.h"

#include "core/layout/ranks.h"

#include <algorithm>

namespace reinspect
{

Neighbours::Neighbours(std::size_t nodeCount, std::span<const Segment> segments,
                       std::uint32_t Segment::*of, std::uint32_t Segment::*other)
    : m_starts(nodeCount + 1, 0)
    , m_entries(segments.size())
{
    for (const Segment& segment : segments)
        ++m_starts[segment.*of + 1];
    for (std::size_t node = 0; node < nodeCount; ++node)
        m_starts[node + 1] += m_starts[node];
    std::vector<std::uint32_t> next(m_starts.begin(), m_starts.end() - 1);
    for (std::uint32_t i = 0; i < segments.size(); ++i)
        m_entries[next[segments[i].*of]++] = {segments[i].*other, i};
}

void Layers::numberPlaces(std::size_t layer)
{
    for (std::uint32_t place = 0; place < layers[layer].size(); ++place)
        placeOf[layers[layer][place]] = place;
}

// Gates stand at the border, whatever the edges alone would let them do; they do not count for the
// ranks of the boxes between.
static std::vector<std::uint32_t> ranksWithGates(const Part& part)
{
    std::vector<LayoutEdge> inner;
    for (const LayoutEdge& edge : part.edges)
    {
        if (edge.from >= part.entries && edge.to < part.exitsBegin())
            inner.push_back(edge);
    }
    std::vector<std::uint32_t> ranks = ranksOf(part.boxes.size(), inner);
    std::uint32_t deepest = 0;
    for (std::size_t box = part.entries; box < part.exitsBegin(); ++box)
        deepest = std::max(deepest, ++ranks[box]);
    std::fill(ranks.begin(), ranks.begin() + part.entries, 0u);
    std::fill(ranks.end() - part.exits, ranks.end(), deepest + 1);
    return ranks;
}

// Ranks without a box leave no gap.
static void closeGaps(std::vector<std::uint32_t>& ranks)
{
    const std::uint32_t last = ranks.empty() ? 0 : *std::max_element(ranks.begin(), ranks.end());
    std::vector<std::uint32_t> used(last + 2, 0);
    for (std::uint32_t rank : ranks)
        used[rank + 1] = 1;
    for (std::size_t rank = 1; rank < used.size(); ++rank)
        used[rank] += used[rank - 1];
    for (std::uint32_t& rank : ranks)
        rank = used[rank];
}

static void addBends(Layers& layers, const Part& part)
{
    for (const LayoutEdge& edge : part.edges)
    {
        layers.firstBend.push_back(static_cast<std::uint32_t>(layers.nodeCount()));
        std::uint32_t upper = edge.from;
        for (std::uint32_t rank = layers.rankOf[edge.from] + 1; rank < layers.rankOf[edge.to];
             ++rank)
        {
            const auto bend = static_cast<std::uint32_t>(layers.nodeCount());
            layers.rankOf.push_back(rank);
            layers.halfWidth.push_back(0);
            layers.segments.push_back({upper, bend});
            upper = bend;
        }
        layers.segments.push_back({upper, edge.to});
    }
}

static void fillLayers(Layers& layers)
{
    const std::uint32_t last =
        layers.rankOf.empty() ? 0 : *std::max_element(layers.rankOf.begin(), layers.rankOf.end());
    layers.layers.resize(layers.rankOf.empty() ? 0 : last + 1);
    for (std::uint32_t node = 0; node < layers.nodeCount(); ++node)
        layers.layers[layers.rankOf[node]].push_back(node);
    layers.placeOf.resize(layers.nodeCount());
    for (std::size_t layer = 0; layer < layers.layers.size(); ++layer)
        layers.numberPlaces(layer);
}

Layers makeLayers(const Part& part)
{
    Layers layers;
    layers.boxCount = part.boxes.size();
    layers.rankOf = ranksWithGates(part);
    closeGaps(layers.rankOf);
    for (const LayoutBox& box : part.boxes)
        layers.halfWidth.push_back(box.width / 2);
    addBends(layers, part);
    fillLayers(layers);
    layers.above =
        Neighbours(layers.nodeCount(), layers.segments, &Segment::lower, &Segment::upper);
    layers.below =
        Neighbours(layers.nodeCount(), layers.segments, &Segment::upper, &Segment::lower);
    return layers;
}

} // namespace reinspect
