// SPDX-License-Identifier: MIT
// Sorting and what needs it: sort, argsort, topk, kthvalue, median, searchsorted, bucketize, unique, bincount.
// NaN is larger than everything; equals keep their order.
#include "core/exec/kernel_registry.h"
#include "core/exec/operands.h"
#include "core/exec/reduction.h"

#include <algorithm>
#include <numeric>

namespace reinspect::exec
{
namespace
{

template<typename C>
bool isLess(C a, C b)
{
    return a < b || (b != b && a == a);
}

// The places of a line in order.
template<typename C>
std::vector<std::int64_t> sortedPlaces(std::span<const C> line, bool descending)
{
    std::vector<std::int64_t> places(line.size());
    std::iota(places.begin(), places.end(), 0);
    std::ranges::stable_sort(places, [&](std::int64_t a, std::int64_t b) {
        const C x = line[static_cast<std::size_t>(a)];
        const C y = line[static_cast<std::size_t>(b)];
        return descending ? isLess(y, x) : isLess(x, y);
    });
    return places;
}

// For each line along `dim` the first `count` elements in order, and where they were.
template<typename C>
void takeFirst(const Tensor& self, std::size_t dim, std::size_t count, bool descending,
               std::vector<C>& values, std::vector<std::int64_t>& places)
{
    const std::vector<C> all = readAll<C>(withLast(self, dim));
    const std::size_t length = lineLength(self, dim);
    for (std::size_t at = 0; length > 0 && at < all.size(); at += length)
    {
        const auto line = std::span<const C>(all).subspan(at, length);
        const std::vector<std::int64_t> order = sortedPlaces(line, descending);
        for (std::size_t i = 0; i < count; ++i)
        {
            places.push_back(order[i]);
            values.push_back(line[static_cast<std::size_t>(order[i])]);
        }
    }
}

Result<Value> sortedParts(const KernelCall& call, const Tensor& self, std::size_t dim,
                          std::int64_t count, bool descending, bool onlyPlaces = false)
{
    if (isComplex(self.dtype))
        return call.unsupported("not for dtype " + std::string(dtypeName(self.dtype)));
    Sizes sizes = self.sizes;
    if (!sizes.empty())
        sizes[dim] = count;
    const bool isWhole = sizes == self.sizes;
    const Sizes strides = isWhole ? preservedStrides(self) : contiguousStrides(sizes);
    Tensor values;
    if (!onlyPlaces)
    {
        REINSPECT_TRY(values, call.result(self.dtype, sizes, 0, strides));
    }
    REINSPECT_TRY(const Tensor places,
                  call.result(DType::Int64, sizes, onlyPlaces ? 0 : 1, strides));
    dispatchReal(computeKind(self.dtype), [&]<typename C>(TypeTag<C>) {
        std::vector<C> made;
        std::vector<std::int64_t> found;
        takeFirst<C>(self, dim, static_cast<std::size_t>(count), descending, made, found);
        if (!onlyPlaces)
            writeAll<C>(withLast(values, dim), made);
        writeAll<std::int64_t>(withLast(places, dim), found);
    });
    if (onlyPlaces)
        return Value(places);
    return listOf(std::vector<Tensor>{values, places});
}

template<bool OnlyPlaces>
Result<Value> sort(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    return sortedParts(call, self, dim, static_cast<std::int64_t>(lineLength(self, dim)),
                       call.flag("descending"), OnlyPlaces);
}

Result<Value> topK(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    REINSPECT_TRY(const std::int64_t count, call.integer("k"));
    if (count < 0 || count > static_cast<std::int64_t>(lineLength(self, dim)))
        return call.error("k is " + std::to_string(count) + ", and dimension " + std::to_string(dim)
                          + " has " + std::to_string(lineLength(self, dim)) + " elements");
    return sortedParts(call, self, dim, count, call.flag("largest"));
}

// One element of each sorted line.
template<typename Choose>
Result<Value> chosen(const KernelCall& call, const Folded& input, bool withPlace, Choose&& choose)
{
    const DType dtype = input.ordered.dtype;
    if (isComplex(dtype))
        return call.unsupported("not for dtype " + std::string(dtypeName(dtype)));
    if (input.length == 0 && elementCount(input.kept) != 0)
        return call.error("there is nothing to choose from");
    return dispatchReal(computeKind(dtype), [&]<typename C>(TypeTag<C>) -> Result<Value> {
        const auto placeIn = [&](std::span<const C> line) {
            return choose(line, sortedPlaces(line, false));
        };
        REINSPECT_TRY(Value value,
                      (reduce<C, C>(
                          call, input, dtype,
                          [&](std::span<const C> line) {
                              return line[static_cast<std::size_t>(placeIn(line))];
                          },
                          0)));
        if (!withPlace)
            return value;
        REINSPECT_TRY(Value place,
                      (reduce<C, std::int64_t>(call, input, DType::Int64, placeIn, 1)));
        return listOf(std::vector<Value>{std::move(value), std::move(place)});
    });
}

// The lower of the two in the middle; a NaN wins.
Result<Value> median(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, foldedArgument(call));
    return chosen(call, input, call.schema->arguments.size() > 1,
                  []<typename C>(std::span<const C> line, const std::vector<std::int64_t>& order) {
                      for (std::size_t i = 0; i < line.size(); ++i)
                          if (line[i] != line[i])
                              return static_cast<std::int64_t>(i);
                      return order[(order.size() - 1) / 2];
                  });
}

Result<Value> kthValue(const KernelCall& call)
{
    REINSPECT_TRY(const Folded input, foldedArgument(call));
    REINSPECT_TRY(const std::int64_t k, call.integer("k"));
    if (k < 1 || k > input.length)
        return call.error("k is " + std::to_string(k) + ", and there are "
                          + std::to_string(input.length) + " elements");
    return chosen(call, input, true,
                  [k]<typename C>(std::span<const C>, const std::vector<std::int64_t>& order) {
                      return order[static_cast<std::size_t>(k - 1)];
                  });
}

// How many boundaries lie below each value (or at most at it, with `right`).
Result<Value> placesAmong(const KernelCall& call, const Tensor& boundaries, std::string_view name)
{
    REINSPECT_TRY(const Operand given, operandOf(call, name));
    if (call.has("sorter"))
        return call.unsupported("with a sorter");
    const Sizes sizes = given.tensor ? given.tensor->sizes : Sizes{};
    const bool isRight = call.flag("right") || call.text("side") == "right";
    const bool isShared = boundaries.rank() == 1;
    if (!isShared
        && (boundaries.rank() != sizes.size() || boundaries.rank() == 0
            || !std::equal(sizes.begin(), sizes.end() - 1, boundaries.sizes.begin())))
        return call.error("boundaries " + tensorText(boundaries) + " for values of "
                          + sizesText(sizes));
    REINSPECT_TRY(const Tensor result,
                  call.result(call.flag("out_int32") ? DType::Int32 : DType::Int64, sizes));
    const std::vector<double> lines = readAll<double>(boundaries);
    const std::vector<double> values = given.tensor
        ? readAll<double>(*given.tensor)
        : std::vector<double>{given.number.number().value_or(0)};
    const auto length = static_cast<std::size_t>(boundaries.sizes.back());
    const std::size_t perLine =
        isShared ? values.size() + 1 : static_cast<std::size_t>(sizes.back());
    std::vector<std::int64_t> places;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        const auto line = std::span<const double>(lines).subspan(i / perLine * length, length);
        const auto at = isRight
            ? std::upper_bound(line.begin(), line.end(), values[i], isLess<double>)
            : std::lower_bound(line.begin(), line.end(), values[i], isLess<double>);
        places.push_back(at - line.begin());
    }
    writeAll<std::int64_t>(result, places);
    return Value(result);
}

