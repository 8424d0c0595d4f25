// SPDX-License-Identifier: MIT
// Views: the same storage, other sizes, strides and offset.
#include "core/exec/elements.h"
#include "core/exec/joined_rows.h"
#include "core/exec/view_math.h"

#include <algorithm>

namespace reinspect::exec
{
namespace
{

Result<Tensor> first(const KernelCall& call)
{
    return call.tensor(call.schema->arguments.front().name);
}

// The error of a view, with the node's name.
Result<Value> named(const KernelCall& call, Result<Tensor> view)
{
    if (!view.ok())
        return call.error(view.error().message);
    return Value(std::move(*view));
}

Result<Value> same(const KernelCall& call)
{
    REINSPECT_TRY(Tensor self, first(call));
    return Value(std::move(self));
}

Result<Value> slice(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    REINSPECT_TRY(const std::int64_t step, call.integer("step"));
    return named(
        call, sliceOf(self, dim, call.optionalInteger("start"), call.optionalInteger("end"), step));
}

Result<Value> narrow(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    REINSPECT_TRY(std::int64_t start, call.integer("start"));
    REINSPECT_TRY(const std::int64_t length, call.integer("length"));
    start += start < 0 && self.rank() > 0 ? self.sizes[dim] : 0;
    if (self.rank() == 0 || start < 0 || length < 0 || length > self.sizes[dim] - start)
        return call.error("the part is outside of the dimension");
    return named(call, sliceOf(self, dim, start, start + length, 1));
}

Result<Value> select(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    REINSPECT_TRY(const std::int64_t index, call.integer("index"));
    return named(call, selectOf(self, dim, index));
}

Result<Value> diagonal(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t one, call.dimension("dim1", self));
    REINSPECT_TRY(const std::size_t two, call.dimension("dim2", self));
    REINSPECT_TRY(const std::int64_t offset, call.integer("offset"));
    return named(call, diagonalOf(self, offset, one, two));
}

Result<Value> asStrided(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(Sizes sizes, call.integers("size"));
    REINSPECT_TRY(Sizes strides, call.integers("stride"));
    const std::int64_t offset = call.optionalInteger("storage_offset").value_or(self.offset);
    return named(call, viewOf(self, std::move(sizes), std::move(strides), offset));
}

Result<Value> reshapeAlias(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(Sizes sizes, call.integers("size"));
    REINSPECT_TRY(Sizes strides, call.integers("stride"));
    return named(call, viewOf(self, std::move(sizes), std::move(strides), self.offset));
}

Result<Value> permuted(const KernelCall& call, const Tensor& self,
                       const std::vector<std::size_t>& order)
{
    Tensor view = self;
    std::vector<bool> seen(self.rank(), false);
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        if (seen[order[i]])
            return call.error("a dimension is named twice");
        seen[order[i]] = true;
        view.sizes[i] = self.sizes[order[i]];
        view.strides[i] = self.strides[order[i]];
    }
    return Value(std::move(view));
}

Result<Value> permute(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Sizes dims, call.integers("dims"));
    if (dims.size() != self.rank())
        return call.error("the order has " + std::to_string(dims.size())
                          + " dimensions, the tensor " + std::to_string(self.rank()));
    std::vector<std::size_t> order;
    for (const std::int64_t dim : dims)
    {
        REINSPECT_TRY(const std::size_t at, call.dimension(dim, self.rank()));
        order.push_back(at);
    }
    return permuted(call, self, order);
}

Result<Value> swapped(const KernelCall& call, std::string_view one, std::string_view two)
{
    REINSPECT_TRY(Tensor self, first(call));
    REINSPECT_TRY(const std::size_t a, call.dimension(one, self));
    REINSPECT_TRY(const std::size_t b, call.dimension(two, self));
    if (self.rank() == 0)
        return Value(self);
    std::swap(self.sizes[a], self.sizes[b]);
    std::swap(self.strides[a], self.strides[b]);
    return Value(std::move(self));
}

Result<Value> transpose(const KernelCall& call)
{
    return swapped(call, "dim0", "dim1");
}
Result<Value> swapAxes(const KernelCall& call)
{
    return swapped(call, "axis0", "axis1");
}

