// SPDX-License-Identifier: MIT
// Rows and elements put at places that an index names: scatter_reduce, index_add, index_copy, index_fill,
// index_reduce, masked_scatter, put, take, and lookups with their gradients. Sums are kept in double (integers
// in int64) and rounded once.
#include "core/exec/kernel_registry.h"
#include "core/exec/operands.h"

#include <algorithm>
#include <cmath>

namespace reinspect::exec
{
namespace
{

enum class Combine : std::uint8_t
{
    Copy,
    Sum,
    Product,
    Mean,
    Largest,
    Least,
};

Result<Combine> combineOf(const KernelCall& call)
{
    const std::string name = call.text("reduce");
    if (name == "sum" || name == "add")
        return Combine::Sum;
    if (name == "prod" || name == "multiply")
        return Combine::Product;
    if (name == "mean")
        return Combine::Mean;
    if (name == "amax")
        return Combine::Largest;
    if (name == "amin")
        return Combine::Least;
    return call.error("no reduction is called '" + name + "'");
}

template<typename C>
C combined(Combine how, C old, C next)
{
    const auto isNan = [](C x) { return x != x; };
    if constexpr (std::is_same_v<C, std::int64_t>)
    {
        const auto a = static_cast<std::uint64_t>(old);
        const auto b = static_cast<std::uint64_t>(next);
        if (how == Combine::Sum || how == Combine::Mean)
            return static_cast<C>(a + b);
        if (how == Combine::Product)
            return static_cast<C>(a * b);
    }
    switch (how)
    {
    case Combine::Copy: return next;
    case Combine::Sum:
    case Combine::Mean: return old + next;
    case Combine::Product: return old * next;
    case Combine::Largest: return isNan(old) ? old : isNan(next) ? next : std::max(old, next);
    case Combine::Least: return isNan(old) ? old : isNan(next) ? next : std::min(old, next);
    }
    return next;
}

// Values that are combined one at a time, and how many came to each place.
template<typename C>
struct Piles
{
    std::vector<C> values;
    std::vector<std::int64_t> counts;
    Combine how = Combine::Sum;

