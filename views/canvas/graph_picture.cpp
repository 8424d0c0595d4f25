// SPDX-License-Identifier: MIT
#include "views/canvas/graph_picture.h"

#include "core/passes/explain.h"
#include "views/session/union_graph.h"

namespace reinspect
{

std::uint32_t GraphPicture::boxOfNode(NodeId node) const
{
    if (!node || node.index() >= placeOf.size())
        return kNoBox;
    const std::uint32_t place = placeOf[node.index()];
    return place < visible.boxOf.size() ? visible.boxOf[place] : kNoBox;
}

std::string GraphPicture::operation(NodeId node, std::string_view target) const
{
    const auto kernel = kernels.find(node);
    if (kernel != kernels.end())
        return kernel->second + " (triton)";
    return operationOf(trace->result->node(node), target);
}

static std::vector<bool> everMarked(const PassTrace& trace)
{
    std::vector<bool> marked(trace.result->slotCount(), false);
    const auto mark = [&marked](NodeId node) {
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

std::string retargetedText(std::string_view before, std::string_view after)
{
    return shortOperator(before) + " \u2192 " + shortOperator(after);
}

// Labels as wide as they ever get: with the old and the new operator where it is replaced.
static NodeLabel widestLabel(const GraphPicture& picture, NodeId node,
                             const std::unordered_map<NodeId, const SetTarget*>& retargeted)
{
    NodeLabel label = labelOf(*picture.trace->result, node);
    const auto found = retargeted.find(node);
    label.operation = found == retargeted.end()
        ? picture.operation(node, picture.trace->result->node(node).target)
        : retargetedText(found->second->before, found->second->after);
    return label;
}

static std::unordered_map<NodeId, const SetTarget*> retargetings(const PassTrace& trace)
{
    std::unordered_map<NodeId, const SetTarget*> found;
    for (const GraphEdit& edit : trace.edits)
    {
        if (const SetTarget* set = std::get_if<SetTarget>(&edit))
            found[set->node] = set;
    }
    return found;
}

GraphPicture makePicture(std::shared_ptr<const PassTrace> trace, const BoxMetrics& metrics)
{
    GraphPicture picture;
    picture.all = unionGraph(*trace);
    picture.visible = visibleGraph(picture.all);
    picture.placeOf.assign(trace->result->slotCount(), kNoBox);
    for (std::uint32_t place = 0; place < picture.all.nodes.size(); ++place)
        picture.placeOf[picture.all.nodes[place].id.index()] = place;
    picture.hasTagRow = everMarked(*trace);
    for (const Decision& decision : trace->decisions)
    {
        if (decision.kind == CandidateKind::Triton && !decision.operatorName.empty())
            picture.kernels[decision.node] = decision.operatorName;
    }
    picture.trace = trace;
    const std::unordered_map<NodeId, const SetTarget*> retargeted = retargetings(*trace);
    picture.rooms = roomsOf(
        picture.visible,
        [&](std::uint32_t place) {
            const NodeId node = picture.all.nodes[place].id;
            return metrics.boxSize(widestLabel(picture, node, retargeted),
                                   picture.hasTagRow[node.index()]);
        },
        [&](std::uint32_t place) {
            return metrics.stubWidth(trace->nameOf(picture.all.nodes[place].id));
        });
    return picture;
}

} // namespace reinspect
