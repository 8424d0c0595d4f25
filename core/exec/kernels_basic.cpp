// SPDX-License-Identifier: MIT
// Sums, products of matrices and lookups in their plain forms: accumulated in double (int64 for integers) from
// the first element to the last, rounded once. Rows of another table with the same names go first.
#include "core/exec/kernel_registry.h"
#include "core/exec/operands.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reinspect::exec
{
namespace
{

// A tensor seen as kept places times reduced ones.
struct Folded
{
    Sizes kept;              // the result's sizes
    Sizes keptAll;           // with 1 where a dimension is reduced
    Tensor ordered;          // the input, reduced dimensions last
    std::int64_t length = 1; // of what is reduced
};

Folded folded(const Tensor& self, const std::vector<std::size_t>& dims, bool keepsDims)
{
    std::vector<bool> reduced(self.rank(), false);
    for (const std::size_t dim : dims)
        reduced[dim] = true;
    Folded result;
    result.ordered = self;
    result.ordered.sizes.clear();
    result.ordered.strides.clear();
    for (const bool last : {false, true})
        for (std::size_t i = 0; i < self.rank(); ++i)
            if (reduced[i] == last)
            {
                result.ordered.sizes.push_back(self.sizes[i]);
                result.ordered.strides.push_back(self.strides[i]);
            }
    for (std::size_t i = 0; i < self.rank(); ++i)
    {
        result.keptAll.push_back(reduced[i] ? 1 : self.sizes[i]);
        if (reduced[i])
            result.length *= self.sizes[i];
        else
            result.kept.push_back(self.sizes[i]);
    }
    if (keepsDims)
        result.kept = result.keptAll;
    return result;
}

Result<Folded> foldedArgument(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor(call.schema->arguments.front().name));
    REINSPECT_TRY(const auto dims, call.dimensions("dim", self));
    return folded(self, dims, call.flag("keepdim"));
}

// fold(values of one place) for each kept place.
template<typename C, typename Out, typename Fold>
Result<Value> reduce(const KernelCall& call, const Folded& input, DType dtype, Fold&& fold,
                     std::size_t part = 0)
{
    REINSPECT_TRY(const Tensor result, call.result(dtype, input.kept, part));
    const std::vector<C> values = readAll<C>(input.ordered);
    std::vector<Out> made(static_cast<std::size_t>(result.count()));
    for (std::size_t i = 0; i < made.size(); ++i)
        made[i] = fold(std::span<const C>(values).subspan(
            i * static_cast<std::size_t>(input.length), static_cast<std::size_t>(input.length)));
    writeAll<Out>(result, made);
    return Value(result);
}

double sumOf(std::span<const double> values)
{
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum;
}

Result<Value> sum(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, foldedArgument(call));
    const DType own = input.ordered.dtype;
    const DType dtype = call.dtype(isIntegral(own) ? DType::Int64 : own);
    if (isComplex(own))
        return call.unsupported("not for dtype " + std::string(dtypeName(own)));
    if (isIntegral(dtype))
        return reduce<std::int64_t, std::int64_t>(
            call, input, dtype, [](std::span<const std::int64_t> values) {
                std::uint64_t total = 0;
                for (const std::int64_t value : values)
                    total += static_cast<std::uint64_t>(value);
                return static_cast<std::int64_t>(total);
            });
    return reduce<double, double>(call, input, dtype, sumOf);
}

Result<Value> mean(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, foldedArgument(call));
    const DType dtype = call.dtype(input.ordered.dtype);
    if (!isFloating(dtype))
        return call.unsupported("not for dtype " + std::string(dtypeName(dtype)));
    return reduce<double, double>(call, input, dtype, [](std::span<const double> values) {
        return sumOf(values) / static_cast<double>(values.size());
    });
}

template<bool IsLargest>
Result<Value> extreme(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, foldedArgument(call));
    const DType dtype = input.ordered.dtype;
    if (input.length == 0)
        return call.error("nothing to reduce");
    return dispatchReal(computeKind(dtype), [&]<typename C>(TypeTag<C>) {
        return reduce<C, C>(call, input, dtype, [](std::span<const C> values) {
            C best = values.front();
            for (const C value : values)
                if (value != value || (best == best && (IsLargest ? value > best : value < best)))
                    best = value;
            return best;
        });
    });
}

template<bool IsAny>
Result<Value> truth(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, foldedArgument(call));
    return reduce<double, std::int64_t>(
        call, input, DType::Bool, [](std::span<const double> values) {
            const auto isTrue = [](double value) { return value != 0; };
            return std::int64_t{IsAny ? std::ranges::any_of(values, isTrue)
                                      : std::ranges::all_of(values, isTrue)};
        });
}

double squaresFrom(std::span<const double> values, double middle)
{
    double sum = 0;
    for (const double value : values)
        sum += (value - middle) * (value - middle);
    return sum;
}