// t, mT, adjoint, numpy_T: the dimensions in reverse, or the last two swapped.
Result<Value> reversed(const KernelCall& call)
{
    REINSPECT_TRY(Tensor self, first(call));
    std::ranges::reverse(self.sizes);
    std::ranges::reverse(self.strides);
    return Value(std::move(self));
}

Result<Value> lastTwoSwapped(const KernelCall& call)
{
    REINSPECT_TRY(Tensor self, first(call));
    if (self.rank() < 2)
        return call.error("needs two dimensions");
    std::swap(self.sizes[self.rank() - 1], self.sizes[self.rank() - 2]);
    std::swap(self.strides[self.rank() - 1], self.strides[self.rank() - 2]);
    return Value(std::move(self));
}

Result<Value> movedim(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Sizes from, call.integers("source"));
    REINSPECT_TRY(const Sizes to, call.integers("destination"));
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::vector<std::size_t> order(self.rank(), none);
    std::vector<bool> used(self.rank(), false);
    for (std::size_t i = 0; i < from.size() && i < to.size(); ++i)
    {
        REINSPECT_TRY(const std::size_t source, call.dimension(from[i], self.rank()));
        REINSPECT_TRY(const std::size_t target, call.dimension(to[i], self.rank()));
        if (self.rank() == 0)
            return Value(self);
        order[target] = source;
        used[source] = true;
    }
    std::size_t next = 0;
    for (std::size_t& place : order)
        if (place == none)
        {
            while (next < used.size() && used[next])
                ++next;
            if (next == used.size())
                return call.error("a dimension is named twice");
            place = next++;
        }
    return permuted(call, self, order);
}

Result<Value> expand(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(Sizes sizes, call.integers("size"));
    if (sizes.size() < self.rank())
        return call.error("sizes " + sizesText(sizes) + " are fewer than the tensor's");
    for (std::size_t i = 0; i < self.rank(); ++i) // -1 keeps a size
        if (std::int64_t& size = sizes[sizes.size() - self.rank() + i]; size == -1)
            size = self.sizes[i];
    return named(call, broadcastTo(self, sizes));
}

Result<Value> expandAs(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor other, call.tensor("other"));
    return named(call, broadcastTo(self, other.sizes));
}

Result<Value> unsqueeze(const KernelCall& call)
{
    REINSPECT_TRY(Tensor self, first(call));
    REINSPECT_TRY(const std::int64_t dim, call.integer("dim"));
    REINSPECT_TRY(const std::size_t at, call.dimension(dim, self.rank() + 1));
    const auto place = static_cast<std::ptrdiff_t>(at);
    const std::int64_t stride = at < self.rank() ? self.sizes[at] * self.strides[at] : 1;
    self.sizes.insert(self.sizes.begin() + place, 1);
    self.strides.insert(self.strides.begin() + place, stride);
    return Value(std::move(self));
}

// Without the named dimensions that have size 1; "dim" left out means any.
Result<Value> squeeze(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, first(call));
    std::vector<bool> named(self.rank(), !call.has("dim"));
    Sizes dims;
    if (call.has("dim"))
    {
        REINSPECT_TRY(dims, call.integers("dim"));
    }
    for (const std::int64_t dim : dims)
    {
        REINSPECT_TRY(const std::size_t at, call.dimension(dim, self.rank()));
        if (self.rank() > 0)
            named[at] = true;
    }
    Tensor view = self;
    view.sizes.clear();
    view.strides.clear();
    for (std::size_t i = 0; i < self.rank(); ++i)
        if (!named[i] || self.sizes[i] != 1)
        {
            view.sizes.push_back(self.sizes[i]);
            view.strides.push_back(self.strides[i]);
        }
    return Value(std::move(view));
}

Result<Value> viewAs(const KernelCall& call, std::string_view name, bool mayCopy)
{
    REINSPECT_TRY(const Tensor self, first(call));
    REINSPECT_TRY(Sizes sizes, call.integers(name));
    const auto filled = filledSizes(self, std::move(sizes));
    if (!filled.ok())
        return call.error(filled.error().message);
    if (auto view = reshapedView(self, *filled))
        return Value(std::move(*view));
    if (!mayCopy)
        return call.error("sizes " + sizesText(*filled) + " are no view of a tensor with strides "
                          + sizesText(self.strides));
    REINSPECT_TRY(Tensor copy, call.allocate(self.dtype, self.sizes));
    REINSPECT_CHECK(copyElements(copy, self));
    call.context->copiedBytes += copy.storage->bytes();
    copy.strides = contiguousStrides(*filled);
    copy.sizes = *filled;
    return Value(std::move(copy));
}

