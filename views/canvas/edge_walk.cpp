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

NodeId inputOf(const Graph& graph, NodeId node, std::size_t number)
{
    if (!graph.contains(node) || number == 0)
        return {};
    const std::vector<NodeId> inputs = graph.inputs(node);
    return number <= inputs.size() ? inputs[number - 1] : NodeId{};
}

static std::vector<NodeId> pathDown(const Graph& graph, NodeId from, NodeId to)
{
    std::vector<NodeId> cameFrom(graph.slotCount());
    std::vector<NodeId> queue{from};
    for (std::size_t i = 0; i < queue.size() && !cameFrom[to.index()]; ++i)
    {
        for (const NodeId user : graph.users(queue[i]))
        {
            if (user == from || cameFrom[user.index()])
                continue;
            cameFrom[user.index()] = queue[i];
            queue.push_back(user);
        }
    }
    if (!cameFrom[to.index()])
        return {};
    std::vector<NodeId> path{to};
    while (path.back() != from)
        path.push_back(cameFrom[path.back().index()]);
    std::reverse(path.begin(), path.end());
    return path;
}

std::vector<NodeId> shortestPath(const Graph& graph, NodeId a, NodeId b)
{
    if (!graph.contains(a) || !graph.contains(b) || a == b)
        return {};
    std::vector<NodeId> path = pathDown(graph, a, b);
    return path.empty() ? pathDown(graph, b, a) : path;
}

} // namespace reinspect