// The variance, and in front of it or behind it the mean where a tuple is asked for.
Result<Value> variance(const KernelCall& call, bool withMean, bool isRoot)
{
    REINSPECT_TRY(const Folded input, foldedArgument(call));
    const double correction = call.optionalNumber("correction").value_or(1);
    const DType dtype = input.ordered.dtype;
    if (!isFloating(dtype))
        return call.unsupported("not for dtype " + std::string(dtypeName(dtype)));
    const auto middle = [](std::span<const double> values) {
        return sumOf(values) / static_cast<double>(values.size());
    };
    REINSPECT_TRY(Value spread,
                  (reduce<double, double>(call, input, dtype, [&](std::span<const double> values) {
                      const double square = squaresFrom(values, middle(values))
                          / std::max(static_cast<double>(values.size()) - correction, 0.0);
                      return isRoot ? std::sqrt(square) : square;
                  })));
    if (!withMean)
        return spread;
    REINSPECT_TRY(Value mean, (reduce<double, double>(call, input, dtype, middle, 1)));
    return listOf(std::vector<Value>{std::move(spread), std::move(mean)});
}

Result<Value> var(const KernelCall& call)
{
    return variance(call, false, false);
}
Result<Value> standardDeviation(const KernelCall& call)
{
    return variance(call, false, true);
}
Result<Value> varMean(const KernelCall& call)
{
    return variance(call, true, false);
}
Result<Value> stdMean(const KernelCall& call)
{
    return variance(call, true, true);
}

// c[m, n] = sum over k of a[m, k] * b[k, n], rows of float or double.
template<typename C>
void multiply(const C* a, const C* b, C* c, std::int64_t m, std::int64_t k, std::int64_t n)
{
    std::vector<double> row(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < m; ++i)
    {
        std::ranges::fill(row, 0.0);
        for (std::int64_t p = 0; p < k; ++p)
        {
            const double factor = static_cast<double>(a[i * k + p]);
            const C* from = b + p * n;
            for (std::int64_t j = 0; j < n; ++j)
                row[static_cast<std::size_t>(j)] += factor * static_cast<double>(from[j]);
        }
        for (std::int64_t j = 0; j < n; ++j)
            c[i * n + j] = static_cast<C>(row[static_cast<std::size_t>(j)]);
    }
}

// bias * beta + alpha * a @ b, for one or many matrices.
Result<Value> product(const KernelCall& call, const Tensor& a, const Tensor& b,
                      const std::optional<Tensor>& bias)
{
    const std::size_t rank = a.rank();
    if (rank != b.rank() || (rank != 2 && rank != 3) || (rank == 3 && a.sizes[0] != b.sizes[0])
        || a.sizes[rank - 1] != b.sizes[rank - 2] || a.dtype != b.dtype)
        return call.error("matrices " + tensorText(a) + " and " + tensorText(b) + " do not fit");
    const std::int64_t batch = rank == 3 ? a.sizes[0] : 1;
    const std::int64_t m = a.sizes[rank - 2];
    const std::int64_t k = a.sizes[rank - 1];
    const std::int64_t n = b.sizes[rank - 1];
    Sizes sizes = a.sizes;
    sizes[rank - 1] = n;
    if (isComplex(a.dtype))
        return call.unsupported("not for dtype " + std::string(dtypeName(a.dtype)));
    REINSPECT_TRY(const Tensor result, call.result(a.dtype, sizes));
    return dispatchReal(computeKind(a.dtype), [&]<typename C>(TypeTag<C>) -> Result<Value> {
        const std::vector<C> left = readAll<C>(a);
        const std::vector<C> right = readAll<C>(b);
        std::vector<C> made(static_cast<std::size_t>(batch * m * n));
        for (std::int64_t i = 0; i < batch; ++i)
            multiply<C>(left.data() + i * m * k, right.data() + i * k * n, made.data() + i * m * n,
                        m, k, n);
        if (bias)
        {
            REINSPECT_TRY(const Tensor wide, broadcastTo(*bias, sizes));
            const std::vector<C> added = readAll<C>(wide);
            const C beta = static_cast<C>(call.optionalNumber("beta").value_or(1));
            const C alpha = static_cast<C>(call.optionalNumber("alpha").value_or(1));
            for (std::size_t i = 0; i < made.size(); ++i)
                made[i] = static_cast<C>((beta == C(0) ? C(0) : beta * added[i]) + alpha * made[i]);
        }
        writeAll<C>(result, made);
        return Value(result);
    });
}

Result<Value> matrixProduct(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor a, call.tensor("self"));
    REINSPECT_TRY(const Tensor b, call.tensor("mat2"));
    return product(call, a, b, {});
}

Result<Value> biasedProduct(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor bias, call.tensor("self"));
    REINSPECT_TRY(const Tensor a, call.tensor(call.schema->arguments[1].name));
    REINSPECT_TRY(const Tensor b, call.tensor(call.schema->arguments[2].name));
    return product(call, a, b, bias);
}

