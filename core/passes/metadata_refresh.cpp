// SPDX-License-Identifier: MIT
#include "core/passes/metadata_refresh.h"

#include "core/alias/view_geometry.h"
#include "core/ir/op_facts.h"

#include <algorithm>

namespace reinspect
{
namespace
{

bool isSameGeometry(const TensorMeta& a, const TensorMeta& b)
{
    return a.sizes == b.sizes && a.strides == b.strides && a.offset == b.offset;
}

bool isSameGeometry(const MetaValue& a, const MetaValue& b)
{
    const TensorMeta* tensorA = a.tensor();
    const TensorMeta* tensorB = b.tensor();
    return tensorA && tensorB ? isSameGeometry(*tensorA, *tensorB) : a == b;
}

// An operator of PyTorch's registry, whose result upstream can compute: not operator.add, not a method.
bool isOverload(const Node& node)
{
    return node.op == NodeOp::CallFunction && !node.target.starts_with("operator.")
        && !node.target.starts_with("higher_order.") && !node.target.starts_with("math.")
        && !node.target.starts_with("torch.");
}

class MetadataRefresh
{
public:
    MetadataRefresh(TraceBuilder& builder, const CaptureFacts& facts)
        : m_builder(builder)
        , m_graph(builder.graph())
        , m_facts(facts)
        , m_pending(m_graph.slotCount(), false)
        , m_moved(m_graph.slotCount(), false)
    {}

    void run();

private:
    // A storage as upstream tells them apart: one object a computed value.
    using Storage = std::size_t;
    static constexpr Storage kNone = ~Storage{0};

    bool findChanges();
    void numberStorages();
    Storage makeStorage();
    void process(NodeId id);
    std::optional<MetaValue> freshValue(const Node& node) const;
    std::optional<MetaValue> pointwiseValue(const Node& node) const;
    MetaValue aliasValue(NodeId id, NodeId base) const;
    MetaValue partsOf(NodeId id, NodeId base, const TensorMeta& from) const;
    bool anyInputMoved(NodeId id) const;
    bool anyUserMayAlias(NodeId id) const;
    void publish(NodeId id, MetaValue value, Storage storage);

