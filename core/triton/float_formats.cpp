// SPDX-License-Identifier: MIT
#include "core/triton/float_formats.h"

#include <limits>

namespace reinspect::triton
{
namespace
{

enum class Specials : std::uint8_t
{
    Ieee, // the largest exponent holds infinity and NaN
    Fn,   // all ones is NaN, nothing is infinite
    Fnuz, // minus zero is NaN, nothing is infinite
};

struct Layout
{
    int exponentBits = 0;
    int mantissaBits = 0;
    int bias = 0;
    Specials specials = Specials::Ieee;
};

Layout layoutOf(Scalar format)
{
    switch (format)
    {
    case Scalar::Float8E4M3FN: return {4, 3, 7, Specials::Fn};
    case Scalar::Float8E5M2: return {5, 2, 15, Specials::Ieee};
    case Scalar::Float8E4M3FNUZ: return {4, 3, 8, Specials::Fnuz};
    case Scalar::Float8E5M2FNUZ: return {5, 2, 16, Specials::Fnuz};
    case Scalar::Float8E4M3B11FNUZ: return {4, 3, 11, Specials::Fnuz};
    case Scalar::Float16: return {5, 10, 15, Specials::Ieee};
    case Scalar::BFloat16: return {8, 7, 127, Specials::Ieee};
    default: return {8, 23, 127, Specials::Ieee};
    }
}

int widthOf(const Layout& layout)
{
    return 1 + layout.exponentBits + layout.mantissaBits;
}

// Bits without the sign of the largest finite number.
std::uint64_t largestBits(const Layout& layout)
{
    const std::uint64_t all = (1ull << (layout.exponentBits + layout.mantissaBits)) - 1;
    switch (layout.specials)
    {
    case Specials::Ieee: return all - (1ull << layout.mantissaBits);
    case Specials::Fn: return all - 1;
    case Specials::Fnuz: return all;
    }
    return all;
}

std::uint64_t nanBits(const Layout& layout)
{
    const std::uint64_t all = (1ull << (layout.exponentBits + layout.mantissaBits)) - 1;
    switch (layout.specials)
    {
    case Specials::Ieee: return all - ((1ull << (layout.mantissaBits - 1)) - 1);
    case Specials::Fn: return all;
    case Specials::Fnuz: return all + 1;
    }
    return all;
}

double finiteValue(const Layout& layout, std::uint64_t magnitude)
{
    const auto exponent = static_cast<int>(magnitude >> layout.mantissaBits);
    const std::uint64_t mantissa = magnitude & ((1ull << layout.mantissaBits) - 1);
    if (exponent == 0)
        return std::ldexp(static_cast<double>(mantissa), 1 - layout.bias - layout.mantissaBits);
    return std::ldexp(static_cast<double>(mantissa | (1ull << layout.mantissaBits)),
                      exponent - layout.bias - layout.mantissaBits);
}

// The magnitude's bits, by the rounding given. Too large ones give more than largestBits.
std::uint64_t roundedBits(const Layout& layout, double magnitude, bool truncate)
{
    int exponent = 0;
    std::frexp(magnitude, &exponent); // magnitude = [0.5, 1) * 2^exponent
    const int lowest = 1 - layout.bias;
    const int scale = std::max(exponent - 1, lowest) - layout.mantissaBits;
    const double units = std::ldexp(magnitude, -scale);
    const double whole = truncate ? std::floor(units) : std::nearbyint(units);
    // A whole of 2^(mantissaBits + 1) carries into the exponent by itself.
    const auto base = static_cast<std::uint64_t>(std::max(exponent - 1 - lowest, 0));
    return (base << layout.mantissaBits) + static_cast<std::uint64_t>(whole);
}

std::uint64_t encode(Scalar format, double value, bool truncate)
{
    const Layout layout = layoutOf(format);
    const std::uint64_t sign = std::signbit(value) ? 1ull << (widthOf(layout) - 1) : 0;
    const std::uint64_t largest = largestBits(layout);
    if (std::isnan(value))
        return layout.specials == Specials::Fnuz ? nanBits(layout) : sign | nanBits(layout);
    const bool saturates = widthOf(layout) == 8 || truncate;
    if (std::isinf(value))
        return sign
            | (layout.specials == Specials::Ieee && !(widthOf(layout) == 8) ? largest + 1
                                                                            : largest);
    if (value == 0 || std::fabs(value) < 1e-60)
        return layout.specials == Specials::Fnuz ? 0 : sign;
    std::uint64_t bits = largest + 1;
    if (std::fabs(value) < 1e40)
        bits = roundedBits(layout, std::fabs(value), truncate);
    if (bits > largest)
        bits = saturates ? largest : largest + 1;
    if (bits == 0 && layout.specials == Specials::Fnuz)
        return 0;
    return sign | bits;
}

} // namespace

double decodeFloat(Scalar format, std::uint64_t bits)
{
    if (format == Scalar::Float64)
        return std::bit_cast<double>(bits);
    if (format == Scalar::Float32)
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    const Layout layout = layoutOf(format);
    const std::uint64_t signBit = 1ull << (widthOf(layout) - 1);
    const std::uint64_t magnitude = bits & (signBit - 1);
    const bool isNegative = (bits & signBit) != 0;
    double value = 0;
    if (layout.specials == Specials::Fnuz && isNegative && magnitude == 0)
        return std::numeric_limits<double>::quiet_NaN();
    if (magnitude <= largestBits(layout))
        value = finiteValue(layout, magnitude);
    else if (layout.specials == Specials::Ieee && magnitude == largestBits(layout) + 1)
        value = std::numeric_limits<double>::infinity();
    else
        value = std::numeric_limits<double>::quiet_NaN();
    return isNegative ? -value : value;
}

std::uint64_t encodeFloat(Scalar format, double value)
{
    if (format == Scalar::Float64)
        return std::bit_cast<std::uint64_t>(value);
    if (format == Scalar::Float32)
        return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    return encode(format, value, false);
}

float truncatedTo(Scalar format, float value)
{
    if (format == Scalar::Float32 || format == Scalar::Float64)
        return value;
    return static_cast<float>(decodeFloat(format, encode(format, value, true)));
}

float roundedTo8Bits(Scalar format, float value)
{
    return static_cast<float>(decodeFloat(format, encode(format, value, false)));
}

} // namespace reinspect::triton
