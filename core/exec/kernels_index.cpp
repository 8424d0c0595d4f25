// SPDX-License-Identifier: MIT
// Reading and writing at places that tensors of integers name.
#include "core/exec/kernel_registry.h"
#include "core/exec/operands.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace reinspect::exec
{
namespace
{

// Where the elements of an advanced indexing lie: for each index in `before`, `shape` and `after`, in this
// order, the element at the sum of the three offsets.
struct IndexedPlaces
{
    Sizes before, beforeStrides;      // dimensions that are not indexed
    Sizes shape;                      // of the index tensors, broadcast
    std::vector<std::int64_t> starts; // by element of `shape`
    Sizes after, afterStrides;

    Sizes sizes() const
    {
        Sizes all = before;
        all.insert(all.end(), shape.begin(), shape.end());
        all.insert(all.end(), after.begin(), after.end());
        return all;
    }

    // visit(offset from the tensor's first element, number of the element), in index order.
    template<typename Visit>
    void forEach(Visit&& visit) const
    {
        std::int64_t number = 0;
        const Walk<1> outer(before, {&beforeStrides});
        const Walk<1> inner(after, {&afterStrides});
        outer.run({0}, [&](const auto& at, const auto& stride, std::int64_t count) {
            for (std::int64_t i = 0; i < count; ++i)
                for (const std::int64_t start : starts)
                    inner.run({at[0] + i * stride[0] + start},
                              [&](const auto& place, const auto& step, std::int64_t length) {
                                  for (std::int64_t k = 0; k < length; ++k)
                                      visit(place[0] + k * step[0], number++);
                              });
        });
    }
};

// Index tensors by dimension; a mask becomes the places where it is true.
Result<std::vector<std::optional<Tensor>>> indexTensors(const KernelCall& call, const Tensor& self)
{
    std::vector<std::optional<Tensor>> list;
    const Value* given = call.given("indices");
    if (!given || !given->items())
        return call.error("argument 'indices' is not a list");
    for (const Value& item : *given->items())
    {
        const Tensor* index = item.tensor();
        if (!index)
        {
            list.emplace_back();
            continue;
        }
        if (index->dtype != DType::Bool && index->dtype != DType::UInt8)
        {
            if (!isIntegral(index->dtype))
                return call.error("indices are of dtype " + std::string(dtypeName(index->dtype)));
            list.emplace_back(*index);
            continue;
        }
        const ScratchScope scope(*call.context);
        REINSPECT_TRY(const Value found, callKernel(call, "aten.nonzero.default", {Value(*index)}));
        for (std::size_t d = 0; d < index->rank(); ++d)
        {
            if (list.size() < self.rank() && index->sizes[d] != self.sizes[list.size()])
                return call.error("a mask of sizes " + sizesText(index->sizes)
                                  + " does not fit a tensor of sizes " + sizesText(self.sizes));
            Tensor column = *found.tensor();
            column.offset += static_cast<std::int64_t>(d) * column.strides[1];
            column.sizes.pop_back();
            column.strides.pop_back();
            list.emplace_back(std::move(column));
        }
    }
    if (list.size() > self.rank())
        return call.error("more indices than dimensions");
    list.resize(self.rank());
    return list;
}

Result<void> addStarts(const KernelCall& call, const Tensor& self, std::size_t dim,
                       const Tensor& index, IndexedPlaces& places)
{
    REINSPECT_TRY(const Tensor wide, broadcastTo(index, places.shape));
    const std::vector<std::int64_t> numbers = readAll<std::int64_t>(wide);
    const std::int64_t size = self.sizes[dim];
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        const std::int64_t at = numbers[i] < 0 ? numbers[i] + size : numbers[i];
        if (at < 0 || at >= size)
            return call.outOfRange(numbers[i], dim, size);
        places.starts[i] += at * self.strides[dim];
    }
    return {};
}

Result<IndexedPlaces> placesOf(const KernelCall& call, const Tensor& self)
{
    REINSPECT_TRY(const auto indices, indexTensors(call, self));
    IndexedPlaces places;
    std::vector<std::size_t> indexed;
    for (std::size_t d = 0; d < indices.size(); ++d)
    {
        if (!indices[d])
            continue;
        indexed.push_back(d);
        auto shape = broadcastSizes(places.shape, indices[d]->sizes);
        if (!shape.ok())
            return call.error(shape.error().message);
        places.shape = std::move(*shape);
    }
    places.starts.assign(static_cast<std::size_t>(elementCount(places.shape).value_or(0)), 0);
    for (const std::size_t d : indexed)
        REINSPECT_CHECK(addStarts(call, self, d, *indices[d], places));
    // Indices side by side keep their place; otherwise theirs are the first dimensions.
    const bool adjacent = indexed.empty() || indexed.back() - indexed.front() + 1 == indexed.size();
    for (std::size_t d = 0; d < indices.size(); ++d)
    {
        if (indices[d])
            continue;
        const bool isBefore = adjacent && !indexed.empty() && d < indexed.front();
        (isBefore ? places.before : places.after).push_back(self.sizes[d]);
        (isBefore ? places.beforeStrides : places.afterStrides).push_back(self.strides[d]);
    }
    return places;
}

Result<Value> index(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const IndexedPlaces places, placesOf(call, self));
    REINSPECT_TRY(const Tensor result, call.result(self.dtype, places.sizes()));
    Tensor rows = result;
    if (!result.isContiguous())
    {
        REINSPECT_TRY(rows, call.scratch(self.dtype, places.sizes()));
    }
    const auto width = static_cast<std::size_t>(self.elementBytes());
    std::byte* out = rows.data();
    const std::byte* base = self.data();
    places.forEach([&](std::int64_t offset, std::int64_t) {
        std::memcpy(out, base + offset * static_cast<std::int64_t>(width), width);
        out += width;
    });
    REINSPECT_CHECK(copyElements(result, rows));
    return Value(result);
}

