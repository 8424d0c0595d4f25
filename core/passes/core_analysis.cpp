// SPDX-License-Identifier: MIT
#include "core/passes/core_analysis.h"

#include "core/ir/op_set.h"

#include <algorithm>

namespace reinspect
{
namespace
{

constexpr std::string_view kTriton = "higher_order.triton_kernel_wrapper_functional";
constexpr std::string_view kAutoFunctionalized = "higher_order.auto_functionalized";

bool isMetaOnly(const OpFacts& facts)
{
    static const OpSet kMetaOnly = {"aten.sym_size.int", "aten.sym_stride.int",
                                    "aten.sym_numel.default", "aten.sym_storage_offset.default"};
    return kMetaOnly.contains(facts);
}

// Storages with fewer members are searched one by one.
constexpr std::size_t kWorthAnIndex = 64;

bool isTableTarget(std::string_view target)
{
    return rowOf(reinplaceTable(), target) || rowOf(recentReinplaceTable(), target)
        || rowOf(laterReinplaceTable(), target);
}

NodeId viewBase(const Graph& graph, NodeId node)
{
    while (isViewTarget(graph[node].target) && !graph[node].args.empty()
           && graph[node].args.front().node())
        node = graph[node].args.front().node();
    return node;
}

// Upstream takes the wrapper for the source where the copied getitem is what the wrapper writes.
bool looksThrough(const Graph& graph, const Node& getitem, NodeId destination)
{
    const NodeId wrapper = getitem.args.empty() ? NodeId{} : getitem.args.front().node();
    if (getitem.target != "operator.getitem" || !wrapper || getitem.args.size() < 2)
        return false;
    const Node& node = graph[wrapper];
    if (node.target == kTriton)
    {
        const Argument* kwargs = node.kwarg("kwargs");
        const std::string* key = getitem.args[1].as<std::string>();
        const Argument* value = kwargs && key ? findKey(*kwargs, *key) : nullptr;
        return value && value->node() == destination;
    }
    return rowOf(foreachTable(), node.target) || rowOf(laterForeachTable(), node.target)
        || node.target == kAutoFunctionalized;
}

} // namespace

CoreAnalysis::CoreAnalysis(const Graph& graph, const CaptureFacts& facts, const ShapeEnv& shapes)
    : m_shapes(shapes)
    , m_storages(buildStorageMap(graph, facts))
    , m_geometry(graph, facts)
    , m_position(graph.positions())
{
    for (const NodeId id : graph.order())
        m_incomplete = m_incomplete || (!graph.facts(id) && graph[id].target == "unreadable");
    findCopyBacks(graph);
    findShapeOnly(graph);
    indexUses(graph);
    indexMembers(graph);
}

void CoreAnalysis::findCopyBacks(const Graph& graph)
{
    for (const NodeId id : graph.order())
    {
        const Node& node = graph[id];
        if (node.target != "aten.copy_.default" || node.args.size() < 2)
            continue;
        const NodeId destination = node.args[0].node();
        NodeId source = node.args[1].node();
        if (!destination || !source || !isInput(graph, destination))
            continue;
        NodeId through;
        if (looksThrough(graph, graph[source], destination))
        {
            through = source;
            source = graph[source].args.front().node();
        }
        m_copyBacks.push_back({id, destination, source, through});
        m_firstCopy.try_emplace(destination, id);
        m_copyOf.try_emplace({destination, source}, id);
        findCopyThroughViews(graph, m_copyBacks.back());
    }
}

void CoreAnalysis::findCopyThroughViews(const Graph& graph, const CopyBack& copy)
{
    const NodeId made = viewBase(graph, copy.source);
    // Every row of either table writes its first argument.
    if (made == copy.source || !isTableTarget(graph[made].target) || graph[made].args.empty())
        return;
    const NodeId argument = graph[made].args.front().node();
    if (!argument || viewBase(graph, argument) != copy.destination)
        return;
    const bool same = sameLayout(made, argument) && sameLayout(copy.source, copy.destination);
    const auto [at, isNew] =
        m_copyThroughViews.try_emplace({argument, made}, CopyThroughViews{copy.copy, same});
    if (!isNew && same && !at->second.sameLayout)
        at->second = {copy.copy, same};
}

// Mirrors _same_tensor_metadata.
bool CoreAnalysis::sameLayout(NodeId a, NodeId b) const
{
    const ResolvedMeta* first = m_geometry.of(a);
    const ResolvedMeta* second = m_geometry.of(b);
    if (!first || !second || !first->meta.strides || !second->meta.strides)
        return false;
    const auto same = [this](const SymExpr& x, const SymExpr& y) {
        return m_shapes.knownEqual(x, y) == Known::Yes;
    };
    return std::ranges::equal(first->meta.sizes, second->meta.sizes, same)
        && std::ranges::equal(*first->meta.strides, *second->meta.strides, same)
        && first->meta.offset && second->meta.offset
        && same(*first->meta.offset, *second->meta.offset);
}

CoreAnalysis::CopyThroughViews CoreAnalysis::copyThroughViews(NodeId argument, NodeId source) const
{
    const auto found = m_copyThroughViews.find({argument, source});
    return found == m_copyThroughViews.end() ? CopyThroughViews{} : found->second;
}

void CoreAnalysis::findShapeOnly(const Graph& graph)
{
    m_shapeOnly.assign(graph.slotCount(), false);
    for (NodeId id = graph.last(); id; id = graph.previous(id))
    {
        const auto users = graph.users(id);
        const auto readsSizes = [this](NodeId user) { return isShapeOnly(user); };
        const OpFacts* facts = graph.facts(id);
        m_shapeOnly[id.index()] = facts
            && (isMetaOnly(*facts)
                || (facts->isView && std::all_of(users.begin(), users.end(), readsSizes)));
    }
}

void CoreAnalysis::indexUses(const Graph& graph)
{
    std::vector<StorageUse> uses;
    for (const NodeId user : graph.order())
        for (const NodeId view : graph.inputs(user))
            if (m_storages.storageOf(view))
                uses.push_back({position(user), user, view});
    m_uses = Grouped<StorageUse>(m_storages.storageCount(), [&](const auto& add) {
        for (const StorageUse& use : uses)
            add(m_storages.storageOf(use.view).index(), use);
    });
    m_usesOfNode = Grouped<StorageUse>(graph.slotCount(), [&](const auto& add) {
        for (const StorageUse& use : uses)
            add(use.view.index(), use);
    });
}

void CoreAnalysis::indexMembers(const Graph& graph)
{
    m_inputs = Grouped<NodeId>(m_storages.storageCount(), [&](const auto& add) {
        for (const NodeId id : graph.order())
            if (isInput(graph, id) && m_storages.storageOf(id))
                add(m_storages.storageOf(id).index(), id);
    });
    for (std::size_t i = 0; i < m_storages.storageCount(); ++i)
    {
        const auto members = m_storages.nodesOf(StorageId(i));
        const auto isWorkedOut = [&graph](NodeId id) { return isInferred(graph[id].meta.value); };
        if (const auto found = std::ranges::find_if(members, isWorkedOut); found != members.end())
            m_workedOut.emplace(StorageId(i), *found);
        if (members.size() >= kWorthAnIndex)
            m_extents.emplace(StorageId(i), ExtentIndex(members, m_geometry));
    }
}

NodeId CoreAnalysis::workedOutOn(NodeId argument) const
{
    const auto found = m_workedOut.find(m_storages.storageOf(argument));
    return found == m_workedOut.end() ? NodeId{} : found->second;
}

std::span<const NodeId> CoreAnalysis::inputsOf(StorageId storage) const
{
    return m_inputs[storage.index()];
}

std::span<const StorageUse> CoreAnalysis::usesOfNode(NodeId node) const
{
    return m_usesOfNode[node.index()];
}

std::optional<std::vector<NodeId>> CoreAnalysis::membersMeeting(NodeId argument) const
{
    const auto index = m_extents.find(m_storages.storageOf(argument));
    return index == m_extents.end() ? std::nullopt : index->second.meeting(argument, m_geometry);
}

bool CoreAnalysis::isOrderingOnly(const Graph& graph, NodeId user, NodeId view)
{
    const Node& node = graph[user];
    if (node.target != "higher_order.control_deps" || node.args.empty())
        return false;
    const auto names = [view](const Argument& argument) {
        bool found = false;
        forEachNode(argument, [&](NodeId named) { found = found || named == view; });
        return found;
    };
    return names(node.args.front()) && std::none_of(node.args.begin() + 1, node.args.end(), names);
}

NodeId CoreAnalysis::firstCopyInto(NodeId destination) const
{
    const auto found = m_firstCopy.find(destination);
    return found == m_firstCopy.end() ? NodeId{} : found->second;
}

NodeId CoreAnalysis::copyOf(NodeId destination, NodeId source) const
{
    const auto found = m_copyOf.find({destination, source});
    return found == m_copyOf.end() ? NodeId{} : found->second;
}

std::span<const StorageUse> CoreAnalysis::usesOf(StorageId storage) const
{
    return storage && storage.index() < m_uses.size() ? m_uses[storage.index()]
                                                      : std::span<const StorageUse>{};
}

OverlapAnswer CoreAnalysis::overlap(NodeId a, NodeId b) const
{
    if (a == b)
        return {OverlapKind::Overlaps, "it is the same tensor"};
    const ResolvedMeta* first = m_geometry.of(a);
    const ResolvedMeta* second = m_geometry.of(b);
    if (!first || !second || !first->meta.offset || !second->meta.offset)
        return {OverlapKind::Assumed, "where they lie is not known"};
    return mayOverlap(first->meta, second->meta, m_shapes);
}

namespace
{

bool hasBuffer(const Graph& graph, NodeId id)
{
    const Node* node = &graph[id];
    while (node->target == "operator.getitem" && !node->args.empty() && node->args.front().node())
        node = &graph[node->args.front().node()];
    if (node->op == NodeOp::Placeholder || node->op == NodeOp::Output
        || node->target == kAutoFunctionalized)
        return true;
    const OpFacts* facts = node->target.facts();
    return facts && facts->isFallback;
}

} // namespace

bool isRealized(const Graph& graph, NodeId id)
{
    const auto users = graph.users(id);
    return hasBuffer(graph, id) || std::any_of(users.begin(), users.end(), [&graph](NodeId user) {
               const OpFacts* facts = graph[user].target.facts();
               return graph[user].op == NodeOp::Output || (facts && facts->needsRealizedInputs);
           });
}

} // namespace reinspect
