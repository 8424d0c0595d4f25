// SPDX-License-Identifier: MIT
// Functions of complex numbers as functions of their parts, which lie side by side. Nothing is contracted: a product is
// rounded as on the host.
#include "core/gpu/gpu_device.h"

namespace reinspect::gpu
{
namespace
{

using exec::ComputeKind;
using exec::Operand;
using exec::Pointwise;
using exec::Tensor;
using exec::Value;

DType partType(DType complex)
{
    return complex == DType::Complex128 ? DType::Float64 : DType::Float32;
}

// The real (0) or the imaginary (1) part, as a view.
Tensor partOf(Tensor tensor, int part)
{
    tensor.dtype = partType(tensor.dtype);
    tensor.offset = tensor.offset * 2 + part;
    for (std::int64_t& stride : tensor.strides)
        stride *= 2;
    return tensor;
}

// A real number has no imaginary part.
Operand partOf(const Operand& operand, int part, DType dtype)
{
    if (operand.tensor && exec::isComplex(operand.tensor->dtype))
        return Operand{partOf(*operand.tensor, part), {}, dtype};
    if (operand.tensor && part == 0)
        return operand;
    double number = 0;
    if (const auto* pair = operand.number.as<std::complex<double>>())
        number = part == 0 ? pair->real() : pair->imag();
    else if (!operand.tensor && part == 0)
        number = operand.number.number().value_or(0);
    return Operand{{}, Value(number), dtype};
}

// Numbers for one part at a time.
struct Parts
{
    GpuDevice& device;
    DType dtype;

    Result<void> run(Pointwise function, const Tensor& result, std::vector<Operand> list) const
    {
        exec::Operands operands;
        operands.list = std::move(list);
        return device.pointwise(function, result, operands, dtype);
    }
    // first * second +- third * fourth, by way of memory of its own.
    Result<void> products(const Tensor& result, Pointwise joins, const Operand& first,
                          const Operand& second, const Operand& third, const Operand& fourth) const
    {
        Tensor scratch{dtype, result.sizes, exec::contiguousStrides(result.sizes),
                       0,     nullptr,      false};
        REINSPECT_TRY(scratch.storage,
                      result.storage->tracker().allocateOn(
                          device, result.count() * dtypeBytes(dtype), exec::StorageRole::Scratch));
        REINSPECT_CHECK(run(Pointwise::Product, result, {first, second}));
        REINSPECT_CHECK(run(Pointwise::Product, scratch, {third, fourth}));
        return run(joins, result, {exec::operandFrom(result), exec::operandFrom(scratch)});
    }
};

} // namespace

bool runsComplex(Pointwise function, ComputeKind kind)
{
    if (kind != ComputeKind::ComplexFloat && kind != ComputeKind::ComplexDouble)
        return false;
    switch (function)
    {
    case Pointwise::Sum:
    case Pointwise::Difference:
    case Pointwise::Product:
    case Pointwise::Negative:
    case Pointwise::Conjugate:
    case Pointwise::Identity: return true;
    default: return false;
    }
}

// `result` is none of the operands.
Result<void> GpuDevice::complexPointwise(Pointwise function, const Tensor& result,
                                         const exec::Operands& operands, DType common)
{
    const Parts parts{*this, partType(common)};
    const auto part = [&](std::size_t k, int which) {
        return partOf(operands.list[k], which, parts.dtype);
    };
    const Tensor real = partOf(result, 0);
    const Tensor imaginary = partOf(result, 1);
    if (function == Pointwise::Product)
    {
        REINSPECT_CHECK(parts.products(real, Pointwise::Difference, part(0, 0), part(1, 0),
                                       part(0, 1), part(1, 1)));
        return parts.products(imaginary, Pointwise::Sum, part(0, 0), part(1, 1), part(0, 1),
                              part(1, 0));
    }
    for (const int which : {0, 1})
    {
        std::vector<Operand> list;
        for (std::size_t k = 0; k < operands.list.size(); ++k)
            list.push_back(part(k, which));
        const Pointwise own = function != Pointwise::Conjugate ? function
            : which == 0                                       ? Pointwise::Identity
                                                               : Pointwise::Negative;
        REINSPECT_CHECK(parts.run(own, which == 0 ? real : imaginary, std::move(list)));
    }
    return {};
}

} // namespace reinspect::gpu