Result<void> putInto(const KernelCall& call, const Tensor& self)
{
    REINSPECT_TRY(const IndexedPlaces places, placesOf(call, self));
    REINSPECT_TRY(const Tensor given, call.tensor("values"));
    // Apart from `self`, which the values may be a view of.
    REINSPECT_TRY(const Tensor values, call.scratch(self.dtype, places.sizes()));
    if (const auto copied = copyElements(values, given); !copied.ok())
        return call.error(copied.error().message);
    const bool accumulates = call.flag("accumulate");
    const auto width = self.elementBytes();
    if (accumulates)
    {
        places.forEach([&](std::int64_t offset, std::int64_t number) {
            addElement(self, offset, values, number);
        });
        return {};
    }
    // Which of several values for one place stays is not defined by PyTorch. Here the first does, as where a
    // device's neighbouring threads write.
    std::vector<std::int64_t> order;
    order.reserve(static_cast<std::size_t>(values.count()));
    places.forEach([&](std::int64_t offset, std::int64_t) { order.push_back(offset); });
    for (std::size_t i = order.size(); i-- > 0;)
        std::memcpy(self.data() + order[i] * width,
                    values.data() + static_cast<std::int64_t>(i) * width,
                    static_cast<std::size_t>(width));
    return {};
}

Result<Value> indexPutInto(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_CHECK(putInto(call, self));
    return Value(self);
}

Result<Value> indexPut(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor result,
                  call.result(self.dtype, self.sizes, 0, preservedStrides(self)));
    REINSPECT_CHECK(copyElements(result, self));
    REINSPECT_CHECK(putInto(call, result));
    return Value(result);
}

Result<Value> indexSelect(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor indices, call.tensor("index"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    KernelCall inner = call;
    inner.schema = resolveKernel("aten.index.Tensor").schema;
    ListValue list;
    list.items.resize(dim);
    Tensor flat = indices;
    if (indices.rank() == 0)
    {
        flat.sizes = {1};
        flat.strides = {1};
    }
    list.items.emplace_back(flat);
    if (self.rank() == 0)
        return Value(self);
    inner.values = {Value(self), Value(std::move(list))};
    return index(inner);
}

Result<Value> nonzero(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor flags, call.scratch(DType::Bool, self.sizes));
    REINSPECT_CHECK(copyElements(flags, self));
    const auto values = readAll<std::int64_t>(flags);
    std::vector<std::int64_t> found;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        if (!values[i])
            continue;
        auto rest = static_cast<std::int64_t>(i);
        const std::size_t begin = found.size();
        found.resize(begin + self.rank());
        for (std::size_t d = self.rank(); d-- > 0; rest /= self.sizes[d])
            found[begin + d] = rest % self.sizes[d];
    }
    const auto hits = static_cast<std::int64_t>(
        std::ranges::count_if(values, [](std::int64_t v) { return v != 0; }));
    const auto rank = static_cast<std::int64_t>(self.rank());
    REINSPECT_TRY(const Tensor result, call.result(DType::Int64, {hits, rank}));
    writeAll<std::int64_t>(result, found);
    return Value(result);
}

Result<Value> maskedSelect(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor mask, call.tensor("mask"));
    REINSPECT_TRY(const Sizes sizes, broadcastSizes(self.sizes, mask.sizes));
    REINSPECT_TRY(const Tensor wide, broadcastTo(self, sizes));
    REINSPECT_TRY(const Tensor flags, broadcastTo(mask, sizes));
    return callKernel(call, "aten.index.Tensor", {Value(wide), listOf(std::vector<Tensor>{flags})});
}

const KernelRow table[] = {
    {"aten.index.Tensor", index},
    {"aten._unsafe_index.Tensor", index},
    {"aten.index_put.default", indexPut},
    {"aten._unsafe_index_put.default", indexPut},
    {"aten.index_put_.default", indexPutInto},
    {"aten._index_put_impl_.default", indexPutInto},
    {"aten.index_select.default", indexSelect},
    {"aten.nonzero.default", nonzero},
    {"aten.masked_select.default", maskedSelect, {}, RunsOn::Anywhere},
};

} // namespace

std::span<const KernelRow> indexKernels()
{
    return table;
}

} // namespace reinspect::exec
