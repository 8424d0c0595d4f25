// SPDX-License-Identifier: MIT
// Reading and writing at places that tensors of whole numbers or masks name: index, index_put, index_select, gather,
// nonzero. Schemas are those of core/exec/kernels_index.cpp and kernels_gather.cpp. Indices are checked on the device:
// one that is out of range is said when the run ends, and nothing is read or written there.
#include "core/gpu/gpu_rows.h"
#include "core/gpu/index_calls.h"

#include <algorithm>

namespace reinspect::gpu
{
namespace
{

using exec::KernelCall;
using exec::operandFrom;
using exec::Sizes;
using exec::Tensor;
using exec::Value;

Result<Value> index(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const auto indices, indicesOf(call, self));
    const auto places = indices ? placesOf(*indices, self) : std::nullopt;
    return places ? readPlaces(call, *places, self) : exec::runOnHost(call);
}

// One value wherever the only index, a mask, says so needs no places: the run does not wait for their number. The mask
// as wide as `self`; nothing: there are other indices, or it does not fit.
std::optional<Tensor> maskOfOneValue(const KernelCall& call, const Tensor& self,
                                     const Tensor& values)
{
    const Value* given = call.given("indices");
    std::optional<Tensor> mask;
    std::size_t first = 0;
    for (std::size_t d = 0; given && given->items() && d < given->items()->size(); ++d)
        if (const Tensor* found = (*given->items())[d].tensor())
        {
            if (mask || !isMask(*found) || !found->storage->isOnDevice())
                return {};
            mask = *found;
            first = d;
        }
    const auto skipped = static_cast<std::ptrdiff_t>(first);
    if (!mask || values.count() != 1 || call.flag("accumulate") || values.dtype != self.dtype
        || !isReadable(self.dtype) || !kindOf(self.dtype) || first + mask->rank() > self.rank()
        || !std::equal(mask->sizes.begin(), mask->sizes.end(), self.sizes.begin() + skipped))
        return {};
    Sizes strides(self.rank(), 0);
    std::ranges::copy(mask->strides, strides.begin() + skipped);
    mask->sizes = self.sizes;
    mask->strides = std::move(strides);
    return mask;
}

Result<void> putOneValue(const KernelCall& call, const Tensor& result, const Tensor& mask,
                         Tensor value)
{
    value.sizes.clear();
    value.strides.clear();
    return mapped(call, exec::Pointwise::Where, result,
                  {operandFrom(value), operandFrom(result), operandFrom(mask)}, result.dtype);
}

template<bool IsInPlace>
Result<Tensor> destination(const KernelCall& call, const Tensor& self)
{
    if (IsInPlace)
        return self;
    REINSPECT_TRY(const Tensor copy,
                  call.result(self.dtype, self.sizes, 0, exec::preservedStrides(self)));
    REINSPECT_CHECK(exec::copyElements(copy, self));
    return copy;
}

// Into `self`, or into a copy of it.
template<bool IsInPlace>
Result<Value> indexPut(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor values, call.tensor("values"));
    if (const auto mask = maskOfOneValue(call, self, values))
    {
        REINSPECT_TRY(const Tensor result, destination<IsInPlace>(call, self));
        REINSPECT_CHECK(putOneValue(call, result, *mask, values));
        return Value(result);
    }
    const IndexUse use = call.flag("accumulate") ? IndexUse::Add : IndexUse::Write;
    if (use == IndexUse::Add && !canAdd(self.dtype))
        return exec::runOnHost(call);
    REINSPECT_TRY(const auto indices, indicesOf(call, self));
    if (!indices || !placesOf(*indices, self))
        return exec::runOnHost(call);
    REINSPECT_TRY(const Tensor result, destination<IsInPlace>(call, self));
    REINSPECT_CHECK(writePlaces(call, *placesOf(*indices, result), use, result, values));
    return Value(result);
}

Result<Value> indexSelect(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor indices, call.tensor("index"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    const auto places = rowsAlong(self, dim, indices, true);
    return places ? readPlaces(call, *places, self) : exec::runOnHost(call);
}

Result<Value> gather(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor indices, call.tensor("index"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    const auto places = placesAlong(self, dim, indices);
    return places ? readPlaces(call, *places, self) : exec::runOnHost(call);
}

Result<Value> nonzero(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    if (!canSelect(self))
        return exec::runOnHost(call);
    REINSPECT_TRY(const std::vector<Tensor> columns, placesWhereTrue(call, self));
    const std::int64_t found = columns.front().sizes[0];
    REINSPECT_TRY(const Tensor result,
                  call.result(DType::Int64, {found, static_cast<std::int64_t>(self.rank())}));
    for (std::size_t d = 0; d < columns.size(); ++d)
    {
        Tensor column = result;
        column.offset += static_cast<std::int64_t>(d) * result.strides[1];
        column.sizes.pop_back();
        column.strides.pop_back();
        REINSPECT_CHECK(exec::copyElements(column, columns[d]));
    }
    return Value(result);
}

const exec::KernelRow table[] = {
    {"aten.index.Tensor", index},
    {"aten._unsafe_index.Tensor", index},
    {"aten.index_put.default", indexPut<false>},
    {"aten._unsafe_index_put.default", indexPut<false>},
    {"aten.index_put_.default", indexPut<true>},
    {"aten._index_put_impl_.default", indexPut<true>},
    {"aten.index_select.default", indexSelect},
    {"aten.gather.default", gather},
    {"aten.nonzero.default", nonzero},
};

} // namespace

std::span<const exec::KernelRow> indexRows()
{
    return table;
}

} // namespace reinspect::gpu
