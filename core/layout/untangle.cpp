// SPDX-License-Identifier: MIT
#include "core/layout/layers.h"

#include <algorithm>

namespace reinspect
{

using Layer = std::vector<std::uint32_t>;

namespace
{
// Prefix sums over places, for counting inversions.
class PlaceCounter
{
public:
    explicit PlaceCounter(std::size_t size)
        : m_tree(size + 1, 0)
    {}

    void add(std::size_t place)
    {
        for (std::size_t i = place + 1; i < m_tree.size(); i += i & (~i + 1))
            ++m_tree[i];
        ++m_total;
    }

    std::size_t after(std::size_t place) const
    {
        std::size_t upTo = 0;
        for (std::size_t i = place + 1; i > 0; i -= i & (~i + 1))
            upTo += m_tree[i];
        return m_total - upTo;
    }

private:
    std::vector<std::size_t> m_tree;
    std::size_t m_total = 0;
};
} // namespace

static std::size_t crossingsBelow(const Layers& layers, std::size_t layer)
{
    PlaceCounter counter(layers.layers[layer + 1].size());
    std::size_t crossings = 0;
    std::vector<std::uint32_t> places;
    for (std::uint32_t node : layers.layers[layer])
    {
        places.clear();
        for (const Neighbours::Entry& entry : layers.below[node])
            places.push_back(layers.placeOf[entry.node]);
        for (std::uint32_t place : places)
            crossings += counter.after(place);
        for (std::uint32_t place : places)
            counter.add(place);
    }
    return crossings;
}

std::size_t crossingCount(const Layers& layers)
{
    std::size_t crossings = 0;
    for (std::size_t layer = 0; layer + 1 < layers.layers.size(); ++layer)
        crossings += crossingsBelow(layers, layer);
    return crossings;
}

static void sortByBarycentre(Layers& layers, std::size_t layer, const Neighbours& neighbours)
{
    Layer& nodes = layers.layers[layer];
    if (nodes.size() < 2)
        return;
    std::vector<std::pair<double, std::uint32_t>> weighted;
    weighted.reserve(nodes.size());
    for (std::uint32_t node : nodes)
    {
        double sum = 0;
        const auto entries = neighbours[node];
        for (const Neighbours::Entry& entry : entries)
            sum += layers.placeOf[entry.node];
        // A node without neighbours on that side stays where it is.
        const double weight =
            entries.empty() ? layers.placeOf[node] : sum / static_cast<double>(entries.size());
        weighted.emplace_back(weight, node);
    }
    std::stable_sort(weighted.begin(), weighted.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i] = weighted[i].second;
    layers.numberPlaces(layer);
}

static void sweepDown(Layers& layers)
{
    for (std::size_t layer = 1; layer < layers.layers.size(); ++layer)
        sortByBarycentre(layers, layer, layers.above);
}

static void sweepUp(Layers& layers)
{
    for (std::size_t layer = layers.layers.size(); layer-- > 0;)
        sortByBarycentre(layers, layer, layers.below);
}

// Crossings between the segments of two neighbours in a layer, `left` standing left of `right`.
static std::size_t crossingsOfPair(const Layers& layers, const Neighbours& neighbours,
                                   std::uint32_t left, std::uint32_t right)
{
    std::size_t crossings = 0;
    for (const Neighbours::Entry& a : neighbours[left])
    {
        for (const Neighbours::Entry& b : neighbours[right])
            crossings += layers.placeOf[a.node] > layers.placeOf[b.node];
    }
    return crossings;
}

static bool swapHelps(const Layers& layers, std::uint32_t left, std::uint32_t right)
{
    const std::size_t now = crossingsOfPair(layers, layers.above, left, right)
        + crossingsOfPair(layers, layers.below, left, right);
    if (now == 0)
        return false;
    const std::size_t swapped = crossingsOfPair(layers, layers.above, right, left)
        + crossingsOfPair(layers, layers.below, right, left);
    return swapped < now;
}

static bool swapNeighbours(Layers& layers)
{
    bool changed = false;
    for (Layer& nodes : layers.layers)
    {
        for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
        {
            if (!swapHelps(layers, nodes[i], nodes[i + 1]))
                continue;
            std::swap(nodes[i], nodes[i + 1]);
            std::swap(layers.placeOf[nodes[i]], layers.placeOf[nodes[i + 1]]);
            changed = true;
        }
    }
    return changed;
}

void untangle(Layers& layers)
{
    constexpr int kSweeps = 12;
    constexpr int kPatience = 3;
    std::vector<Layer> best = layers.layers;
    std::size_t bestCrossings = crossingCount(layers);
    for (int sweep = 0, idle = 0; sweep < kSweeps && idle < kPatience && bestCrossings > 0; ++sweep)
    {
        sweep % 2 == 0 ? sweepDown(layers) : sweepUp(layers);
        const std::size_t crossings = crossingCount(layers);
        ++idle;
        if (crossings < bestCrossings)
        {
            idle = 0;
            bestCrossings = crossings;
            best = layers.layers;
        }
    }
    layers.layers = std::move(best);
    for (std::size_t layer = 0; layer < layers.layers.size(); ++layer)
        layers.numberPlaces(layer);
    for (int round = 0; round < 4 && bestCrossings > 0 && swapNeighbours(layers); ++round)
    {}
}

} // namespace reinspect
