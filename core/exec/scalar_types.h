// SPDX-License-Identifier: MIT
// The element types that C++ has no type for, and the types that operators compute in. Sixteen- and eight-bit
// floats are storage: an operator reads them as float, computes, and rounds once (to nearest, ties to even).
#pragma once

#include "core/ir/dtype.h"

#include <bit>
#include <complex>
#include <cstdint>
#include <cstring>

namespace reinspect::exec
{

struct Half
{
    std::uint16_t bits = 0;
};
struct BFloat16
{
    std::uint16_t bits = 0;
};
struct Float8E4M3 // torch.float8_e4m3fn: no infinities
{
    std::uint8_t bits = 0;
};
struct Float8E5M2
{
    std::uint8_t bits = 0;
};
struct Boolean // any byte but 0 is true, so that poisoned memory stays defined
{
    std::uint8_t byte = 0;
};

float toFloat(Half value);
float toFloat(BFloat16 value);
float toFloat(Float8E4M3 value);
float toFloat(Float8E5M2 value);
Half halfFrom(float value);
BFloat16 bfloat16From(float value);
Float8E4M3 float8e4m3From(float value); // beyond the range: NaN, as PyTorch's conversion
Float8E5M2 float8e5m2From(float value);

// The C++ types that operators compute in. Every dtype has one.
enum class ComputeKind : std::uint8_t
{
    Float,         // float: float32 and all shorter floats
    Double,        // double
    Integer,       // std::int64_t: integers and bool (uint64 as the same bits)
    ComplexFloat,  // std::complex<float>
    ComplexDouble, // std::complex<double>
    None,          // nothing computes in this dtype
};
ComputeKind computeKind(DType dtype);

template<typename T>
struct TypeTag
{
    using Type = T;
};

// Calls f(TypeTag<T>{}) with the type that dtype computes in. `f` must give the same type for each. Not for None.
template<typename F>
decltype(auto) dispatchCompute(ComputeKind kind, F&& f)
{
    switch (kind)
    {
    case ComputeKind::Float: return f(TypeTag<float>{});
    case ComputeKind::Double: return f(TypeTag<double>{});
    case ComputeKind::ComplexFloat: return f(TypeTag<std::complex<float>>{});
    case ComputeKind::ComplexDouble: return f(TypeTag<std::complex<double>>{});
    case ComputeKind::Integer:
    case ComputeKind::None: break;
    }
    return f(TypeTag<std::int64_t>{});
}

// The same without the complex types.
template<typename F>
decltype(auto) dispatchReal(ComputeKind kind, F&& f)
{
    if (kind == ComputeKind::Float)
        return f(TypeTag<float>{});
    if (kind == ComputeKind::Double)
        return f(TypeTag<double>{});
    return f(TypeTag<std::int64_t>{});
}

// The same for float and double only.
template<typename F>
decltype(auto) dispatchFloating(ComputeKind kind, F&& f)
{
    return kind == ComputeKind::Double ? f(TypeTag<double>{}) : f(TypeTag<float>{});
}

} // namespace reinspect::exec
