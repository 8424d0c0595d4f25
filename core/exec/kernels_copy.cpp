// SPDX-License-Identifier: MIT
// Copies: clone, copy, casts, and the forms that write a part of a copy (the *_scatter family).
#include "core/exec/kernel_registry.h"
#include "core/exec/operands.h"
#include "core/exec/view_math.h"

namespace reinspect::exec
{
namespace
{

Sizes stridesFor(const KernelCall& call, const Tensor& like)
{
    const std::string_view format = call.constant("memory_format");
    if (format == "contiguous_format")
        return contiguousStrides(like.sizes);
    const bool isFour = format == "channels_last" && like.rank() == 4;
    const bool isFive = format == "channels_last_3d" && like.rank() == 5;
    if (!isFour && !isFive)
        return preservedStrides(like);
    Sizes strides(like.rank(), 1);
    std::int64_t step = like.sizes[1];
    for (std::size_t i = like.rank(); i-- > 2;)
    {
        strides[i] = step;
        step *= like.sizes[i];
    }
    strides[0] = step;
    return strides;
}

Result<Value> copyAs(const KernelCall& call, const Tensor& self, DType dtype)
{
    REINSPECT_TRY(const Tensor result, call.result(dtype, self.sizes, 0, stridesFor(call, self)));
    REINSPECT_CHECK(copyElements(result, self));
    call.context->copiedBytes += result.storage->bytes();
    return Value(result);
}

Result<Value> clone(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor(call.schema->arguments.front().name));
    return copyAs(call, self, self.dtype);
}

Result<Value> toCopy(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    return copyAs(call, self, call.dtype(self.dtype));
}

Result<Value> convertElementType(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("a"));
    return copyAs(call, self, call.dtype(self.dtype));
}

// aten.to.*: the tensor itself when nothing changes.
Result<Value> to(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    const DType dtype = call.dtype(self.dtype);
    if (dtype == self.dtype && !call.flag("copy"))
        return Value(self);
    return copyAs(call, self, dtype);
}

Result<void> write(const KernelCall& call, const Tensor& to, const Value& from)
{
    if (const Tensor* tensor = from.tensor())
    {
        const auto copied = copyElements(to, *tensor);
        return copied.ok() ? Result<void>() : Result<void>(call.error(copied.error().message));
    }
    const auto number = from.number();
    if (!number)
        return call.error("what is to be copied is " + kindText(from));
    REINSPECT_TRY(const Tensor one,
                  call.scratch(from.as<double>() ? DType::Float64 : DType::Int64, {}));
    if (from.as<double>())
        writeAll<double>(one, std::vector<double>{*number});
    else
        writeAll<std::int64_t>(one, std::vector<std::int64_t>{from.integer().value_or(0)});
    return copyElements(to, one);
}

Result<Value> copyInto(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    const Value* source = call.given("src");
    if (!source)
        return call.error("argument 'src' is missing");
    REINSPECT_CHECK(write(call, self, *source));
    if (const Tensor* from = source->tensor();
        !from || from->storage != self.storage || from->offset != self.offset)
        call.context->copiedBytes += self.count() * self.elementBytes();
    return Value(self);
}

enum class Offset
{
    Kept,
    Zero, // as the metadata of a traced graph has it, on which what follows relies
};

// A copy of everything in the storage, and in it the same view. Mirrors clone_preserve_strides of the
// functional scatters; a tensor with elements that are one has no such copy and gets a dense one.
Result<Tensor> cloneOfStorage(const KernelCall& call, const Tensor& self, Offset offset)
{
    bool overlaps = false;
    for (std::size_t i = 0; i < self.rank(); ++i)
        overlaps = overlaps || (self.sizes[i] > 1 && self.strides[i] == 0);
    const std::int64_t width = std::max<std::int64_t>(self.elementBytes(), 1);
    if (overlaps || self.storage->bytes() % width != 0)
    {
        REINSPECT_TRY(const Tensor dense,
                      call.result(self.dtype, self.sizes, 0, preservedStrides(self)));
        REINSPECT_CHECK(copyElements(dense, self));
        return dense;
    }
    const std::int64_t length = self.storage->bytes() / width;
    REINSPECT_TRY(const Tensor flat, call.allocate(self.dtype, {length}));
    const std::int64_t first = offset == Offset::Kept ? 0 : self.offset;
    REINSPECT_TRY(const Tensor from, viewOf(self, {length - first}, {1}, first));
    REINSPECT_TRY(const Tensor to, viewOf(flat, {length - first}, {1}, 0));
    REINSPECT_CHECK(copyElements(to, from));
    call.context->copiedBytes += flat.storage->bytes();
    return viewOf(flat, self.sizes, self.strides, self.offset - first);
}

Result<Value> copyOut(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor source, call.tensor("src"));
    REINSPECT_TRY(const Tensor result, cloneOfStorage(call, self, Offset::Kept));
    REINSPECT_CHECK(write(call, result, Value(source)));
    return Value(result);
}

Result<Value> fillInto(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    const Value* value = call.given("value");
    REINSPECT_CHECK(write(call, self, value ? *value : Value()));
    return Value(self);
}

Result<Value> zeroInto(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_CHECK(write(call, self, Value(std::int64_t{0})));
    return Value(self);
}

