// SPDX-License-Identifier: MIT
// The floating-point formats of TTIR narrower than float32, as bits and as the floats that a program
// computes with. Rounding is to the nearest, ties to even, as the hardware does it, unless the name
// says otherwise; a finite number too large for an 8-bit format becomes its largest one, as the
// conversions that Triton uses do (cvt.rn.satfinite), one too large for a 16-bit format becomes infinite.
#pragma once

#include "core/triton/ttir.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace reinspect::triton
{

// The bits of a format, in the low end, to the number they stand for; exact.
double decodeFloat(Scalar format, std::uint64_t bits);
std::uint64_t encodeFloat(Scalar format, double value);
// The number of the format that lies next to value in the direction of zero.
float truncatedTo(Scalar format, float value);

inline float roundedToBFloat16(float value)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u)
        return value;
    return std::bit_cast<float>((bits + 0x7FFFu + ((bits >> 16) & 1u)) & 0xFFFF0000u);
}

inline float roundedToFloat16(float value)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude < 0x38800000u) // below 2^-14 the numbers are 2^-24 apart, as floats near 0.5 are
    {
        const float rounded = (std::fabs(value) + 0.5f) - 0.5f;
        return std::copysign(rounded, value);
    }
    if (magnitude > 0x7F800000u)
        return value;
    const std::uint32_t rounded = (magnitude + 0xFFFu + ((bits >> 13) & 1u)) & 0xFFFFE000u;
    return std::bit_cast<float>((bits & 0x80000000u)
                                | (rounded > 0x477FE000u ? 0x7F800000u : rounded));
}

float roundedTo8Bits(Scalar format, float value);

// What a float32 register holds after an operator whose result has this format.
inline float roundedTo(Scalar format, float value)
{
    switch (format)
    {
    case Scalar::Float32: return value;
    case Scalar::Float16: return roundedToFloat16(value);
    case Scalar::BFloat16: return roundedToBFloat16(value);
    default: return roundedTo8Bits(format, value);
    }
}

inline float float16FromBits(std::uint16_t bits)
{
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const std::uint32_t rest = bits & 0x7FFFu;
    if (rest >= 0x7C00u)
        return std::bit_cast<float>(sign | 0x7F800000u | ((rest & 0x3FFu) << 13));
    if (rest >= 0x0400u)
        return std::bit_cast<float>(sign | ((rest << 13) + 0x38000000u));
    return std::bit_cast<float>(
        sign | std::bit_cast<std::uint32_t>(static_cast<float>(rest) * 0x1p-24f));
}

// Of a float that roundedToFloat16 left as it is.
inline std::uint16_t bitsOfFloat16(float value)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 16) & 0x8000u;
    const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude >= 0x7F800000u)
    {
        const bool isNan = magnitude > 0x7F800000u;
        return static_cast<std::uint16_t>(sign | 0x7C00u | (isNan ? 0x200u : 0u)
                                          | ((magnitude >> 13) & 0x3FFu));
    }
    if (magnitude >= 0x38800000u)
        return static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000u) >> 13));
    const float scaled = std::fabs(value) * 0x1p24f;
    return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(scaled));
}

} // namespace reinspect::triton
