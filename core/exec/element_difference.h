// SPDX-License-Identifier: MIT
// What elements of two tensors differ by, and numbers for the bits of one: for the host and, by nvcc, for devices, so
// that both find the same.
#pragma once

#include "core/exec/numbers.h"
#include "core/ir/dtype.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace reinspect::exec
{

// Numbers of a magnitude lie 2^(its exponent - digits + 1) apart, below 2^lowest as they do there.
struct FloatFormat
{
    int digits = 24;
    int lowest = -126;
};

constexpr FloatFormat floatFormat(DType dtype)
{
    switch (dtype)
    {
    case DType::Float64:
    case DType::Complex128: return {53, -1022};
    case DType::Float16: return {11, -14};
    case DType::BFloat16: return {8, -126};
    case DType::Float8E4M3FN: return {4, -6};
    case DType::Float8E5M2: return {3, -14};
    default: return {};
    }
}

// What passes: within `ulps` units in the last place of the larger number, or within `relative` times the larger of
// that number and `scale`.
struct DifferenceLimits
{
    double ulps = 0;
    double relative = 0;
    double scale = 0;
    FloatFormat format;
};

struct ElementDifferences
{
    std::int64_t count = 0;
    std::int64_t first = -1; // row by row; -1: none
    double maxAbsolute = 0;  // infinite when one is NaN or infinite and the other is not
    double maxRelative = 0;
    double maxUlps = 0;
    bool isWithin = true;

    REINSPECT_ANYWHERE static double larger(double a, double b) { return a > b ? a : b; }

    REINSPECT_ANYWHERE static bool areSame(double a, double b)
    {
        return (isNan(a) && isNan(b)) || (a == b && std::signbit(a) == std::signbit(b));
    }

    REINSPECT_ANYWHERE void addReal(double a, double b, std::int64_t place,
                                    const DifferenceLimits& limits)
    {
        if (areSame(a, b))
            return;
        note(place);
        if (a != b) // not 0 and -0
            measure(a, b, limits);
    }

    REINSPECT_ANYWHERE void addWhole(std::int64_t a, std::int64_t b, std::int64_t place)
    {
        if (a == b)
            return;
        note(place);
        isWithin = false;
        const auto x = static_cast<double>(a);
        const auto y = static_cast<double>(b);
        const double distance = std::fabs(x - y);
        maxAbsolute = larger(maxAbsolute, distance);
        maxRelative = larger(maxRelative, distance / larger(std::fabs(x), std::fabs(y)));
    }

    // Of two reals. The same ones are within everything.
    REINSPECT_ANYWHERE void measure(double a, double b, const DifferenceLimits& limits)
    {
        if (!std::isfinite(a) || !std::isfinite(b))
        {
            maxAbsolute = maxRelative = maxUlps = std::numeric_limits<double>::infinity();
            isWithin = false;
            return;
        }
        const double distance = std::fabs(a - b);
        const double most = larger(std::fabs(a), std::fabs(b));
        int exponent = limits.format.lowest;
        if (most > 0)
            exponent = std::ilogb(most) > exponent ? std::ilogb(most) : exponent;
        const double ulps = std::ldexp(distance, limits.format.digits - 1 - exponent);
        maxAbsolute = larger(maxAbsolute, distance);
        maxRelative = larger(maxRelative, most > 0 ? distance / most : 0);
        maxUlps = larger(maxUlps, ulps);
        if (ulps > limits.ulps && distance > limits.relative * larger(most, limits.scale))
            isWithin = false;
    }

    // Of other elements of the same tensors.
    REINSPECT_ANYWHERE void add(const ElementDifferences& other)
    {
        count += other.count;
        if (first < 0 || (other.first >= 0 && other.first < first))
            first = other.first;
        maxAbsolute = larger(maxAbsolute, other.maxAbsolute);
        maxRelative = larger(maxRelative, other.maxRelative);
        maxUlps = larger(maxUlps, other.maxUlps);
        isWithin = isWithin && other.isWithin;
    }

private:
    REINSPECT_ANYWHERE void note(std::int64_t place)
    {
        ++count;
        if (first < 0 || place < first)
            first = place;
    }
};

// Of at most eight bytes at a place, row by row. A tensor's number is the sum of these, wrapped around, so that it can be
// worked out in any order.
REINSPECT_ANYWHERE inline std::uint64_t elementDigest(std::uint64_t bits, std::uint64_t place)
{
    std::uint64_t hash = bits + 0x9E3779B97F4A7C15u * (place + 1);
    hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9u;
    hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EBu;
    return hash ^ (hash >> 31);
}

} // namespace reinspect::exec
