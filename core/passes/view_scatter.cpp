// SPDX-License-Identifier: MIT
#include "core/passes/view_scatter.h"

#include "core/passes/new_nodes.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

struct ScatterPair
{
    std::string_view scatter;
    std::string_view view;
};
constexpr std::array<ScatterPair, 4> kPairs = {
    {{"aten.slice_scatter.default", "aten.slice.Tensor"},
     {"aten.select_scatter.default", "aten.select.int"},
     {"aten.diagonal_scatter.default", "aten.diagonal.default"},
     {"aten.as_strided_scatter.default", "aten.as_strided.default"}}};

std::string_view viewOfScatter(std::string_view scatter)
{
    const auto found = std::find_if(kPairs.begin(), kPairs.end(),
                                    [&](const auto& pair) { return pair.scatter == scatter; });
    return found == kPairs.end() ? std::string_view{} : found->view;
}

std::string_view scatterOfView(std::string_view view)
{
    const auto found = std::find_if(kPairs.begin(), kPairs.end(),
                                    [&](const auto& pair) { return pair.view == view; });
    return found == kPairs.end() ? std::string_view{} : found->scatter;
}

const std::vector<Argument>& viewList(const Node& scatter)
{
    return *scatter.args[2].sequence();
}

StorageId capturedStorage(const Graph& graph, NodeId node)
{
    const TensorMeta* meta = graph[node].meta.value.tensor();
    return meta ? meta->storage : StorageId{};
}

} // namespace

ScatterCanonicalizer::Views ScatterCanonicalizer::viewsOf(NodeId node) const
{
    Views found{node, {}};
    while (found.base.index() < m_views.size() && m_views[found.base.index()])
    {
        const Node& view = *m_views[found.base.index()];
        found.views.push_back(
            {view.target.str(), {view.args.begin() + 1, view.args.end()}, view.kwargs});
        found.base = view.args.front().node();
    }
    std::ranges::reverse(found.views);
    return found;
}

void ScatterCanonicalizer::noteView(const Graph& graph, NodeId id)
{
    if (graph[id].args.empty() || !graph[id].args.front().node())
        return;
    if (m_views.size() < graph.slotCount())
        m_views.resize(graph.slotCount());
    m_views[id.index()] = graph.shared(id);
}

void ScatterCanonicalizer::visit(TraceBuilder& builder, NodeId id)
{
    const Graph& graph = builder.graph();
    if (graph.op(id) != NodeOp::CallFunction
        || !graph.facts(id)) // views and scatters are in the table
        return;
    if (graph.facts(id)->isView)
        return noteView(graph, id);
    const Node& node = graph[id];
    const std::string_view view = viewOfScatter(node.target);
    if (view.empty() || node.args.size() < 2 || !node.args[0].node() || !node.args[1].node())
        return;
    const Scatter scatter{
        id,
        node.args[0].node(),
        node.args[1].node(),
        {std::string(view), {node.args.begin() + 2, node.args.end()}, node.kwargs}};
    if (canFuse(graph, scatter))
        fuseScatters(builder, scatter);
    else
        replaceScatter(builder, scatter);
}

bool ScatterCanonicalizer::canFuse(const Graph& graph, const Scatter& outer) const
{
    const Node& inner = graph[outer.source];
    if (inner.target != kGeneralizedScatter)
        return false;
    Views outerViews = viewsOf(outer.input);
    const Views innerViews = viewsOf(inner.args[0].node());
    outerViews.views.push_back(outer.view);
    return outerViews.base == innerViews.base && outerViews.views == innerViews.views;
}

void ScatterCanonicalizer::replaceScatter(TraceBuilder& builder, const Scatter& scatter)
{
    const Graph& graph = builder.graph();
    const NodeId created(graph.slotCount());
    builder.event(1, ScatterCanonicalized{scatter.node, created});
    builder.edit(2, created, EditReason::Canonicalized, [&](EditRecorder& edits) {
        MetaValue meta = cloneMeta(graph, scatter.input);
        if (TensorMeta* tensor = meta.tensor())
            tensor->storage = capturedStorage(graph, scatter.node);
        edits.insertBefore(
            scatter.node,
            newCall(kGeneralizedScatter,
                    {{scatter.input}, {scatter.source}, {ListArgument{{{scatter.view}}}}},
                    std::move(meta)));
        edits.replaceUses(scatter.node, created);
        edits.erase(scatter.node);
    });
}