Result<Value> searchSorted(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor boundaries, call.tensor("sorted_sequence"));
    return placesAmong(call, boundaries, "self");
}

Result<Value> bucketize(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor boundaries, call.tensor("boundaries"));
    if (boundaries.rank() != 1)
        return call.error("boundaries " + tensorText(boundaries) + " are no list");
    return placesAmong(call, boundaries, "self");
}

// The different values in order, for each element which one it is, and how many of each there are.
Result<Value> unique(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    if (isComplex(self.dtype))
        return call.unsupported("not for dtype " + std::string(dtypeName(self.dtype)));
    const bool withInverse = call.flag("return_inverse");
    const bool withCounts = call.flag("return_counts");
    return dispatchReal(computeKind(self.dtype), [&]<typename C>(TypeTag<C>) -> Result<Value> {
        const std::vector<C> all = readAll<C>(self);
        std::vector<C> values;
        std::vector<std::int64_t> inverse(all.size());
        std::vector<std::int64_t> counts;
        for (const std::int64_t place : sortedPlaces(std::span<const C>(all), false))
        {
            const C value = all[static_cast<std::size_t>(place)];
            if (values.empty() || values.back() != value)
            {
                values.push_back(value);
                counts.push_back(0);
            }
            ++counts.back();
            inverse[static_cast<std::size_t>(place)] = std::ssize(values) - 1;
        }
        const std::int64_t count = std::ssize(values);
        REINSPECT_TRY(const Tensor first, call.result(self.dtype, {count}, 0));
        REINSPECT_TRY(const Tensor second,
                      call.result(DType::Int64, withInverse ? self.sizes : Sizes{0}, 1));
        writeAll<C>(first, values);
        if (withInverse)
            writeAll<std::int64_t>(second, inverse);
        if (call.target == "aten._unique.default")
            return listOf(std::vector<Tensor>{first, second});
        REINSPECT_TRY(const Tensor third, call.result(DType::Int64, {withCounts ? count : 0}, 2));
        if (withCounts)
            writeAll<std::int64_t>(third, counts);
        return listOf(std::vector<Tensor>{first, second, third});
    });
}

