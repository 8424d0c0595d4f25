// SPDX-License-Identifier: MIT
// Tensors out of nothing: filled, poisoned, counted.
#include "core/base/checked_math.h"
#include "core/exec/device.h"
#include "core/exec/operands.h"

#include <algorithm>
#include <cmath>

namespace reinspect::exec
{
namespace
{

DType defaultType(const Value* fill)
{
    if (fill && fill->as<bool>())
        return DType::Bool;
    if (fill && fill->as<std::int64_t>())
        return DType::Int64;
    if (fill && fill->as<std::complex<double>>())
        return DType::Complex64;
    return DType::Float32;
}

Result<Value> filled(const KernelCall& call, const Tensor& result, const Value& fill)
{
    if (computeKind(result.dtype) == ComputeKind::None)
        return call.unsupported("dtype " + std::string(dtypeName(result.dtype)));
    Operands operands;
    operands.list = {Operand{{}, fill, result.dtype}};
    operands.sizes = result.sizes;
    const ComputeKind kind = computeKind(result.dtype);
    const bool isRemote = result.storage->isOnDevice();
    if (isRemote && !needsHost(call, Pointwise::Identity, kind))
        return runOnDevice(call, Pointwise::Identity, result, operands, result.dtype);
    const Tensor made = isRemote ? hostTwin(result) : result;
    return dispatchCompute(kind, [&]<typename C>(TypeTag<C>) -> Result<Value> {
        REINSPECT_CHECK((mapBlocks<C, C, 1>(
            made, operands, result.dtype,
            [](const auto& in, C* out, std::int64_t count) { std::copy_n(in[0], count, out); })));
        if (isRemote)
            REINSPECT_CHECK(sendToDevice(result, made));
        return Value(result);
    });
}

// Memory that nothing wrote.
Result<Value> poisoned(const KernelCall& call, const Tensor& result)
{
    REINSPECT_CHECK(call.poison(result));
    return Value(result);
}

Result<Value> full(const KernelCall& call)
{
    REINSPECT_TRY(Sizes sizes, call.integers(call.has("size") ? "size" : "shape"));
    const Value* fill = call.given("fill_value");
    REINSPECT_TRY(const Tensor result,
                  call.result(call.dtype(defaultType(fill)), std::move(sizes)));
    if (fill && fill->tensor())
    {
        REINSPECT_CHECK(copyElements(result, *fill->tensor()));
        return Value(result);
    }
    return filled(call, result, fill ? *fill : Value());
}

template<int Number>
Result<Value> filledWith(const KernelCall& call)
{
    REINSPECT_TRY(Sizes sizes, call.integers("size"));
    REINSPECT_TRY(const Tensor result, call.result(call.dtype(DType::Float32), std::move(sizes)));
    return filled(call, result, Value(std::int64_t{Number}));
}

Result<Tensor> likeSelf(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    return call.result(call.dtype(self.dtype), self.sizes, 0, preservedStrides(self));
}

Result<Value> emptyLike(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor result, likeSelf(call));
    return poisoned(call, result);
}

Result<Value> fillOut(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor result, likeSelf(call));
    const Value* fill = call.given("value");
    if (!fill || !fill->tensor())
        return filled(call, result, fill ? *fill : Value());
    REINSPECT_CHECK(copyElements(result, *fill->tensor()));
    return Value(result);
}

Result<Value> fullLike(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor result, likeSelf(call));
    const Value* fill = call.given("fill_value");
    return filled(call, result, fill ? *fill : Value());
}

template<int Number>
Result<Value> filledLike(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor result, likeSelf(call));
    return filled(call, result, Value(std::int64_t{Number}));
}

Result<Value> empty(const KernelCall& call)
{
    REINSPECT_TRY(Sizes sizes, call.integers("size"));
    REINSPECT_TRY(const Tensor result, call.result(call.dtype(DType::Float32), std::move(sizes)));
    return poisoned(call, result);
}

Result<Value> emptyStrided(const KernelCall& call)
{
    REINSPECT_TRY(Sizes sizes, call.integers(call.has("size") ? "size" : "shape"));
    REINSPECT_TRY(Sizes strides, call.integers(call.has("stride") ? "stride" : "strides"));
    REINSPECT_TRY(const Tensor result,
                  call.allocate(call.dtype(DType::Float32), std::move(sizes), std::move(strides)));
    return poisoned(call, result);
}

Result<Value> emptyPermuted(const KernelCall& call)
{
    REINSPECT_TRY(Sizes sizes, call.integers("size"));
    REINSPECT_TRY(const Sizes layout, call.integers("physical_layout"));
    Sizes strides(sizes.size(), 1);
    std::int64_t step = 1;
    for (std::size_t i = layout.size(); i-- > 0;)
    {
        REINSPECT_TRY(const std::size_t dim, call.dimension(layout[i], sizes.size()));
        if (dim < strides.size())
        {
            strides[dim] = step;
            step *= std::max<std::int64_t>(sizes[dim], 1);
        }
    }
    REINSPECT_TRY(const Tensor result,
                  call.allocate(call.dtype(DType::Float32), std::move(sizes), std::move(strides)));
    return poisoned(call, result);
}

// aten.new_*: dtype and device of the tensor.
Result<Tensor> newOne(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(Sizes sizes, call.integers("size"));
    return call.result(call.dtype(self.dtype), std::move(sizes));
}

Result<Value> newEmpty(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor result, newOne(call));
    return poisoned(call, result);
}

