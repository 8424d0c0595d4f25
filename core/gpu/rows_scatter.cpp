// SPDX-License-Identifier: MIT
// Elements and rows put, added and combined at places that an index names. Schemas and errors are those of
// core/exec/kernels_gather.cpp and kernels_scatter.cpp. What is combined comes out the same each time.
#include "core/gpu/gpu_rows.h"
#include "core/gpu/index_calls.h"

#include <algorithm>

namespace reinspect::gpu
{
namespace
{

using exec::KernelCall;
using exec::Operand;
using exec::operandFrom;
using exec::Pointwise;
using exec::Sizes;
using exec::Tensor;
using exec::Value;

std::optional<Combination> combinationOf(const KernelCall& call)
{
    const std::string name = call.text("reduce");
    if (name == "sum" || name == "add")
        return Combination::Sum;
    if (name == "prod" || name == "multiply")
        return Combination::Product;
    if (name == "mean")
        return Combination::Mean;
    if (name == "amax")
        return Combination::Largest;
    if (name == "amin")
        return Combination::Least;
    return {};
}

bool isCombined(DType dtype)
{
    return isReadable(dtype) && kindOf(dtype);
}

// A copy of `self` with the values put there. `placesIn(copy)` answers as placesAlong().
template<typename PlacesIn>
Result<Value> putInto(const KernelCall& call, const Tensor& self, const Tensor& values,
                      IndexUse use, Combination combination, bool includesOld, PlacesIn&& placesIn)
{
    REINSPECT_TRY(const Tensor result,
                  call.result(self.dtype, self.sizes, 0, exec::preservedStrides(self)));
    REINSPECT_CHECK(exec::copyElements(result, self));
    Places places = *placesIn(result);
    places.call.combination = combination;
    places.call.includesOld = includesOld;
    REINSPECT_CHECK(writePlaces(call, places, use, result, values));
    return Value(result);
}

// The source's first elements, as many as the index has. Nothing where it has not so many.
std::optional<Tensor> sourceOf(const KernelCall& call, const Tensor& index)
{
    auto source = call.optionalTensor("src");
    if (!source || source->rank() != index.rank()
        || !std::ranges::equal(index.sizes, source->sizes, std::ranges::less_equal()))
        return {};
    source->sizes = index.sizes;
    return source;
}

Result<Value> scattered(const KernelCall& call, IndexUse use, Combination combination,
                        bool includesOld)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor index, call.tensor("index"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    const auto placesIn = [&](const Tensor& tensor) { return placesAlong(tensor, dim, index); };
    const auto source = sourceOf(call, index);
    if (!source || !placesIn(self) || (use == IndexUse::Add && !canAdd(self.dtype))
        || (combination != Combination::Last && !isCombined(self.dtype)))
        return exec::runOnHost(call);
    return putInto(call, self, *source, use, combination, includesOld, placesIn);
}

Result<Value> scatter(const KernelCall& call)
{
    return scattered(call, IndexUse::Combine, Combination::Last, true);
}
Result<Value> scatterAdd(const KernelCall& call)
{
    return scattered(call, IndexUse::Add, Combination::Last, true);
}
Result<Value> scatterByName(const KernelCall& call)
{
    return call.text("reduce") == "add" ? scattered(call, IndexUse::Combine, Combination::Sum, true)
                                        : exec::runOnHost(call);
}
Result<Value> scatterReduce(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    const auto source = call.optionalTensor("src");
    const auto how = combinationOf(call);
    return how && source && source->dtype == self.dtype
        ? scattered(call, IndexUse::Combine, *how, call.flag("include_self"))
        : exec::runOnHost(call);
}

// One element of the dtype from a number, or from a tensor of one element; nothing: neither.
Result<std::optional<Tensor>> oneValue(const KernelCall& call, DType dtype)
{
    const Value* value = call.given("value");
    if (!value || !isCombined(dtype) || (value->tensor() && value->tensor()->count() != 1))
        return std::optional<Tensor>();
    REINSPECT_TRY(const Tensor one, call.scratch(dtype, {}));
    if (const Tensor* tensor = value->tensor())
    {
        Tensor flat = *tensor;
        flat.sizes.clear();
        flat.strides.clear();
        REINSPECT_CHECK(exec::copyElements(one, flat));
    }
    else
    {
        const double number = value->number().value_or(0);
        const Value whole(value->integer().value_or(static_cast<std::int64_t>(number)));
        REINSPECT_CHECK(
            mapped(call, Pointwise::Identity, one,
                   {Operand{{}, exec::isIntegral(dtype) ? whole : Value(number), dtype}}, dtype));
    }
    return std::optional<Tensor>(one);
}

template<bool OfRows>
Result<Value> fillPlaces(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor index, call.tensor("index"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    const auto placesIn = [&](const Tensor& tensor) {
        return OfRows ? rowsAlong(tensor, dim, index, false) : placesAlong(tensor, dim, index);
    };
    REINSPECT_TRY(const auto value, oneValue(call, self.dtype));
    if (!value || !placesIn(self))
        return exec::runOnHost(call);
    return putInto(call, self, *value, IndexUse::Combine, Combination::Last, true, placesIn);
}

// index_add, index_copy, index_reduce: row j of the source goes to row index[j].
Result<Value> indexedRows(const KernelCall& call, Combination combination, bool includesOld)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor index, call.tensor("index"));
    REINSPECT_TRY(Tensor source, call.tensor("source"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    const double alpha = call.optionalNumber("alpha").value_or(1);
    const auto placesIn = [&](const Tensor& tensor) {
        return rowsAlong(tensor, dim, index, false);
    };
    const auto places = placesIn(self);
    if (!places || source.sizes != places->sizes || source.dtype != self.dtype
        || !isCombined(self.dtype) || !source.storage->isOnDevice())
        return exec::runOnHost(call);
    if (alpha != 1)
    {
        const Tensor given = source;
        REINSPECT_TRY(source, call.scratch(self.dtype, given.sizes));
        const Value factor = *call.given("alpha");
        REINSPECT_CHECK(mapped(call, Pointwise::Product, source,
                               {operandFrom(given), Operand{{}, factor, self.dtype}}, self.dtype));
    }
    return putInto(call, self, source, IndexUse::Combine, combination, includesOld, placesIn);
}

Result<Value> indexAdd(const KernelCall& call)
{
    return indexedRows(call, Combination::Sum, true);
}
Result<Value> indexCopy(const KernelCall& call)
{
    return indexedRows(call, Combination::Last, true);
}
Result<Value> indexReduce(const KernelCall& call)
{
    const auto how = combinationOf(call);
    return how ? indexedRows(call, *how, call.flag("include_self")) : exec::runOnHost(call);
}

// Rows of the gradient are added up at the rows of the table that they came from.
Result<Value> embeddingBackward(const KernelCall& call)
{
    REINSPECT_TRY(Tensor grad, call.tensor("grad_output"));
    REINSPECT_TRY(const Tensor indices, call.tensor("indices"));
    REINSPECT_TRY(const std::int64_t count, call.integer("num_weights"));
    REINSPECT_TRY(const std::int64_t padding, call.integer("padding_idx"));
    const bool fits = grad.rank() == indices.rank() + 1 && exec::isFloating(grad.dtype)
        && isCombined(grad.dtype) && exec::isIntegral(indices.dtype)
        && std::equal(indices.sizes.begin(), indices.sizes.end(), grad.sizes.begin());
    if (!fits || call.flag("scale_grad_by_freq") || !indices.storage->isOnDevice())
        return exec::runOnHost(call);
    const std::int64_t width = grad.sizes.back();
    REINSPECT_TRY(const Tensor result, call.result(grad.dtype, {count, width}));
    REINSPECT_CHECK(filled(call, result, 0));
    REINSPECT_TRY(Tensor numbers, denseAs(call, indices, indices.dtype));
    REINSPECT_TRY(grad, denseAs(call, grad, grad.dtype));
    numbers = reshaped(numbers, {indices.count()});
    Places places = *rowsAlong(result, 0, numbers, false);
    places.call.combination = Combination::Sum;
    REINSPECT_CHECK(writePlaces(call, places, IndexUse::Combine, result,
                                reshaped(grad, {indices.count(), width})));
    if (padding >= 0 && padding < count)
    {
        Tensor row = result;
        row.sizes[0] = 1;
        row.offset += padding * row.strides[0];
        REINSPECT_CHECK(filled(call, row, 0));
    }
    return Value(result);
}

const exec::KernelRow table[] = {
    {"aten.scatter.src", scatter},
    {"aten.scatter.value", fillPlaces<false>},
    {"aten.scatter.reduce", scatterByName},
    {"aten.scatter_add.default", scatterAdd},
    {"aten.scatter_reduce.two", scatterReduce},
    {"aten.index_add.default", indexAdd},
    {"aten.index_copy.default", indexCopy},
    {"aten.index_reduce.default", indexReduce},
    {"aten.index_fill.int_Scalar", fillPlaces<true>},
    {"aten.index_fill.int_Tensor", fillPlaces<true>},
    {"aten.embedding_dense_backward.default", embeddingBackward},
};

} // namespace

std::span<const exec::KernelRow> scatterRows()
{
    return table;
}

} // namespace reinspect::gpu
