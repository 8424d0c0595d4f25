// SPDX-License-Identifier: MIT
// Complex numbers as pairs of reals and back: views of the same memory under another dtype, and tensors made of
// two parts.
#include "core/exec/joined_rows.h"
#include "core/exec/operands.h"

namespace reinspect::exec
{
namespace
{

DType realOf(DType dtype)
{
    return dtype == DType::Complex128 ? DType::Float64 : DType::Float32;
}

// Every other real number of the complex ones, from `first` on.
Result<Tensor> partOf(const KernelCall& call, std::int64_t first)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    if (!isComplex(self.dtype))
        return first == 0 ? Result<Tensor>(self)
                          : Result<Tensor>(call.error(tensorText(self) + " is not complex"));
    Sizes strides = self.strides;
    for (std::int64_t& stride : strides)
        stride *= 2;
    return viewOf(self, realOf(self.dtype), self.sizes, strides, 2 * self.offset + first);
}

Result<Value> viewAsReal(const KernelCall& call)
{
    REINSPECT_TRY(Tensor view, partOf(call, 0));
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    if (!isComplex(self.dtype))
        return call.error(tensorText(self) + " is not complex");
    view.sizes.push_back(2);
    view.strides.push_back(1);
    return Value(std::move(view));
}

Result<Value> viewAsComplex(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    const DType dtype = self.dtype == DType::Float64 ? DType::Complex128 : DType::Complex64;
    Sizes sizes = self.sizes;
    Sizes strides = self.strides;
    bool fits = (self.dtype == DType::Float32 || self.dtype == DType::Float64) && !sizes.empty()
        && sizes.back() == 2 && strides.back() == 1 && self.offset % 2 == 0;
    if (fits)
    {
        sizes.pop_back();
        strides.pop_back();
    }
    for (std::int64_t& stride : strides)
    {
        fits = fits && stride % 2 == 0;
        stride /= 2;
    }
    if (!fits)
        return call.error(tensorText(self) + " with strides " + sizesText(self.strides)
                          + " holds no pairs");
    REINSPECT_TRY(Tensor view, viewOf(self, dtype, sizes, strides, self.offset / 2));
    return Value(std::move(view));
}

Result<Value> real(const KernelCall& call)
{
    REINSPECT_TRY(Tensor view, partOf(call, 0));
    return Value(std::move(view));
}

Result<Value> imaginary(const KernelCall& call)
{
    REINSPECT_TRY(Tensor view, partOf(call, 1));
    return Value(std::move(view));
}

template<typename Join>
Result<Value> joined(const KernelCall& call, std::initializer_list<std::string_view> names,
                     Join&& join)
{
    REINSPECT_TRY(const Operands operands, operandsOf(call, names));
    if (operands.promoted != DType::Float32 && operands.promoted != DType::Float64)
        return call.unsupported("not for dtype " + std::string(dtypeName(operands.promoted)));
    const DType dtype = operands.promoted == DType::Float64 ? DType::Complex128 : DType::Complex64;
    REINSPECT_TRY(const Tensor result, elementwiseResult(call, dtype, operands));
    REINSPECT_TRY(const Tensor a, broadcastTo(*operands.list[0].tensor, result.sizes));
    REINSPECT_TRY(const Tensor b, broadcastTo(*operands.list[1].tensor, result.sizes));
    const std::vector<double> first = readAll<double>(a);
    const std::vector<double> second = readAll<double>(b);
    std::vector<std::complex<double>> values(first.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = join(first[i], second[i]);
    writeAll<std::complex<double>>(result, values);
    return Value(result);
}

Result<Value> complexOf(const KernelCall& call)
{
    return joined(call, {"real", "imag"},
                  [](double a, double b) { return std::complex<double>(a, b); });
}

Result<Value> polar(const KernelCall& call)
{
    return joined(call, {"abs", "angle"}, [](double length, double angle) {
        return std::complex<double>(length * std::cos(angle), length * std::sin(angle));
    });
}

const KernelRow table[] = {
    {"aten.view_as_real.default", viewAsReal},
    {"aten.view_as_complex.default", viewAsComplex},
    {"aten.real.default", real},
    {"aten.imag.default", imaginary},
    {"aten.complex.default", complexOf},
    {"aten.polar.default", polar},
};

} // namespace

std::span<const KernelRow> complexViewRows()
{
    return table;
}

} // namespace reinspect::exec
