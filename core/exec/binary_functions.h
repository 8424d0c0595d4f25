// SPDX-License-Identifier: MIT
// What each operator of two operands does to a pair of numbers, as PyTorch does it. A function that takes only
// some kinds of numbers says so: runPointwise() refuses the others. For kernels_binary.cpp.
#pragma once

#include "core/exec/numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace reinspect::exec
{

struct Sum
{
    template<typename C>
    REINSPECT_ANYWHERE static C of(C a, C b)
    {
        if constexpr (WholeNumber<C>)
            return wrapped(bitsOf(a) + bitsOf(b));
        else
            return a + b;
    }
};

struct Difference
{
    template<typename C>
    REINSPECT_ANYWHERE static C of(C a, C b)
    {
        if constexpr (WholeNumber<C>)
            return wrapped(bitsOf(a) - bitsOf(b));
        else
            return a - b;
    }
};

struct Product
{
    template<typename C>
    REINSPECT_ANYWHERE static C of(C a, C b)
    {
        if constexpr (WholeNumber<C>)
            return wrapped(bitsOf(a) * bitsOf(b));
        else
            return a * b;
    }
};

struct Quotient
{
    template<typename C>
    requires(!WholeNumber<C>) REINSPECT_ANYWHERE static C of(C a, C b) { return a / b; }
};

// Whole numbers: division by 0 was refused before.
struct FloorQuotient
{
    template<typename C>
    requires(!ComplexNumber<C>) REINSPECT_ANYWHERE static C of(C a, C b)
    {
        if constexpr (WholeNumber<C>)
        {
            if (b == -1)
                return wrapped(std::uint64_t{0} - bitsOf(a));
            const std::int64_t whole = a / b;
            return a % b != 0 && (a < 0) != (b < 0) ? whole - 1 : whole;
        }
        else
        {
            if (b == C(0))
                return a / b;
            const C rest = std::fmod(a, b);
            C whole = (a - rest) / b;
            if (rest != C(0) && (b < C(0)) != (rest < C(0)))
                whole -= C(1);
            if (whole == C(0))
                return std::copysign(C(0), a / b);
            const C down = std::floor(whole);
            return whole - down > C(0.5) ? down + C(1) : down;
        }
    }
};

struct TruncatedQuotient
{
    template<typename C>
    requires(!ComplexNumber<C>) REINSPECT_ANYWHERE static C of(C a, C b)
    {
        if constexpr (WholeNumber<C>)
            return b == -1 ? wrapped(std::uint64_t{0} - bitsOf(a)) : a / b;
        else
            return std::trunc(a / b);
    }
};

struct Remainder // the sign of b
{
    template<typename C>
    requires(!ComplexNumber<C>) REINSPECT_ANYWHERE static C of(C a, C b)
    {
        if constexpr (WholeNumber<C>)
        {
            const std::int64_t rest = b == -1 ? 0 : a % b;
            return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
        }
        else
        {
            const C rest = std::fmod(a, b);
            return rest != C(0) && (b < C(0)) != (rest < C(0)) ? rest + b : rest;
        }
    }
};

struct FloatRemainder // the sign of a
{
    template<typename C>
    requires(!ComplexNumber<C>) REINSPECT_ANYWHERE static C of(C a, C b)
    {
        if constexpr (WholeNumber<C>)
            return b == -1 ? 0 : a % b;
        else
            return std::fmod(a, b);
    }
};

REINSPECT_ANYWHERE inline std::int64_t wholePower(std::int64_t base, std::int64_t exponent)
{
    if (exponent < 0)
        return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
    std::uint64_t result = 1;
    for (std::uint64_t factor = bitsOf(base); exponent > 0; exponent >>= 1, factor *= factor)
        if (exponent & 1)
            result *= factor;
    return wrapped(result);
}

struct Power
{
    template<typename C>
    REINSPECT_ANYWHERE static C of(C a, C b)
    {
        if constexpr (WholeNumber<C>)
            return wholePower(a, b);
        else
            return std::pow(a, b);
    }
};

struct Maximum // NaN wins
{
    template<typename C>
    requires(!ComplexNumber<C>) REINSPECT_ANYWHERE static C of(C a, C b)
    {
        return isNan(a) ? a : isNan(b) ? b : std::max(a, b);
    }
};
struct Minimum
{
    template<typename C>
    requires(!ComplexNumber<C>) REINSPECT_ANYWHERE static C of(C a, C b)
    {
        return isNan(a) ? a : isNan(b) ? b : std::min(a, b);
    }
};
struct LargerNumber // NaN loses
{
    template<typename C>
    requires(!ComplexNumber<C>) REINSPECT_ANYWHERE static C of(C a, C b)
    {
        return isNan(a) ? b : isNan(b) ? a : std::max(a, b);
    }
};
struct SmallerNumber
{
    template<typename C>
    requires(!ComplexNumber<C>) REINSPECT_ANYWHERE static C of(C a, C b)
    {
        return isNan(a) ? b : isNan(b) ? a : std::min(a, b);
    }
};

#define REINSPECT_REAL(name, expression)                                                           \
    struct name                                                                                    \
    {                                                                                              \
        template<RealNumber C>                                                                     \
        REINSPECT_ANYWHERE static C of(C a, C b)                                                   \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
#define REINSPECT_WHOLE(name, expression)                                                          \
    struct name                                                                                    \
    {                                                                                              \
        template<WholeNumber C>                                                                    \
        REINSPECT_ANYWHERE static C of(C a, C b)                                                   \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
#define REINSPECT_COMPARISON(name, operation)                                                      \
    struct name                                                                                    \
    {                                                                                              \
        template<typename C>                                                                       \
        REINSPECT_ANYWHERE static bool of(C a, C b) requires requires                              \
        {                                                                                          \
            a operation b;                                                                         \
        }                                                                                          \
        {                                                                                          \
            return a operation b;                                                                  \
        }                                                                                          \
    };
REINSPECT_REAL(ArcTangent2, std::atan2(a, b))
REINSPECT_REAL(Hypotenuse, std::hypot(a, b))
REINSPECT_REAL(CopySign, std::copysign(a, b))
REINSPECT_REAL(NextAfter, std::nextafter(a, b))
REINSPECT_REAL(LogAddExp,
               std::isinf(a) && a == b ? a
                                       : std::max(a, b) + std::log1p(std::exp(-std::abs(a - b))))
REINSPECT_REAL(LogAddExp2,
               std::isinf(a) && a == b ? a
                                       : std::max(a, b)
                       + std::log1p(std::exp2(-std::abs(a - b))) * C(1.4426950408889634))
REINSPECT_REAL(XLogY, isNan(b) ? b : a == C(0) ? C(0) : a * std::log(b))
REINSPECT_REAL(XLog1PY, isNan(b) ? b : a == C(0) ? C(0) : a * std::log1p(b))
REINSPECT_REAL(HeavisideStep, a == C(0) ? b : isNan(a) ? a : a < C(0) ? C(0) : C(1))
REINSPECT_REAL(LoadExponent, a* std::exp2(b))
REINSPECT_WHOLE(BitAnd, a& b)
REINSPECT_WHOLE(BitOr, a | b)
REINSPECT_WHOLE(BitXor, a ^ b)
REINSPECT_WHOLE(ShiftLeft, b<0 || b> 63 ? 0 : wrapped(bitsOf(a) << b))
REINSPECT_WHOLE(ShiftRight, b<0 || b> 63 ? (a < 0 ? -1 : 0) : a >> b)
REINSPECT_WHOLE(Gcd, a == INT64_MIN || b == INT64_MIN ? 0 : std::gcd(a, b))
REINSPECT_COMPARISON(Equal, ==)
REINSPECT_COMPARISON(NotEqual, !=)
REINSPECT_COMPARISON(Less, <)
REINSPECT_COMPARISON(LessEqual, <=)
REINSPECT_COMPARISON(Greater, >)
REINSPECT_COMPARISON(GreaterEqual, >=)

#undef REINSPECT_REAL
#undef REINSPECT_WHOLE
#undef REINSPECT_COMPARISON

struct LogicalAnd
{
    template<typename C>
    REINSPECT_ANYWHERE static bool of(C a, C b)
    {
        return a != C{} && b != C{};
    }
};
struct LogicalOr
{
    template<typename C>
    REINSPECT_ANYWHERE static bool of(C a, C b)
    {
        return a != C{} || b != C{};
    }
};
struct LogicalXor
{
    template<typename C>
    REINSPECT_ANYWHERE static bool of(C a, C b)
    {
        return (a != C{}) != (b != C{});
    }
};

} // namespace reinspect::exec
