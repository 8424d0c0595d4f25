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

// Which weights are dropped, in the gradient the same as before it.
Result<void> readDropout(const KernelCall& call, Attention& made)
{
    made.dropChance = call.optionalNumber("dropout_p").value_or(0);
    made.seed = call.context->seed;
    made.dropStream = Philox::streamOf(call.node) >> 1;
    if (made.dropChance <= 0)
        return {};
    if (made.dropChance > 1)
        return call.error("a chance of " + std::to_string(made.dropChance));
    if (const auto mask = call.optionalTensor("dropout_mask"))
    {
        auto wide = broadcastTo(*mask, {made.batch, made.heads, made.queries, made.keys});
        if (!wide.ok())
            return call.error("dropout mask: " + wide.error().message);
        made.keepMask = std::move(*wide);
        return {};
    }
    call.note("Attention with dropout draws from Philox with the seed of this program, not from a "
              "device's generator.");
    if (call.target.find("_backward") == std::string::npos)
        return {};
    const auto stream = call.optionalTensor("philox_seed");
    if (!stream || stream->count() < 1)
        return call.unsupported("a gradient of attention that is not told what was dropped");
    made.dropStream = static_cast<std::uint64_t>(readAll<std::int64_t>(*stream).front());
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
    REINSPECT_CHECK(readDropout(call, made));
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
std::vector<C> keepFactors(const Attention& attention, std::int64_t batch, std::int64_t head)
{
    if (attention.dropChance <= 0)
        return {};
    const std::int64_t count = attention.queries * attention.keys;
    const std::int64_t first = (batch * attention.heads + head) * count;
    const auto factor =
        static_cast<C>(attention.dropChance < 1 ? 1 / (1 - attention.dropChance) : 0);
    std::vector<C> factors(static_cast<std::size_t>(count), factor);
    std::vector<std::int64_t> mask;
    if (attention.keepMask)
        mask = readAll<std::int64_t>(*attention.keepMask);
    const Philox random(attention.seed, attention.dropStream);
    for (std::int64_t i = 0; i < count; ++i)
    {
        const auto place = static_cast<std::size_t>(first + i);
        if (attention.keepMask ? mask[place] == 0 : random.uniform(place) < attention.dropChance)
            factors[static_cast<std::size_t>(i)] = C(0);
    }
    return factors;
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
template std::vector<float> keepFactors<float>(const Attention&, std::int64_t, std::int64_t);
template std::vector<double> keepFactors<double>(const Attention&, std::int64_t, std::int64_t);
template void attentionScores<float>(const Attention&, const AttentionValues<float>&, std::int64_t,
                                     std::int64_t, std::vector<float>&);
template void attentionScores<double>(const Attention&, const AttentionValues<double>&,
                                      std::int64_t, std::int64_t, std::vector<double>&);

} // namespace reinspect::exec
