// SPDX-License-Identifier: MIT
// gather and scatter walk the index tensor: its element (i, j, k) names the place along `dim`.
#include "core/exec/joined_rows.h"
#include "core/exec/operands.h"

#include <algorithm>
#include <cstring>

namespace reinspect::exec
{
namespace
{

Result<std::vector<std::int64_t>> placesAlong(const KernelCall& call, const Tensor& self,
                                              std::size_t dim, const Tensor& index)
{
    const std::size_t rank = std::max(self.rank(), index.rank());
    Sizes sizes = index.sizes;
    sizes.resize(rank, 1);
    Sizes strides = self.strides;
    strides.resize(rank, 0);
    const std::int64_t size = self.rank() == 0 ? 1 : self.sizes[dim];
    const std::int64_t step = self.rank() == 0 ? 0 : strides[dim];
    for (std::size_t d = 0; d < self.rank() && d < index.rank(); ++d)
        if (d != dim && index.sizes[d] > self.sizes[d])
            return call.error("an index of sizes " + sizesText(index.sizes)
                              + " is larger than the tensor's " + sizesText(self.sizes));
    if (dim < rank && self.rank() > 0)
        strides[dim] = 0;
    const std::vector<std::int64_t> numbers = readAll<std::int64_t>(index);
    std::vector<std::int64_t> places;
    places.reserve(numbers.size());
    std::optional<std::int64_t> outside;
    const Walk<1> walk(sizes, {&strides});
    walk.run({0}, [&](const auto& at, const auto& stride, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
        {
            const std::int64_t number = numbers[places.size()];
            if (number < 0 || number >= size)
                outside = number;
            places.push_back(at[0] + i * stride[0] + number * step);
        }
    });
    if (outside)
        return call.outOfRange(*outside, dim, size);
    return places;
}

Result<Value> gather(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor indices, call.tensor("index"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    REINSPECT_TRY(const auto places, placesAlong(call, self, dim, indices));
    REINSPECT_TRY(const Tensor result, call.result(self.dtype, indices.sizes));
    REINSPECT_TRY(const Tensor rows, call.scratch(self.dtype, indices.sizes));
    const std::int64_t width = self.elementBytes();
    for (std::size_t i = 0; i < places.size(); ++i)
        std::memcpy(rows.data() + static_cast<std::int64_t>(i) * width,
                    self.data() + places[i] * width, static_cast<std::size_t>(width));
    REINSPECT_CHECK(copyElements(result, rows));
    return Value(result);
}

Result<void> scatterInto(const KernelCall& call, const Tensor& self, bool adds)
{
    REINSPECT_TRY(const Tensor indices, call.tensor("index"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    REINSPECT_TRY(const auto places, placesAlong(call, self, dim, indices));
    REINSPECT_TRY(const Tensor values, call.scratch(self.dtype, indices.sizes));
    if (const Value* number = call.given("value"))
    {
        REINSPECT_TRY(const Value one, callKernel(call, "aten.scalar_tensor.default", {*number}));
        REINSPECT_CHECK(copyElements(values, *one.tensor()));
    }
    else
    {
        REINSPECT_TRY(Tensor source, call.tensor("src"));
        for (std::size_t d = 0; d < indices.rank(); ++d)
            if (d >= source.rank() || indices.sizes[d] > source.sizes[d])
                return call.error("a source of sizes " + sizesText(source.sizes)
                                  + " is smaller than the index's " + sizesText(indices.sizes));
        source.sizes = indices.sizes; // its first elements
        REINSPECT_CHECK(copyElements(values, source));
    }
    const std::int64_t width = self.elementBytes();
    for (std::size_t i = 0; i < places.size(); ++i)
        if (adds)
            addElement(self, places[i], values, static_cast<std::int64_t>(i));
        else
            std::memcpy(self.data() + places[i] * width,
                        values.data() + static_cast<std::int64_t>(i) * width,
                        static_cast<std::size_t>(width));
    return {};
}

template<bool Adds>
Result<Value> scatter(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor result,
                  call.result(self.dtype, self.sizes, 0, preservedStrides(self)));
    REINSPECT_CHECK(copyElements(result, self));
    const ScratchScope scope(*call.context);
    REINSPECT_CHECK(scatterInto(call, result, Adds));
    return Value(result);
}

Result<Value> scatterByName(const KernelCall& call)
{
    const std::string reduce = call.text("reduce");
    if (reduce == "add")
        return scatter<true>(call);
    return call.unsupported("scatter with reduce='" + reduce + "'");
}

const KernelRow table[] = {
    {"aten.gather.default", gather},
    {"aten.scatter.src", scatter<false>},
    {"aten.scatter.value", scatter<false>},
    {"aten.scatter.reduce", scatterByName},
    {"aten.scatter_add.default", scatter<true>},
};

} // namespace

std::span<const KernelRow> gatherKernels()
{
    static const std::vector<KernelRow> rows = joinedRows({table, embeddingBagRows()});
    return rows;
}

} // namespace reinspect::exec