Result<Value> embedding(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor weight, call.tensor("weight"));
    REINSPECT_TRY(const Tensor indices, call.tensor("indices"));
    return callKernel(call, "aten.index.Tensor",
                      {Value(weight), listOf(std::vector<Tensor>{indices})});
}

Result<Value> cumulativeSum(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    const DType dtype = call.dtype(isIntegral(self.dtype) ? DType::Int64 : self.dtype);
    REINSPECT_TRY(const Tensor result, call.result(dtype, self.sizes));
    Tensor lines = self;
    Tensor places = result;
    if (self.rank() > 0)
        for (Tensor* tensor : {&lines, &places})
        {
            std::swap(tensor->sizes[dim], tensor->sizes.back());
            std::swap(tensor->strides[dim], tensor->strides.back());
        }
    const auto length = static_cast<std::size_t>(self.rank() > 0 ? self.sizes[dim] : 1);
    return dispatchReal(computeKind(dtype), [&]<typename C>(TypeTag<C>) -> Result<Value> {
        std::vector<C> values = readAll<C>(lines);
        for (std::size_t i = 0; i < values.size(); ++i)
            if (i % length != 0)
                values[i] = static_cast<C>(values[i] + values[i - 1]);
        writeAll<C>(places, values);
        return Value(result);
    });
}

// The place in `self` of each element of the index tensor, one at a time: scatter_reduce with its means.
Result<Value> scatterReduce(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor indices, call.tensor("index"));
    REINSPECT_TRY(Tensor source, call.tensor("src"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    const std::string reduce = call.text("reduce");
    const bool includesSelf = !call.has("include_self") || call.flag("include_self");
    if (!isFloating(self.dtype) || self.rank() != indices.rank() || source.rank() != indices.rank()
        || self.rank() == 0)
        return call.unsupported("scatter_reduce of these tensors");
    for (std::size_t i = 0; i < indices.rank(); ++i)
        if (indices.sizes[i] > source.sizes[i] || (i != dim && indices.sizes[i] > self.sizes[i]))
            return call.error("an index of sizes " + sizesText(indices.sizes) + " does not fit");
    source.sizes = indices.sizes;
    REINSPECT_TRY(const Tensor result,
                  call.result(self.dtype, self.sizes, 0, preservedStrides(self)));
    std::vector<double> values = readAll<double>(self);
    std::vector<double> counts(values.size(), includesSelf ? 1 : 0);
    const auto added = readAll<double>(source);
    const auto numbers = readAll<std::int64_t>(indices);
    const Sizes strides = contiguousStrides(self.sizes);
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        if (numbers[i] < 0 || numbers[i] >= self.sizes[dim])
            return call.error("index " + std::to_string(numbers[i])
                              + " is out of range for dimension " + std::to_string(dim)
                              + " of size " + std::to_string(self.sizes[dim]));
        std::int64_t place = numbers[i] * strides[dim];
        auto rest = static_cast<std::int64_t>(i);
        for (std::size_t d = indices.rank(); d-- > 0; rest /= indices.sizes[d])
            place += d == dim ? 0 : rest % indices.sizes[d] * strides[d];
        double& value = values[static_cast<std::size_t>(place)];
        double& count = counts[static_cast<std::size_t>(place)];
        if (count == 0)
            value = added[i];
        else if (reduce == "sum" || reduce == "mean")
            value += added[i];
        else if (reduce == "prod")
            value *= added[i];
        else
            value = std::isnan(value) || (reduce == "amax" ? value > added[i] : value < added[i])
                ? value
                : added[i];
        ++count;
    }
    for (std::size_t i = 0; reduce == "mean" && i < values.size(); ++i)
        values[i] /= std::max(counts[i], 1.0);
    writeAll<double>(result, values);
    return Value(result);
}

const KernelRow table[] = {
    {"aten.sum.default", sum},
    {"aten.sum.dim_IntList", sum},
    {"aten.mean.default", mean},
    {"aten.mean.dim", mean},
    {"aten.amax.default", extreme<true>},
    {"aten.amin.default", extreme<false>},
    {"aten.any.default", truth<true>},
    {"aten.any.dim", truth<true>},
    {"aten.all.default", truth<false>},
    {"aten.all.dim", truth<false>},
    {"aten.var.correction", var},
    {"aten.std.correction", standardDeviation},
    {"aten.var_mean.correction", varMean},
    {"aten.std_mean.correction", stdMean},
    {"aten.mm.default", matrixProduct},
    {"aten.bmm.default", matrixProduct},
    {"aten.addmm.default", biasedProduct},
    {"aten.baddbmm.default", biasedProduct},
    {"aten.embedding.default", embedding},
    {"aten.cumsum.default", cumulativeSum},
    {"aten.scatter_reduce.two", scatterReduce},
};

} // namespace

std::span<const KernelRow> basicKernels()
{
    return table;
}

} // namespace reinspect::exec
