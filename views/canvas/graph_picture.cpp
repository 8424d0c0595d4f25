// SPDX-License-Identifier: MIT
#include "views/canvas/graph_picture.h"

#include "core/passes/explain.h"
#include "views/session/union_graph.h"

namespace reinspect
{

std::uint32_t GraphPicture::placeOfNode(NodeId node) const
{
    return node && node.index() < placeOf.size() ? placeOf[node.index()] : kNoBox;
}

std::uint32_t GraphPicture::boxOfNode(NodeId node) const
{
    const std::uint32_t place = placeOfNode(node);
    return place < visible.boxOf.size() ? visible.boxOf[place] : kNoBox;
}

std::string PictureSource::operation(NodeId node, std::string_view target) const
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

std::shared_ptr<const PictureSource> pictureSource(std::shared_ptr<const PassTrace> trace)
{
    auto source = std::make_shared<PictureSource>();
    source->all = unionGraph(*trace);
    source->placeOf.assign(trace->result->slotCount(), kNoBox);
    for (std::uint32_t place = 0; place < source->all.nodes.size(); ++place)
        source->placeOf[source->all.nodes[place].id.index()] = place;
    source->groups = groupsOf(*trace, source->all);
    source->hasTagRow = everMarked(*trace);
    for (const Decision& decision : trace->decisions)
    {
        if (decision.kind == CandidateKind::Triton && !decision.operatorName.empty())
            source->kernels[decision.node] = decision.operatorName;
    }
    for (const GraphEdit& edit : trace->edits)
    {
        if (const SetTarget* set = std::get_if<SetTarget>(&edit))
            source->retargeted[set->node] = retargetedText(set->before->target, set->after->target);
    }
    source->trace = std::move(trace);
    return source;
}

// Labels as wide as they ever get: with the old and the new operator where it is replaced.
static NodeLabel widestLabel(const PictureSource& source, NodeId node)
{
    const Graph& graph = *source.trace->result;
    NodeLabel label = labelOf(graph, node);
    const auto found = source.retargeted.find(node);
    label.operation = found == source.retargeted.end()
        ? source.operation(node, graph.node(node).target)
        : found->second;
    return label;
}

static void gatherMembers(GraphPicture& picture)
{
    for (const UnionGraph::Node& node : picture.source->all.nodes)
    {
        const std::uint32_t place = picture.placeOfNode(node.id);
        const std::uint32_t group = place == kNoBox ? kNoGroup : picture.groupOf[place];
        if (group != kNoGroup)
            picture.members[group].push_back(node.id);
    }
}

static BoxSize sizeOf(const GraphPicture& picture, std::uint32_t place, const BoxMetrics& metrics)
{
    const std::uint32_t group = picture.groupOf[place];
    if (group != kNoGroup)
        return metrics.groupSize(picture.source->groups[group].name);
    const NodeId node = picture.all.nodes[place].id;
    return metrics.boxSize(widestLabel(*picture.source, node),
                           picture.source->hasTagRow[node.index()]);
}

GraphPicture makePicture(std::shared_ptr<const PictureSource> source, const Scope& scope,
                         const BoxMetrics& metrics)
{
    GraphPicture picture;
    picture.source = std::move(source);
    const std::size_t slotCount = picture.trace().result->slotCount();
    ScopedGraph scoped = scopedGraph(picture.source->all, slotCount, scope, picture.source->groups);
    picture.all = std::move(scoped.graph);
    picture.placeOf = std::move(scoped.placeOf);
    picture.groupOf = std::move(scoped.groupOf);
    picture.visible = visibleGraph(picture.all);
    gatherMembers(picture);
    picture.rooms = roomsOf(
        picture.visible, [&](std::uint32_t place) { return sizeOf(picture, place, metrics); },
        [&](std::uint32_t place) {
            const std::uint32_t group = picture.groupOf[place];
            return metrics.stubWidth(group == kNoGroup
                                         ? picture.trace().nameOf(picture.all.nodes[place].id)
                                         : picture.source->groups[group].name);
        });
    return picture;
}

} // namespace reinspect
