// SPDX-License-Identifier: MIT
// Operators for random graphs, which name kernels and operators that nobody has: they read one element of every
// operand and write one of each that is written, in turns, so that a write that lands too early or too late
// shows in the results.
#pragma once

#include "core/exec/elements.h"
#include "core/exec/kernel_registry.h"
#include "core/proof/equivalence.h"

#include <cmath>

namespace reinspect::proof
{

// Stays between -4 and 4, whatever is mixed in.
inline float mixedNumber(float state, float read)
{
    return std::isfinite(read) ? std::fmod(state * 1.625f + read + 0.375f, 4.0f) : 0.5f;
}

struct KernelOperand
{
    exec::Tensor tensor;
    bool isWritten = false;
};

inline std::int64_t placeOf(const exec::Tensor& tensor, std::int64_t number)
{
    std::int64_t place = tensor.offset;
    for (std::size_t i = tensor.rank(); i-- > 0; number /= tensor.sizes[i])
        place += number % tensor.sizes[i] * tensor.strides[i];
    return place;
}

inline float runInTurns(const std::vector<KernelOperand>& operands, float state)
{
    std::int64_t steps = 0;
    for (const KernelOperand& operand : operands)
        steps = std::max(steps, operand.tensor.count());
    for (std::int64_t step = 0; step < 2 * steps; ++step)
    {
        const std::int64_t at = step < steps ? step : 2 * steps - 1 - step;
        for (const KernelOperand& operand : operands)
        {
            if (operand.tensor.count() == 0)
                continue;
            float* element = reinterpret_cast<float*>(operand.tensor.storage->data())
                + placeOf(operand.tensor, at % operand.tensor.count());
            state = mixedNumber(state, *element);
            if (operand.isWritten)
                *element = mixedNumber(state, 1.5f);
        }
    }
    return state;
}

inline Result<exec::Value> standInOperator(const exec::KernelCall& call)
{
    std::vector<KernelOperand> operands;
    for (std::size_t i = 0; i < call.values.size(); ++i)
        if (const exec::Tensor* tensor = call.values[i].tensor())
            operands.push_back({*tensor, call.schema->arguments[i].isMutable});
    const float state = runInTurns(operands, 0.25f);
    if (schemaReturnCount(call.schema->text) == 0)
        return exec::Value();
    REINSPECT_TRY(const exec::Tensor result, call.result(DType::Float32, {4}));
    exec::writeAll<float>(result, std::vector<float>(4, state));
    return exec::Value(result);
}

inline Result<exec::Value> standInKernel(const exec::KernelCall& call,
                                         const std::set<std::string>& written)
{
    std::vector<KernelOperand> operands;
    for (std::size_t i = 0; i < call.keywords.items.size(); ++i)
        if (const exec::Tensor* tensor = call.keywords.items[i].tensor())
            operands.push_back({*tensor, written.contains(call.keywords.keys[i])});
    runInTurns(operands, 0.75f);
    return exec::Value();
}

// The drawn graphs have float32 everywhere.
inline Result<exec::Value> standInFull(const exec::KernelCall& call)
{
    REINSPECT_TRY(exec::Sizes sizes, call.integers("size"));
    REINSPECT_TRY(const double fill, call.number("fill_value"));
    REINSPECT_TRY(const exec::Tensor result, call.result(DType::Float32, std::move(sizes)));
    exec::writeAll<double>(result,
                           std::vector<double>(static_cast<std::size_t>(result.count()), fill));
    return exec::Value(result);
}

// index_put with indices that are no integers: any number names a row.
template<bool IsInPlace>
Result<exec::Value> standInIndexPut(const exec::KernelCall& call)
{
    REINSPECT_TRY(const exec::Tensor self, call.tensor("self"));
    REINSPECT_TRY(const exec::Tensor values, call.tensor("values"));
    const exec::Tensor* index = (*call.given("indices")->items())[0].tensor();
    exec::Tensor result = self;
    if (!IsInPlace)
    {
        REINSPECT_TRY(result, call.result(self.dtype, self.sizes));
        REINSPECT_CHECK(exec::copyElements(result, self));
    }
    const auto rows = exec::readAll<float>(*index);
    const auto all = exec::readAll<float>(values);
    const std::int64_t width = values.count() / std::max<std::int64_t>(values.sizes[0], 1);
    for (std::size_t i = 0; i < rows.size() && result.sizes[0] > 0; ++i)
    {
        const auto number = static_cast<std::int64_t>(
            std::isfinite(rows[i]) ? std::fmod(std::abs(rows[i]), 1e6f) : 0.0f);
        const std::int64_t row = number % result.sizes[0];
        for (std::int64_t k = 0; k < width; ++k)
            reinterpret_cast<float*>(result.storage->data())[placeOf(result, row * width + k)] =
                all[i * static_cast<std::size_t>(width) + static_cast<std::size_t>(k)];
    }
    return exec::Value(result);
}

} // namespace reinspect::proof
