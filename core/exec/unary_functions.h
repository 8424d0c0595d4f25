// SPDX-License-Identifier: MIT
// What each elementwise operator of one tensor does to a number, as PyTorch does it. A function that takes only
// some kinds of numbers says so: runPointwise() refuses the others. For kernels_unary.cpp and the device.
#pragma once

#include "core/exec/numbers.h"

#include <algorithm>
#include <cmath>

namespace reinspect::exec
{

#define REINSPECT_FUNCTION(name, concept, expression)                                              \
    struct name                                                                                    \
    {                                                                                              \
        template<concept C>                                                                        \
        REINSPECT_ANYWHERE static auto of(C x)                                                     \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };

REINSPECT_FUNCTION(Sine, FloatingNumber, std::sin(x))
REINSPECT_FUNCTION(Cosine, FloatingNumber, std::cos(x))
REINSPECT_FUNCTION(Tangent, FloatingNumber, std::tan(x))
REINSPECT_FUNCTION(ArcSine, FloatingNumber, std::asin(x))
REINSPECT_FUNCTION(ArcCosine, FloatingNumber, std::acos(x))
REINSPECT_FUNCTION(ArcTangent, FloatingNumber, std::atan(x))
REINSPECT_FUNCTION(SineH, FloatingNumber, std::sinh(x))
REINSPECT_FUNCTION(CosineH, FloatingNumber, std::cosh(x))
REINSPECT_FUNCTION(TangentH, FloatingNumber, std::tanh(x))
REINSPECT_FUNCTION(ArcSineH, FloatingNumber, std::asinh(x))
REINSPECT_FUNCTION(ArcCosineH, FloatingNumber, std::acosh(x))
REINSPECT_FUNCTION(ArcTangentH, FloatingNumber, std::atanh(x))
REINSPECT_FUNCTION(Exp, FloatingNumber, std::exp(x))
REINSPECT_FUNCTION(Exp2, RealNumber, std::exp2(x))
REINSPECT_FUNCTION(ExpM1, RealNumber, std::expm1(x))
REINSPECT_FUNCTION(Log, FloatingNumber, std::log(x))
REINSPECT_FUNCTION(Log2, RealNumber, std::log2(x))
REINSPECT_FUNCTION(Log10, FloatingNumber, std::log10(x))
REINSPECT_FUNCTION(Log1P, RealNumber, std::log1p(x))
REINSPECT_FUNCTION(SquareRoot, FloatingNumber, std::sqrt(x))
REINSPECT_FUNCTION(InverseRoot, FloatingNumber, C(1) / std::sqrt(x))
REINSPECT_FUNCTION(Reciprocal, FloatingNumber, C(1) / x)
REINSPECT_FUNCTION(Sigmoid, FloatingNumber, C(1) / (C(1) + std::exp(-x)))
REINSPECT_FUNCTION(ErrorFunction, RealNumber, std::erf(x))
REINSPECT_FUNCTION(ErrorFunctionC, RealNumber, std::erfc(x))
REINSPECT_FUNCTION(LogGamma, RealNumber, std::lgamma(x))
REINSPECT_FUNCTION(Silu, RealNumber, x / (C(1) + std::exp(-x)))
REINSPECT_FUNCTION(Mish, RealNumber, x* std::tanh(std::log1p(std::exp(x))))
REINSPECT_FUNCTION(LogSigmoid, RealNumber, std::min(C(0), x) - std::log1p(std::exp(-std::abs(x))))
REINSPECT_FUNCTION(HardSigmoid, RealNumber, std::min(std::max(x + C(3), C(0)), C(6)) / C(6))
REINSPECT_FUNCTION(HardSwish, RealNumber, x* std::min(std::max(x + C(3), C(0)), C(6)) / C(6))
REINSPECT_FUNCTION(Relu6, RealNumber, std::isnan(x) ? x : std::min(std::max(x, C(0)), C(6)))
REINSPECT_FUNCTION(Ceiling, RealNumber, std::ceil(x))
REINSPECT_FUNCTION(Floor, RealNumber, std::floor(x))
REINSPECT_FUNCTION(Round, RealNumber, std::nearbyint(x))
REINSPECT_FUNCTION(Truncate, RealNumber, std::trunc(x))
REINSPECT_FUNCTION(Fraction, RealNumber, x - std::trunc(x))
REINSPECT_FUNCTION(IsInfinite, RealNumber, std::isinf(x))
REINSPECT_FUNCTION(IsPositiveInfinite, RealNumber, std::isinf(x) && x > 0)
REINSPECT_FUNCTION(IsNegativeInfinite, RealNumber, std::isinf(x) && x < 0)
REINSPECT_FUNCTION(LogicalNot, AnyNumber, x == C{})
REINSPECT_FUNCTION(Degrees, RealNumber, x* C(57.295779513082320876798154814105))
REINSPECT_FUNCTION(Radians, RealNumber, x* C(0.017453292519943295769236907684886))

#undef REINSPECT_FUNCTION

// Whole numbers stay as they are.
template<typename F>
struct WholeStays : F
{
    using F::of;
    REINSPECT_ANYWHERE static std::int64_t of(std::int64_t x) { return x; }
};

struct WholeCeiling : WholeStays<Ceiling>
{};
struct WholeFloor : WholeStays<Floor>
{};
struct WholeRound : WholeStays<Round>
{};
struct WholeTruncate : WholeStays<Truncate>
{};

struct Negative
{
    template<FloatingNumber C>
    REINSPECT_ANYWHERE static C of(C x)
    {
        return -x;
    }
    REINSPECT_ANYWHERE static std::int64_t of(std::int64_t x)
    {
        return wrapped(std::uint64_t{0} - bitsOf(x));
    }
};

struct Absolute
{
    template<RealNumber C>
    REINSPECT_ANYWHERE static C of(C x)
    {
        return std::abs(x);
    }
    REINSPECT_ANYWHERE static std::int64_t of(std::int64_t x)
    {
        return x < 0 ? Negative::of(x) : x;
    }
};

struct Square
{
    template<FloatingNumber C>
    REINSPECT_ANYWHERE static C of(C x)
    {
        return x * x;
    }
    REINSPECT_ANYWHERE static std::int64_t of(std::int64_t x)
    {
        return wrapped(bitsOf(x) * bitsOf(x));
    }
};

struct Sign
{
    template<OrderedNumber C>
    REINSPECT_ANYWHERE static C of(C x)
    {
        if constexpr (RealNumber<C>)
            if (std::isnan(x))
                return x;
        return static_cast<C>((x > C{}) - (x < C{}));
    }
};

struct Relu
{
    template<OrderedNumber C>
    REINSPECT_ANYWHERE static C of(C x)
    {
        return x < C{} ? C{} : x; // NaN stays
    }
};

struct IsNan
{
    template<AnyNumber C>
    REINSPECT_ANYWHERE static bool of(C x)
    {
        return x != x;
    }
};

struct IsFinite
{
    template<OrderedNumber C>
    REINSPECT_ANYWHERE static bool of(C x)
    {
        if constexpr (RealNumber<C>)
            return std::isfinite(x);
        else
            return true;
    }
};

struct SignBit
{
    template<OrderedNumber C>
    REINSPECT_ANYWHERE static bool of(C x)
    {
        if constexpr (RealNumber<C>)
            return std::signbit(x);
        else
            return x < 0;
    }
};

struct BitwiseNot
{
    template<WholeNumber C>
    REINSPECT_ANYWHERE static C of(C x)
    {
        return ~x;
    }
};

struct Conjugate
{
    template<AnyNumber C>
    REINSPECT_ANYWHERE static C of(C x)
    {
        if constexpr (ComplexNumber<C>)
            return std::conj(x);
        else
            return x;
    }
};

} // namespace reinspect::exec
