// SPDX-License-Identifier: MIT
#include "core/passes/memory_accesses.h"

#include "core/alias/memory_region.h"
#include "core/ir/op_set.h"
#include "core/passes/access_rules.h"

#include <algorithm>

namespace reinspect
{
namespace
{

using Kind = MemoryAccess::Kind;

} // namespace

// Fills a MemoryAccesses, node by node.
class AccessReader
{
public:
    AccessReader(MemoryAccesses& result, const Graph& graph, const CoreAnalysis& analysis,
                 const CaptureFacts& facts)
        : m(result)
        , m_graph(graph)
        , m_analysis(analysis)
        , m_facts(facts)
    {}

    void run()
    {
        findVersions();
        for (const NodeId id : m_graph.order())
            if (!isInput(m_graph, id))
                visit(id);
        for (const NodeId id : m_graph.order())
            if (isInput(m_graph, id))
                add(id, id, Kind::Read);
        index();
    }

private:
    StorageId storageOf(NodeId id) const { return m_analysis.storages().storageOf(id); }

    // Storages are versions, but for a result that is its operand (wait_tensor), or may be.
    void findVersions()
    {
        const std::size_t count = m_analysis.storages().storageCount();
        m_parent.resize(count);
        for (std::size_t i = 0; i < count; ++i)
            m_parent[i] = i;
        m.m_placeless.assign(m_graph.slotCount(), false);
        m.m_storageOf.resize(m_graph.slotCount());
        const bool derived = m_analysis.storages().isDerived();
        for (const NodeId id : m_graph.order())
        {
            m.m_storageOf[id.index()] = storageOf(id);
            m.m_end = m_analysis.position(id) + 1;
            static const OpSet kGivesOperand = {"_c10d_functional.wait_tensor.default"};
            const OpFacts* facts = m_graph.facts(id);
            if (facts && !kGivesOperand.contains(*facts)) // known, and its results are new or views
                continue;
            const Node& node = m_graph[id];
            if (facts && !node.args.empty())
                join(id, node.args.front().node(), !layoutIsThatOf(id, node.args.front().node()));
            else if (derived && isUnknown(node))
                joinOperands(id, id);
            else if (derived && node.target == "operator.getitem" && !node.args.empty()
                     && node.args.front().node() && isUnknown(m_graph[node.args.front().node()]))
                joinOperands(id, node.args.front().node());
        }
        numberVersions();
    }

    bool layoutIsThatOf(NodeId a, NodeId b) const
    {
        const ResolvedMeta* first = m_analysis.geometry().of(a);
        const ResolvedMeta* second = b ? m_analysis.geometry().of(b) : nullptr;
        return first && second
            && sameRegion(first->meta, second->meta, m_analysis.shapes()) == Known::Yes;
    }

    void joinOperands(NodeId result, NodeId call)
    {
        for (const NodeId operand : m_graph.inputs(call))
            join(result, operand, true);
    }

    void join(NodeId result, NodeId operand, bool placeless)
    {
        const StorageId a = storageOf(result);
        const StorageId b = operand ? storageOf(operand) : StorageId{};
        if (!a || !b)
            return;
        m_parent[root(a.index())] = root(b.index());
        m_unplaced.resize(m_parent.size(), false);
        m_unplaced[a.index()] = m_unplaced[a.index()] || placeless;
    }

    std::size_t root(std::size_t storage)
    {
        while (m_parent[storage] != storage)
            storage = m_parent[storage] = m_parent[m_parent[storage]];
        return storage;
    }

    void numberVersions()
    {
        m.m_versionOf.resize(m_parent.size());
        std::size_t count = 0;
        for (std::size_t i = 0; i < m_parent.size(); ++i)
            if (root(i) == i)
                m.m_versionOf[i] = VersionId(count++);
        for (std::size_t i = 0; i < m_parent.size(); ++i)
            m.m_versionOf[i] = m.m_versionOf[root(i)];
        m_versions = count;
        m.m_members = Grouped<NodeId>(count, [this](const auto& add) {
            for (const NodeId id : m_graph.order())
                if (const StorageId storage = storageOf(id))
                    add(m.m_versionOf[storage.index()].index(), id);
        });
        for (const NodeId id : m_graph.order())
            if (const StorageId storage = storageOf(id);
                storage && storage.index() < m_unplaced.size())
                m.m_placeless[id.index()] = m_unplaced[storage.index()];
    }

