// SPDX-License-Identifier: MIT
#include "views/canvas/graph_picture.h"

#include "core/passes/explain.h"
#include "views/canvas/union_graph.h"

#include <unordered_map>

namespace reinspect
{

std::uint32_t GraphPicture::boxOfNode(NodeId node) const
{
    if (!node || node.index() >= placeOf.size())
        return kNoBox;
    const std::uint32_t place = placeOf[node.index()];
    return place < visible.boxOf.size() ? visible.boxOf[place] : kNoBox;
}

std::string retargetedText(const Node& before, std::string_view after)
{
    return operationOf(before, before.target) + " \u2192 " + shortOperator(after);
}

static std::vector<bool> everMarked(const PassTrace& trace)
{
    std::vector<bool> marked(trace.result->slotCount(), false);
    const auto mark = [&marked](NodeId node)
    {
        if (node)
            marked[node.index()] = true;
    };
    for (std::size_t event = 0; event < trace.events.size(); ++event)
    {
        for (const Witness& witness : witnesses(trace, EventIndex(event)))
            mark(witness.node);
    }
    for (const Decision& decision : trace.decisions)
    {
        mark(decision.node);
        mark(decision.copyBack);
        for (NodeId node : decision.mutated)
            mark(node);
    }
    for (const GraphEdit& edit : trace.edits)
    {
        if (!std::holds_alternative<SetArguments>(edit) && !std::holds_alternative<SetMeta>(edit))
            mark(editedNode(edit));
    }
    return marked;
}

namespace
{
// Labels as wide as they ever get.
class Labels
{
public:
    explicit Labels(const PassTrace& trace) : m_trace(trace)
    {
        for (const GraphEdit& edit : trace.edits)
        {
            if (const SetTarget* set = std::get_if<SetTarget>(&edit))
                m_retargeted[set->node] = set;
        }
    }

    NodeLabel of(NodeId node) const
    {
        NodeLabel label = labelOf(*m_trace.result, node);
        const auto found = m_retargeted.find(node);
        if (found != m_retargeted.end())
            label.operation
                = shortOperator(found->second->before) + " \u2192 " + shortOperator(found->second->after);
        return label;
    }

private:
    const PassTrace& m_trace;
    std::unordered_map<NodeId, const SetTarget*> m_retargeted;
};
} // namespace

GraphPicture makePicture(std::shared_ptr<const PassTrace> trace, const BoxMetrics& metrics)
{
    GraphPicture picture;
    picture.all = unionGraph(*trace);
    picture.visible = visibleGraph(picture.all);
    picture.placeOf.assign(trace->result->slotCount(), kNoBox);
    for (std::uint32_t place = 0; place < picture.all.nodes.size(); ++place)
        picture.placeOf[picture.all.nodes[place].id.index()] = place;
    picture.hasTagRow = everMarked(*trace);

    const Labels labels(*trace);
    picture.rooms = roomsOf(
        picture.visible,
        [&](std::uint32_t place)
        {
            const NodeId node = picture.all.nodes[place].id;
            return metrics.boxSize(labels.of(node), picture.hasTagRow[node.index()]);
        },
        [&](std::uint32_t place) { return metrics.stubWidth(trace->nameOf(picture.all.nodes[place].id)); });
    picture.trace = std::move(trace);
    return picture;
}

} // namespace reinspect
