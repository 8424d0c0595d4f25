// SPDX-License-Identifier: MIT
// Sums, means, products, variances, norms and truth values over dimensions.
#include "core/exec/reduction.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reinspect::exec
{
namespace
{

using Doubles = std::span<const double>;

Error notFor(const KernelCall& call, DType dtype)
{
    return call.unsupported("not for dtype " + std::string(dtypeName(dtype)));
}

template<typename C>
C sumOfAny(std::span<const C> values)
{
    if constexpr (std::is_same_v<C, double>)
        return sumOf(values);
    C total{};
    for (const C value : values)
        if constexpr (std::is_same_v<C, std::int64_t>)
            total = static_cast<C>(static_cast<std::uint64_t>(total)
                                   + static_cast<std::uint64_t>(value));
        else
            total += value;
    return total;
}

template<typename C>
C productOfAny(std::span<const C> values)
{
    C total(1);
    for (const C value : values)
        if constexpr (std::is_same_v<C, std::int64_t>)
            total = static_cast<C>(static_cast<std::uint64_t>(total)
                                   * static_cast<std::uint64_t>(value));
        else
            total *= value;
    return total;
}

// fold: a function object for double, std::int64_t and std::complex<double>.
template<typename Fold>
Result<Value> total(const KernelCall& call, Fold&& fold)
{
    REINSPECT_TRY(const Folded input, foldedArgument(call));
    const DType dtype = sumType(call, input.ordered.dtype);
    if (isComplex(dtype))
        return reduce<std::complex<double>, std::complex<double>>(call, input, dtype, fold);
    if (isIntegral(dtype))
        return reduce<std::int64_t, std::int64_t>(call, input, dtype, fold);
    return reduce<double, double>(call, input, dtype, fold);
}

Result<Value> sum(const KernelCall& call)
{
    return total(call, []<typename C>(std::span<const C> values) { return sumOfAny(values); });
}

Result<Value> product(const KernelCall& call)
{
    return total(call, []<typename C>(std::span<const C> values) { return productOfAny(values); });
}

Result<Value> sumOfNumbers(const KernelCall& call)
{
    return total(call, []<typename C>(std::span<const C> values) {
        std::vector<C> kept;
        for (const C& value : values)
            kept.push_back(value == value ? value : C{});
        return sumOfAny(std::span<const C>(kept));
    });
}

Result<Value> exclusiveOr(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, foldedArgument(call));
    if (!isIntegral(input.ordered.dtype))
        return notFor(call, input.ordered.dtype);
    return reduce<std::int64_t, std::int64_t>(call, input, input.ordered.dtype,
                                              [](std::span<const std::int64_t> values) {
                                                  std::int64_t bits = 0;
                                                  for (const std::int64_t value : values)
                                                      bits ^= value;
                                                  return bits;
                                              });
}

double meanOf(Doubles values)
{
    return sumOf(values) / static_cast<double>(values.size());
}

Result<Value> mean(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, foldedArgument(call));
    const DType dtype = call.dtype(input.ordered.dtype);
    if (isComplex(dtype))
        return reduce<std::complex<double>, std::complex<double>>(
            call, input, dtype, [](std::span<const std::complex<double>> values) {
                return sumOfAny(values) / static_cast<double>(values.size());
            });
    if (!isFloating(dtype))
        return notFor(call, dtype);
    return reduce<double, double>(call, input, dtype, meanOf);
}

template<bool IsAny>
Result<Value> truth(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, foldedArgument(call));
    const DType own = input.ordered.dtype;
    const DType dtype = own == DType::UInt8 ? own : DType::Bool; // the one dtype that is kept
    const auto fold = []<typename C>(std::span<const C> values) {
        const auto isTrue = [](const C& value) { return value != C{}; };
        return std::int64_t{IsAny ? std::ranges::any_of(values, isTrue)
                                  : std::ranges::all_of(values, isTrue)};
    };
    return dispatchCompute(computeKind(own), [&]<typename C>(TypeTag<C>) -> Result<Value> {
        return reduce<C, std::int64_t>(call, input, dtype, fold);
    });
}

Result<Value> countNonzero(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, foldedArgument(call));
    return reduce<double, std::int64_t>(call, input, DType::Int64, [](Doubles values) {
        return static_cast<std::int64_t>(
            std::ranges::count_if(values, [](double value) { return value != 0; }));
    });
}

double squaresAround(Doubles values, double middle)
{
    std::vector<double> squares;
    squares.reserve(values.size());
    for (const double value : values)
        squares.push_back((value - middle) * (value - middle));
    return sumOf(squares);
}

