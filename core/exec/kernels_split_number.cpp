// SPDX-License-Identifier: MIT
// Operators that take numbers apart or count them: mantissa and exponent, distances, bins, places of what is not
// zero.
#include "core/exec/joined_rows.h"
#include "core/exec/operands.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reinspect::exec
{
namespace
{

Result<Value> mantissaAndExponent(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    if (!isFloating(self.dtype))
        return call.error(tensorText(self) + " holds no floats");
    std::vector<double> values = readAll<double>(self);
    std::vector<std::int64_t> exponents(values.size(), 0);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        int exponent = 0;
        values[i] = std::frexp(values[i], &exponent);
        exponents[i] = std::isfinite(values[i]) ? exponent : 0;
    }
    REINSPECT_TRY(const Tensor mantissa,
                  call.result(self.dtype, self.sizes, 0, preservedStrides(self)));
    REINSPECT_TRY(const Tensor exponent,
                  call.result(DType::Int32, self.sizes, 1, preservedStrides(self)));
    writeAll<double>(mantissa, values);
    writeAll<std::int64_t>(exponent, exponents);
    return listOf(std::vector<Value>{Value(mantissa), Value(exponent)});
}

double distance(const double* a, const double* b, std::int64_t count, double p)
{
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i)
    {
        const double apart = std::abs(a[i] - b[i]);
        if (std::isinf(p))
            sum = std::isnan(apart) ? apart : std::max(sum, apart);
        else if (p == 0)
            sum += apart != 0 ? 1 : 0;
        else
            sum += p == 2 ? apart * apart : std::pow(apart, p);
    }
    if (std::isinf(p) || p == 0 || p == 1)
        return sum;
    return p == 2 ? std::sqrt(sum) : std::pow(sum, 1 / p);
}

// Of each row of the one to each of the other; leading dimensions are batches of equal size.
Result<Value> distances(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor a, call.tensor("x1"));
    REINSPECT_TRY(const Tensor b, call.tensor("x2"));
    REINSPECT_TRY(const double p, call.number("p"));
    if (a.rank() < 2 || b.rank() < 2 || a.sizes.back() != b.sizes.back())
        return call.error(tensorText(a) + " and " + tensorText(b) + " do not fit");
    REINSPECT_TRY(Sizes sizes,
                  broadcastSizes(Sizes(a.sizes.begin(), a.sizes.end() - 2),
                                 Sizes(b.sizes.begin(), b.sizes.end() - 2)));
    const auto wide = [&](const Tensor& tensor) {
        Sizes all = sizes;
        all.insert(all.end(), tensor.sizes.end() - 2, tensor.sizes.end());
        return broadcastTo(tensor, all);
    };
    REINSPECT_TRY(const Tensor first, wide(a));
    REINSPECT_TRY(const Tensor second, wide(b));
    const std::int64_t rows = a.sizes[a.rank() - 2];
    const std::int64_t columns = b.sizes[b.rank() - 2];
    const std::int64_t depth = a.sizes.back();
    sizes.insert(sizes.end(), {rows, columns});
    REINSPECT_TRY(const Tensor result, call.result(a.dtype, sizes));
    const std::vector<double> left = readAll<double>(first);
    const std::vector<double> right = readAll<double>(second);
    std::vector<double> made;
    const std::int64_t batches = result.count() / std::max<std::int64_t>(rows * columns, 1);
    for (std::int64_t n = 0; n < batches; ++n)
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j)
                made.push_back(distance(left.data() + (n * rows + i) * depth,
                                        right.data() + (n * columns + j) * depth, depth, p));
    writeAll<double>(result, made);
    return Value(result);
}

Result<Value> histogram(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::int64_t bins, call.integer("bins"));
    double low = call.optionalNumber("min").value_or(0);
    double high = call.optionalNumber("max").value_or(0);
    const std::vector<double> values = readAll<double>(self);
    if (bins < 1 || bins > std::int64_t{1} << 28 || high < low)
        return call.error(std::to_string(bins) + " bins from " + std::to_string(low) + " to "
                          + std::to_string(high));
    if (low == high && !values.empty())
    {
        const auto [least, most] = std::ranges::minmax(values);
        low = least;
        high = most;
    }
    if (low == high)
    {
        low -= 1;
        high += 1;
    }
    if (!std::isfinite(low) || !std::isfinite(high))
        return call.error("bins from " + std::to_string(low) + " to " + std::to_string(high));
    std::vector<double> counts(static_cast<std::size_t>(bins), 0);
    for (const double value : values)
        if (value >= low && value <= high)
        {
            const double at = (value - low) / (high - low) * static_cast<double>(bins);
            ++counts[std::min(static_cast<std::size_t>(at), counts.size() - 1)];
        }
    REINSPECT_TRY(const Tensor result, call.result(self.dtype, {bins}));
    writeAll<double>(result, counts);
    return Value(result);
}

// As many rows as asked for, whatever there is.
Result<Value> nonzeroStatic(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::int64_t rows, call.integer("size"));
    const std::int64_t fill = call.optionalInteger("fill_value").value_or(-1);
    if (rows < 0)
        return call.error("a size of " + std::to_string(rows));
    const auto rank = static_cast<std::int64_t>(self.rank());
    REINSPECT_TRY(const Tensor result, call.result(DType::Int64, {rows, rank}));
    std::vector<std::int64_t> places;
    const std::vector<std::complex<double>> values = readAll<std::complex<double>>(self);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        if (values[i] == 0.0 || static_cast<std::int64_t>(places.size()) >= rows * rank)
            continue;
        Sizes index(self.rank());
        auto rest = static_cast<std::int64_t>(i);
        for (std::size_t d = self.rank(); d-- > 0; rest /= self.sizes[d])
            index[d] = rest % self.sizes[d];
        places.insert(places.end(), index.begin(), index.end());
    }
    places.resize(static_cast<std::size_t>(rows * rank), fill);
    writeAll<std::int64_t>(result, places);
    return Value(result);
}

const KernelRow table[] = {
    {"aten.frexp.Tensor", mantissaAndExponent},     {"prims.frexp.default", mantissaAndExponent},
    {"aten._cdist_forward.default", distances},     {"aten.histc.default", histogram},
    {"aten.nonzero_static.default", nonzeroStatic},
};

} // namespace

std::span<const KernelRow> splitNumberRows()
{
    return table;
}

} // namespace reinspect::exec
