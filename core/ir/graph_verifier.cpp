// SPDX-License-Identifier: MIT
#include "core/ir/graph_verifier.h"

#include <algorithm>
#include <unordered_set>

namespace reinspect
{
namespace
{

Error broken(const Graph& graph, NodeId node, const std::string& what)
{
    return {.message = "graph '" + graph.name + "': node '" + graph[node].name + "' " + what};
}

Result<void> verifyArguments(const Graph& graph, NodeId id, std::span<const NodeId> inputs,
                             const std::vector<std::uint32_t>& position)
{
    for (const NodeId input : inputs)
    {
        if (!graph.contains(input))
            return broken(graph, id, "uses a node that is not in the graph");
        if (position[input.index()] >= position[id.index()])
            return broken(graph, id,
                          "uses '" + graph[input].name + "', which is not defined before it");
        const auto users = graph.users(input);
        if (!std::binary_search(users.begin(), users.end(), id))
            return broken(graph, id, "is missing among the users of '" + graph[input].name + "'");
    }
    return {};
}

Result<void> verifyUsers(const Graph& graph, NodeId id)
{
    for (const NodeId user : graph.users(id))
    {
        const std::vector<NodeId> inputs =
            graph.contains(user) ? graph.inputs(user) : std::vector<NodeId>{};
        if (std::find(inputs.begin(), inputs.end(), id) == inputs.end())
            return broken(graph, id, "has a user that does not use it");
    }
    return {};
}

} // namespace

Result<void> verifyGraph(const Graph& graph)
{
    const std::vector<std::uint32_t> position = graph.positions();
    std::unordered_set<std::string_view> names;
    std::size_t count = 0;
    std::size_t inputCount = 0;
    std::size_t userCount = 0;
    for (const NodeId id : graph.order())
    {
        const std::vector<NodeId> inputs = graph.inputs(id);
        ++count;
        inputCount += inputs.size();
        userCount += graph.users(id).size();
        if (!names.insert(graph[id].name).second)
            return broken(graph, id, "has the name of another node");
        if (graph[id].op == NodeOp::Output && graph.next(id))
            return broken(graph, id, "is an output that is not the last node");
        REINSPECT_CHECK(verifyArguments(graph, id, inputs, position));
    }
    // Every input names its user by now, so a surplus is a user that is none: find it.
    if (userCount != inputCount)
        for (const NodeId id : graph.order())
            REINSPECT_CHECK(verifyUsers(graph, id));
    if (count != graph.size())
        return Error{.message = "graph '" + graph.name + "': the links do not reach every node"};
    return {};
}

} // namespace reinspect
