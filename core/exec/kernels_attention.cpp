// SPDX-License-Identifier: MIT
// Attention, forward: result, logarithm of the sums, and the parts that devices carry along.
#include "core/exec/attention.h"
#include "core/exec/device.h"
#include "core/exec/gemm.h"
#include "core/exec/kernel_registry.h"
#include "core/exec/operands.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reinspect::exec
{
namespace
{

template<typename C>
struct Attended
{
    std::vector<C> result;  // (batch, heads, queries, value depth)
    std::vector<C> weights; // (batch, heads, queries, keys), only where asked for
    std::vector<double> logSums;
};

// exp(score - largest) / sum in place; answers the logarithm of the sum. A row without keys gives zeros.
template<typename C>
double softmaxRow(C* row, std::int64_t count)
{
    const double infinity = std::numeric_limits<double>::infinity();
    double most = -infinity;
    for (std::int64_t j = 0; j < count; ++j)
        most = std::isnan(row[j]) || std::isnan(most) ? std::numeric_limits<double>::quiet_NaN()
                                                      : std::max<double>(most, row[j]);
    if (most == -infinity)
    {
        std::fill(row, row + count, C(0));
        return most;
    }
    double sum = 0;
    for (std::int64_t j = 0; j < count; ++j)
        sum += std::exp(static_cast<double>(row[j]) - most);
    for (std::int64_t j = 0; j < count; ++j)
        row[j] = static_cast<C>(std::exp(static_cast<double>(row[j]) - most) / sum);
    return most + std::log(sum);
}

template<typename C>
Attended<C> attend(const Attention& attention, bool keepsWeights)
{
    const AttentionValues<C> values(attention);
    const std::int64_t step = attention.queries * attention.valueDepth;
    Attended<C> made;
    made.result.resize(static_cast<std::size_t>(attention.batch * attention.heads * step));
    std::vector<C> scores;
    for (std::int64_t b = 0; b < attention.batch; ++b)
        for (std::int64_t h = 0; h < attention.heads; ++h)
        {
            attentionScores(attention, values, b, h, scores);
            for (std::int64_t i = 0; i < attention.queries; ++i)
                made.logSums.push_back(
                    softmaxRow(scores.data() + i * attention.keys, attention.keys));
            const std::vector<C> factors = keepFactors<C>(attention, b, h);
            for (std::size_t i = 0; i < factors.size(); ++i)
                scores[i] *= factors[i];
            const C* v = values.value.data()
                + (b * attention.keyHeads + attention.keyHead(h)) * attention.keys
                    * attention.valueDepth;
            multiplyMatrices<C>({scores.data(), attention.queries, attention.keys},
                                {v, attention.keys, attention.valueDepth},
                                made.result.data() + (b * attention.heads + h) * step);
            if (keepsWeights)
                made.weights.insert(made.weights.end(), scores.begin(), scores.end());
        }
    return made;
}

// Zeros of the captured kind, or nothing. `first` is the first element.
Result<Value> companion(const KernelCall& call, std::size_t part, std::int64_t first)
{
    const TensorMeta* meta = call.expectedTensor(part);
    if (!meta && first == 0)
        return Value();
    Sizes sizes;
    if (!meta)
    {
        REINSPECT_TRY(const Tensor one, call.result(DType::Int64, {}, part));
        writeAll<std::int64_t>(one, std::vector<std::int64_t>{first});
        return Value(one);
    }
    for (const SymExpr& size : meta->sizes)
        sizes.push_back(size.constant().value_or(0));
    REINSPECT_TRY(const Tensor zeros, call.result(meta->dtype, sizes, part));
    if (first == 0 || zeros.count() == 0)
    {
        REINSPECT_CHECK(fillWithZeros(call, zeros));
        return Value(zeros);
    }
    std::vector<std::int64_t> values(static_cast<std::size_t>(zeros.count()), 0);
    values.front() = first;
    writeAll<std::int64_t>(zeros, values);
    return Value(zeros);
}

Result<Value> logSumsOf(const KernelCall& call, const Attention& attention,
                        const std::vector<double>& logSums)
{
    const Sizes sizes = logSumSizes(call, attention);
    const DType dtype = attention.query.dtype == DType::Float64 ? DType::Float64 : DType::Float32;
    REINSPECT_TRY(const Tensor result, call.result(dtype, sizes, 1));
    const std::int64_t padded = sizes[2];
    std::vector<double> values(static_cast<std::size_t>(result.count()),
                               std::numeric_limits<double>::infinity());
    for (std::int64_t row = 0; row < attention.batch * attention.heads; ++row)
        for (std::int64_t i = 0; i < std::min(attention.queries, padded); ++i)
            values[static_cast<std::size_t>(row * padded + i)] =
                logSums[static_cast<std::size_t>(row * attention.queries + i)];
    writeAll<double>(result, values);
    return Value(result);
}

template<typename C>
Result<Value> attentionParts(const KernelCall& call, const Attention& attention)
{
    const Sizes sizes{attention.batch, attention.heads, attention.queries, attention.valueDepth};
    const bool isMath = call.target.find("_math") != std::string::npos;
    REINSPECT_TRY(const Tensor result,
                  call.result(attention.query.dtype, sizes, 0,
                              isMath ? contiguousStrides(sizes) : attendedStrides(attention)));
    const Attended<C> made = attend<C>(attention, isMath);
    writeAll<C>(result, made.result);
    std::vector<Value> parts{Value(result)};
    if (isMath)
    {
        REINSPECT_TRY(
            const Tensor weights,
            call.result(attention.query.dtype,
                        {attention.batch, attention.heads, attention.queries, attention.keys}, 1));
        writeAll<C>(weights, made.weights);
        parts.push_back(weights);
        return listOf(std::move(parts));
    }
    REINSPECT_TRY(Value logSums, logSumsOf(call, attention, made.logSums));
    parts.push_back(std::move(logSums));
    REINSPECT_CHECK(addCompanions(call, attention, parts));
    return listOf(std::move(parts));
}

Result<Value> attention(const KernelCall& call)
{
    REINSPECT_TRY(const Attention made, attentionOf(call));
    return dispatchFloating(computeKind(made.query.dtype),
                            [&]<typename C>(TypeTag<C>) { return attentionParts<C>(call, made); });
}

const KernelRow table[] = {
    {"aten._scaled_dot_product_flash_attention.default", attention},
    {"aten._scaled_dot_product_efficient_attention.default", attention},
    {"aten._scaled_dot_product_cudnn_attention.default", attention},
    {"aten._scaled_dot_product_fused_attention_overrideable.default", attention},
    {"aten._scaled_dot_product_flash_attention_for_cpu.default", attention},
    {"aten._scaled_dot_product_attention_math.default", attention},
};

} // namespace

Sizes attendedStrides(const Attention& attention)
{
    const std::int64_t row = attention.heads * attention.valueDepth;
    return {attention.queries * row, attention.valueDepth, row, 1};
}

Sizes logSumSizes(const KernelCall& call, const Attention& attention)
{
    Sizes sizes{attention.batch, attention.heads, attention.queries};
    const bool isEfficient = call.target.find("efficient") != std::string::npos;
    if (isEfficient)
        sizes[2] = call.flag("compute_log_sumexp") ? (attention.queries + 31) / 32 * 32 : 0;
    if (const TensorMeta* meta = call.expectedTensor(1); meta && meta->sizes.size() >= 3)
        sizes[2] = meta->sizes[2].constant().value_or(sizes[2]);
    if (call.target.find("cudnn") != std::string::npos)
        sizes.push_back(1);
    return sizes;
}

Result<void> addCompanions(const KernelCall& call, const Attention& attention,
                           std::vector<Value>& parts)
{
    const std::size_t count = schemaReturnCount(call.schema->text);
    for (std::size_t part = 2; part < count; ++part)
    {
        const bool isLength = count == 9 && (part == 4 || part == 5);
        if (isLength)
        {
            parts.emplace_back(part == 4 ? attention.queries : attention.keys);
            continue;
        }
        const bool isStream = attention.dropChance > 0 && part == (count == 9 ? 6U : 2U);
        REINSPECT_TRY(
            Value extra,
            companion(call, part, isStream ? static_cast<std::int64_t>(attention.dropStream) : 0));
        parts.push_back(std::move(extra));
    }
    return {};
}

std::span<const KernelRow> attentionKernels()
{
    return table;
}

} // namespace reinspect::exec
