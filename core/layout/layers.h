// SPDX-License-Identifier: MIT
// A part as layers: each box in the layer of its rank, and an edge over several ranks as a chain of
// bends, one in each layer that it passes. What the steps of the row layout work on.
#pragma once

#include "core/layout/part.h"

#include <span>

namespace reinspect
{

// A piece of an edge between neighbouring layers.
struct Segment
{
    std::uint32_t upper = 0;
    std::uint32_t lower = 0;
};

// Neighbours in one direction, all in one array.
class Neighbours
{
public:
    struct Entry
    {
        std::uint32_t node = 0;
        std::uint32_t segment = 0;
    };

    Neighbours() = default;
    Neighbours(std::size_t nodeCount, std::span<const Segment> segments, std::uint32_t Segment::*of,
               std::uint32_t Segment::*other);
    std::span<const Entry> operator[](std::uint32_t node) const
    {
        return {m_entries.data() + m_starts[node], m_starts[node + 1] - m_starts[node]};
    }

private:
    std::vector<std::uint32_t> m_starts;
    std::vector<Entry> m_entries;
};

struct Layers
{
    std::size_t boxCount = 0;           // nodes below this number are boxes, the others bends
    std::vector<std::uint32_t> rankOf;  // by node
    std::vector<std::uint32_t> placeOf; // in its layer, by node
    std::vector<double> halfWidth;      // by node
    std::vector<std::vector<std::uint32_t>> layers;
    std::vector<Segment> segments;
    std::vector<std::uint32_t> firstBend; // by edge; the bends of an edge are numbered on from here
    Neighbours above;
    Neighbours below;

    std::size_t nodeCount() const { return rankOf.size(); }
    bool isBend(std::uint32_t node) const { return node >= boxCount; }
    void numberPlaces(std::size_t layer);
};

// Entries in the first layer, exits in the last, program order from left to right in each.
Layers makeLayers(const Part& part);

// Reorders each layer so that few segments cross: barycentre sweeps down and up, then neighbours
// swapped.
void untangle(Layers& layers);
std::size_t crossingCount(const Layers& layers);

// The x of the middle of each node, none overlapping and long edges straight: Brandes and Köpf,
// "Fast and Simple Horizontal Coordinate Assignment", with the compaction of dagre.
std::vector<double> straighten(const Layers& layers, double boxGap);

} // namespace reinspect
