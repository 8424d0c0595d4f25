// SPDX-License-Identifier: MIT
// The gradients of attention, from the result and the logarithms of the sums that the forward step kept.
#include "core/exec/attention.h"
#include "core/exec/gemm.h"
#include "core/exec/kernel_registry.h"
#include "core/exec/normalization.h"
#include "core/exec/operands.h"

#include <algorithm>
#include <cmath>

namespace reinspect::exec
{
namespace
{

template<typename C>
struct Gradients
{
    std::vector<C> query;
    std::vector<C> key;
    std::vector<C> value;
    std::vector<C> bias; // (batch, heads, queries, keys), only where asked for
};

struct Kept
{
    Tensor grad;
    Tensor out;
    Tensor logSums;
    std::int64_t padded = 0; // queries of a head in `logSums`
};

Result<Kept> keptOf(const KernelCall& call, const Attention& attention)
{
    Kept kept;
    REINSPECT_TRY(kept.grad, call.tensor(call.has("grad_out_") ? "grad_out_" : "grad_out"));
    REINSPECT_TRY(kept.out, call.tensor("out"));
    REINSPECT_TRY(kept.logSums, call.tensor("logsumexp"));
    const Sizes sizes{attention.batch, attention.heads, attention.queries, attention.valueDepth};
    kept.padded =
        kept.logSums.count() / std::max<std::int64_t>(attention.batch * attention.heads, 1);
    if (kept.grad.sizes != sizes || kept.out.sizes != sizes || kept.padded < attention.queries)
        return call.error("gradient " + tensorText(kept.grad) + ", result " + tensorText(kept.out)
                          + " and logarithms " + tensorText(kept.logSums) + " do not fit");
    return kept;
}

// One head's matrices.
template<typename C>
struct Head
{
    std::int64_t batch = 0;
    std::int64_t head = 0;
    const C* grad = nullptr;
    const C* out = nullptr;
    const double* logSums = nullptr;
};

// From scores to weights, and from the weights' gradient to the scores'.
template<typename C>
void scoreGradients(const Attention& attention, const Head<C>& head, std::vector<C>& weights,
                    std::vector<C>& slopes)
{
    for (std::int64_t i = 0; i < attention.queries; ++i)
    {
        double along = 0;
        for (std::int64_t d = 0; d < attention.valueDepth; ++d)
            along += static_cast<double>(head.grad[i * attention.valueDepth + d])
                * static_cast<double>(head.out[i * attention.valueDepth + d]);
        for (std::int64_t j = 0; j < attention.keys; ++j)
        {
            C& weight = weights[static_cast<std::size_t>(i * attention.keys + j)];
            C& slope = slopes[static_cast<std::size_t>(i * attention.keys + j)];
            const bool isHidden = std::isinf(weight) && weight < C(0);
            weight = isHidden
                ? C(0)
                : static_cast<C>(std::exp(static_cast<double>(weight) - head.logSums[i]));
            slope =
                static_cast<C>(static_cast<double>(weight) * (static_cast<double>(slope) - along));
        }
    }
}

template<typename C>
void headGradients(const Attention& at, const AttentionValues<C>& values, const Head<C>& head,
                   bool wantsBias, Gradients<C>& made)
{
    std::vector<C> weights;
    attentionScores(at, values, head.batch, head.head, weights);
    const std::int64_t own = head.batch * at.heads + head.head;
    const std::int64_t shared = head.batch * at.keyHeads + at.keyHead(head.head);
    const C* value = values.value.data() + shared * at.keys * at.valueDepth;
    std::vector<C> slopes(weights.size());
    multiplyMatrices<C>({head.grad, at.queries, at.valueDepth},
                        {value, at.valueDepth, at.keys, true}, slopes.data());
    const std::vector<C> factors = keepFactors<C>(at, head.batch, head.head);
    for (std::size_t i = 0; i < factors.size(); ++i)
        slopes[i] *= factors[i];
    scoreGradients(at, head, weights, slopes);
    for (std::size_t i = 0; i < factors.size(); ++i)
        weights[i] *= factors[i];
    multiplyMatrices<C>({weights.data(), at.keys, at.queries, true},
                        {head.grad, at.queries, at.valueDepth},
                        made.value.data() + shared * at.keys * at.valueDepth, true);
    if (wantsBias)
        made.bias.insert(made.bias.end(), slopes.begin(), slopes.end());
    for (C& slope : slopes)
        slope *= static_cast<C>(at.scale);
    multiplyMatrices<C>({slopes.data(), at.queries, at.keys},
                        {values.key.data() + shared * at.keys * at.depth, at.keys, at.depth},
                        made.query.data() + own * at.queries * at.depth);
    multiplyMatrices<C>({slopes.data(), at.keys, at.queries, true},
                        {values.query.data() + own * at.queries * at.depth, at.queries, at.depth},
                        made.key.data() + shared * at.keys * at.depth, true);
}

template<typename C>
Gradients<C> gradients(const Attention& attention, const Kept& kept, bool wantsBias)
{
    const AttentionValues<C> values(attention);
    const std::vector<C> grad = readAll<C>(kept.grad);
    const std::vector<C> out = readAll<C>(kept.out);
    const std::vector<double> logSums = readAll<double>(kept.logSums);
    Gradients<C> made{std::vector<C>(values.query.size(), C(0)),
                      std::vector<C>(values.key.size(), C(0)),
                      std::vector<C>(values.value.size(), C(0)),
                      {}};
    const std::int64_t step = attention.queries * attention.valueDepth;
    for (std::int64_t b = 0; b < attention.batch; ++b)
        for (std::int64_t h = 0; h < attention.heads; ++h)
        {
            const std::int64_t own = b * attention.heads + h;
            headGradients<C>(attention, values,
                             {b, h, grad.data() + own * step, out.data() + own * step,
                              logSums.data() + own * kept.padded},
                             wantsBias, made);
        }
    return made;
}

// The bias's gradient is added up along what was broadcast.
Result<Value> biasGradient(const KernelCall& call, const Attention& attention,
                           const std::vector<double>& wide)
{
    REINSPECT_TRY(const Tensor result, call.result(attention.bias->dtype, attention.biasSizes, 3));
    Sizes sizes(4 - attention.biasSizes.size(), 1);
    sizes.insert(sizes.end(), attention.biasSizes.begin(), attention.biasSizes.end());
    Sizes strides = contiguousStrides(sizes);
    for (std::size_t d = 0; d < 4; ++d)
        strides[d] = sizes[d] == 1 ? 0 : strides[d];
    std::vector<double> sums(static_cast<std::size_t>(result.count()), 0);
    std::size_t next = 0;
    const Walk<1> walk(attention.bias->sizes, {&strides});
    walk.run({0}, [&](const auto& at, const auto& stride, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
            sums[static_cast<std::size_t>(at[0] + i * stride[0])] += wide[next++];
    });
    writeAll<double>(result, sums);
    return Value(result);
}

template<typename C>
Result<Value> gradientParts(const KernelCall& call, const Attention& attention, const Kept& kept)
{
    const std::size_t count = schemaReturnCount(call.schema->text);
    const auto isAsked = [&](std::size_t part) {
        return !call.has("grad_input_mask") || isPartAsked(call, "grad_input_mask", part);
    };
    const bool wantsBias = count == 4 && attention.bias && isAsked(3);
    const Gradients<C> made = gradients<C>(attention, kept, wantsBias);
    std::vector<Value> parts(count);
    const std::array<std::pair<const Tensor*, const std::vector<C>*>, 3> own{
        {{&attention.query, &made.query},
         {&attention.key, &made.key},
         {&attention.value, &made.value}}};
    for (std::size_t part = 0; part < own.size(); ++part)
    {
        if (!isAsked(part))
            continue;
        REINSPECT_TRY(const Tensor result,
                      call.result(own[part].first->dtype, own[part].first->sizes, part,
                                  preservedStrides(*own[part].first)));
        writeAll<C>(result, *own[part].second);
        parts[part] = result;
    }
    if (wantsBias)
    {
        REINSPECT_TRY(
            parts[3],
            biasGradient(call, attention, std::vector<double>(made.bias.begin(), made.bias.end())));
    }
    return listOf(std::move(parts));
}

Result<Value> attentionBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Attention attention, attentionOf(call));
    REINSPECT_TRY(const Kept kept, keptOf(call, attention));
    return dispatchFloating(computeKind(attention.query.dtype), [&]<typename C>(TypeTag<C>) {
        return gradientParts<C>(call, attention, kept);
    });
}

const KernelRow table[] = {
    {"aten._scaled_dot_product_flash_attention_backward.default", attentionBackward},
    {"aten._scaled_dot_product_efficient_attention_backward.default", attentionBackward},
    {"aten._scaled_dot_product_cudnn_attention_backward.default", attentionBackward},
    {"aten._scaled_dot_product_fused_attention_overrideable_backward.default", attentionBackward},
    {"aten._scaled_dot_product_flash_attention_for_cpu_backward.default", attentionBackward},
};

} // namespace

std::span<const KernelRow> attentionBackwardKernels()
{
    return table;
}

} // namespace reinspect::exec