    Piles(std::vector<C> start, Combine combine, bool includesStart)
        : values(std::move(start))
        , counts(values.size(), includesStart ? 1 : 0)
        , how(combine)
    {}
    void add(std::int64_t place, C value)
    {
        const auto at = static_cast<std::size_t>(place);
        values[at] = counts[at] == 0 ? value : combined(how, values[at], value);
        ++counts[at];
    }
    // A mean is divided, integers downwards.
    void finish()
    {
        for (std::size_t i = 0; how == Combine::Mean && i < values.size(); ++i)
        {
            const std::int64_t count = std::max<std::int64_t>(counts[i], 1);
            if constexpr (std::is_same_v<C, std::int64_t>)
                values[i] = values[i] / count - (values[i] % count < 0 ? 1 : 0);
            else
                values[i] /= static_cast<C>(count);
        }
    }
};

// Integers as they are, floats in double.
template<typename F>
Result<Value> dispatchWide(const KernelCall& call, DType dtype, F&& f)
{
    if (isIntegral(dtype))
        return f(TypeTag<std::int64_t>{});
    if (isFloating(dtype))
        return f(TypeTag<double>{});
    return call.unsupported("not for dtype " + std::string(dtypeName(dtype)));
}

// The result's place (row-major) of each element of the index.
Result<std::vector<std::int64_t>> placesOf(const KernelCall& call, const Tensor& self,
                                           const Tensor& index, std::size_t dim)
{
    if (self.rank() != index.rank() && index.count() > 0)
        return call.error("an index " + tensorText(index) + " for " + tensorText(self));
    const Sizes own = contiguousStrides(self.sizes);
    std::vector<std::int64_t> places = readAll<std::int64_t>(index);
    const std::int64_t size = self.rank() > 0 ? self.sizes[dim] : 1;
    for (std::size_t i = 0; i < places.size(); ++i)
    {
        if (places[i] < 0 || places[i] >= size)
            return call.outOfRange(places[i], dim, size);
        std::int64_t place = self.rank() > 0 ? places[i] * own[dim] : 0;
        auto rest = static_cast<std::int64_t>(i);
        for (std::size_t d = index.rank(); d-- > 0; rest /= index.sizes[d])
            place += d == dim ? 0 : rest % index.sizes[d] * own[d];
        places[i] = place;
    }
    return places;
}

Result<Value> scatterReduce(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor index, call.tensor("index"));
    REINSPECT_TRY(Tensor source, call.tensor("src"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    REINSPECT_TRY(const Combine how, combineOf(call));
    bool fits = source.rank() == index.rank() && source.dtype == self.dtype;
    for (std::size_t d = 0; fits && d < index.rank(); ++d)
        fits = index.sizes[d] <= source.sizes[d]
            && (d == dim || d >= self.rank() || index.sizes[d] <= self.sizes[d]);
    if (!fits)
        return call.error("an index " + tensorText(index) + " and a source " + tensorText(source)
                          + " for " + tensorText(self));
    REINSPECT_TRY(const auto places, placesOf(call, self, index, dim));
    source.sizes = index.sizes;
    REINSPECT_TRY(const Tensor result,
                  call.result(self.dtype, self.sizes, 0, preservedStrides(self)));
    return dispatchWide(call, self.dtype, [&]<typename C>(TypeTag<C>) -> Result<Value> {
        Piles<C> piles(readAll<C>(self), how, call.flag("include_self"));
        const std::vector<C> added = readAll<C>(source);
        for (std::size_t i = 0; i < places.size(); ++i)
            piles.add(places[i], added[i]);
        piles.finish();
        writeAll<C>(result, piles.values);
        return Value(result);
    });
}

// Rows along a dimension: place of row `number`, element `i` of the row (in the order of the other dimensions).
struct Rows
{
    std::size_t dim = 0;
    std::int64_t size = 1;  // rows
    std::int64_t inner = 1; // elements behind one index along the dimension
    std::int64_t outer = 1;

    Rows(const Tensor& self, std::size_t at)
        : dim(at)
    {
        for (std::size_t d = 0; d < self.rank(); ++d)
            (d < at ? outer : d == at ? size : inner) *= self.sizes[d];
    }
    std::int64_t place(std::int64_t number, std::int64_t i, std::int64_t rows) const
    {
        return (i / inner * rows + number) * inner + i % inner;
    }
};

Result<std::vector<std::int64_t>> rowNumbers(const KernelCall& call, const Rows& rows)
{
    REINSPECT_TRY(const Tensor index, call.tensor("index"));
    std::vector<std::int64_t> numbers = readAll<std::int64_t>(index);
    for (const std::int64_t number : numbers)
        if (number < 0 || number >= rows.size)
            return call.outOfRange(number, rows.dim, rows.size);
    return numbers;
}

// index_add, index_copy, index_reduce: row j of the source goes to row index[j].
Result<Value> indexedRows(const KernelCall& call, Combine how, bool includesSelf,
                          std::string_view sourceName, double alpha)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor source, call.tensor(sourceName));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    const Rows rows(self, dim);
    REINSPECT_TRY(const auto numbers, rowNumbers(call, rows));
    const auto count = static_cast<std::int64_t>(numbers.size());
    Sizes wanted = self.sizes;
    if (!wanted.empty())
        wanted[dim] = count;
    const bool fits = source.sizes == wanted || (self.rank() <= 1 && source.count() == count);
    if (!fits || source.dtype != self.dtype)
        return call.error("a source " + tensorText(source) + " with " + std::to_string(count)
                          + " indices for " + tensorText(self));
    REINSPECT_TRY(const Tensor result,
                  call.result(self.dtype, self.sizes, 0, preservedStrides(self)));
    return dispatchWide(call, self.dtype, [&]<typename C>(TypeTag<C>) -> Result<Value> {
        Piles<C> piles(readAll<C>(self), how, includesSelf);
        const std::vector<C> added = readAll<C>(source);
        const auto factor = static_cast<C>(alpha);
        for (std::int64_t j = 0; j < count; ++j)
            for (std::int64_t i = 0; i < rows.outer * rows.inner; ++i)
            {
                const C value = added[static_cast<std::size_t>(rows.place(j, i, count))];
                piles.add(rows.place(numbers[static_cast<std::size_t>(j)], i, rows.size),
                          factor == C(1) ? value : combined(Combine::Product, factor, value));
            }
        piles.finish();
        writeAll<C>(result, piles.values);
        return Value(result);
    });
}

Result<Value> indexAdd(const KernelCall& call)
{
    return indexedRows(call, Combine::Sum, true, "source",
                       call.optionalNumber("alpha").value_or(1));
}
Result<Value> indexCopy(const KernelCall& call)
{
    return indexedRows(call, Combine::Copy, true, "source", 1);
}
Result<Value> indexReduce(const KernelCall& call)
{
    REINSPECT_TRY(const Combine how, combineOf(call));
    return indexedRows(call, how, call.flag("include_self"), "source", 1);
}

Result<Value> indexFill(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    const Rows rows(self, dim);
    REINSPECT_TRY(const auto numbers, rowNumbers(call, rows));
    REINSPECT_TRY(const Operand fill, operandOf(call, "value"));
    if (fill.tensor && fill.tensor->count() != 1)
        return call.error("the value " + tensorText(*fill.tensor) + " is more than one element");
    REINSPECT_TRY(const Tensor result,
                  call.result(self.dtype, self.sizes, 0, preservedStrides(self)));
    return dispatchWide(call, self.dtype, [&]<typename C>(TypeTag<C>) -> Result<Value> {
        const C value = fill.tensor ? readAll<C>(*fill.tensor)[0]
                                    : static_cast<C>(fill.number.number().value_or(0));
        std::vector<C> values = readAll<C>(self);
        for (const std::int64_t number : numbers)
            for (std::int64_t i = 0; i < rows.outer * rows.inner; ++i)
                values[static_cast<std::size_t>(rows.place(number, i, rows.size))] = value;
        writeAll<C>(result, values);
        return Value(result);
    });
}

Result<Value> maskedScatter(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor mask, call.tensor("mask"));
    REINSPECT_TRY(const Tensor source, call.tensor("source"));
    const auto sizes = broadcastSizes(self.sizes, mask.sizes);
    if (!sizes.ok() || source.dtype != self.dtype)
        return call.error("a mask " + tensorText(mask) + " and a source " + tensorText(source)
                          + " for " + tensorText(self));
    REINSPECT_TRY(const Tensor wide, broadcastTo(self, *sizes));
    REINSPECT_TRY(const Tensor chosen, broadcastTo(mask, *sizes));
    REINSPECT_TRY(const Tensor result, call.result(self.dtype, *sizes));
    return dispatchWide(call, self.dtype, [&]<typename C>(TypeTag<C>) -> Result<Value> {
        std::vector<C> values = readAll<C>(wide);
        const std::vector<std::int64_t> takes = readAll<std::int64_t>(chosen);
        const std::vector<C> from = readAll<C>(source);
        std::size_t next = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            if (takes[i] == 0)
                continue;
            if (next == from.size())
                return call.error("the mask takes more than the " + std::to_string(from.size())
                                  + " elements of the source");
            values[i] = from[next++];
        }
        writeAll<C>(result, values);
        return Value(result);
    });
}

