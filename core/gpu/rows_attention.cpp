// SPDX-License-Identifier: MIT
// Attention, forward. Parts, layouts and errors are those of core/exec/kernels_attention.cpp.
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
using exec::Operand;
using exec::operandFrom;
using exec::Pointwise;
using exec::Sizes;
using exec::Tensor;
using exec::Value;

constexpr double kHidden = -std::numeric_limits<double>::infinity();

// Query i sees the keys up to i.
Result<void> hideLaterKeys(const KernelCall& call, const Attention& attention,
                           const AttentionShape& shape, const Tensor& scores)
{
    exec::Device& device = *call.context->accelerator;
    REINSPECT_TRY(const Tensor query, call.scratch(DType::Int32, {attention.queries, 1}));
    REINSPECT_TRY(const Tensor key, call.scratch(DType::Int32, {attention.keys}));
    REINSPECT_TRY(const Tensor sees,
                  call.scratch(DType::Bool, {attention.queries, attention.keys}));
    REINSPECT_CHECK(device.count(query, 0, 1));
    REINSPECT_CHECK(device.count(key, 0, 1));
    REINSPECT_CHECK(mapped(call, Pointwise::GreaterEqual, sees,
                           {operandFrom(query), operandFrom(key)}, DType::Int32));
    return mapped(call, Pointwise::Where, scores,
                  {operandFrom(scores), numberOperand(kHidden), operandFrom(sees)}, shape.computed);
}

Result<void> addLogSums(const KernelCall& call, const Attention& attention,
                        const AttentionShape& shape, const Tensor& scores,
                        std::vector<Value>& parts)
{
    const Sizes sizes = exec::logSumSizes(call, attention);
    REINSPECT_TRY(const Tensor result, call.result(shape.computed, sizes, 1));
    parts.emplace_back(result);
    if (sizes[2] == 0)
        return {};
    if (sizes[2] > attention.queries)
        REINSPECT_CHECK(filled(call, result, -kHidden));
    Tensor kept = result;
    Tensor wide = reshaped(scores, shape.wide);
    kept.sizes.resize(3);
    kept.strides.resize(3);
    kept.sizes[2] = wide.sizes[2] = std::min(attention.queries, sizes[2]);
    return reduced(call, Reduction::LogSumExp, kept, wide, shape.computed);
}

// exp(score - largest) / sum, in place; a row without keys gives zeros.
Result<void> toWeights(const KernelCall& call, const AttentionShape& shape, const Tensor& scores)
{
    LineCall job;
    job.function = LineFunction::SafeSoftmax;
    job.kind = *kindOf(shape.computed);
    job.result = *arrayOf(scores);
    job.input = job.result;
    return checked(call, gpuOf(call).api().lines(job));
}

Result<Value> attention(const KernelCall& call)
{
    REINSPECT_TRY(const auto given, attentionHere(call));
    if (!given)
        return exec::runOnHost(call);
    const Attention& at = *given;
    const AttentionShape shape = shapeOf(at);
    const bool isMath = call.target.find("_math") != std::string::npos;
    const Sizes sizes{at.batch, at.heads, at.queries, at.valueDepth};
    REINSPECT_TRY(const Tensor result,
                  call.result(at.query.dtype, sizes, 0,
                              isMath ? exec::contiguousStrides(sizes) : attendedStrides(at)));
    std::vector<Value> parts{Value(result)};
    REINSPECT_TRY(const Tensor scores, scoresOf(call, at, shape));
    if (!isMath)
        REINSPECT_CHECK(addLogSums(call, at, shape, scores, parts));
    REINSPECT_CHECK(toWeights(call, shape, scores));
    REINSPECT_TRY(const Tensor values, matricesOf(call, shape, at.value, shape.computed));
    REINSPECT_CHECK(multipliedInto(call, shape, result, scores, values));
    if (!isMath)
    {
        REINSPECT_CHECK(exec::addCompanions(call, at, parts));
        return exec::listOf(std::move(parts));
    }
    REINSPECT_TRY(const Tensor weights, call.result(at.query.dtype, shape.wide, 1));
    REINSPECT_CHECK(exec::copyElements(weights, reshaped(scores, shape.wide)));
    parts.emplace_back(weights);
    return exec::listOf(std::move(parts));
}