// A copy with `src` written into the view that `part` finds in it.
template<typename Part>
Result<Value> scatter(const KernelCall& call, Part&& part)
{
    const std::string_view name = call.schema->arguments.front().name;
    REINSPECT_TRY(const Tensor self, call.tensor(name));
    REINSPECT_TRY(const Tensor source, call.tensor("src"));
    REINSPECT_TRY(const Tensor result, cloneOfStorage(call, self, Offset::Zero));
    auto place = part(result);
    if (!place.ok())
        return call.error(place.error().message);
    if (place->sizes != source.sizes)
        return call.error("a source of sizes " + sizesText(source.sizes)
                          + " does not fit a part of sizes " + sizesText(place->sizes));
    REINSPECT_CHECK(write(call, *place, Value(source)));
    return Value(result);
}

Result<Value> sliceScatter(const KernelCall& call)
{
    return scatter(call, [&](const Tensor& base) -> Result<Tensor> {
        REINSPECT_TRY(const std::size_t dim, call.dimension("dim", base));
        REINSPECT_TRY(const std::int64_t step, call.integer("step"));
        return sliceOf(base, dim, call.optionalInteger("start"), call.optionalInteger("end"), step);
    });
}

Result<Value> selectScatter(const KernelCall& call)
{
    return scatter(call, [&](const Tensor& base) -> Result<Tensor> {
        REINSPECT_TRY(const std::size_t dim, call.dimension("dim", base));
        REINSPECT_TRY(const std::int64_t index, call.integer("index"));
        return selectOf(base, dim, index);
    });
}

Result<Value> diagonalScatter(const KernelCall& call)
{
    return scatter(call, [&](const Tensor& base) -> Result<Tensor> {
        REINSPECT_TRY(const std::size_t one, call.dimension("dim1", base));
        REINSPECT_TRY(const std::size_t two, call.dimension("dim2", base));
        REINSPECT_TRY(const std::int64_t offset, call.integer("offset"));
        return diagonalOf(base, offset, one, two);
    });
}

Result<Value> asStridedScatter(const KernelCall& call)
{
    return scatter(call, [&](const Tensor& base) -> Result<Tensor> {
        REINSPECT_TRY(Sizes sizes, call.integers("size"));
        REINSPECT_TRY(Sizes strides, call.integers("stride"));
        return viewOf(base, std::move(sizes), std::move(strides),
                      call.optionalInteger("storage_offset").value_or(base.offset));
    });
}

// Phase 1 of the pass: a copy of `inp` with `src` written through the listed views; the in-place twin
// writes into `inp` itself.
Result<Tensor> throughViews(const KernelCall& call, Tensor place, const std::vector<Value>& views)
{
    for (const Value& step : views)
    {
        const ViewStep* view = step.as<ViewStep>();
        if (!view)
            return call.error("a view of a generalized scatter is " + kindText(step));
        std::vector<Value> args{Value(place)};
        args.insert(args.end(), view->args.begin(), view->args.end());
        REINSPECT_TRY(const Value next,
                      callKernel(call, view->target, std::move(args), view->kwargs));
        if (!next.tensor())
            return call.error("a view of a generalized scatter is no tensor");
        place = *next.tensor();
    }
    return place;
}

Result<Value> generalizedScatterInto(const KernelCall& call, const Tensor& base)
{
    const Value* views = call.given("view_ops");
    const Value* source = call.given("src");
    if (!views || !views->items() || !source)
        return call.error("a generalized scatter needs a source and views");
    REINSPECT_TRY(const Tensor place, throughViews(call, base, *views->items()));
    REINSPECT_CHECK(write(call, place, *source));
    return Value(base);
}

Result<Value> generalizedScatter(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("inp"));
    REINSPECT_TRY(const Tensor result,
                  call.result(self.dtype, self.sizes, 0, preservedStrides(self)));
    REINSPECT_CHECK(copyElements(result, self));
    call.context->copiedBytes += result.storage->bytes();
    return generalizedScatterInto(call, result);
}

Result<Value> inplaceGeneralizedScatter(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("inp"));
    return generalizedScatterInto(call, self);
}

constexpr std::string_view kScatterSchema =
    "reinplace::_generalized_scatter(Tensor inp, Tensor src, t[] view_ops) -> Tensor";

const KernelRow table[] = {
    {"aten.clone.default", clone},
    {"prims.clone.default", clone},
    {"aten._to_copy.default", toCopy},
    {"aten.to.dtype", to},
    {"aten.to.device", to},
    {"aten.to.dtype_layout", to},
    {"prims.convert_element_type.default", convertElementType},
    {"prims.device_put.default", clone},
    {"aten.copy_.default", copyInto},
    {"aten.copy.default", copyOut},
    {"aten.fill_.Scalar", fillInto},
    {"aten.fill_.Tensor", fillInto},
    {"aten.zero_.default", zeroInto},
    {"aten.slice_scatter.default", sliceScatter},
    {"aten.select_scatter.default", selectScatter},
    {"aten.diagonal_scatter.default", diagonalScatter},
    {"aten.as_strided_scatter.default", asStridedScatter},
    {"torch._inductor.fx_passes.reinplace._generalized_scatter", generalizedScatter,
     kScatterSchema},
    {"torch._inductor.fx_passes.reinplace._inplace_generalized_scatter", inplaceGeneralizedScatter,
     kScatterSchema},
};

} // namespace

std::span<const KernelRow> copyKernels()
{
    return table;
}

} // namespace reinspect::exec
