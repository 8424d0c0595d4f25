// SPDX-License-Identifier: MIT
#include "views/canvas/edge_walk.h"

#include <algorithm>

namespace reinspect
{

static NodeId sibling(const Graph& graph, NodeId node, bool forward)
{
    const std::vector<NodeId> inputs = graph.inputs(node);
    if (inputs.empty())
        return {};
    const std::span<const NodeId> users = graph.users(inputs.front());
    const auto self = std::find(users.begin(), users.end(), node);
    if (self == users.end())
        return {};
    if (forward)
        return self + 1 != users.end() ? *(self + 1) : NodeId{};
    return self != users.begin() ? *(self - 1) : NodeId{};
}

NodeId walk(const GraphScene& scene, const Graph& graph, NodeId from, WalkDirection direction)
{
    const bool isThere = graph.contains(from);
    switch (direction)
    {
    case WalkDirection::Up:
    {
        const std::vector<NodeId> inputs = isThere ? graph.inputs(from) : std::vector<NodeId>();
        return inputs.empty() ? NodeId{} : inputs.front();
    }
    case WalkDirection::Down:
        return isThere && !graph.users(from).empty() ? graph.users(from).front() : NodeId{};
    case WalkDirection::Left:
    case WalkDirection::Right: break;
    }
    const bool forward = direction == WalkDirection::Right;
    const NodeId next = isThere ? sibling(graph, from, forward) : NodeId{};
    return next ? next : scene.following(from, forward);
}

} // namespace reinspect
