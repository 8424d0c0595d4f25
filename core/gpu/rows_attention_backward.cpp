// SPDX-License-Identifier: MIT
// The gradients of attention. Parts, layouts and errors are those of core/exec/kernels_attention_backward.cpp.
#include "core/exec/normalization.h"
#include "core/gpu/attention_calls.h"
#include "core/gpu/gpu_rows.h"

#include <algorithm>
#include <limits>

namespace reinspect::gpu
{
namespace
{

using exec::Attention;
using exec::KernelCall;
using exec::operandFrom;
using exec::Pointwise;
using exec::Sizes;
using exec::Tensor;
using exec::Value;

struct Kept
{
    Tensor grad;    // a batch of matrices
    Tensor out;     // the same
    Tensor logSums; // (batch, heads, queries, 1)
};

// Nothing where the host is to say what does not fit.
Result<std::optional<Kept>> keptOf(const KernelCall& call, const Attention& at,
                                   const AttentionShape& shape)
{
    const auto grad = call.optionalTensor(call.has("grad_out_") ? "grad_out_" : "grad_out");
    const auto out = call.optionalTensor("out");
    const auto logSums = call.optionalTensor("logsumexp");
    const Sizes sizes{at.batch, at.heads, at.queries, at.valueDepth};
    const auto isHere = [](const std::optional<Tensor>& tensor) {
        return tensor && tensor->storage->isOnDevice() && isReadable(tensor->dtype);
    };
    if (!isHere(grad) || !isHere(out) || !isHere(logSums) || grad->sizes != sizes
        || out->sizes != sizes || logSums->rank() < 3 || logSums->sizes[0] != at.batch
        || logSums->sizes[1] != at.heads || logSums->sizes[2] < at.queries
        || logSums->count() != at.batch * at.heads * logSums->sizes[2])
        return std::optional<Kept>();
    Kept kept;
    REINSPECT_TRY(kept.grad, matricesOf(call, shape, *grad, shape.computed));
    REINSPECT_TRY(kept.out, matricesOf(call, shape, *out, shape.computed));
    kept.logSums = *logSums;
    kept.logSums.sizes = {at.batch, at.heads, at.queries, 1};
    kept.logSums.strides.resize(4, 0);
    return std::optional<Kept>(std::move(kept));
}

// exp(score - logarithm of the sum) in place; 0 where every key is hidden.
Result<void> toWeights(const KernelCall& call, const AttentionShape& shape, const Tensor& logSums,
                       const Tensor& scores)
{
    const double hidden = -std::numeric_limits<double>::infinity();
    REINSPECT_TRY(const Tensor isEmpty, call.scratch(DType::Bool, logSums.sizes));
    REINSPECT_TRY(const Tensor sums, call.scratch(shape.computed, logSums.sizes));
    REINSPECT_CHECK(mapped(call, Pointwise::Equal, isEmpty,
                           {operandFrom(logSums), numberOperand(hidden)}, shape.computed));
    REINSPECT_CHECK(mapped(call, Pointwise::Where, sums,
                           {numberOperand(0), operandFrom(logSums), operandFrom(isEmpty)},
                           shape.computed));
    REINSPECT_TRY(const Tensor spread, exec::broadcastTo(sums, shape.wide));
    const Tensor wide = reshaped(scores, shape.wide);
    REINSPECT_CHECK(mapped(call, Pointwise::Difference, wide,
                           {operandFrom(wide), operandFrom(spread)}, shape.computed));
    return mapped(call, Pointwise::Exp, wide, {operandFrom(wide)}, shape.computed);
}

// weight * (slope - sum of gradient * result over the depth): the scores' gradient from the weights'.
Result<void> toScoreSlopes(const KernelCall& call, const AttentionShape& shape, const Kept& kept,
                           const Tensor& weights, const Tensor& slopes)
{
    REINSPECT_TRY(const Tensor products, call.scratch(shape.computed, kept.grad.sizes));
    REINSPECT_TRY(const Tensor along, call.scratch(shape.computed, {shape.batches, shape.rows}));
    REINSPECT_CHECK(mapped(call, Pointwise::Product, products,
                           {operandFrom(kept.grad), operandFrom(kept.out)}, shape.computed));
    REINSPECT_CHECK(reduced(call, Reduction::Sum, along, products, shape.computed));
    REINSPECT_TRY(const Tensor spread,
                  exec::broadcastTo(reshaped(along, {shape.batches, shape.rows, 1}), shape.scores));
    REINSPECT_CHECK(mapped(call, Pointwise::Difference, slopes,
                           {operandFrom(slopes), operandFrom(spread)}, shape.computed));
    return mapped(call, Pointwise::Product, slopes, {operandFrom(slopes), operandFrom(weights)},
                  shape.computed);
}

// Added up along what was broadcast.
Result<Value> biasGradient(const KernelCall& call, const Attention& at, const AttentionShape& shape,
                           const Tensor& slopes)
{
    REINSPECT_TRY(const Tensor result, call.result(at.bias->dtype, at.biasSizes, 3));
    const std::size_t added = 4 - at.biasSizes.size();
    const Tensor wide = reshaped(slopes, shape.wide);
    Tensor kept = result;
    Tensor ordered = wide; // what is kept, then what is added up
    for (Sizes* list : {&kept.sizes, &kept.strides, &ordered.sizes, &ordered.strides})
        list->clear();
    Tensor rest = ordered;
    for (std::size_t d = 0; d < 4; ++d)
    {
        const bool isKept = d >= added && at.biasSizes[d - added] == shape.wide[d];
        Tensor& to = isKept ? ordered : rest;
        to.sizes.push_back(wide.sizes[d]);
        to.strides.push_back(wide.strides[d]);
        if (!isKept)
            continue;
        kept.sizes.push_back(result.sizes[d - added]);
        kept.strides.push_back(result.strides[d - added]);
    }
    ordered.sizes.insert(ordered.sizes.end(), rest.sizes.begin(), rest.sizes.end());
    ordered.strides.insert(ordered.strides.end(), rest.strides.begin(), rest.strides.end());
    REINSPECT_CHECK(reduced(call, Reduction::Sum, kept, ordered, shape.computed));
    return Value(result);
}

// The result's part for an argument, empty.
Result<Tensor> partOf(const KernelCall& call, const Tensor& argument, std::size_t part)
{
    return call.result(argument.dtype, argument.sizes, part, exec::preservedStrides(argument));
}

Result<Value> gradients(const KernelCall& call, const Attention& at, const AttentionShape& shape,
                        const Kept& kept)
{
    const auto isAsked = [&](std::size_t part) {
        return !call.has("grad_input_mask") || exec::isPartAsked(call, "grad_input_mask", part);
    };
    std::vector<Value> parts(schemaReturnCount(call.schema->text));
    REINSPECT_TRY(const Tensor weights, scoresOf(call, at, shape));
    REINSPECT_CHECK(toWeights(call, shape, kept.logSums, weights));
    if (isAsked(2))
    {
        REINSPECT_TRY(const Tensor result, partOf(call, at.value, 2));
        REINSPECT_CHECK(multipliedInto(call, shape, result, transposed(weights), kept.grad));
        parts[2] = result;
    }
    REINSPECT_TRY(const Tensor values, matricesOf(call, shape, at.value, shape.computed));
    REINSPECT_TRY(const Tensor slopes, call.scratch(shape.computed, shape.scores));
    REINSPECT_CHECK(multiplied(call, slopes, kept.grad, transposed(values)));
    REINSPECT_CHECK(toScoreSlopes(call, shape, kept, weights, slopes));
    if (isAsked(0))
    {
        REINSPECT_TRY(const Tensor result, partOf(call, at.query, 0));
        REINSPECT_TRY(const Tensor keys, matricesOf(call, shape, at.key, shape.computed));
        REINSPECT_CHECK(multipliedInto(call, shape, result, slopes, keys, at.scale));
        parts[0] = result;
    }
    if (isAsked(1))
    {
        REINSPECT_TRY(const Tensor result, partOf(call, at.key, 1));
        REINSPECT_TRY(const Tensor queries, matricesOf(call, shape, at.query, shape.computed));
        REINSPECT_CHECK(multipliedInto(call, shape, result, transposed(slopes), queries, at.scale));
        parts[1] = result;
    }
    if (parts.size() == 4 && at.bias && isAsked(3))
    {
        REINSPECT_TRY(parts[3], biasGradient(call, at, shape, slopes));
    }
    return exec::listOf(std::move(parts));
}

Result<Value> attentionBackward(const KernelCall& call)
{
    REINSPECT_TRY(const auto at, attentionHere(call));
    if (!at
        || (at->bias && !exec::isFloating(at->bias->dtype) && call.has("grad_input_mask")
            && exec::isPartAsked(call, "grad_input_mask", 3)))
        return exec::runOnHost(call);
    const AttentionShape shape = shapeOf(*at);
    REINSPECT_TRY(const auto kept, keptOf(call, *at, shape));
    return kept ? gradients(call, *at, shape, *kept) : exec::runOnHost(call);
}

const exec::KernelRow table[] = {
    {"aten._scaled_dot_product_flash_attention_backward.default", attentionBackward},
    {"aten._scaled_dot_product_efficient_attention_backward.default", attentionBackward},
    {"aten._scaled_dot_product_cudnn_attention_backward.default", attentionBackward},
    {"aten._scaled_dot_product_fused_attention_overrideable_backward.default", attentionBackward},
    {"aten._scaled_dot_product_flash_attention_for_cpu_backward.default", attentionBackward},
};

} // namespace

std::span<const exec::KernelRow> attentionBackwardRows()
{
    return table;
}

} // namespace reinspect::gpu
