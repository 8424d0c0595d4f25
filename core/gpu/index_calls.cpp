// SPDX-License-Identifier: MIT
#include "core/gpu/index_calls.h"

#include <algorithm>
#include <limits>

namespace reinspect::gpu
{
namespace
{

using exec::KernelCall;
using exec::operandFrom;
using exec::Pointwise;
using exec::Sizes;
using exec::Tensor;
using exec::Value;

void setColumn(IndexColumn& column, const Tensor& index, const Sizes& shape, std::int64_t size,
               std::int64_t step, std::size_t dimension)
{
    column.data = index.storage->address() + index.offset * index.elementBytes();
    column.dtype = index.dtype;
    const std::size_t added = shape.size() - index.rank();
    for (std::size_t d = 0; d < index.rank(); ++d)
        column.strides[d + added] = index.sizes[d] == 1 ? 0 : index.strides[d];
    column.size = size;
    column.step = step;
    column.dimension = static_cast<int>(dimension);
}

void addDimension(int& rank, std::int64_t* sizes, std::int64_t* strides, std::int64_t size,
                  std::int64_t stride)
{
    sizes[rank] = size;
    strides[rank] = stride;
    ++rank;
}

Sizes sizesOf(const IndexCall& call)
{
    Sizes sizes(call.before, call.before + call.beforeRank);
    sizes.insert(sizes.end(), call.shape, call.shape + call.shapeRank);
    sizes.insert(sizes.end(), call.after, call.after + call.afterRank);
    return sizes;
}

bool isPlaceType(const Tensor& index)
{
    return exec::isIntegral(index.dtype) && index.storage->isOnDevice()
        && index.rank() <= kMostDimensions;
}

Result<void> start(const KernelCall& call, IndexCall job, IndexUse use, const Tensor& self,
                   const Tensor& values)
{
    job.use = use;
    job.dtype = self.dtype;
    job.width = static_cast<int>(self.elementBytes());
    job.tensor = self.storage->address() + self.offset * self.elementBytes();
    job.values = values.storage->address() + values.offset * values.elementBytes();
    return checked(call, gpuOf(call).api().index(job));
}

} // namespace

bool isMask(const Tensor& tensor)
{
    return tensor.dtype == DType::Bool || tensor.dtype == DType::UInt8;
}

bool canSelect(const Tensor& mask)
{
    return isReadable(mask.dtype) && mask.storage->isOnDevice() && mask.rank() > 0
        && mask.rank() <= kMostDimensions && mask.count() <= std::numeric_limits<int>::max();
}

Result<std::vector<Tensor>> placesWhereTrue(const KernelCall& call, const Tensor& mask)
{
    const exec::ScratchScope scope(*call.context);
    REINSPECT_TRY(const Tensor flags, denseAs(call, mask, DType::Bool));
    REINSPECT_TRY(Tensor places, call.scratch(DType::Int64, {mask.count()}));
    std::int64_t found = 0;
    REINSPECT_CHECK(
        checked(call,
                gpuOf(call).api().select(flags.storage->address() + flags.offset, mask.count(),
                                         reinterpret_cast<std::int64_t*>(places.storage->address()),
                                         found)));
    places.sizes = {found};
    std::vector<Tensor> columns;
    std::int64_t inner = mask.count();
    for (std::size_t d = 0; d < mask.rank() && mask.rank() > 1; ++d)
    {
        REINSPECT_TRY(const Tensor column, call.scratch(DType::Int64, {found}));
        if (found > 0)
        {
            inner /= mask.sizes[d];
            const auto number = [](std::int64_t value) {
                return exec::Operand{{}, Value(value), DType::Int64};
            };
            REINSPECT_CHECK(mapped(call, Pointwise::FloorQuotient, column,
                                   {operandFrom(places), number(inner)}, DType::Int64));
            REINSPECT_CHECK(mapped(call, Pointwise::Remainder, column,
                                   {operandFrom(column), number(mask.sizes[d])}, DType::Int64));
        }
        columns.push_back(column);
    }
    return mask.rank() == 1 ? std::vector<Tensor>{places} : columns;
}

Result<std::optional<Indices>> indicesOf(const KernelCall& call, const Tensor& self)
{
    const std::optional<Indices> none;
    Indices list;
    const Value* given = call.given("indices");
    if (!given || !given->items() || self.rank() > kMostDimensions)
        return none;
    for (const Value& item : *given->items())
    {
        const Tensor* index = item.tensor();
        if (!index)
        {
            list.emplace_back();
            continue;
        }
        if (!isMask(*index))
        {
            if (!isPlaceType(*index))
                return none;
            list.emplace_back(*index);
            continue;
        }
        if (!canSelect(*index) || list.size() + index->rank() > self.rank()
            || !std::equal(index->sizes.begin(), index->sizes.end(),
                           self.sizes.begin() + std::ssize(list)))
            return none;
        REINSPECT_TRY(const auto columns, placesWhereTrue(call, *index));
        list.insert(list.end(), columns.begin(), columns.end());
    }
    const auto columns = std::ranges::count_if(list, [](const auto& index) { return !!index; });
    if (list.size() > self.rank() || columns > kMostIndices)
        return none;
    list.resize(self.rank());
    return std::optional<Indices>(std::move(list));
}

std::optional<Places> placesOf(const Indices& indices, const Tensor& self)
{
    Places places;
    Sizes shape;
    std::vector<std::size_t> indexed;
    for (std::size_t d = 0; d < indices.size(); ++d)
    {
        if (!indices[d])
            continue;
        indexed.push_back(d);
        auto wide = exec::broadcastSizes(shape, indices[d]->sizes);
        if (!wide.ok())
            return {};
        shape = std::move(*wide);
    }
    if (shape.size() > kMostDimensions)
        return {};
    IndexCall& made = places.call;
    for (const std::size_t d : indexed)
        setColumn(made.column[made.columns++], *indices[d], shape, self.sizes[d], self.strides[d],
                  d);
    const bool adjacent = indexed.empty() || indexed.back() - indexed.front() + 1 == indexed.size();
    for (std::size_t d = 0; d < indices.size(); ++d)
    {
        if (indices[d])
            continue;
        if (adjacent && !indexed.empty() && d < indexed.front())
            addDimension(made.beforeRank, made.before, made.beforeStrides, self.sizes[d],
                         self.strides[d]);
        else
            addDimension(made.afterRank, made.after, made.afterStrides, self.sizes[d],
                         self.strides[d]);
    }
    for (const std::int64_t size : shape)
        addDimension(made.shapeRank, made.shape, made.shapeStrides, size, 0);
    places.sizes = sizesOf(made);
    return places;
}

std::optional<Places> placesAlong(const Tensor& self, std::size_t dim, const Tensor& index)
{
    if (self.rank() == 0 || self.rank() > kMostDimensions || index.rank() != self.rank()
        || !isPlaceType(index))
        return {};
    Places places{{}, index.sizes};
    IndexCall& job = places.call;
    job.countsFromEnd = false;
    for (std::size_t d = 0; d < self.rank(); ++d)
    {
        if (d != dim && index.sizes[d] > self.sizes[d])
            return {};
        addDimension(job.shapeRank, job.shape, job.shapeStrides, index.sizes[d],
                     d == dim ? 0 : self.strides[d]);
    }
    setColumn(job.column[job.columns++], index, index.sizes, self.sizes[dim], self.strides[dim],
              dim);
    return places;
}

std::optional<Places> rowsAlong(const Tensor& self, std::size_t dim, const Tensor& index,
                                bool countsFromEnd)
{
    if (self.rank() == 0 || self.rank() > kMostDimensions || index.rank() > 1
        || !isPlaceType(index))
        return {};
    Places places;
    IndexCall& job = places.call;
    job.countsFromEnd = countsFromEnd;
    for (std::size_t d = 0; d < self.rank(); ++d)
        if (d < dim)
            addDimension(job.beforeRank, job.before, job.beforeStrides, self.sizes[d],
                         self.strides[d]);
        else if (d > dim)
            addDimension(job.afterRank, job.after, job.afterStrides, self.sizes[d],
                         self.strides[d]);
    const Sizes shape{index.count()};
    addDimension(job.shapeRank, job.shape, job.shapeStrides, shape[0], 0);
    setColumn(job.column[job.columns++], index, shape, self.sizes[dim], self.strides[dim], dim);
    places.sizes = sizesOf(job);
    return places;
}

Result<Value> readPlaces(const KernelCall& call, const Places& places, const Tensor& self)
{
    REINSPECT_TRY(const Tensor result, call.result(self.dtype, places.sizes));
    Tensor rows = result;
    if (!result.isContiguous())
    {
        REINSPECT_TRY(rows, call.scratch(self.dtype, places.sizes));
    }
    REINSPECT_CHECK(start(call, places.call, IndexUse::Read, self, rows));
    REINSPECT_CHECK(exec::copyElements(result, rows));
    return Value(result);
}

bool canAdd(DType dtype)
{
    return dtype == DType::Float32 || dtype == DType::Float64 || dtype == DType::Float16
        || dtype == DType::BFloat16 || dtype == DType::Int32 || dtype == DType::Int64;
}

Result<void> writePlaces(const KernelCall& call, const Places& places, IndexUse use,
                         const Tensor& self, const Tensor& given)
{
    // Apart from `self`, which the values may be a view of.
    REINSPECT_TRY(const Tensor values, call.scratch(self.dtype, places.sizes));
    if (const auto copied = exec::copyElements(values, given); !copied.ok())
        return call.error(copied.error().message);
    call.context->hasAtomics =
        call.context->hasAtomics || (use == IndexUse::Add && exec::isFloating(self.dtype));
    return start(call, places.call, use, self, values);
}

} // namespace reinspect::gpu
