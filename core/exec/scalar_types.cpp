// SPDX-License-Identifier: MIT
#include "core/exec/scalar_types.h"

#include "core/ir/dtype_promotion.h"

#include <cmath>

namespace reinspect::exec
{
namespace
{

// A small float of E exponent and M mantissa bits, with the usual meaning of all-ones exponents.
template<int E, int M>
float widened(std::uint32_t bits)
{
    constexpr int bias = (1 << (E - 1)) - 1;
    const std::uint32_t sign = (bits >> (E + M)) & 1u;
    const std::uint32_t exponent = (bits >> M) & ((1u << E) - 1);
    const std::uint32_t mantissa = bits & ((1u << M) - 1);
    std::uint32_t result = sign << 31;
    if (exponent == (1u << E) - 1)
        return std::bit_cast<float>(result | 0x7F800000u | (mantissa << (23 - M)));
    if (exponent == 0)
    {
        const float value = std::ldexp(static_cast<float>(mantissa), 1 - bias - M);
        return sign ? -value : value;
    }
    result |= (exponent + 127 - static_cast<std::uint32_t>(bias)) << 23;
    return std::bit_cast<float>(result | (mantissa << (23 - M)));
}

// Drops `shift` bits, to nearest and ties to even.
std::uint32_t rounded(std::uint32_t value, int shift)
{
    const std::uint32_t half = 1u << (shift - 1);
    const std::uint32_t odd = (value >> shift) & 1u;
    return (value + half - 1 + odd) >> shift;
}

// The other way round. What is too large becomes `overflow` (without sign).
template<int E, int M>
std::uint32_t narrowed(float value, std::uint32_t largest, std::uint32_t overflow,
                       std::uint32_t nan)
{
    constexpr int bias = (1 << (E - 1)) - 1;
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 31) << (E + M);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u)
        return sign | nan;
    if (magnitude == 0x7F800000u)
        return sign | overflow;
    const int exponent = static_cast<int>(magnitude >> 23) - 127;
    std::uint32_t result = 0;
    if (exponent >= 1 - bias)
    {
        const std::uint32_t rebased = magnitude - (static_cast<std::uint32_t>(127 - bias) << 23);
        result = rounded(rebased, 23 - M);
    }
    else if (exponent >= -bias - M)
    {
        const std::uint32_t full = (magnitude & 0x7FFFFFu) | 0x800000u;
        result = rounded(full, 23 - M + 1 - bias - exponent);
    }
    return sign | (result > largest ? overflow : result);
}

} // namespace

float toFloat(Half value)
{
    return widened<5, 10>(value.bits);
}
float toFloat(BFloat16 value)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}
float toFloat(Float8E5M2 value)
{
    return widened<5, 2>(value.bits);
}
float toFloat(Float8E4M3 value)
{
    if ((value.bits & 0x7F) == 0x7F)
        return std::nanf("");
    // The largest exponent holds numbers here.
    if ((value.bits & 0x78) == 0x78)
    {
        const float magnitude = std::ldexp(static_cast<float>(8 + (value.bits & 7)), 5);
        return value.bits & 0x80 ? -magnitude : magnitude;
    }
    return widened<4, 3>(value.bits);
}

Half halfFrom(float value)
{
    return {static_cast<std::uint16_t>(narrowed<5, 10>(value, 0x7BFF, 0x7C00, 0x7E00))};
}
BFloat16 bfloat16From(float value)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    if (std::isnan(value))
        return {0x7FC0};
    return {static_cast<std::uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16)};
}
Float8E4M3 float8e4m3From(float value)
{
    return {static_cast<std::uint8_t>(narrowed<4, 3>(value, 0x7E, 0x7F, 0x7F))};
}
Float8E5M2 float8e5m2From(float value)
{
    return {static_cast<std::uint8_t>(narrowed<5, 2>(value, 0x7B, 0x7C, 0x7F))};
}

ComputeKind computeKind(DType dtype)
{
    switch (dtype)
    {
    case DType::Float64: return ComputeKind::Double;
    case DType::Float32:
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float8E4M3FN:
    case DType::Float8E5M2: return ComputeKind::Float;
    case DType::Complex64: return ComputeKind::ComplexFloat;
    case DType::Complex128: return ComputeKind::ComplexDouble;
    case DType::Bool:
    case DType::Int8:
    case DType::Int16:
    case DType::Int32:
    case DType::Int64:
    case DType::UInt8:
    case DType::UInt16:
    case DType::UInt32:
    case DType::UInt64: return ComputeKind::Integer;
    default: return ComputeKind::None;
    }
}

} // namespace reinspect::exec