Result<Value> embedding(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor weight, call.tensor("weight"));
    REINSPECT_TRY(const Tensor indices, call.tensor("indices"));
    if (weight.rank() != 2)
        return call.error("a weight " + tensorText(weight) + " is no table of rows");
    REINSPECT_TRY(const Value made,
                  callKernel(call, "aten.index.Tensor",
                             {Value(weight), listOf(std::vector<Tensor>{indices})}));
    return made;
}

Result<Value> embeddingBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor grad, call.tensor("grad_output"));
    REINSPECT_TRY(const Tensor indices, call.tensor("indices"));
    REINSPECT_TRY(const std::int64_t count, call.integer("num_weights"));
    REINSPECT_TRY(const std::int64_t padding, call.integer("padding_idx"));
    const bool isScaled = call.flag("scale_grad_by_freq");
    if (grad.rank() != indices.rank() + 1 || !isFloating(grad.dtype)
        || !std::equal(indices.sizes.begin(), indices.sizes.end(), grad.sizes.begin()))
        return call.error("a gradient " + tensorText(grad) + " for indices " + tensorText(indices));
    const std::int64_t width = grad.sizes.back();
    REINSPECT_TRY(const Tensor result, call.result(grad.dtype, {count, width}));
    const std::vector<double> grads = readAll<double>(grad);
    const std::vector<std::int64_t> numbers = readAll<std::int64_t>(indices);
    std::vector<double> made(static_cast<std::size_t>(result.count()), 0);
    std::vector<double> uses(static_cast<std::size_t>(count), 0);
    for (const std::int64_t number : numbers)
    {
        if (number < 0 || number >= count)
            return call.outOfRange(number, 0, count);
        uses[static_cast<std::size_t>(number)] += 1;
    }
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        if (numbers[i] == padding)
            continue;
        const double factor = isScaled ? 1 / uses[static_cast<std::size_t>(numbers[i])] : 1;
        for (std::int64_t j = 0; j < width; ++j)
            made[static_cast<std::size_t>(numbers[i] * width + j)] +=
                factor * grads[i * static_cast<std::size_t>(width) + static_cast<std::size_t>(j)];
    }
    writeAll<double>(result, made);
    return Value(result);
}

const KernelRow table[] = {
    {"aten.scatter_reduce.two", scatterReduce},
    {"aten.index_add.default", indexAdd},
    {"aten.index_copy.default", indexCopy},
    {"aten.index_reduce.default", indexReduce},
    {"aten.index_fill.int_Scalar", indexFill},
    {"aten.index_fill.int_Tensor", indexFill},
    {"aten.masked_scatter.default", maskedScatter},
    {"aten.embedding.default", embedding, {}, RunsOn::Anywhere},
    {"aten.embedding_dense_backward.default", embeddingBackward},
};

} // namespace

std::span<const KernelRow> scatterKernels()
{
    return table;
}

} // namespace reinspect::exec
