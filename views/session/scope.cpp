// SPDX-License-Identifier: MIT
#include "views/session/scope.h"

#include "core/passes/explain.h"

#include <algorithm>

namespace reinspect
{

namespace
{

constexpr std::size_t kHub = 12; // a value with more users says little about who stands near
constexpr int kHops = 6;
constexpr std::size_t kEnough = 120; // no further hop from here on

// Nodes that were reached, in the order in which they were.
class Reached
{
public:
    explicit Reached(std::size_t slotCount)
        : m_isIn(slotCount, false)
    {}
    void add(NodeId node)
    {
        if (!node || m_isIn[node.index()])
            return;
        m_isIn[node.index()] = true;
        m_nodes.push_back(node);
    }
    std::size_t size() const { return m_nodes.size(); }
    NodeId operator[](std::size_t i) const { return m_nodes[i]; }
    std::vector<NodeId> sorted(std::size_t most) const
    {
        std::vector<NodeId> nodes = m_nodes;
        nodes.resize(std::min(nodes.size(), most));
        std::ranges::sort(nodes);
        return nodes;
    }

private:
    std::vector<bool> m_isIn;
    std::vector<NodeId> m_nodes;
};

// Neighbours in the graph that the node belongs to: what the pass made is only in the result.
void addNeighbours(const PassTrace& trace, NodeId node, Growth growth, Reached& reached)
{
    for (const Graph* graph : {trace.initial.get(), trace.result.get()})
    {
        if (!graph->contains(node))
            continue;
        const std::span<const NodeId> users = graph->users(node);
        if (growth != Growth::Users)
        {
            for (const NodeId input : graph->inputs(node))
                reached.add(input);
        }
        if (growth != Growth::Inputs && users.size() <= kHub)
        {
            for (const NodeId user : users)
                reached.add(user);
        }
    }
}

void addStorage(const PassTrace& trace, NodeId node, Reached& reached)
{
    const StorageId storage = node ? trace.storages.storageOf(node) : StorageId{};
    if (!storage)
        return;
    for (const NodeId alias : trace.storages.nodesOf(storage))
        reached.add(alias);
}

// `reached` holds the seeds.
Scope spread(const PassTrace& trace, Reached reached, std::size_t most)
{
    std::size_t begin = 0;
    for (int hop = 0; hop < kHops && reached.size() < std::min(most, kEnough); ++hop)
    {
        const std::size_t end = reached.size();
        for (; begin < end && reached.size() < most; ++begin)
            addNeighbours(trace, reached[begin], Growth::Both, reached);
    }
    Scope scope;
    scope.only = reached.sorted(most);
    if (reached.size() > 0)
        scope.name = "Around " + trace.nameOf(reached[0]);
    return scope;
}

} // namespace

bool Scope::shows(NodeId node) const
{
    return (only.empty() || std::ranges::binary_search(only, node))
        && !std::ranges::binary_search(hidden, node);
}

Scope scopeAround(const PassTrace& trace, EventIndex event, std::size_t most)
{
    Reached reached(trace.result->slotCount());
    if (const DecisionIndex index = trace.decisionAt(event))
    {
        const Decision& decision = trace.decision(index);
        reached.add(decision.node);
        reached.add(decision.copyBack);
        for (const NodeId witness : decision.witnesses)
            reached.add(witness);
        for (const NodeId node : decision.mutated)
            addStorage(trace, node, reached);
    }
    for (const Witness& witness : witnesses(trace, event))
        reached.add(witness.node);
    return spread(trace, std::move(reached), most);
}

Scope scopeAround(const PassTrace& trace, NodeId node, std::size_t most)
{
    Reached reached(trace.result->slotCount());
    reached.add(node);
    addStorage(trace, node, reached);
    return spread(trace, std::move(reached), most);
}

Scope grown(const PassTrace& trace, Scope scope, Growth growth)
{
    if (scope.only.empty())
        return scope;
    Reached reached(trace.result->slotCount());
    for (const NodeId node : scope.only)
        reached.add(node);
    const std::size_t end = reached.size();
    for (std::size_t i = 0; i < end; ++i)
        addNeighbours(trace, reached[i], growth, reached);
    scope.only = reached.sorted(reached.size());
    return scope;
}

Scope showingOnly(Scope scope, std::vector<NodeId> nodes, std::string name)
{
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    scope.only = std::move(nodes);
    scope.hidden.clear();
    scope.name = std::move(name);
    return scope;
}

Scope hiding(Scope scope, const std::vector<NodeId>& nodes, std::string name)
{
    scope.hidden.insert(scope.hidden.end(), nodes.begin(), nodes.end());
    std::ranges::sort(scope.hidden);
    scope.hidden.erase(std::unique(scope.hidden.begin(), scope.hidden.end()), scope.hidden.end());
    scope.name = std::move(name);
    return scope;
}

Scope foldingToggled(Scope scope, std::uint32_t group, std::string name)
{
    if (scope.folded.erase(group) == 0)
        scope.folded.insert(group);
    scope.name = std::move(name);
    return scope;
}

} // namespace reinspect
