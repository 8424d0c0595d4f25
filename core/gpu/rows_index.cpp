// SPDX-License-Identifier: MIT
// Reading and writing at places that tensors of whole numbers name: index, index_put, gather, scatter. Schemas are
// those of core/exec/kernels_index.cpp and kernels_gather.cpp. Indices are checked on the device: one that is out of
// range is said when the run ends, and nothing is read or written there.
#include "core/exec/elements.h"
#include "core/gpu/gpu_device.h"
#include "core/gpu/gpu_rows.h"

#include <algorithm>

namespace reinspect::gpu
{
namespace
{

using exec::KernelCall;
using exec::Sizes;
using exec::Tensor;
using exec::Value;

struct Places
{
    IndexCall call;
    Sizes sizes; // of what is read or written
};

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

// Index tensors by dimension; nothing: a mask, one on the host, or more than the kernels take.
std::optional<std::vector<std::optional<Tensor>>> indicesOf(const KernelCall& call,
                                                            const Tensor& self)
{
    std::vector<std::optional<Tensor>> list;
    const Value* given = call.given("indices");
    if (!given || !given->items() || given->items()->size() > self.rank()
        || self.rank() > kMostDimensions)
        return {};
    int columns = 0;
    for (const Value& item : *given->items())
    {
        const Tensor* index = item.tensor();
        if (!index)
        {
            list.emplace_back();
            continue;
        }
        const bool isNumber = exec::isIntegral(index->dtype) && index->dtype != DType::Bool
            && index->dtype != DType::UInt8;
        if (!isNumber || !index->storage->isOnDevice() || ++columns > kMostIndices)
            return {};
        list.emplace_back(*index);
    }
    list.resize(self.rank());
    return list;
}

// As placesOf() of kernels_index.cpp: indices side by side keep their place, otherwise theirs are the first.
std::optional<Places> placesOf(const KernelCall& call, const Tensor& self)
{
    const auto indices = indicesOf(call, self);
    if (!indices)
        return {};
    Places places;
    Sizes shape;
    std::vector<std::size_t> indexed;
    for (std::size_t d = 0; d < indices->size(); ++d)
    {
        if (!(*indices)[d])
            continue;
        indexed.push_back(d);
        auto wide = exec::broadcastSizes(shape, (*indices)[d]->sizes);
        if (!wide.ok())
            return {};
        shape = std::move(*wide);
    }
    if (shape.size() > kMostDimensions)
        return {};
    IndexCall& made = places.call;
    for (const std::size_t d : indexed)
        setColumn(made.column[made.columns++], *(*indices)[d], shape, self.sizes[d],
                  self.strides[d], d);
    const bool adjacent = indexed.empty() || indexed.back() - indexed.front() + 1 == indexed.size();
    for (std::size_t d = 0; d < indices->size(); ++d)
    {
        if ((*indices)[d])
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
    places.sizes.assign(made.before, made.before + made.beforeRank);
    places.sizes.insert(places.sizes.end(), shape.begin(), shape.end());
    places.sizes.insert(places.sizes.end(), made.after, made.after + made.afterRank);
    return places;
}

Result<void> start(const KernelCall& call, IndexCall& job, IndexUse use, const Tensor& self,
                   const Tensor& values)
{
    job.use = use;
    job.dtype = self.dtype;
    job.width = static_cast<int>(self.elementBytes());
    job.tensor = self.storage->address() + self.offset * self.elementBytes();
    job.values = values.storage->address() + values.offset * values.elementBytes();
    GpuDevice& device = gpuOf(call);
    const auto done = device.check(device.api().index(job));
    return done.ok() ? Result<void>()
                     : Result<void>(call.error(done.error().message, done.error().kind));
}

// The elements at the places, as a result of these sizes.
Result<Value> read(const KernelCall& call, IndexCall job, const Tensor& self, const Sizes& sizes)
{
    REINSPECT_TRY(const Tensor result, call.result(self.dtype, sizes));
    Tensor rows = result;
    if (!result.isContiguous())
    {
        REINSPECT_TRY(rows, call.scratch(self.dtype, sizes));
    }
    REINSPECT_CHECK(start(call, job, IndexUse::Read, self, rows));
    REINSPECT_CHECK(exec::copyElements(result, rows));
    return Value(result);
}

bool canAdd(DType dtype)
{
    return dtype == DType::Float32 || dtype == DType::Float64 || dtype == DType::Float16
        || dtype == DType::BFloat16 || dtype == DType::Int32 || dtype == DType::Int64;
}

Result<void> write(const KernelCall& call, IndexCall job, IndexUse use, const Tensor& self,
                   const Sizes& sizes, const Tensor& given)
{
    // Apart from `self`, which the values may be a view of.
    REINSPECT_TRY(const Tensor values, call.scratch(self.dtype, sizes));
    if (const auto copied = exec::copyElements(values, given); !copied.ok())
        return call.error(copied.error().message);
    call.context->hasAtomics =
        call.context->hasAtomics || (use == IndexUse::Add && exec::isFloating(self.dtype));
    return start(call, job, use, self, values);
}

Result<Value> index(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    const auto places = placesOf(call, self);
    return places ? read(call, places->call, self, places->sizes) : exec::runOnHost(call);
}

// Into `self`, or into a copy of it.
template<bool IsInPlace>
Result<Value> indexPut(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor given, call.tensor("values"));
    const auto places = placesOf(call, self);
    const IndexUse use = call.flag("accumulate") ? IndexUse::Add : IndexUse::Write;
    if (!places || (use == IndexUse::Add && !canAdd(self.dtype)))
        return exec::runOnHost(call);
    Tensor result = self;
    if (!IsInPlace)
    {
        REINSPECT_TRY(result, call.result(self.dtype, self.sizes, 0, exec::preservedStrides(self)));
        REINSPECT_CHECK(exec::copyElements(result, self));
    }
    const Places there = IsInPlace ? *places : *placesOf(call, result); // a copy is laid out anew
    REINSPECT_CHECK(write(call, there.call, use, result, there.sizes, given));
    return Value(result);
}

// The element (i, j, k) of the index names the place along `dim`. Nothing where the host is to say what is odd.
std::optional<IndexCall> placesAlong(const Tensor& self, std::size_t dim, const Tensor& index)
{
    if (self.rank() == 0 || self.rank() > kMostDimensions || index.rank() != self.rank()
        || !exec::isIntegral(index.dtype) || !index.storage->isOnDevice())
        return {};
    IndexCall job;
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
    return job;
}

Result<Value> gather(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor indices, call.tensor("index"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    const auto job = placesAlong(self, dim, indices);
    return job ? read(call, *job, self, indices.sizes) : exec::runOnHost(call);
}

template<IndexUse Use>
Result<Value> scatter(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor indices, call.tensor("index"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    const auto source = call.optionalTensor("src");
    const bool fits = source && source->rank() == indices.rank()
        && std::ranges::equal(indices.sizes, source->sizes, std::ranges::less_equal());
    if (!fits || !placesAlong(self, dim, indices) || (Use == IndexUse::Add && !canAdd(self.dtype)))
        return exec::runOnHost(call);
    REINSPECT_TRY(const Tensor result,
                  call.result(self.dtype, self.sizes, 0, exec::preservedStrides(self)));
    REINSPECT_CHECK(exec::copyElements(result, self));
    Tensor values = *source;
    values.sizes = indices.sizes; // its first elements
    REINSPECT_CHECK(
        write(call, *placesAlong(result, dim, indices), Use, result, indices.sizes, values));
    return Value(result);
}

const exec::KernelRow table[] = {
    {"aten.index.Tensor", index},
    {"aten._unsafe_index.Tensor", index},
    {"aten.index_put.default", indexPut<false>},
    {"aten._unsafe_index_put.default", indexPut<false>},
    {"aten.index_put_.default", indexPut<true>},
    {"aten._index_put_impl_.default", indexPut<true>},
    {"aten.gather.default", gather},
    {"aten.scatter_add.default", scatter<IndexUse::Add>},
};

} // namespace

std::span<const exec::KernelRow> indexRows()
{
    return table;
}

} // namespace reinspect::gpu
