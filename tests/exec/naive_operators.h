// SPDX-License-Identifier: MIT
// Single operators on drawn numbers, and what they give beside what a plain formula gives.
#pragma once

#include "core/exec/kernel_registry.h"
#include "core/exec/philox.h"

#include "tests/exec/naive_formulas.h"
#include "tests/exec/small_programs.h"

namespace reinspect::exec
{

using naive::Numbers;

inline constexpr DType kDouble = DType::Float64;

struct Operator
{
    CaptureFacts facts;
    RunContext context;

    Operator()
    {
        context.facts = &facts;
        context.tracker = std::make_shared<StorageTracker>(1 << 26);
    }
    Value run(std::string_view target, std::vector<Value> args)
    {
        KernelCall call;
        call.node = "n";
        call.context = &context;
        auto result = callOperator(std::move(call), target, std::move(args), {});
        if (!result.ok())
            qFatal("%s", toText(result.error()).c_str());
        return *result;
    }
};

// Numbers as a tensor of the dtype holds them. `moves` shifts the drawn ones, so that no two tensors are equal.
inline Tensor drawn(DType dtype, const Sizes& sizes, std::uint64_t moves,
                    bool isChannelsLast = false)
{
    const auto tracker = std::make_shared<StorageTracker>(1 << 24);
    Tensor tensor{dtype, sizes, contiguousStrides(sizes), 0, nullptr, false};
    if (isChannelsLast)
        tensor.strides = {sizes[1] * sizes[2] * sizes[3], 1, sizes[3] * sizes[1], sizes[1]};
    tensor.storage =
        *tracker->allocate(tensor.count() * tensor.elementBytes(), dtype, StorageRole::Input);
    const Philox random(7, moves);
    Numbers values(static_cast<std::size_t>(tensor.count()));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = random.normal(i);
    writeAll<double>(tensor, values);
    return tensor;
}

inline Numbers numbers(const Value& value)
{
    return readAll<double>(*value.tensor());
}
inline Numbers part(const Value& value, std::size_t index)
{
    return numbers((*value.items())[index]);
}

inline Value list(const Sizes& sizes)
{
    std::vector<Value> items(sizes.begin(), sizes.end());
    return listOf(std::move(items));
}
inline Value yes(std::size_t count)
{
    return listOf(std::vector<Value>(count, Value(true)));
}

inline double toleranceOf(DType dtype)
{
    return dtype == kDouble       ? 1e-6 // of the slopes by difference
        : dtype == DType::Float32 ? 2e-5
        : dtype == DType::Float16 ? 2e-3
                                  : 1.6e-2;
}

// Empty where all are as close as the dtype can tell, with the sums' size as scale.
inline QByteArray unlike(const Numbers& found, const Numbers& expected, DType dtype)
{
    if (found.size() != expected.size())
        return QByteArray::number(qsizetype(found.size())) + " numbers, not "
            + QByteArray::number(qsizetype(expected.size()));
    double scale = 1e-3;
    for (const double number : expected)
        scale = std::max(scale, std::abs(number));
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!(std::abs(found[i] - expected[i]) <= toleranceOf(dtype) * scale))
            return "at " + QByteArray::number(qsizetype(i)) + ": " + QByteArray::number(found[i])
                + ", not " + QByteArray::number(expected[i]);
    return {};
}

#define COMPARE_NUMBERS(found, expected, dtype)                                                    \
    do                                                                                             \
    {                                                                                              \
        const QByteArray apart = unlike(found, expected, dtype);                                   \
        QVERIFY2(apart.isEmpty(), apart.constData());                                              \
    } while (false)

// naive::slopes about numbers, with what comes from above.
template<typename Formula>
Numbers slopesOf(const Value& about, const Value& above, Formula&& formula)
{
    return naive::slopes(numbers(about), numbers(above), formula);
}

} // namespace reinspect::exec