    bool isUnknown(const Node& node) const
    {
        if (node.op == NodeOp::CallMethod || node.op == NodeOp::CallModule)
            return true;
        if (node.op != NodeOp::CallFunction || isPlainTarget(node.target)
            || isFunctionalWrapper(node.target) || node.target == kGeneralizedScatter
            || node.target == kInplaceGeneralizedScatter)
            return false;
        if (node.target == "higher_order.with_effects")
            return schemaOf(carried(node), m_facts).empty();
        return schemaOf(node.target, m_facts).empty();
    }

    static std::string_view carried(const Node& node)
    {
        const ConstantArgument* op =
            node.args.size() > 1 ? node.args[1].as<ConstantArgument>() : nullptr;
        return op ? std::string_view(op->text) : std::string_view{};
    }

    void add(NodeId user, NodeId view, Kind kind, NodeId source = {}, bool assumed = false)
    {
        if (!view || !storageOf(view))
            return;
        const bool atEnd = user == view && isInput(m_graph, user);
        m.m_accesses.push_back({atEnd ? m.m_end : m_analysis.position(user), kind, assumed, false,
                                user, view, source});
    }

    void visit(NodeId id)
    {
        if (m_graph[id].op == NodeOp::CallFunction && isAlias(id))
            return;
        const std::size_t first = m.m_accesses.size();
        addAccesses(id, first);
        const auto added = std::span(m.m_accesses).subspan(first);
        const bool writes = std::ranges::any_of(
            added, [](const MemoryAccess& access) { return access.kind != Kind::Read; });
        for (MemoryAccess& access : added)
            access.userWrites = writes;
    }

    void addAccesses(NodeId id, std::size_t first)
    {
        const Node& node = m_graph[id];
        readOperands(id);
        if (node.op == NodeOp::Output)
            return;
        if (node.target == "aten.copy_.default" && node.args.size() > 1)
        {
            const NodeId destination = node.args[0].node();
            if (destination != node.args[1].node())
                m.m_accesses.erase(
                    std::remove_if(
                        m.m_accesses.begin() + static_cast<std::ptrdiff_t>(first),
                        m.m_accesses.end(),
                        [&](const MemoryAccess& access) { return access.view == destination; }),
                    m.m_accesses.end());
            return add(id, node.args[0].node(), Kind::WritesAll, node.args[1].node());
        }
        if (isUnknown(node) || node.target == "higher_order.triton_kernel_wrapper_mutation")
            return writeAll(id, first);
        if (node.target == kInplaceGeneralizedScatter && !node.args.empty())
            return add(id, node.args[0].node(), Kind::MayWrite);
        const bool effects = node.target == "higher_order.with_effects";
        writeMutated(id, schemaOf(effects ? carried(node) : std::string_view(node.target), m_facts),
                     effects ? 2 : 0);
    }

    // A view of its operand, which reads nothing. Where storages are not captured, what may copy reads.
    bool isAlias(NodeId id)
    {
        const Node& node = m_graph[id];
        if (node.target == "operator.getitem")
            return true;
        if (!isViewTarget(node.target) && node.target != "aten._unsafe_view.default")
            return false;
        const NodeId base = node.args.empty() ? NodeId{} : node.args.front().node();
        if (!base)
            return false;
        if (!m_graph[id].meta.value.tensor() && !storageOf(id))
        {
            // A tuple of views: its getitems are the views. Anything else may read at any time.
            if (!std::ranges::all_of(m_graph.users(id), [this](NodeId user) {
                    return m_graph[user].target == "operator.getitem" && storageOf(user);
                }))
                readLate(base);
            return true;
        }
        if (storageOf(id) != storageOf(base))
            return false;
        if (m_analysis.storages().isDerived() && mayCopy(node.target))
            add(id, base, Kind::Read);
        return true;
    }

