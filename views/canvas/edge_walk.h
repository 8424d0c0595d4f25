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

} // namespace reinspect
