// SPDX-License-Identifier: MIT
// The largest and the least, with and without their places, and running forms: sums, products, extremes.
// A NaN is both the largest and the least; among equals the first counts.
#include "core/exec/reduction.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reinspect::exec
{
namespace
{

Error notFor(const KernelCall& call, DType dtype)
{
    return call.unsupported("not for dtype " + std::string(dtypeName(dtype)));
}

template<bool IsLargest, typename C>
bool isBetter(C value, C best)
{
    if (best != best)
        return false;
    return value != value || (IsLargest ? value > best : value < best);
}

template<bool IsLargest, typename C>
std::size_t placeOf(std::span<const C> values)
{
    std::size_t best = 0;
    for (std::size_t i = 1; i < values.size(); ++i)
        if (isBetter<IsLargest>(values[i], values[best]))
            best = i;
    return best;
}

// A reduction that needs one element at least, unless nothing is kept either.
Result<Folded> filledArgument(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, foldedArgument(call));
    if (isComplex(input.ordered.dtype))
        return notFor(call, input.ordered.dtype);
    if (input.length == 0 && elementCount(input.kept) != 0)
        return call.error("there is nothing to reduce");
    return input;
}

template<bool IsLargest>
Result<Value> extremeValue(const KernelCall& call, const Folded& input, std::size_t part = 0)
{
    const DType dtype = input.ordered.dtype;
    return dispatchReal(computeKind(dtype), [&]<typename C>(TypeTag<C>) {
        return reduce<C, C>(
            call, input, dtype,
            [](std::span<const C> values) { return values[placeOf<IsLargest>(values)]; }, part);
    });
}

template<bool IsLargest>
Result<Value> extremePlace(const KernelCall& call, const Folded& input, std::size_t part = 0)
{
    return dispatchReal(computeKind(input.ordered.dtype), [&]<typename C>(TypeTag<C>) {
        return reduce<C, std::int64_t>(
            call, input, DType::Int64,
            [](std::span<const C> values) {
                return static_cast<std::int64_t>(placeOf<IsLargest>(values));
            },
            part);
    });
}

template<bool IsLargest>
Result<Value> extreme(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, filledArgument(call));
    return extremeValue<IsLargest>(call, input);
}

template<bool IsLargest>
Result<Value> place(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, filledArgument(call));
    return extremePlace<IsLargest>(call, input);
}

template<bool IsLargest>
Result<Value> extremeAndPlace(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, filledArgument(call));
    REINSPECT_TRY(Value values, extremeValue<IsLargest>(call, input, 0));
    REINSPECT_TRY(Value places, extremePlace<IsLargest>(call, input, 1));
    return listOf(std::vector<Value>{std::move(values), std::move(places)});
}

Result<Value> leastAndLargest(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, filledArgument(call));
    REINSPECT_TRY(Value least, extremeValue<false>(call, input, 0));
    REINSPECT_TRY(Value most, extremeValue<true>(call, input, 1));
    return listOf(std::vector<Value>{std::move(least), std::move(most)});
}

// step(so far, next) along the lines; computed in C, float32 in double.
template<typename C, typename Step>
Result<Value> scan(const KernelCall& call, const Tensor& self, std::size_t dim, DType dtype,
                   Step&& step)
{
    REINSPECT_TRY(const Tensor result, call.result(dtype, self.sizes, 0, preservedStrides(self)));
    std::vector<C> values = readAll<C>(withLast(self, dim));
    const std::size_t length = lineLength(self, dim);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (i % length != 0)
            values[i] = step(values[i - 1], values[i]);
    writeAll<C>(withLast(result, dim), values);
    return Value(result);
}

template<bool IsProduct>
Result<Value> running(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    const DType dtype = call.dtype(isIntegral(self.dtype) ? DType::Int64 : self.dtype);
    const auto step = []<typename C>(C before, C next) -> C {
        if constexpr (std::is_same_v<C, std::int64_t>)
        {
            const auto a = static_cast<std::uint64_t>(before);
            const auto b = static_cast<std::uint64_t>(next);
            return static_cast<C>(IsProduct ? a * b : a + b);
        }
        else
            return IsProduct ? before * next : before + next;
    };
    if (isComplex(dtype))
        return scan<std::complex<double>>(call, self, dim, dtype, step);
    if (isIntegral(dtype))
        return scan<std::int64_t>(call, self, dim, dtype, step);
    return scan<double>(call, self, dim, dtype, step);
}

Result<Value> runningLogSumExp(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    if (!isFloating(self.dtype))
        return notFor(call, self.dtype);
    return scan<double>(call, self, dim, self.dtype, [](double before, double next) {
        const double most = std::max(before, next);
        if (before != before || next != next)
            return before + next;
        if (std::isinf(most))
            return most;
        return most + std::log1p(std::exp(std::min(before, next) - most));
    });
}

// Running extremes say where they were found; among equals the last counts.
template<bool IsLargest>
Result<Value> runningExtreme(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    if (isComplex(self.dtype))
        return notFor(call, self.dtype);
    const Sizes layout = preservedStrides(self);
    REINSPECT_TRY(const Tensor result, call.result(self.dtype, self.sizes, 0, layout));
    REINSPECT_TRY(const Tensor found, call.result(DType::Int64, self.sizes, 1, layout));
    const std::size_t length = lineLength(self, dim);
    dispatchReal(computeKind(self.dtype), [&]<typename C>(TypeTag<C>) {
        std::vector<C> values = readAll<C>(withLast(self, dim));
        std::vector<std::int64_t> places(values.size());
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            places[i] = static_cast<std::int64_t>(i % length);
            const bool stays = i % length != 0 && isBetter<IsLargest>(values[i - 1], values[i]);
            if (stays)
            {
                values[i] = values[i - 1];
                places[i] = places[i - 1];
            }
        }
        writeAll<C>(withLast(result, dim), values);
        writeAll<std::int64_t>(withLast(found, dim), places);
    });
    return listOf(std::vector<Tensor>{result, found});
}

const KernelRow table[] = {
    {"aten.amax.default", extreme<true>},
    {"aten.amin.default", extreme<false>},
    {"prims.amax.default", extreme<true>},
    {"prims.amin.default", extreme<false>},
    {"aten.max.default", extreme<true>},
    {"aten.min.default", extreme<false>},
    {"aten.max.dim", extremeAndPlace<true>},
    {"aten.min.dim", extremeAndPlace<false>},
    {"aten.aminmax.default", leastAndLargest},
    {"aten.argmax.default", place<true>},
    {"aten.argmin.default", place<false>},
    {"aten.cumsum.default", running<false>},
    {"aten.cumprod.default", running<true>},
    {"aten.logcumsumexp.default", runningLogSumExp},
    {"aten._logcumsumexp.default", runningLogSumExp},
    {"aten.cummax.default", runningExtreme<true>},
    {"aten.cummin.default", runningExtreme<false>},
};

} // namespace

std::span<const KernelRow> extremeKernels()
{
    return table;
}

} // namespace reinspect::exec