Result<Value> countEach(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    const std::int64_t least = call.optionalInteger("minlength").value_or(0);
    const std::optional<Tensor> weights = call.optionalTensor("weights");
    if (!isIntegral(self.dtype) || self.rank() != 1
        || (weights && weights->count() != self.count()))
        return call.error("cannot count " + tensorText(self));
    const std::vector<std::int64_t> numbers = readAll<std::int64_t>(self);
    std::int64_t size = std::max<std::int64_t>(least, 0);
    for (const std::int64_t number : numbers)
    {
        if (number < 0 || number > call.context->tracker->limit())
            return call.error("cannot count " + std::to_string(number));
        size = std::max(size, number + 1);
    }
    const DType dtype = !weights           ? DType::Int64
        : weights->dtype == DType::Float32 ? DType::Float32
                                           : DType::Float64;
    REINSPECT_TRY(const Tensor result, call.result(dtype, {size}));
    const std::vector<double> amounts =
        weights ? readAll<double>(*weights) : std::vector<double>(numbers.size(), 1);
    std::vector<double> sums(static_cast<std::size_t>(size), 0);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        sums[static_cast<std::size_t>(numbers[i])] += amounts[i];
    writeAll<double>(result, sums);
    return Value(result);
}

const KernelRow table[] = {
    {"aten.sort.default", sort<false>},
    {"aten.sort.stable", sort<false>},
    {"aten.argsort.default", sort<true>},
    {"aten.argsort.stable", sort<true>},
    {"aten.topk.default", topK},
    {"aten.median.default", median},
    {"aten.median.dim", median},
    {"aten.kthvalue.default", kthValue},
    {"aten.searchsorted.Tensor", searchSorted},
    {"aten.searchsorted.Scalar", searchSorted},
    {"aten.bucketize.Tensor", bucketize},
    {"aten.bucketize.Scalar", bucketize},
    {"aten._unique.default", unique},
    {"aten._unique2.default", unique},
    {"aten.bincount.default", countEach},
};

} // namespace

std::span<const KernelRow> orderKernels()
{
    return table;
}

} // namespace reinspect::exec