// The variance or its root, and behind it the mean where both are asked for.
template<bool WithMean, bool IsRoot>
Result<Value> variance(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, foldedArgument(call));
    const double correction = correctionOf(call);
    const DType given = call.dtype(DType::Unknown, "output_dtype");
    const DType dtype = given == DType::Unknown ? input.ordered.dtype : given;
    if (!isFloating(dtype))
        return notFor(call, dtype);
    REINSPECT_TRY(Value spread, (reduce<double, double>(call, input, dtype, [&](Doubles values) {
                      const double square = squaresAround(values, meanOf(values))
                          / std::max(static_cast<double>(values.size()) - correction, 0.0);
                      return IsRoot ? std::sqrt(square) : square;
                  })));
    if (!WithMean)
        return spread;
    REINSPECT_TRY(Value middle, (reduce<double, double>(call, input, dtype, meanOf, 1)));
    return listOf(std::vector<Value>{std::move(spread), std::move(middle)});
}

double logOfSum(Doubles values)
{
    double most = -std::numeric_limits<double>::infinity();
    for (const double value : values)
        most = value != value ? value : std::max(most, value);
    if (std::isinf(most))
        most = 0;
    std::vector<double> parts;
    for (const double value : values)
        parts.push_back(std::exp(value - most));
    return std::log(sumOf(parts)) + most;
}

Result<Value> logSumExp(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, foldedArgument(call));
    const DType own = input.ordered.dtype;
    if (isComplex(own))
        return notFor(call, own);
    return reduce<double, double>(call, input, isIntegral(own) ? DType::Float32 : own, logOfSum);
}

double normOf(Doubles values, double order)
{
    std::vector<double> parts;
    parts.reserve(values.size());
    double most = 0;
    double least = std::numeric_limits<double>::infinity();
    for (const double value : values)
    {
        const double size = std::abs(value);
        most = most != most || size != size ? most + size : std::max(most, size);
        least = least != least || size != size ? least + size : std::min(least, size);
        if (!std::isinf(order))
            parts.push_back(order == 0       ? (value != 0 ? 1.0 : 0.0)
                                : order == 1 ? size
                                : order == 2 ? size * size
                                             : std::pow(size, order));
    }
    if (std::isinf(order))
        return order > 0 ? most : least;
    const double total = sumOf(parts);
    return order == 0 || order == 1 ? total
        : order == 2                ? std::sqrt(total)
                                    : std::pow(total, 1 / order);
}

Result<Value> norm(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, foldedArgument(call));
    const double order = call.optionalNumber(call.schema->arguments[1].name).value_or(2);
    const DType own = input.ordered.dtype;
    const DType dtype = call.dtype(own);
    if (!isFloating(own) || !isFloating(dtype))
        return notFor(call, own);
    if (input.length == 0 && (order < 0 || std::isinf(order)))
        return call.error("a norm of this order has no value where there is nothing to reduce");
    return reduce<double, double>(call, input, dtype,
                                  [=](Doubles values) { return normOf(values, order); });
}

const KernelRow table[] = {
    {"aten.sum.default", sum},
    {"aten.sum.dim_IntList", sum},
    {"prims.sum.default", sum},
    {"aten.nansum.default", sumOfNumbers},
    {"aten.prod.default", product},
    {"aten.prod.dim_int", product},
    {"prims.prod.default", product},
    {"prims.xor_sum.default", exclusiveOr},
    {"aten.mean.default", mean},
    {"aten.mean.dim", mean},
    {"aten.any.default", truth<true>},
    {"aten.any.dim", truth<true>},
    {"aten.any.dims", truth<true>},
    {"aten.all.default", truth<false>},
    {"aten.all.dim", truth<false>},
    {"aten.all.dims", truth<false>},
    {"aten.count_nonzero.default", countNonzero},
    {"aten.count_nonzero.dim_IntList", countNonzero},
    {"aten.var.default", variance<false, false>},
    {"aten.var.dim", variance<false, false>},
    {"aten.var.correction", variance<false, false>},
    {"prims.var.default", variance<false, false>},
    {"aten.std.default", variance<false, true>},
    {"aten.std.dim", variance<false, true>},
    {"aten.std.correction", variance<false, true>},
    {"aten.var_mean.default", variance<true, false>},
    {"aten.var_mean.dim", variance<true, false>},
    {"aten.var_mean.correction", variance<true, false>},
    {"aten.std_mean.default", variance<true, true>},
    {"aten.std_mean.dim", variance<true, true>},
    {"aten.std_mean.correction", variance<true, true>},
    {"aten.logsumexp.default", logSumExp},
    {"aten.linalg_vector_norm.default", norm},
    {"aten.norm.Scalar", norm},
    {"aten.norm.ScalarOpt_dim", norm},
    {"aten.norm.ScalarOpt_dim_dtype", norm},
    {"aten.norm.ScalarOpt_dtype", norm},
};

} // namespace

std::span<const KernelRow> reduceKernels()
{
    return table;
}

} // namespace reinspect::exec
