// SPDX-License-Identifier: MIT
// Brandes and Köpf: four times, nodes are aligned with the median of their neighbours (above or
// below, leaning left or right) into vertical blocks, and blocks are pushed together; the place of
// a node is the mean of the middle two answers.
#include "core/layout/layers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace reinspect
{

static constexpr double kBendGap = 13; // beside a bend of an edge

namespace
{
// One of the four directions: layers in the order they are visited, each maybe mirrored.
struct Direction
{
    bool upward = false;   // aligned with the neighbours below
    bool mirrored = false; // from right to left
};

struct Blocks
{
    std::vector<std::uint32_t> root;  // by node: the first node of its block
    std::vector<std::uint32_t> align; // by node: the next node of its block, cyclic
};

// Places, mirrored where the direction is.
class View
{
public:
    View(const Layers& layers, Direction direction)
        : m_layers(layers)
        , m_direction(direction)
    {}

    const Neighbours& neighbours() const
    {
        return m_direction.upward ? m_layers.below : m_layers.above;
    }
    std::size_t layerAt(std::size_t index) const
    {
        return m_direction.upward ? m_layers.layers.size() - 1 - index : index;
    }
    std::uint32_t nodeAt(std::size_t layer, std::size_t place) const
    {
        const auto& nodes = m_layers.layers[layer];
        return m_direction.mirrored ? nodes[nodes.size() - 1 - place] : nodes[place];
    }
    std::int64_t placeOf(std::uint32_t node) const
    {
        const auto place = static_cast<std::int64_t>(m_layers.placeOf[node]);
        const auto size = static_cast<std::int64_t>(m_layers.layers[m_layers.rankOf[node]].size());
        return m_direction.mirrored ? size - 1 - place : place;
    }

private:
    const Layers& m_layers;
    Direction m_direction;
};
} // namespace

// Marks segments that cross a piece of a long edge: the long edge is the one that stays straight.
static std::vector<char> conflictsOf(const Layers& layers)
{
    std::vector<char> conflicts(layers.segments.size(), 0);
    for (std::size_t layer = 1; layer < layers.layers.size(); ++layer)
    {
        const auto& nodes = layers.layers[layer];
        std::uint32_t left = 0;
        std::size_t scanned = 0;
        for (std::size_t i = 0; i < nodes.size(); ++i)
        {
            std::uint32_t inner = std::numeric_limits<std::uint32_t>::max();
            if (layers.isBend(nodes[i]))
            {
                const std::uint32_t upper = layers.above[nodes[i]].front().node;
                if (layers.isBend(upper))
                    inner = layers.placeOf[upper];
            }
            const bool isInner = inner != std::numeric_limits<std::uint32_t>::max();
            if (!isInner && i + 1 < nodes.size())
                continue;
            const std::uint32_t right = inner;
            for (; scanned <= i; ++scanned)
            {
                for (const Neighbours::Entry& entry : layers.above[nodes[scanned]])
                {
                    const std::uint32_t place = layers.placeOf[entry.node];
                    const bool isLong = layers.isBend(entry.node) && layers.isBend(nodes[scanned]);
                    if ((place < left || place > right) && !isLong)
                        conflicts[entry.segment] = 1;
                }
            }
            left = isInner ? inner : left;
        }
    }
    return conflicts;
}

static Blocks alignBlocks(const Layers& layers, const View& view,
                          const std::vector<char>& conflicts)
{
    Blocks blocks{std::vector<std::uint32_t>(layers.nodeCount()), {}};
    std::iota(blocks.root.begin(), blocks.root.end(), 0u);
    blocks.align = blocks.root;
    std::vector<Neighbours::Entry> entries;
    for (std::size_t index = 0; index < layers.layers.size(); ++index)
    {
        const std::size_t layer = view.layerAt(index);
        std::int64_t reached = -1;
        for (std::size_t i = 0; i < layers.layers[layer].size(); ++i)
        {
            const std::uint32_t node = view.nodeAt(layer, i);
            const auto all = view.neighbours()[node];
            if (all.empty())
                continue;
            entries.assign(all.begin(), all.end());
            std::sort(entries.begin(), entries.end(), [&view](const auto& a, const auto& b) {
                return view.placeOf(a.node) < view.placeOf(b.node);
            });
            for (std::size_t m = (entries.size() - 1) / 2; m <= entries.size() / 2; ++m)
            {
                const std::uint32_t other = entries[m].node;
                if (blocks.align[node] != node || conflicts[entries[m].segment]
                    || view.placeOf(other) <= reached)
                    continue;
                blocks.align[other] = node;
                blocks.root[node] = blocks.root[other];
                blocks.align[node] = blocks.root[node];
                reached = view.placeOf(other);
            }
        }
    }
    return blocks;
}

namespace
{
// Neighbouring blocks: `right` stands at least `distance` right of `left`.
struct Spacing
{
    std::uint32_t left;
    std::uint32_t right;
    double distance;
};
} // namespace

static std::vector<Spacing> spacingsOf(const Layers& layers, const View& view, const Blocks& blocks,
                                       double boxGap)
{
    std::vector<Spacing> spacings;
    for (std::size_t layer = 0; layer < layers.layers.size(); ++layer)
    {
        for (std::size_t i = 1; i < layers.layers[layer].size(); ++i)
        {
            const std::uint32_t a = view.nodeAt(layer, i - 1);
            const std::uint32_t b = view.nodeAt(layer, i);
            const bool isThin = layers.halfWidth[a] == 0 || layers.halfWidth[b] == 0;
            const double distance =
                layers.halfWidth[a] + layers.halfWidth[b] + (isThin ? kBendGap : boxGap);
            spacings.push_back({blocks.root[a], blocks.root[b], distance});
        }
    }
    return spacings;
}

// Spacings in an order in which everything left of a block comes before it.
static std::vector<Spacing> leftToRight(std::vector<Spacing> spacings, std::size_t nodeCount)
{
    std::vector<std::uint32_t> starts(nodeCount + 1, 0);
    std::vector<std::uint32_t> waiting(nodeCount, 0);
    for (const Spacing& spacing : spacings)
    {
        ++starts[spacing.left + 1];
        ++waiting[spacing.right];
    }
    for (std::size_t node = 0; node < nodeCount; ++node)
        starts[node + 1] += starts[node];
    std::vector<Spacing> byLeft(spacings.size());
    std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
    for (const Spacing& spacing : spacings)
        byLeft[next[spacing.left]++] = spacing;

    std::vector<std::uint32_t> ready;
    for (std::uint32_t node = 0; node < nodeCount; ++node)
    {
        if (waiting[node] == 0)
            ready.push_back(node);
    }
    spacings.clear();
    for (std::size_t i = 0; i < ready.size(); ++i)
    {
        for (std::uint32_t k = starts[ready[i]]; k < starts[ready[i] + 1]; ++k)
        {
            spacings.push_back(byLeft[k]);
            if (--waiting[byLeft[k].right] == 0)
                ready.push_back(byLeft[k].right);
        }
    }
    return spacings;
}

// Blocks as far left as they go, then each as far right as its right neighbours let it.
static std::vector<double> pushTogether(const Layers& layers, const Blocks& blocks,
                                        const std::vector<Spacing>& spacings)
{
    std::vector<double> x(layers.nodeCount(), 0);
    for (const Spacing& spacing : spacings)
        x[spacing.right] = std::max(x[spacing.right], x[spacing.left] + spacing.distance);
    std::vector<double> limit(layers.nodeCount(), std::numeric_limits<double>::infinity());
    for (std::size_t i = spacings.size(); i-- > 0;)
    {
        const Spacing& spacing = spacings[i];
        // All spacings right of `right` were handled, so its place is final.
        const double right = std::isinf(limit[spacing.right])
            ? x[spacing.right]
            : std::max(x[spacing.right], limit[spacing.right]);
        limit[spacing.left] = std::min(limit[spacing.left], right - spacing.distance);
    }
    std::vector<double> places(layers.nodeCount());
    for (std::uint32_t node = 0; node < layers.nodeCount(); ++node)
    {
        const std::uint32_t root = blocks.root[node];
        places[node] = std::isinf(limit[root]) ? x[root] : std::max(x[root], limit[root]);
    }
    return places;
}

namespace
{
struct Extent
{
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    double width() const { return most - least; }
};
} // namespace

static Extent extentOf(const Layers& layers, const std::vector<double>& x)
{
    Extent extent;
    for (std::size_t node = 0; node < x.size(); ++node)
    {
        extent.least = std::min(extent.least, x[node] - layers.halfWidth[node]);
        extent.most = std::max(extent.most, x[node] + layers.halfWidth[node]);
    }
    return extent;
}

static std::vector<double> placesIn(const Layers& layers, Direction direction,
                                    const std::vector<char>& conflicts, double boxGap)
{
    const View view(layers, direction);
    const Blocks blocks = alignBlocks(layers, view, conflicts);
    const std::vector<Spacing> spacings =
        leftToRight(spacingsOf(layers, view, blocks, boxGap), layers.nodeCount());
    std::vector<double> x = pushTogether(layers, blocks, spacings);
    if (direction.mirrored)
    {
        for (double& place : x)
            place = -place;
    }
    return x;
}

std::vector<double> straighten(const Layers& layers, double boxGap)
{
    const std::vector<char> conflicts = conflictsOf(layers);
    std::array<std::vector<double>, 4> answers;
    std::array<Extent, 4> extents;
    std::size_t narrowest = 0;
    for (std::size_t i = 0; i < 4; ++i)
    {
        answers[i] = placesIn(layers, {i / 2 == 1, i % 2 == 1}, conflicts, boxGap);
        extents[i] = extentOf(layers, answers[i]);
        if (extents[i].width() < extents[narrowest].width())
            narrowest = i;
    }
    // Leaning left, answers share their left border with the narrowest; leaning right, their right
    // one.
    for (std::size_t i = 0; i < 4; ++i)
    {
        const double shift = i % 2 == 0 ? extents[narrowest].least - extents[i].least
                                        : extents[narrowest].most - extents[i].most;
        for (double& place : answers[i])
            place += shift;
    }
    std::vector<double> x(layers.nodeCount());
    for (std::size_t node = 0; node < x.size(); ++node)
    {
        std::array<double, 4> four{answers[0][node], answers[1][node], answers[2][node],
                                   answers[3][node]};
        std::sort(four.begin(), four.end());
        x[node] = (four[1] + four[2]) / 2;
    }
    return x;
}

} // namespace reinspect
