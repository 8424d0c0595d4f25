// SPDX-License-Identifier: MIT
#include "core/proof/index_ranges.h"

#include "core/ir/op_facts.h"

#include <algorithm>

namespace reinspect::proof
{
namespace
{

// Operators whose integers are those of their first argument, or nearly so.
bool keepsValues(std::string_view target)
{
    static constexpr std::string_view names[] = {
        "aten.clone.default",    "aten._to_copy.default", "prims.convert_element_type.default",
        "aten.reshape.default",  "aten.where.self",       "aten.contiguous.default",
        "aten.remainder.Scalar", "aten.clamp.default",    "aten.cat.default"};
    const OpFacts* facts = findOpFacts(target);
    return (facts && facts->isView) || std::ranges::find(names, target) != std::end(names);
}

} // namespace

IndexRanges::IndexRanges(const Graph& graph, Number number)
    : m_graph(graph)
    , m_number(std::move(number))
    , m_limits(graph.slotCount())
{
    std::vector<NodeId> order;
    for (const NodeId id : graph.order())
        order.push_back(id);
    for (auto at = order.rbegin(); at != order.rend(); ++at)
    {
        const Node& node = graph.node(*at);
        lookAt(node);
        if (m_limits[at->index()] && keepsValues(node.target))
            for (const NodeId input : graph.inputs(*at))
                addUse(input, m_limits[at->index()]);
    }
}

std::optional<std::int64_t> IndexRanges::limitOf(NodeId placeholder) const
{
    return m_limits[placeholder.index()];
}

void IndexRanges::addUse(NodeId index, std::optional<std::int64_t> limit)
{
    if (!index || !limit)
        return;
    std::optional<std::int64_t>& known = m_limits[index.index()];
    known = known ? std::min(*known, *limit) : *limit;
}

std::optional<std::int64_t> IndexRanges::sizeOf(const Argument* tensor, std::int64_t dim) const
{
    const NodeId id = tensor ? tensor->node() : NodeId{};
    const TensorMeta* meta = id ? m_graph.node(id).meta.value.tensor() : nullptr;
    if (!meta)
        return {};
    dim += dim < 0 ? static_cast<std::int64_t>(meta->sizes.size()) : 0;
    if (dim < 0 || dim >= static_cast<std::int64_t>(meta->sizes.size()))
        return {};
    return m_number(meta->sizes[static_cast<std::size_t>(dim)]);
}

void IndexRanges::lookAt(const Node& node)
{
    const auto argument = [&](std::size_t i) {
        return i < node.args.size() ? &node.args[i] : nullptr;
    };
    const std::string_view target = node.target;
    const auto is = [&](std::string_view packet) { return target.starts_with(packet); };
    if (is("aten.index.") || is("aten.index_put") || is("aten._unsafe_index"))
    {
        const std::vector<Argument>* list = argument(1) ? argument(1)->sequence() : nullptr;
        for (std::size_t d = 0; list && d < list->size(); ++d)
            addUse((*list)[d].node(), sizeOf(argument(0), static_cast<std::int64_t>(d)));
    }
    else if (is("aten.gather.") || is("aten.scatter") || is("aten.index_select.")
             || is("aten.index_add") || is("aten.index_copy") || is("aten.index_fill"))
    {
        const auto dim = argument(1) ? argument(1)->integer() : std::nullopt;
        if (dim && argument(2))
            addUse(argument(2)->node(), sizeOf(argument(0), *dim));
    }
    else if (is("aten.embedding.") && argument(1))
        addUse(argument(1)->node(), sizeOf(argument(0), 0));
    else if (is("aten.embedding_dense_backward.") && argument(1) && argument(2))
        addUse(argument(1)->node(), argument(2)->integer());
    else if (is("aten.select.int") && argument(2) && argument(2)->node())
        addUse(argument(2)->node(), sizeOf(argument(0), argument(1)->integer().value_or(0)));
    else if (is("aten.nll_loss") && argument(1))
        addUse(argument(1)->node(), sizeOf(argument(0), 1));
}

} // namespace reinspect::proof
