// SPDX-License-Identifier: MIT
#include "core/alias/view_geometry.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

// Distance from the start of the tensor that a split, unbind or chunk part begins at; nothing when unknown.
std::optional<SymExpr> partOffset(const Node& split, const TensorMeta& base, std::int64_t index)
{
    const bool isUnbind = split.target == "aten.unbind.int";
    const Argument* dimArgument = isUnbind
        ? (split.args.size() > 1 ? &split.args[1] : nullptr)
        : (split.args.size() > 2 ? &split.args[2] : split.kwarg("dim"));
    std::int64_t dim = dimArgument ? dimArgument->integer().value_or(0) : 0;
    dim += dim < 0 ? static_cast<std::int64_t>(base.sizes.size()) : 0;
    if (!base.strides || dim < 0 || dim >= static_cast<std::int64_t>(base.strides->size())
        || index < 0)
        return {};
    const SymExpr& stride = (*base.strides)[static_cast<std::size_t>(dim)];
    if (isUnbind)
        return stride * index;
    if (split.args.size() < 2)
        return {};
    if (split.target == "aten.split.Tensor")
        if (const auto length = split.args[1].integer())
            return stride * *length * index;
    const std::vector<Argument>* lengths = split.args[1].sequence();
    if (split.target != "aten.split_with_sizes.default" || !lengths
        || index > static_cast<std::int64_t>(lengths->size()))
        return {};
    std::int64_t before = 0;
    for (std::int64_t i = 0; i < index; ++i)
        before += (*lengths)[static_cast<std::size_t>(i)].integer().value_or(0);
    return stride * before;
}

// View operators that change sizes and strides but begin where their base begins.
bool keepsOffset(std::string_view target)
{
    static constexpr std::array<std::string_view, 12> kSame = {
        "aten.view.default",    "aten.reshape.default",    "aten._unsafe_view.default",
        "aten.expand.default",  "aten.squeeze.dim",        "aten.squeeze.dims",
        "aten.squeeze.default", "aten.unsqueeze.default",  "aten.t.default",
        "aten.unfold.default",  "aten.contiguous.default", "aten.lift_fresh.default"};
    return std::find(kSame.begin(), kSame.end(), target) != kSame.end();
}

std::optional<SymExpr> viewOffset(const Graph& graph, const Node& node, const TensorMeta& base)
{
    if (!base.offset)
        return {};
    if (node.target == "operator.getitem")
    {
        const auto index = node.args.size() > 1 ? node.args[1].integer() : std::nullopt;
        const auto distance =
            index ? partOffset(graph[node.args.front().node()], base, *index) : std::nullopt;
        return distance ? std::optional<SymExpr>(*base.offset + *distance) : std::nullopt;
    }
    if (keepsOffset(node.target)
        || !isViewTarget(node.target)) // an in-place operator gives its target back
        return base.offset;
    const auto result = viewResult(node.target, base, std::span(node.args).subspan(1), node.kwargs);
    return result ? result->offset : std::nullopt;
}

} // namespace

std::optional<TensorMeta> partResult(const Node& split, const TensorMeta& base,
                                     const TensorMeta& part, std::size_t index)
{
    const auto distance = partOffset(split, base, static_cast<std::int64_t>(index));
    if (!distance || !base.offset || base.strides->size() != base.sizes.size())
        return {};
    TensorMeta result = part;
    result.offset = *base.offset + *distance;
    result.strides = base.strides;
    if (split.target == "aten.unbind.int")
    {
        std::int64_t dim = split.args.size() > 1 ? split.args[1].integer().value_or(0) : 0;
        dim += dim < 0 ? static_cast<std::int64_t>(base.sizes.size()) : 0;
        result.strides->erase(result.strides->begin() + dim); // partOffset() has checked the range
    }
    if (result.strides->size() != result.sizes.size())
        return {};
    return result;
}

ViewGeometry::ViewGeometry(const Graph& graph, const CaptureFacts& facts)
    : m_resolved(graph.slotCount())
{
    for (const NodeId id : graph.order())
    {
        const TensorMeta* printed = graph[id].meta.value.tensor();
        if (!printed)
            continue;
        ResolvedMeta resolved{*printed, {}};
        if (printed->isInferred)
            resolved.assumed = "the dump does not describe it: worked out from the operators";
        if (printed->hasInferredStrides)
            resolved.assumed = "the dump prints no strides: worked out from the operators";
        if (!resolved.meta.strides)
        {
            resolved.meta.strides = contiguousStrides(resolved.meta.sizes);
            resolved.assumed = "the dump prints no strides: taken as contiguous";
        }
        if (!resolved.meta.offset)
        {
            const NodeId base = aliasedInput(graph, id, facts);
            const ResolvedMeta* baseMeta = base ? of(base) : nullptr;
            resolved.meta.offset =
                baseMeta ? viewOffset(graph, graph[id], baseMeta->meta) : SymExpr(0);
            if (!resolved.meta.offset)
                resolved.assumed = "where this view starts is not known: taken as overlapping";
        }
        m_resolved[id.index()] = std::move(resolved);
    }
}

const ResolvedMeta* ViewGeometry::of(NodeId node) const
{
    if (node.index() >= m_resolved.size() || !m_resolved[node.index()])
        return nullptr;
    return &*m_resolved[node.index()];
}

} // namespace reinspect
