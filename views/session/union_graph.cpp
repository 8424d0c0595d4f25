// SPDX-License-Identifier: MIT
#include "views/session/union_graph.h"

#include <algorithm>

namespace reinspect
{

namespace
{
// Slots in one order. A node is inserted where it was inserted into the graph, and never taken out.
class SlotOrder
{
public:
    explicit SlotOrder(std::size_t count)
        : m_next(count + 1)
        , m_previous(count + 1)
    {
        m_next[end()] = m_previous[end()] = end();
    }

    void insertBefore(NodeId node, NodeId before)
    {
        const std::size_t slot = node.index();
        const std::size_t after = before ? before.index() : end();
        m_previous[slot] = m_previous[after];
        m_next[slot] = after;
        m_next[m_previous[after]] = slot;
        m_previous[after] = slot;
    }

    std::vector<NodeId> nodes() const
    {
        std::vector<NodeId> nodes;
        for (std::size_t slot = m_next[end()]; slot != end(); slot = m_next[slot])
            nodes.emplace_back(slot);
        return nodes;
    }

private:
    std::size_t end() const { return m_next.size() - 1; }

    std::vector<std::size_t> m_next;
    std::vector<std::size_t> m_previous;
};

// Inputs of each slot, each once, in the order in which they first appear.
using Inputs = std::vector<std::vector<NodeId>>;
} // namespace

static void addInputs(std::vector<NodeId>& inputs, const std::vector<Argument>& args,
                      const std::vector<NamedArgument>& kwargs)
{
    const auto add = [&inputs](NodeId node) {
        if (std::find(inputs.begin(), inputs.end(), node) == inputs.end())
            inputs.push_back(node);
    };
    for (const Argument& argument : args)
        forEachNode(argument, add);
    for (const NamedArgument& argument : kwargs)
        forEachNode(argument.value, add);
}

static std::vector<NodeId> orderOf(const PassTrace& trace)
{
    SlotOrder order(trace.result->slotCount());
    for (NodeId node : trace.initial->order())
        order.insertBefore(node, {});
    std::vector<bool> isKnown(trace.result->slotCount(), false);
    for (NodeId node : trace.initial->order())
        isKnown[node.index()] = true;
    for (const GraphEdit& edit : trace.edits)
    {
        const InsertNode* insert = std::get_if<InsertNode>(&edit);
        if (!insert || isKnown[insert->node.index()])
            continue;
        isKnown[insert->node.index()] = true;
        order.insertBefore(insert->node, insert->before);
    }
    return order.nodes();
}

static Inputs inputsOf(const PassTrace& trace)
{
    Inputs inputs(trace.result->slotCount());
    for (NodeId node : trace.initial->order())
        addInputs(inputs[node.index()], trace.initial->node(node).args,
                  trace.initial->node(node).kwargs);
    for (const GraphEdit& edit : trace.edits)
    {
        if (const InsertNode* insert = std::get_if<InsertNode>(&edit))
            addInputs(inputs[insert->node.index()], insert->content->args, insert->content->kwargs);
        else if (const SetArguments* set = std::get_if<SetArguments>(&edit))
            addInputs(inputs[set->node.index()], set->after->args, set->after->kwargs);
    }
    return inputs;
}

UnionGraph unionGraph(const PassTrace& trace)
{
    const std::vector<NodeId> order = orderOf(trace);
    const Inputs inputs = inputsOf(trace);
    std::vector<std::uint32_t> placeOf(trace.result->slotCount(), 0);
    for (std::uint32_t place = 0; place < order.size(); ++place)
        placeOf[order[place].index()] = place;

    UnionGraph all;
    for (std::uint32_t place = 0; place < order.size(); ++place)
    {
        const NodeOp op = trace.result->node(order[place]).op;
        all.nodes.push_back({order[place], op == NodeOp::Placeholder || op == NodeOp::GetAttr});
        for (NodeId input : inputs[order[place].index()])
        {
            // Each graph of the trace is in order, and so is their union; an edge that is not would
            // stop the layout, so it is left out of the picture instead.
            if (placeOf[input.index()] < place)
                all.edges.push_back({placeOf[input.index()], place});
        }
    }
    return all;
}

} // namespace reinspect
