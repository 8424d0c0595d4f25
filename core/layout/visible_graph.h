// SPDX-License-Identifier: MIT
// From every node that ever exists to what is drawn. Values used all over the graph would drown a
// picture in long lines (and stop Graphviz for minutes), so their uses are stubs: a small label
// beside the user that names the value. Stubs stand for inputs and constants of large graphs, for
// values with many uses, for users with many inputs, and for edges that span many ranks or a whole
// group.
#pragma once

#include "core/base/ids.h"
#include "core/layout/graph_layout.h"

#include <limits>

namespace reinspect
{

// Nodes in an order in which every edge goes forward.
struct UnionGraph
{
    struct Node
    {
        NodeId id;
        bool isInput = false;    // placeholder or get_attr
        bool isStubOnly = false; // never a box, if anything uses it: it stands outside of the view
    };

    std::vector<Node> nodes;
    std::vector<LayoutEdge>
        edges; // between places in `nodes`; each pair once, by user, in argument order
    // Places at which a group begins, ascending; empty: cut where few edges cross.
    std::vector<std::uint32_t> groupPlaces = {};
};

struct VisiblePolicy
{
    std::uint32_t manyUses = 8;         // a value with more uses keeps only the nearest as an edge
    std::uint32_t manyInputs = 8;       // likewise a user with more inputs
    std::uint32_t farRanks = 30;        // an edge over more ranks becomes a stub
    std::uint32_t inputBoxes = 60;      // inputs are boxes in graphs of up to this many nodes
    std::uint32_t groupSize = 80;       // boxes in a group at most
    std::uint32_t askedGroupSize = 130; // likewise of a group that was asked for
};

enum class StubKind : std::uint8_t
{
    Input, // a value that has no box of its own
    Far,   // a value whose box is elsewhere
};

constexpr std::uint32_t kNoBox = std::numeric_limits<std::uint32_t>::max();

struct VisibleGraph
{
    struct Stub
    {
        std::uint32_t value = 0; // place in the union graph
        std::uint32_t user = 0;  // box
        StubKind kind = StubKind::Input;
        bool beforeEdges = true; // its argument stands before the first argument that is an edge
    };

    std::vector<std::uint32_t> boxes; // place in the union graph of each box, ascending
    std::vector<std::uint32_t> boxOf; // box of each place, or kNoBox
    std::vector<LayoutEdge> edges;    // between boxes, by user
    std::vector<Stub> stubs;          // by user, in argument order
    std::vector<std::uint32_t> groupStarts;
};

VisibleGraph visibleGraph(const UnionGraph& graph, const VisiblePolicy& policy = {});

} // namespace reinspect