    // Something not seen may read it as late as the end of the graph.
    void readLate(NodeId view)
    {
        if (storageOf(view))
            m_late.push_back({m.m_end, Kind::Read, true, false, view, view, {}});
    }

    void readOperands(NodeId id)
    {
        const Node& node = m_graph[id];
        const bool skipsFirst = ignoresFirstOperand(node.target) && !node.args.empty();
        const NodeId skipped = skipsFirst ? node.args.front().node() : NodeId{};
        const bool twice = skipped
            && std::ranges::any_of(std::span(node.args).subspan(1),
                                   [skipped](const Argument& argument) {
                                       return argument.node() == skipped;
                                   });
        for (const NodeId operand : m_graph.inputs(id))
            if (operand != skipped || twice)
                add(id, operand, Kind::Read, {}, isUnknown(node));
        const NodeId input = node.args.empty() ? NodeId{} : node.args.front().node();
        const ResolvedMeta* meta = input ? m_analysis.geometry().of(input) : nullptr;
        if (!meta || (node.target != kGeneralizedScatter && viewOfScatter(node.target).empty()))
            return;
        // The source may be the input itself, which is then read in full. Of a tensor with several
        // indices to one element, the others still read what the replaced ones would have.
        if (node.args.size() > 1 && node.args[1].node() != input
            && regionMeetsItself(meta->meta, m_analysis.shapes()) == Known::No)
            if (auto part = scatteredPart(node, meta->meta))
                m.m_replaced.insert_or_assign(id,
                                              MemoryAccesses::Replaced{input, std::move(*part)});
    }

    void writeAll(NodeId id, std::size_t first)
    {
        const std::size_t last = m.m_accesses.size();
        for (std::size_t i = first; i < last; ++i)
            add(id, m.m_accesses[i].view, Kind::MayWrite, {}, true);
    }

    void writeMutated(NodeId id, std::string_view schema, std::size_t shift)
    {
        if (schema.find('!') == std::string_view::npos)
            return;
        const Node& node = m_graph[id];
        const std::vector<SchemaArgument> arguments = schemaArguments(schema);
        for (std::size_t i = 0; i < arguments.size(); ++i)
        {
            if (!arguments[i].isMutable)
                continue;
            const Argument* value = i + shift < node.args.size() ? &node.args[i + shift]
                                                                 : node.kwarg(arguments[i].name);
            if (value)
                forEachNode(*value, [&](NodeId written) { add(id, written, Kind::MayWrite); });
        }
    }

    void index()
    {
        m.m_accesses.insert(m.m_accesses.end(), m_late.begin(), m_late.end());
        m.m_ofVersion = Grouped<std::uint32_t>(m_versions, [this](const auto& add) {
            for (std::size_t i = 0; i < m.m_accesses.size(); ++i)
                add(m.versionOf(m.m_accesses[i].view).index(), static_cast<std::uint32_t>(i));
        });
    }

    MemoryAccesses& m;
    const Graph& m_graph;
    const CoreAnalysis& m_analysis;
    const CaptureFacts& m_facts;
    std::vector<std::size_t> m_parent; // by storage
    std::size_t m_versions = 0;
    std::vector<bool> m_unplaced; // by storage
    std::vector<MemoryAccess> m_late;
};

MemoryAccesses::MemoryAccesses(const Graph& graph, const CoreAnalysis& analysis,
                               const CaptureFacts& facts)
{
    AccessReader(*this, graph, analysis, facts).run();
}

VersionId MemoryAccesses::versionOf(NodeId node) const
{
    if (!node || node.index() >= m_storageOf.size() || !m_storageOf[node.index()])
        return {};
    return m_versionOf[m_storageOf[node.index()].index()];
}

std::uint32_t MemoryAccesses::firstAfter(std::uint32_t position) const
{
    const auto first = std::ranges::partition_point(
        m_accesses, [position](const auto& access) { return access.position <= position; });
    return static_cast<std::uint32_t>(first - m_accesses.begin());
}

const TensorMeta* MemoryAccesses::leftOutBy(const MemoryAccess& access) const
{
    const auto found = m_replaced.find(access.user);
    return found == m_replaced.end() || found->second.input != access.view ? nullptr
                                                                           : &found->second.part;
}

} // namespace reinspect
