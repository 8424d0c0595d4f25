// SPDX-License-Identifier: MIT
#include "core/ir/meta_rules.h"

#include "core/ir/fresh_rules.h"
#include "core/ir/graph_edit.h"
#include "core/ir/meta_families.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

constexpr std::size_t kMostDimensions = 64; // as many as PyTorch takes

bool isReasonable(const TensorMeta& meta)
{
    const auto isNegative = [](const SymExpr& size) { return size.constant().value_or(0) < 0; };
    return meta.sizes.size() <= kMostDimensions && meta.strides
        && meta.strides->size() == meta.sizes.size()
        && std::ranges::none_of(meta.sizes, isNegative);
}

std::optional<TensorMeta> callMeta(const RuleCall& call)
{
    static constexpr std::array kFamilies = {pointwiseMeta, reshapeMeta, productMeta, reductionMeta,
                                             gatherMeta,    factoryMeta, windowMeta};
    for (const auto family : kFamilies)
        if (auto result = family(call))
            return result;
    const bool isScatter = call.target().ends_with(".reinplace._generalized_scatter");
    const TensorMeta* input =
        isScatter && !call.node().args.empty() ? call.tensor(&call.node().args.front()) : nullptr;
    return input ? std::optional(cloneResult(*input)) : std::nullopt;
}

std::optional<TensorMeta> getitemMeta(const Graph& graph, const Node& getitem,
                                      const TensorLookup& tensors, const SizeLookup& sizes)
{
    const NodeId tuple = getitem.args.size() > 1 ? getitem.args.front().node() : NodeId{};
    if (!tuple || graph[tuple].op != NodeOp::CallFunction)
        return {};
    const RuleCall call(graph[tuple], tensors, sizes);
    if (const auto* key = getitem.args[1].as<std::string>())
        return kernelArgumentMeta(call, *key);
    const auto index = getitem.args[1].integer();
    return index && *index >= 0 ? partMeta(call, static_cast<std::size_t>(*index)) : std::nullopt;
}

} // namespace

std::optional<TensorMeta> resultMeta(const Graph& graph, NodeId id, const TensorLookup& tensors,
                                     const SizeLookup& sizes)
{
    const Node& node = graph[id];
    if (node.op != NodeOp::CallFunction)
        return {};
    auto result = node.target == "operator.getitem" ? getitemMeta(graph, node, tensors, sizes)
                                                    : callMeta(RuleCall(node, tensors, sizes));
    if (!result || !isReasonable(*result))
        return {};
    result->isInferred = true;
    result->storage = {};
    result->storageBytes = {};
    return result;
}

std::optional<SymExpr> printedSize(const Graph& graph, NodeId id)
{
    const MetaValueBase& value = graph[id].meta.value.value;
    const SymScalarMeta* symbolic = std::get_if<SymScalarMeta>(&value);
    if (symbolic && symbolic->kind == SymScalarMeta::Kind::Int)
        return symbolic->expr;
    const ScalarMeta* scalar = std::get_if<ScalarMeta>(&value);
    const auto number = scalar ? scalar->value.integer() : std::nullopt;
    return number ? std::optional<SymExpr>(*number) : std::nullopt;
}

namespace
{

class Propagation
{
public:
    explicit Propagation(Graph graph)
        : m_graph(std::move(graph))
        , m_tensors([this](NodeId id) { return tensorOf(id); })
        , m_sizes([this](NodeId id) { return sizeOf(id); })
    {}
    Propagation(const Propagation&) = delete;

    bool run();
    Graph take() { return std::move(m_graph); }

private:
    const TensorMeta* tensorOf(NodeId id);
    std::optional<SymExpr> sizeOf(NodeId id) const;
    std::optional<SymExpr> computedSize(const Node& node);
    std::optional<TensorMeta> filledIn(NodeId id);
    std::optional<TensorMeta> workedOut(NodeId id);

