// SPDX-License-Identifier: MIT
// Where the arrow keys lead: along edges up and down, among siblings left and right.
#pragma once

#include "views/canvas/graph_scene.h"

namespace reinspect
{

enum class WalkDirection
{
    Up,   // first input
    Down, // first user
    Left, // the user before this one of the same first input, else the node before in program order
    Right, // likewise after
};

// Invalid when there is no such node. `graph` is the graph at the current event.
NodeId walk(const GraphScene& scene, const Graph& graph, NodeId from, WalkDirection direction);

// The `number`th input of the node, from 1; invalid when it has fewer.
NodeId inputOf(const Graph& graph, NodeId node, std::size_t number);
// Along users from one node to the other, both included, whichever stands first; empty: no way.
std::vector<NodeId> shortestPath(const Graph& graph, NodeId a, NodeId b);

} // namespace reinspect
