// SPDX-License-Identifier: MIT
// A tensor cut into views, and tensors put together.
#include "core/exec/elements.h"
#include "core/exec/kernel_registry.h"
#include "core/exec/operands.h"
#include "core/exec/view_math.h"

#include <algorithm>

namespace reinspect::exec
{
namespace
{

// Views of these lengths, one behind the other.
Result<Value> cut(const KernelCall& call, const Tensor& self, std::size_t dim, const Sizes& lengths)
{
    ListValue parts;
    std::int64_t start = 0;
    for (const std::int64_t length : lengths)
    {
        if (length < 0 || self.rank() == 0 || start + length > self.sizes[dim])
            return call.error("the parts are longer than the dimension");
        auto part = sliceOf(self, dim, start, start + length, 1);
        if (!part.ok())
            return call.error(part.error().message);
        parts.items.emplace_back(std::move(*part));
        start += length;
    }
    return Value(std::move(parts));
}

Sizes evenLengths(std::int64_t size, std::int64_t step)
{
    Sizes lengths;
    for (std::int64_t at = 0; at < size; at += step)
        lengths.push_back(std::min(step, size - at));
    return lengths.empty() ? Sizes{0} : lengths;
}

Result<Value> splitEvenly(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    REINSPECT_TRY(const std::int64_t step, call.integer("split_size"));
    if (self.rank() == 0 || step < 1)
        return call.error("the size of the parts must be positive");
    return cut(call, self, dim, evenLengths(self.sizes[dim], step));
}

Result<Value> splitBySizes(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    REINSPECT_TRY(const Sizes lengths,
                  call.integers(call.has("split_sizes") ? "split_sizes" : "split_size"));
    return cut(call, self, dim, lengths);
}

Result<Value> chunk(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    REINSPECT_TRY(const std::int64_t chunks, call.integer("chunks"));
    if (self.rank() == 0 || chunks < 1)
        return call.error("the number of parts must be positive");
    const std::int64_t step = std::max<std::int64_t>((self.sizes[dim] + chunks - 1) / chunks, 1);
    return cut(call, self, dim, evenLengths(self.sizes[dim], step));
}

Result<Value> tensorSplit(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    REINSPECT_TRY(const std::int64_t sections, call.integer("sections"));
    if (self.rank() == 0 || sections < 1 || sections > std::int64_t{1} << 20)
        return call.error("the number of parts must be positive");
    Sizes lengths;
    for (std::int64_t i = 0; i < sections; ++i)
        lengths.push_back(self.sizes[dim] / sections + (i < self.sizes[dim] % sections ? 1 : 0));
    return cut(call, self, dim, lengths);
}

Result<Value> unbind(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    ListValue parts;
    if (self.rank() == 0)
        return call.error("needs a dimension");
    for (std::int64_t i = 0; i < self.sizes[dim]; ++i)
    {
        REINSPECT_TRY(Tensor part, selectOf(self, dim, i));
        parts.items.emplace_back(std::move(part));
    }
    return Value(std::move(parts));
}

DType commonType(const std::vector<Tensor>& tensors)
{
    ResultType type;
    for (const Tensor& tensor : tensors)
        type.add(tensor.dtype,
                 tensor.rank() > 0 ? ResultType::Rank::Dimensioned
                                   : ResultType::Rank::ZeroDimensional);
    return type.dtype();
}

Result<Value> cat(const KernelCall& call)
{
    REINSPECT_TRY(std::vector<Tensor> tensors, call.tensors("tensors"));
    const DType dtype = commonType(tensors);
    std::erase_if(tensors,
                  [&](const Tensor& t) { return tensors.size() > 1 && t.sizes == Sizes{0}; });
    if (tensors.empty())
        return call.error("no tensors");
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", tensors.front()));
    if (tensors.front().rank() == 0)
        return call.error("tensors without dimensions cannot be joined");
    Sizes sizes = tensors.front().sizes;
    sizes[dim] = 0;
    for (const Tensor& tensor : tensors)
    {
        Sizes others = tensor.sizes;
        if (others.size() == sizes.size())
            others[dim] = sizes[dim];
        if (others != sizes)
            return call.error("sizes " + sizesText(tensor.sizes) + " do not fit "
                              + sizesText(tensors.front().sizes));
        sizes[dim] += tensor.sizes[dim];
    }
    REINSPECT_TRY(const Tensor result, call.result(dtype, sizes));
    std::int64_t start = 0;
    for (const Tensor& tensor : tensors)
    {
        REINSPECT_TRY(const Tensor place,
                      sliceOf(result, dim, start, start + tensor.sizes[dim], 1));
        REINSPECT_CHECK(copyElements(place, tensor));
        start += tensor.sizes[dim];
    }
    return Value(result);
}

Result<Value> stack(const KernelCall& call)
{
    REINSPECT_TRY(const std::vector<Tensor> tensors, call.tensors("tensors"));
    if (tensors.empty())
        return call.error("no tensors");
    REINSPECT_TRY(const std::int64_t given, call.integer("dim"));
    REINSPECT_TRY(const std::size_t dim, call.dimension(given, tensors.front().rank() + 1));
    Sizes sizes = tensors.front().sizes;
    sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(dim),
                 static_cast<std::int64_t>(tensors.size()));
    REINSPECT_TRY(const Tensor result, call.result(commonType(tensors), sizes));
    for (std::size_t i = 0; i < tensors.size(); ++i)
    {
        if (tensors[i].sizes != tensors.front().sizes)
            return call.error("tensors of different sizes");
        REINSPECT_TRY(const Tensor place, selectOf(result, dim, static_cast<std::int64_t>(i)));
        REINSPECT_CHECK(copyElements(place, tensors[i]));
    }
    return Value(result);
}

const KernelRow table[] = {
    {"aten.split.Tensor", splitEvenly},
    {"aten.unsafe_split.Tensor", splitEvenly},
    {"aten.split.sizes", splitBySizes},
    {"aten.split_with_sizes.default", splitBySizes},
    {"aten.unsafe_split_with_sizes.default", splitBySizes},
    {"aten.chunk.default", chunk},
    {"aten.unsafe_chunk.default", chunk},
    {"aten.tensor_split.sections", tensorSplit},
    {"aten.unbind.int", unbind},
    {"aten.cat.default", cat},
    {"aten.stack.default", stack},
};

} // namespace

std::span<const KernelRow> partKernels()
{
    return table;
}

} // namespace reinspect::exec