const exec::KernelRow table[] = {
    {"aten._scaled_dot_product_flash_attention.default", attention},
    {"aten._scaled_dot_product_efficient_attention.default", attention},
    {"aten._scaled_dot_product_cudnn_attention.default", attention},
    {"aten._scaled_dot_product_fused_attention_overrideable.default", attention},
    {"aten._scaled_dot_product_flash_attention_for_cpu.default", attention},
    {"aten._scaled_dot_product_attention_math.default", attention},
};

} // namespace

Result<std::optional<Attention>> attentionHere(const KernelCall& call)
{
    const auto none = [] { return std::optional<Attention>(); };
    const auto query = call.optionalTensor("query");
    if (call.optionalNumber("dropout_p").value_or(0) > 0 || !query || !isMultiplied(query->dtype))
        return none();
    REINSPECT_TRY(const Attention made, exec::attentionOf(call));
    const auto isHere = [](const Tensor& tensor) { return tensor.storage->isOnDevice(); };
    const bool fits = made.keyHeads > 0 && isHere(made.query) && isHere(made.key)
        && isHere(made.value)
        && (!made.bias || (isHere(*made.bias) && isReadable(made.bias->dtype)))
        && areMatrixSizes({made.batch * made.keyHeads, made.heads / made.keyHeads * made.queries,
                           made.keys, made.depth, made.valueDepth});
    return fits ? std::optional<Attention>(made) : none();
}

AttentionShape shapeOf(const Attention& attention)
{
    AttentionShape shape;
    shape.computed = accumulatorOf(attention.query.dtype);
    shape.batches = attention.batch * attention.keyHeads;
    shape.rows = attention.heads / attention.keyHeads * attention.queries;
    shape.wide = {attention.batch, attention.heads, attention.queries, attention.keys};
    shape.scores = {shape.batches, shape.rows, attention.keys};
    return shape;
}

Result<Tensor> matricesOf(const KernelCall& call, const AttentionShape& shape, const Tensor& tensor,
                          DType dtype)
{
    REINSPECT_TRY(const Tensor dense, denseAs(call, tensor, dtype));
    const std::int64_t depth = dense.sizes[3];
    return reshaped(dense, {shape.batches, dense.count() / (shape.batches * depth), depth});
}

Result<Tensor> scoresOf(const KernelCall& call, const Attention& attention,
                        const AttentionShape& shape)
{
    REINSPECT_TRY(const Tensor scores, call.scratch(shape.computed, shape.scores));
    REINSPECT_TRY(const Tensor query,
                  matricesOf(call, shape, attention.query, attention.query.dtype));
    REINSPECT_TRY(const Tensor key, matricesOf(call, shape, attention.key, attention.key.dtype));
    REINSPECT_CHECK(multiplied(call, scores, query, transposed(key), attention.scale));
    const Tensor wide = reshaped(scores, shape.wide);
    if (attention.bias && attention.isMask)
        REINSPECT_CHECK(
            mapped(call, Pointwise::Where, wide,
                   {operandFrom(wide), numberOperand(kHidden), operandFrom(*attention.bias)},
                   shape.computed));
    else if (attention.bias)
        REINSPECT_CHECK(mapped(call, Pointwise::Sum, wide,
                               {operandFrom(wide), operandFrom(*attention.bias)}, shape.computed));
    if (attention.isCausal)
        REINSPECT_CHECK(hideLaterKeys(call, attention, shape, wide));
    return scores;
}

Result<void> multipliedInto(const KernelCall& call, const AttentionShape& shape,
                            const Tensor& result, const Tensor& a, const Tensor& b, double alpha)
{
    const Sizes sizes{a.sizes[0], a.sizes[1], b.sizes[2]};
    if (result.dtype == shape.computed && result.isContiguous())
        return multiplied(call, reshaped(result, sizes), a, b, alpha);
    REINSPECT_TRY(const Tensor made, call.scratch(shape.computed, sizes));
    REINSPECT_CHECK(multiplied(call, made, a, b, alpha));
    return exec::copyElements(result, reshaped(made, result.sizes));
}

std::span<const exec::KernelRow> attentionRows()
{
    return table;
}

} // namespace reinspect::gpu