Result<Value> view(const KernelCall& call)
{
    return viewAs(call, "size", false);
}
Result<Value> reshape(const KernelCall& call)
{
    return viewAs(call, "shape", true);
}

Result<Value> flatten(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t begin, call.dimension("start_dim", self));
    REINSPECT_TRY(const std::size_t end, call.dimension("end_dim", self));
    if (begin > end)
        return call.error("start_dim is behind end_dim");
    Sizes sizes(self.sizes.begin(),
                self.sizes.begin() + static_cast<std::ptrdiff_t>(std::min(begin, self.rank())));
    std::int64_t joined = 1;
    for (std::size_t i = begin; i <= end && i < self.rank(); ++i)
        joined *= self.sizes[i];
    sizes.push_back(joined);
    for (std::size_t i = end + 1; i < self.rank(); ++i)
        sizes.push_back(self.sizes[i]);
    KernelCall inner = call;
    return callKernel(inner, "aten.reshape.default",
                      {Value(self), listOf(std::vector<Value>(sizes.begin(), sizes.end()))});
}

Result<Value> viewDtype(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, first(call));
    return named(call, reinterpreted(self, call.dtype(self.dtype)));
}

Result<Value> unfold(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dimension", self));
    REINSPECT_TRY(const std::int64_t size, call.integer("size"));
    REINSPECT_TRY(const std::int64_t step, call.integer("step"));
    Tensor view = self;
    if (self.rank() == 0 || size < 0 || step < 1 || size > self.sizes[dim])
        return call.error("no windows of that size");
    view.sizes.push_back(size);
    view.strides.push_back(self.strides[dim]);
    view.sizes[dim] = (self.sizes[dim] - size) / step + 1;
    view.strides[dim] = self.strides[dim] * step;
    return Value(std::move(view));
}

Result<Value> contiguous(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, first(call));
    if (self.isContiguous())
        return Value(self);
    REINSPECT_TRY(const Tensor copy, call.result(self.dtype, self.sizes));
    REINSPECT_CHECK(copyElements(copy, self));
    call.context->copiedBytes += copy.storage->bytes();
    return Value(copy);
}

const KernelRow table[] = {
    {"aten.alias.default", same},
    {"aten.detach.default", same},
    {"aten.lift_fresh.default", same},
    {"aten.positive.default", same},
    {"aten.resolve_conj.default", same},
    {"aten.resolve_neg.default", same},
    {"aten.contiguous.default", contiguous},
    {"aten.slice.Tensor", slice},
    {"aten.narrow.default", narrow},
    {"aten.select.int", select},
    {"aten.diagonal.default", diagonal},
    {"aten.as_strided.default", asStrided},
    {"aten._reshape_alias.default", reshapeAlias},
    {"aten.permute.default", permute},
    {"aten.transpose.int", transpose},
    {"aten.swapaxes.default", swapAxes},
    {"aten.swapdims.default", transpose},
    {"aten.t.default", reversed},
    {"aten.numpy_T.default", reversed},
    {"aten.mT.default", lastTwoSwapped},
    {"aten.movedim.int", movedim},
    {"aten.movedim.intlist", movedim},
    {"aten.moveaxis.int", movedim},
    {"aten.moveaxis.intlist", movedim},
    {"aten.expand.default", expand},
    {"aten.broadcast_to.default", expand},
    {"aten.expand_as.default", expandAs},
    {"aten.unsqueeze.default", unsqueeze},
    {"aten.squeeze.default", squeeze},
    {"aten.squeeze.dim", squeeze},
    {"aten.squeeze.dims", squeeze},
    {"aten.view.default", view},
    {"aten._unsafe_view.default", view},
    {"aten.reshape.default", reshape},
    {"aten.flatten.using_ints", flatten},
    {"aten.view.dtype", viewDtype},
    {"aten.unfold.default", unfold},
};

} // namespace

std::span<const KernelRow> viewKernels()
{
    static const std::vector<KernelRow> rows = joinedRows({table, complexViewRows()});
    return rows;
}

} // namespace reinspect::exec
