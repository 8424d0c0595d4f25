// SPDX-License-Identifier: MIT
// Attention in one operator. Mirrors the entries of _scaled_dot_product_* in torch/_meta_registrations.py.
#include "core/ir/fresh_rules.h"
#include "core/ir/meta_families.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

using Sizes = std::vector<SymExpr>;

// Sequence before heads in memory, as kernels of attention write: [B, H, S, D] of [B, S, H, D].
TensorMeta headsInside(const TensorMeta& query, const SymExpr& width)
{
    Sizes sizes = query.sizes;
    sizes[3] = width;
    TensorMeta result = freshLike(query, {sizes[0], sizes[2], sizes[1], sizes[3]});
    std::swap(result.sizes[1], result.sizes[2]);
    std::swap((*result.strides)[1], (*result.strides)[2]);
    return result;
}

std::optional<TensorMeta> attended(const RuleCall& call, std::size_t index)
{
    const TensorMeta* query = call.tensor("query");
    const TensorMeta* value = call.tensor("value");
    if (!query || !value || query->sizes.size() != 4 || value->sizes.size() != 4 || index > 1)
        return {};
    const std::string_view name = call.packet();
    const Sizes& q = query->sizes;
    if (name == "_scaled_dot_product_efficient_attention")
    {
        if (index == 0)
            return headsInside(*query, value->sizes[3]);
        const SymExpr rows =
            call.flag("compute_log_sumexp") ? SymExpr::floorDiv(q[2] + 31, 32) * 32 : SymExpr(0);
        return freshMeta(DType::Float32, query->device, {q[0], q[1], rows});
    }
    if (name == "_scaled_dot_product_flash_attention_for_cpu")
    {
        if (index == 0)
            return headsInside(*query, q[3]);
        TensorMeta sums = freshMeta(DType::Float32, query->device, {q[0], q[2], q[1]});
        std::swap(sums.sizes[1], sums.sizes[2]);
        std::swap((*sums.strides)[1], (*sums.strides)[2]);
        return sums;
    }
    if (name != "_scaled_dot_product_flash_attention")
        return {};
    return index == 0 ? cloneResult(*query)
                      : freshMeta(DType::Float32, query->device, {q[0], q[1], q[2]});
}

// The gradients of query, key and value, and of the bias of the efficient kernel.
std::optional<TensorMeta> attentionGradient(const RuleCall& call, std::size_t index)
{
    static constexpr std::array<std::string_view, 3> kOperands = {"query", "key", "value"};
    const TensorMeta* of = index < kOperands.size() ? call.tensor(kOperands[index]) : nullptr;
    if (!of || of->sizes.size() != 4)
        return {};
    const std::string_view name = call.packet();
    if (name == "_scaled_dot_product_efficient_attention_backward")
        return headsInside(*of, of->sizes[3]);
    return name == "_scaled_dot_product_flash_attention_backward" ? std::optional(cloneResult(*of))
                                                                  : std::nullopt;
}

} // namespace

std::optional<TensorMeta> attentionPartMeta(const RuleCall& call, std::size_t index)
{
    if (!call.target().starts_with("aten._scaled_dot_product_"))
        return {};
    return call.packet().ends_with("_backward") ? attentionGradient(call, index)
                                                : attended(call, index);
}

} // namespace reinspect