    TraceBuilder& m_builder;
    const Graph& m_graph;
    const CaptureFacts& m_facts;
    std::vector<bool> m_pending; // by slot: has other arguments, or uses what has changed
    std::vector<bool> m_moved;   // by slot: sizes, strides or offset are not what they were
    std::vector<bool> m_inserted;
    std::vector<Storage> m_storage;     // by slot
    std::vector<std::size_t> m_members; // by storage
};

bool MetadataRefresh::findChanges()
{
    m_inserted.assign(m_graph.slotCount(), false);
    bool any = false;
    for (const GraphEdit& edit : m_builder.trace.edits)
    {
        const bool inserts = std::holds_alternative<InsertNode>(edit);
        if (!inserts && !std::holds_alternative<SetArguments>(edit))
            continue;
        const NodeId id = editedNode(edit);
        m_pending[id.index()] = true;
        m_inserted[id.index()] = m_inserted[id.index()] || inserts;
        m_moved[id.index()] =
            m_inserted[id.index()]; // what stood there before may have lain otherwise
        any = true;
    }
    return any;
}

MetadataRefresh::Storage MetadataRefresh::makeStorage()
{
    m_members.push_back(1);
    return m_members.size() - 1;
}

// As the map has them, but for the nodes that this phase was started for: those own new memory.
void MetadataRefresh::numberStorages()
{
    const StorageMap map = buildStorageMap(m_graph, m_facts);
    m_members.assign(map.storageCount(), 0);
    m_storage.assign(m_graph.slotCount(), kNone);
    for (const NodeId id : m_graph.order())
    {
        const StorageId storage = map.storageOf(id);
        if (!storage)
            continue;
        const NodeId base = aliasedInput(m_graph, id, m_facts);
        if (m_inserted[id.index()] && !base)
            m_storage[id.index()] = makeStorage();
        else
        {
            const bool follows = m_inserted[id.index()] && m_storage[base.index()] != kNone;
            m_storage[id.index()] = follows ? m_storage[base.index()] : storage.index();
            ++m_members[m_storage[id.index()]];
        }
    }
}

void MetadataRefresh::run()
{
    if (!findChanges())
        return;
    numberStorages();
    for (const NodeId id : m_graph.order())
        if (m_pending[id.index()] && m_graph[id].op == NodeOp::CallFunction)
            process(id);
}

bool MetadataRefresh::anyInputMoved(NodeId id) const
{
    const std::vector<NodeId> inputs = m_graph.inputs(id);
    return std::ranges::any_of(inputs, [this](NodeId input) { return m_moved[input.index()]; });
}

// Upstream asks each user's operator; a value that is no tensor is too complicated for it.
bool MetadataRefresh::anyUserMayAlias(NodeId id) const
{
    if (!m_graph[id].meta.value.tensor())
        return true;
    return std::ranges::any_of(m_graph.users(id), [&](NodeId user) {
        const Node& node = m_graph[user];
        if (node.target.starts_with("higher_order.") || node.target == kGeneralizedScatter)
            return false;
        return !isOverload(node) || !node.meta.value.tensor()
            || aliasedInput(m_graph, user, m_facts) == id;
    });
}

std::optional<MetaValue> MetadataRefresh::pointwiseValue(const Node& node) const
{
    const TensorMeta* result = node.meta.value.tensor();
    const OpFacts* facts = node.target.facts();
    if (!result || !facts || !facts->isPointwise)
        return {};
    std::vector<const TensorMeta*> operands;
    bool known = true;
    for (const Argument& argument : node.args)
        forEachNode(argument, [&](NodeId input) {
            const MetaValue& value = m_graph[input].meta.value;
            if (value.tensor())
                operands.push_back(value.tensor());
            else
                known = known && !value.sequence() && value.isKnown();
        });
    const auto fresh = known ? pointwiseResult(*result, operands) : std::nullopt;
    return fresh ? std::optional<MetaValue>(MetaValue{*fresh}) : std::nullopt;
}

// The value of an operator that gives new memory; nothing when no rule is known.
std::optional<MetaValue> MetadataRefresh::freshValue(const Node& node) const
{
    const TensorMeta* own = node.meta.value.tensor();
    const TensorMeta* input = !node.args.empty() && node.args.front().node()
        ? m_graph[node.args.front().node()].meta.value.tensor()
        : nullptr;
    if (!own || !input)
        return pointwiseValue(node);
    const auto keepStorage = [own](TensorMeta meta) {
        meta.storage = own->storage;
        return MetaValue{std::move(meta)};
    };
    if (node.target == kGeneralizedScatter
        || (node.target.starts_with("aten.clone") && node.kwargs.empty()))
        return keepStorage(cloneResult(*input));
    if (node.target == "aten.copy.default" || node.target == "aten.slice_scatter.default"
        || node.target == "aten.select_scatter.default")
        return keepStorage(sameStridesResult(*input));
    return pointwiseValue(node);
}

// The parts of split, unbind and the like: moved with their base, otherwise as they were.
MetaValue MetadataRefresh::partsOf(NodeId id, NodeId base, const TensorMeta& from) const
{
    auto fresh = std::make_shared<SequenceMeta>(*m_graph[id].meta.value.sequence());
    for (std::size_t i = 0; i < fresh->items.size(); ++i)
        if (TensorMeta* part = fresh->items[i].tensor())
        {
            if (m_moved[base.index()])
                *part = partResult(m_graph[id], from, *part, i).value_or(*part);
            part->storage = from.storage;
            part->storageBytes = from.storageBytes;
        }
    return {std::shared_ptr<const SequenceMeta>(std::move(fresh))};
}

// The value of a node that shares the memory of `base`.
MetaValue MetadataRefresh::aliasValue(NodeId id, NodeId base) const
{
    const Node& node = m_graph[id];
    const TensorMeta* from = m_graph[base].meta.value.tensor();
    if (!from)
        return node.meta.value;
    if (node.meta.value.sequence())
        return partsOf(id, base, *from);
    if (!node.meta.value.tensor())
        return node.meta.value;
    TensorMeta meta = *node.meta.value.tensor();
    if (node.target == "operator.getitem")
    {
        const SequenceMeta* parts = m_graph[node.args.front().node()].meta.value.sequence();
        const auto index = node.args.size() > 1 ? node.args[1].integer() : std::nullopt;
        if (parts && index && *index >= 0 && static_cast<std::size_t>(*index) < parts->items.size())
            return parts->items[static_cast<std::size_t>(*index)];
    }
    else if (m_moved[base.index()] && !node.args.empty() && node.args.front().node() == base)
    {
        const auto view =
            viewResult(node.target, *from, std::span(node.args).subspan(1), node.kwargs);
        if (view)
            meta = *view;
    }
    meta.storage = from->storage;
    meta.storageBytes = from->storageBytes;
    return {std::move(meta)};
}

void MetadataRefresh::publish(NodeId id, MetaValue value, Storage storage)
{
    m_storage[id.index()] = storage;
    m_moved[id.index()] = m_inserted[id.index()] || !isSameGeometry(value, m_graph[id].meta.value);
    for (const NodeId user : m_graph.users(id))
        m_pending[user.index()] = true;
    if (value == m_graph[id].meta.value)
        return;
    m_builder.edit(1, id, EditReason::MetaRefreshed, [&](EditRecorder& edits) {
        NodeMeta meta = m_graph[id].meta;
        meta.value = std::move(value);
        edits.setMeta(id, std::move(meta));
    });
}

void MetadataRefresh::process(NodeId id)
{
    const Node& node = m_graph[id];
    if (!isOverload(node) && node.target != "operator.getitem"
        && node.target != kGeneralizedScatter)
        return;
    const Storage own = m_storage[id.index()];
    if (const NodeId base = aliasedInput(m_graph, id, m_facts))
    {
        MetaValue value = aliasValue(id, base);
        const Storage storage = m_storage[base.index()];
        if (storage == own && isSameGeometry(value, node.meta.value))
            return;
        if (own != kNone && storage != kNone)
            ++m_members[storage];
        return publish(id, std::move(value), node.meta.value.tensor() ? storage : kNone);
    }
    std::optional<MetaValue> fresh = freshValue(node);
    if (!fresh)
        return;
    // Copies are always described anew: what functionalization left begins where their input begins.
    const bool recompute =
        m_inserted[id.index()] || node.target == "aten.copy.default" || anyInputMoved(id);
    MetaValue value = recompute ? std::move(*fresh) : node.meta.value;
    if (own != kNone && m_members[own] == 1 && isSameGeometry(value, node.meta.value)
        && !anyUserMayAlias(id))
        return;
    publish(id, std::move(value), makeStorage());
}

} // namespace

void refreshMetadata(TraceBuilder& builder, const CaptureFacts& facts)
{
    MetadataRefresh(builder, facts).run();
}

} // namespace reinspect
