// SPDX-License-Identifier: MIT
#include "core/passes/memory_accesses.h"

#include "core/alias/memory_region.h"
#include "core/ir/op_facts.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

using Kind = MemoryAccess::Kind;

template<std::size_t Count>
bool isOneOf(const std::array<std::string_view, Count>& names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

// Their first operand gives shape, dtype and device only.
bool ignoresFirstOperand(std::string_view target)
{
    static constexpr std::array<std::string_view, 18> kTargets = {
        "aten.sym_size.int",       "aten.sym_stride.int",
        "aten.sym_numel.default",  "aten.sym_storage_offset.default",
        "aten.empty_like.default", "aten.zeros_like.default",
        "aten.ones_like.default",  "aten.full_like.default",
        "aten.rand_like.default",  "aten.randn_like.default",
        "aten.new_empty.default",  "aten.new_empty_strided.default",
        "aten.new_zeros.default",  "aten.new_ones.default",
        "aten.new_full.default",   "aten.copy.default",
        "aten.fill.Scalar",        "aten.fill.Tensor"};
    return isOneOf(kTargets, target);
}

// Views that may turn out to be copies, which then read here and now.
bool mayCopy(std::string_view target)
{
    static constexpr std::array<std::string_view, 6> kTargets = {
        "aten.reshape.default",    "aten.contiguous.default", "aten.flatten.using_ints",
        "aten.reshape_as.default", "aten.to.dtype",           "aten.to.device"};
    return isOneOf(kTargets, target);
}

// Higher-order operators that write nothing: what a body writes is functionalized.
bool isFunctionalWrapper(std::string_view target)
{
    static constexpr std::array<std::string_view, 12> kTargets = {
        "higher_order.triton_kernel_wrapper_functional",
        "higher_order.auto_functionalized",
        "higher_order.auto_functionalized_v2",
        "higher_order.cond",
        "higher_order.while_loop",
        "higher_order.scan",
        "higher_order.associative_scan",
        "higher_order.map_impl",
        "higher_order.flex_attention",
        "higher_order.flex_attention_backward",
        "higher_order.invoke_subgraph",
        "higher_order.run_const_graph"};
    return isOneOf(kTargets, target);
}

std::string_view viewOfScatter(std::string_view target)
{
    if (target == "aten.slice_scatter.default")
        return "aten.slice.Tensor";
    if (target == "aten.select_scatter.default")
        return "aten.select.int";
    if (target == "aten.diagonal_scatter.default")
        return "aten.diagonal.default";
    if (target == "aten.as_strided_scatter.default")
        return "aten.as_strided.default";
    return {};
}

// Python's arithmetic on sizes. In-place operators are not among it (operator.iadd).
bool isPlainTarget(std::string_view target)
{
    const bool mayWrite = target.starts_with("operator.i") || target == "operator.setitem";
    return (target.starts_with("operator.") && !mayWrite) || target.starts_with("math.")
        || target.starts_with("torch.sym_");
}

} // namespace

std::optional<TensorMeta> scatteredPart(const Node& scatter, const TensorMeta& input)
{
    if (const std::string_view view = viewOfScatter(scatter.target); !view.empty())
    {
        if (scatter.args.size() < 2)
            return {};
        return viewResult(view, input, std::span(scatter.args).subspan(2), scatter.kwargs);
    }
    if (scatter.target != kGeneralizedScatter || scatter.args.size() < 3)
        return {};
    const std::vector<Argument>* views = scatter.args[2].sequence();
    std::optional<TensorMeta> part = input;
    for (std::size_t i = 0; views && part && i < views->size(); ++i)
    {
        const ViewArgument* view = (*views)[i].as<ViewArgument>();
        part = view ? viewResult(view->target, *part, view->args, view->kwargs) : std::nullopt;
    }
    return views ? part : std::nullopt;
}

std::string_view schemaOf(std::string_view target, const CaptureFacts& facts)
{
    if (const OpFacts* known = findOpFacts(target))
        return known->schema;
    const CustomOperator* custom = facts.customOperator(target);
    return custom ? std::string_view(custom->schema) : std::string_view{};
}

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
            if (m_graph[id].op != NodeOp::Placeholder && m_graph[id].op != NodeOp::GetAttr)
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
            const Node& node = m_graph[id];
            if (node.target == "_c10d_functional.wait_tensor.default" && !node.args.empty())
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
        m.m_members.resize(count);
        m.m_ofVersion.resize(count);
        for (const NodeId id : m_graph.order())
        {
            const StorageId storage = storageOf(id);
            if (!storage)
                continue;
            m.m_members[m.m_versionOf[storage.index()].index()].push_back(id);
            if (storage.index() < m_unplaced.size() && m_unplaced[storage.index()])
                m.m_placeless[id.index()] = true;
        }
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
        m.m_accesses.push_back(
            {atEnd ? m.m_end : m_analysis.position(user), kind, assumed, user, view, source});
    }

    void visit(NodeId id)
    {
        const Node& node = m_graph[id];
        if (node.op == NodeOp::CallFunction && isAlias(id))
            return;
        const std::size_t first = m.m_accesses.size();
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
            m_late.push_back({m.m_end, Kind::Read, true, view, view, {}});
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
        // The source may be the input itself, which is then read in full.
        if (node.args.size() > 1 && node.args[1].node() != input)
            if (auto part = scatteredPart(node, meta->meta))
                m.m_replaced.emplace(id, std::move(*part));
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
        for (std::size_t i = 0; i < m.m_accesses.size(); ++i)
            m.m_ofVersion[m.versionOf(m.m_accesses[i].view).index()].push_back(
                static_cast<std::uint32_t>(i));
    }

    MemoryAccesses& m;
    const Graph& m_graph;
    const CoreAnalysis& m_analysis;
    const CaptureFacts& m_facts;
    std::vector<std::size_t> m_parent; // by storage
    std::vector<bool> m_unplaced;      // by storage
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

const TensorMeta* MemoryAccesses::replacedBy(NodeId scatter) const
{
    const auto found = m_replaced.find(scatter);
    return found == m_replaced.end() ? nullptr : &found->second;
}

} // namespace reinspect
