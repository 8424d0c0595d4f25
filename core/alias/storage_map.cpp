// SPDX-License-Identifier: MIT
#include "core/alias/storage_map.h"

#include "core/ir/op_facts.h"

#include <algorithm>
#include <unordered_map>

namespace reinspect
{
namespace
{

// The node given for a schema argument, by position or by name; invalid when it is no single node.
NodeId schemaArgumentNode(const Node& node, std::string_view schema, int index)
{
    const auto position = static_cast<std::size_t>(index);
    if (position < node.args.size())
        return node.args[position].node();
    const std::vector<SchemaArgument> arguments = schemaArguments(schema);
    const Argument* given =
        position < arguments.size() ? node.kwarg(arguments[position].name) : nullptr;
    return given ? given->node() : NodeId{};
}

// The first argument whose alias set is also that of the first result, in a custom operator's schema.
NodeId aliasedByCustomSchema(const Node& node, std::string_view schema)
{
    const std::size_t arrow = schema.rfind("->");
    if (arrow == std::string_view::npos)
        return {};
    const std::string_view results = schema.substr(arrow);
    const std::vector<SchemaArgument> arguments = schemaArguments(schema);
    for (std::size_t i = 0; i < arguments.size(); ++i)
    {
        const std::string set = "(" + std::string(arguments[i].aliasSet);
        if (arguments[i].aliasSet.empty())
            continue;
        if (results.find(set + "!)") != std::string_view::npos
            || results.find(set + ")") != std::string_view::npos)
            return schemaArgumentNode(node, schema, static_cast<int>(i));
    }
    return {};
}

// getitem of a tuple shares memory where the tuple's operator returns views of one tensor (split, unbind).
NodeId aliasedByGetitem(const Graph& graph, const Node& node)
{
    const NodeId tuple = node.args.empty() ? NodeId{} : node.args.front().node();
    if (!tuple)
        return {};
    const OpFacts* facts = graph[tuple].target.facts();
    const bool returnsViews = facts && facts->isView && !graph[tuple].args.empty();
    return returnsViews ? graph[tuple].args.front().node() : NodeId{};
}

// Without any printed annotation a call is taken to give a tensor, unless its operator says otherwise.
bool mayBeTensor(const Graph& graph, NodeId id, bool graphHasMeta)
{
    const Node& node = graph[id];
    if (node.meta.value.isKnown() || graphHasMeta || node.op == NodeOp::Output)
        return node.meta.value.tensor() != nullptr;
    if (node.target.starts_with("higher_order."))
        return false;
    const OpFacts* facts = node.target.facts();
    return !facts || schemaReturnCount(facts->schema) == 1;
}

} // namespace

bool isInput(const Graph& graph, NodeId node)
{
    return graph.op(node) == NodeOp::Placeholder || graph.op(node) == NodeOp::GetAttr;
}

bool isViewTarget(const OpTarget& target)
{
    const OpFacts* facts = target.facts();
    return facts && facts->isView;
}

NodeId aliasedInput(const Graph& graph, NodeId id, const CaptureFacts& facts)
{
    const Node& node = graph[id];
    if (node.op != NodeOp::CallFunction)
        return {};
    if (node.target == "operator.getitem")
        return aliasedByGetitem(graph, node);
    if (node.target == kInplaceGeneralizedScatter)
        return node.args.front().node();
    if (const OpFacts* known = node.target.facts())
    {
        if (known->aliasedArgument >= 0)
            return schemaArgumentNode(node, known->schema, known->aliasedArgument);
        // aten._unsafe_view promises no alias in its schema, but its result is one.
        if (node.target == "aten._unsafe_view.default")
            return node.args.front().node();
        return {};
    }
    if (const CustomOperator* custom = facts.customOperator(node.target))
        return aliasedByCustomSchema(node, custom->schema);
    return {};
}

std::span<const NodeId> StorageMap::nodesOf(StorageId storage) const
{
    if (!storage || storage.index() >= m_nodesOf.size())
        return {};
    return m_nodesOf[storage.index()];
}

NodeId StorageMap::inputOf(const Graph& graph, StorageId storage) const
{
    const auto members = nodesOf(storage);
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&graph](NodeId id) { return isInput(graph, id); });
    return found == members.end() ? NodeId{} : *found;
}

namespace
{

// Gives each node its storage, in program order: the captured one, an alias's, an attribute's, or a new one.
class StorageAssigner
{
public:
    StorageAssigner(const Graph& graph, const CaptureFacts& facts)
        : m_graph(graph)
        , m_facts(facts)
    {
        for (const NodeId id : graph.order())
            if (const TensorMeta* meta = graph[id].meta.value.tensor())
            {
                // Somebody may know the inputs' shapes alone: only a call tells that calls are described.
                m_hasMeta =
                    m_hasMeta || (graph[id].op == NodeOp::CallFunction && !meta->isInferred);
                m_captured = m_captured || meta->storage.isValid();
            }
    }

    bool captured() const { return m_captured; }
    std::size_t count() const { return m_count; }

    StorageId storageFor(NodeId id, const std::vector<StorageId>& storageOf)
    {
        if (!mayBeTensor(m_graph, id, m_hasMeta))
            return {};
        const Node& node = m_graph[id];
        const TensorMeta* meta = node.meta.value.tensor();
        if (meta && meta->storage)
            return numbered(m_byCapture, meta->storage.index());
        if (node.op == NodeOp::GetAttr)
            return numbered(m_byAttribute, node.target.str());
        const NodeId aliased = aliasedInput(m_graph, id, m_facts);
        if (aliased && storageOf[aliased.index()])
            return storageOf[aliased.index()];
        return StorageId(m_count++);
    }

private:
    template<typename Map, typename Key>
    StorageId numbered(Map& map, const Key& key)
    {
        const auto [at, isNew] = map.try_emplace(key, StorageId(m_count));
        m_count += isNew ? 1 : 0;
        return at->second;
    }

    const Graph& m_graph;
    const CaptureFacts& m_facts;
    bool m_hasMeta = false;
    bool m_captured = false;
    std::size_t m_count = 0;
    std::unordered_map<std::size_t, StorageId> m_byCapture;
    std::unordered_map<std::string, StorageId> m_byAttribute;
};

} // namespace

StorageMap buildStorageMap(const Graph& graph, const CaptureFacts& facts)
{
    StorageMap map;
    map.m_storageOf.assign(graph.slotCount(), StorageId{});
    StorageAssigner assigner(graph, facts);
    for (const NodeId id : graph.order())
        map.m_storageOf[id.index()] = assigner.storageFor(id, map.m_storageOf);
    map.m_nodesOf = Grouped<NodeId>(assigner.count(), [&](const auto& add) {
        for (const NodeId id : graph.order())
            if (const StorageId storage = map.m_storageOf[id.index()])
                add(storage.index(), id);
    });
    map.m_derived = !assigner.captured();
    return map;
}

} // namespace reinspect
