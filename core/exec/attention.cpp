// SPDX-License-Identifier: MIT
#include "core/exec/attention.h"

#include "core/exec/gemm.h"
#include "core/exec/operands.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reinspect::exec
{
namespace
{

Result<void> readSizes(const KernelCall& call, Attention& made)
{
    const Tensor& q = made.query;
    const Tensor& k = made.key;
    const Tensor& v = made.value;
    const bool fits = q.rank() == 4 && k.rank() == 4 && v.rank() == 4 && q.sizes[0] == k.sizes[0]
        && k.sizes[0] == v.sizes[0] && k.sizes[1] == v.sizes[1] && k.sizes[2] == v.sizes[2]
        && q.sizes[3] == k.sizes[3] && q.dtype == k.dtype && k.dtype == v.dtype
        && (k.sizes[1] == q.sizes[1] || (k.sizes[1] > 0 && q.sizes[1] % k.sizes[1] == 0));
    if (!fits)
        return call.error("query " + tensorText(q) + ", key " + tensorText(k) + " and value "
                          + tensorText(v) + " do not fit");
    if (!isFloating(q.dtype))
        return call.unsupported("not for dtype " + std::string(dtypeName(q.dtype)));
    made.batch = q.sizes[0];
    made.heads = q.sizes[1];
    made.keyHeads = k.sizes[1];
    made.queries = q.sizes[2];
    made.keys = k.sizes[2];
    made.depth = q.sizes[3];
    made.valueDepth = v.sizes[3];
    return {};
}

Result<void> readBias(const KernelCall& call, Attention& made)
{
    std::optional<Tensor> given = call.optionalTensor("attn_bias");
    if (!given)
        given = call.optionalTensor("attn_mask");
    if (!given || (given->rank() == 1 && given->count() == 0)) // what the gradient gets for none
        return {};
    made.biasSizes = given->sizes;
    made.isMask = given->dtype == DType::Bool;
    auto wide = broadcastTo(*given, {made.batch, made.heads, made.queries, made.keys});
    if (!wide.ok())
        return call.error("attention bias: " + wide.error().message);
    made.bias = std::move(*wide);
    return {};
}

} // namespace

Result<Attention> attentionOf(const KernelCall& call)
{
    Attention made;
    REINSPECT_TRY(made.query, call.tensor("query"));
    REINSPECT_TRY(made.key, call.tensor("key"));
    REINSPECT_TRY(made.value, call.tensor("value"));
    REINSPECT_CHECK(readSizes(call, made));
    REINSPECT_CHECK(readBias(call, made));
    if (call.optionalNumber("dropout_p").value_or(0) > 0)
        return call.unsupported("attention with dropout");
    made.isCausal = call.flag("is_causal");
    made.scale = call.optionalNumber("scale").value_or(
        1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(made.depth, 1))));
    return made;
}

template<typename C>
AttentionValues<C>::AttentionValues(const Attention& attention)
    : query(readAll<C>(attention.query))
    , key(readAll<C>(attention.key))
    , value(readAll<C>(attention.value))
{
    if (attention.bias)
        bias = readAll<C>(*attention.bias);
}

template<typename C>
void attentionScores(const Attention& attention, const AttentionValues<C>& values,
                     std::int64_t batch, std::int64_t head, std::vector<C>& scores)
{
    const std::int64_t queries = attention.queries;
    const std::int64_t keys = attention.keys;
    const std::int64_t depth = attention.depth;
    const C* q = values.query.data() + (batch * attention.heads + head) * queries * depth;
    const C* k =
        values.key.data() + (batch * attention.keyHeads + attention.keyHead(head)) * keys * depth;
    scores.resize(static_cast<std::size_t>(queries * keys));
    multiplyMatrices<C>({q, queries, depth}, {k, depth, keys, true}, scores.data());
    const C hidden = -std::numeric_limits<C>::infinity();
    const C* bias = values.bias.empty()
        ? nullptr
        : values.bias.data() + (batch * attention.heads + head) * queries * keys;
    for (std::int64_t i = 0; i < queries; ++i)
        for (std::int64_t j = 0; j < keys; ++j)
        {
            C& score = scores[static_cast<std::size_t>(i * keys + j)];
            score *= static_cast<C>(attention.scale);
            if (bias && attention.isMask)
                score = bias[i * keys + j] != C(0) ? score : hidden;
            else if (bias)
                score += bias[i * keys + j];
            if (attention.isCausal && j > i)
                score = hidden;
        }
}

template struct AttentionValues<float>;
template struct AttentionValues<double>;
template void attentionScores<float>(const Attention&, const AttentionValues<float>&, std::int64_t,
                                     std::int64_t, std::vector<float>&);
template void attentionScores<double>(const Attention&, const AttentionValues<double>&,
                                      std::int64_t, std::int64_t, std::vector<double>&);

} // namespace reinspect::exec