    Graph m_graph;
    TensorLookup m_tensors;
    SizeLookup m_sizes;
    std::unordered_map<NodeId, TensorMeta>
        m_completed;                                // printed ones without strides, taken as dense
    std::unordered_map<NodeId, SymExpr> m_computed; // sizes that are nodes
};

const TensorMeta* Propagation::tensorOf(NodeId id)
{
    const TensorMeta* printed = m_graph[id].meta.value.tensor();
    if (!printed || printed->strides)
        return printed && isReasonable(*printed) ? printed : nullptr;
    const auto [at, isNew] = m_completed.try_emplace(id, *printed);
    if (isNew && printed->sizes.size() <= kMostDimensions)
        at->second.strides = contiguousStrides(printed->sizes);
    return isReasonable(at->second) ? &at->second : nullptr;
}

std::optional<SymExpr> Propagation::sizeOf(NodeId id) const
{
    const auto computed = m_computed.find(id);
    return computed != m_computed.end() ? computed->second : printedSize(m_graph, id);
}

// sym_size(x, 0) and sums and products of such.
std::optional<SymExpr> Propagation::computedSize(const Node& node)
{
    const RuleCall call(node, m_tensors, m_sizes);
    if (node.target == "aten.sym_size.int")
    {
        const TensorMeta* self = call.tensor("self");
        const auto dim = self ? call.dimension("dim", 0, self->sizes.size()) : std::nullopt;
        return dim ? std::optional(self->sizes[*dim]) : std::nullopt;
    }
    if (node.args.size() != 2 || !node.target.starts_with("operator."))
        return {};
    const auto a = call.size(&node.args[0]);
    const auto b = call.size(&node.args[1]);
    if (!a || !b)
        return {};
    if (node.target == "operator.add")
        return *a + *b;
    if (node.target == "operator.sub")
        return *a - *b;
    if (node.target == "operator.mul")
        return *a * *b;
    const bool divides = node.target == "operator.floordiv" && b->constant() != 0;
    return divides ? std::optional(SymExpr::floorDiv(*a, *b)) : std::nullopt;
}

// The printed tensor with what its rule adds; nothing when it adds nothing.
std::optional<TensorMeta> Propagation::filledIn(NodeId id)
{
    const TensorMeta* printed = m_graph[id].meta.value.tensor();
    if (!printed || (printed->strides && !printed->device.empty()))
        return {};
    const auto ruled = resultMeta(m_graph, id, m_tensors, m_sizes);
    // A rule that contradicts the dump is not asked further.
    if (!ruled || !(ruled->sizes == printed->sizes) || ruled->dtype != printed->dtype)
        return {};
    TensorMeta filled = *printed;
    if (!printed->strides)
        filled.strides = ruled->strides;
    if (printed->device.empty())
        filled.device = ruled->device;
    filled.hasInferredStrides = !printed->strides;
    filled.hasInferredDevice = printed->device.empty() && !ruled->device.empty();
    return filled.hasInferredStrides || filled.hasInferredDevice ? std::optional(std::move(filled))
                                                                 : std::nullopt;
}

std::optional<TensorMeta> Propagation::workedOut(NodeId id)
{
    if (m_graph[id].meta.value.isKnown())
        return filledIn(id);
    if (const auto size = computedSize(m_graph[id]))
    {
        m_computed.emplace(id, *size);
        return {};
    }
    return resultMeta(m_graph, id, m_tensors, m_sizes);
}

bool Propagation::run()
{
    EditRecorder edits(m_graph);
    bool any = false;
    for (const NodeId id : m_graph.order())
    {
        if (m_graph[id].op != NodeOp::CallFunction)
            continue;
        auto result = workedOut(id);
        if (!result)
            continue;
        NodeMeta meta = m_graph[id].meta;
        meta.value = {std::move(*result)};
        edits.setMeta(id, std::move(meta));
        any = true;
    }
    return any;
}

bool isCaptured(const Graph& graph)
{
    for (const NodeId id : graph.order())
    {
        const TensorMeta* meta = graph[id].meta.value.tensor();
        if (meta && meta->storage)
            return true;
    }
    return false;
}

} // namespace

std::shared_ptr<const Graph> withInferredMeta(std::shared_ptr<const Graph> graph)
{
    if (isCaptured(*graph))
        return graph;
    Propagation propagation(*graph);
    if (propagation.run())
        return std::make_shared<const Graph>(propagation.take());
    return graph;
}

} // namespace reinspect