void ScatterCanonicalizer::fuseScatters(TraceBuilder& builder, const Scatter& outer)
{
    const Graph& graph = builder.graph();
    const NodeId inner = outer.source;
    const NodeId created(graph.slotCount());
    const StorageId storage = capturedStorage(graph, outer.node);
    builder.event(1, ScattersFused{inner, outer.node, created});
    builder.edit(2, created, EditReason::Fused, [&](EditRecorder& edits) {
        MetaValue meta = cloneMeta(graph, outer.input);
        if (TensorMeta* tensor = meta.tensor())
            tensor->storage = storage;
        std::vector<Argument> views{{outer.view}};
        const std::vector<Argument>& innerViews = viewList(graph[inner]);
        views.insert(views.end(), innerViews.begin(), innerViews.end());
        edits.insertBefore(
            inner,
            newCall(kGeneralizedScatter,
                    {{outer.input}, graph[inner].args[1], {ListArgument{std::move(views)}}},
                    std::move(meta)));
        edits.replaceUses(outer.node, created);
        edits.erase(outer.node);
        if (!graph.users(inner).empty())
        {
            const NodeId view = edits.insertBefore(inner, viewCall(graph, created, outer.view));
            noteView(graph, view);
            edits.replaceUses(inner, view);
        }
        edits.erase(inner);
    });
}

bool alwaysUsesMutation(const Node& scatter)
{
    const std::vector<Argument>* views =
        scatter.args.size() > 2 ? scatter.args[2].sequence() : nullptr;
    return views && std::any_of(views->begin(), views->end(), [](const Argument& argument) {
               const ViewArgument* view = argument.as<ViewArgument>();
               return view
                   && (view->target == "aten.as_strided.default"
                       || view->target == "aten.diagonal.default");
           });
}

namespace
{

// Nested scatters on views: the inner ones first. Mirrors _decompose_scatter_functional_helper.
NodeId decomposeFunctional(EditRecorder& edits, const Graph& graph, NodeId before, NodeId input,
                           Argument source, std::span<const Argument> views)
{
    const ViewArgument& view = *views.front().as<ViewArgument>();
    if (views.size() > 1)
    {
        const NodeId inner = edits.insertBefore(before, viewCall(graph, input, view));
        source = {
            decomposeFunctional(edits, graph, before, inner, std::move(source), views.subspan(1))};
    }
    std::vector<Argument> args{{input}, std::move(source)};
    args.insert(args.end(), view.args.begin(), view.args.end());
    Node scatter = newCall(scatterOfView(view.target), std::move(args), scatterMeta(graph, input));
    scatter.kwargs = view.kwargs;
    return edits.insertBefore(before, std::move(scatter));
}

// (clone +) views + copy_; the value is the buffer itself. Mirrors _decompose_scatter_mutating.
NodeId decomposeMutating(EditRecorder& edits, const Graph& graph, NodeId before,
                         const Node& scatter)
{
    NodeId input = scatter.args[0].node();
    if (scatter.target == kGeneralizedScatter)
    {
        // Upstream calls torch.ops.aten.clone without naming an overload, and so it stays in the graph.
        input =
            edits.insertBefore(before, newCall("aten.clone", {{input}}, cloneMeta(graph, input)));
    }
    NodeId view = input;
    for (const Argument& argument : viewList(scatter))
        view = edits.insertBefore(before, viewCall(graph, view, *argument.as<ViewArgument>()));
    edits.insertBefore(
        before, newCall("aten.copy_.default", {{view}, scatter.args[1]}, graph[view].meta.value));
    return input;
}

} // namespace

void decomposeScatter(TraceBuilder& builder, NodeId id)
{
    const Graph& graph = builder.graph();
    const Node scatter = graph[id];
    builder.edit(1, id, EditReason::Decomposed, [&](EditRecorder& edits) {
        const bool mutating =
            scatter.target == kInplaceGeneralizedScatter || alwaysUsesMutation(scatter);
        const NodeId value = mutating
            ? decomposeMutating(edits, graph, id, scatter)
            : decomposeFunctional(edits, graph, id, scatter.args[0].node(), scatter.args[1],
                                  viewList(scatter));
        edits.replaceUses(id, value);
        edits.erase(id);
    });
}

std::vector<NodeId> scattersToDecompose(const Graph& graph)
{
    std::vector<NodeId> functional;
    std::vector<NodeId> inPlace;
    for (const NodeId id : graph.order())
    {
        if (graph.facts(id)) // both are the pass's own
            continue;
        if (graph[id].target == kGeneralizedScatter)
            functional.push_back(id);
        else if (graph[id].target == kInplaceGeneralizedScatter)
            inPlace.push_back(id);
    }
    functional.insert(functional.end(), inPlace.begin(), inPlace.end());
    return functional;
}

} // namespace reinspect