Result<Value> newEmptyStrided(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(Sizes sizes, call.integers("size"));
    REINSPECT_TRY(Sizes strides, call.integers("stride"));
    REINSPECT_TRY(const Tensor result,
                  call.allocate(call.dtype(self.dtype), std::move(sizes), std::move(strides)));
    return poisoned(call, result);
}

Result<Value> newFull(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor result, newOne(call));
    const Value* fill = call.given("fill_value");
    return filled(call, result, fill ? *fill : Value());
}

template<int Number>
Result<Value> newFilled(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor result, newOne(call));
    return filled(call, result, Value(std::int64_t{Number}));
}

Result<Value> scalarTensor(const KernelCall& call)
{
    const Value* value = call.given("s");
    REINSPECT_TRY(const Tensor result, call.result(call.dtype(defaultType(value)), {}));
    return filled(call, result, value ? *value : Value());
}

// start, start + step, ...: `count` of them.
Result<Value> counted(const KernelCall& call, DType dtype, double start, double step,
                      std::int64_t count)
{
    REINSPECT_TRY(const Tensor result, call.result(dtype, {count}));
    if (isIntegral(dtype))
    {
        std::vector<std::int64_t> values(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<std::int64_t>(start)
                + static_cast<std::int64_t>(step) * static_cast<std::int64_t>(i);
        writeAll<std::int64_t>(result, values);
        return Value(result);
    }
    return dispatchFloating(computeKind(dtype), [&]<typename C>(TypeTag<C>) -> Result<Value> {
        std::vector<C> values(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<C>(start + step * static_cast<double>(i));
        writeAll<C>(result, values);
        return Value(result);
    });
}

bool isReasonable(const KernelCall& call, double count)
{
    return count >= 0 && count * 8 < static_cast<double>(call.context->tracker->limit());
}

Result<Value> arange(const KernelCall& call)
{
    const double start = call.optionalNumber("start").value_or(0);
    const double step = call.optionalNumber("step").value_or(1);
    REINSPECT_TRY(const double end, call.number("end"));
    const double count = std::ceil((end - start) / step);
    if (step == 0 || !isReasonable(call, count))
        return call.error("no range from " + std::to_string(start) + " to " + std::to_string(end));
    bool isWhole = true;
    for (const char* name : {"start", "end", "step"})
        if (const Value* value = call.given(name))
            isWhole = isWhole && !value->as<double>();
    const DType dtype = call.dtype(isWhole ? DType::Int64 : DType::Float32);
    return counted(call, dtype, start, step, static_cast<std::int64_t>(count));
}

Result<Value> iota(const KernelCall& call)
{
    REINSPECT_TRY(const std::int64_t length, call.integer("length"));
    REINSPECT_TRY(const double start, call.number("start"));
    REINSPECT_TRY(const double step, call.number("step"));
    if (!isReasonable(call, static_cast<double>(length)))
        return call.error("no range of " + std::to_string(length) + " numbers");
    return counted(call, call.dtype(DType::Int64), start, step, length);
}

Result<Value> linspace(const KernelCall& call)
{
    REINSPECT_TRY(const double start, call.number("start"));
    REINSPECT_TRY(const double end, call.number("end"));
    REINSPECT_TRY(const std::int64_t steps, call.integer("steps"));
    if (!isReasonable(call, static_cast<double>(steps)))
        return call.error("no range of " + std::to_string(steps) + " numbers");
    const double step = steps > 1 ? (end - start) / static_cast<double>(steps - 1) : 0;
    return counted(call, call.dtype(DType::Float32), start, step, steps);
}

Result<Value> eye(const KernelCall& call)
{
    REINSPECT_TRY(const std::int64_t n, call.integer("n"));
    const std::int64_t m = call.optionalInteger("m").value_or(n);
    REINSPECT_TRY(const Tensor result, call.result(call.dtype(DType::Float32), {n, m}));
    REINSPECT_TRY(const Value zeros, filled(call, result, Value(std::int64_t{0})));
    REINSPECT_TRY(const Tensor diagonal,
                  viewOf(result, {std::min(n, m)}, {result.strides[0] + result.strides[1]}, 0));
    REINSPECT_TRY(const Value ones, filled(call, diagonal, Value(std::int64_t{1})));
    return zeros;
}

const KernelRow table[] = {
    {"aten.full.default", full},
    {"prims.full.default", full},
    {"aten.zeros.default", filledWith<0>},
    {"aten.ones.default", filledWith<1>},
    {"aten.full_like.default", fullLike},
    {"aten.zeros_like.default", filledLike<0>},
    {"aten.ones_like.default", filledLike<1>},
    {"aten.fill.Scalar", fillOut},
    {"aten.fill.Tensor", fillOut},
    {"aten.empty.memory_format", empty},
    {"aten.empty_like.default", emptyLike},
    {"aten.empty_strided.default", emptyStrided},
    {"prims.empty_strided.default", emptyStrided},
    {"aten.empty_permuted.default", emptyPermuted},
    {"aten.new_empty.default", newEmpty},
    {"aten.new_empty_strided.default", newEmptyStrided},
    {"aten.new_zeros.default", newFilled<0>},
    {"aten.new_ones.default", newFilled<1>},
    {"aten.new_full.default", newFull},
    {"aten.scalar_tensor.default", scalarTensor},
    {"prims.scalar_tensor.default", scalarTensor},
    {"aten.arange.default", arange},
    {"aten.arange.start", arange},
    {"aten.arange.start_step", arange},
    {"prims.iota.default", iota},
    {"aten.linspace.default", linspace},
    {"aten.eye.default", eye},
    {"aten.eye.m", eye},
};

} // namespace

std::span<const KernelRow> factoryKernels()
{
    return table;
}

} // namespace reinspect::exec
