// SPDX-License-Identifier: MIT
// Elementwise functions with three and more operands, and those with parameters: activations and their gradients. A
// parameter is an operand like any other, the same number for every element. For kernels_choice.cpp and the
// device.
#pragma once

#include "core/exec/numbers.h"

#include <algorithm>
#include <cmath>

namespace reinspect::exec
{

struct Identity
{
    template<typename C>
    REINSPECT_ANYWHERE static C of(C x)
    {
        return x;
    }
};

struct Where // the condition comes last
{
    template<typename C>
    REINSPECT_ANYWHERE static C of(C yes, C no, C condition)
    {
        return condition != C{} ? yes : no;
    }
};

struct Clamp // NaN stays, and a bound that is NaN wins
{
    template<OrderedNumber C>
    REINSPECT_ANYWHERE static C of(C x, C low, C high)
    {
        if (x == x)
            x = low != low ? low : x < low ? low : x;
        if (x == x)
            x = high != high ? high : x > high ? high : x;
        return x;
    }
};

// a + scale * b; the product is not rounded on its own, as a device's fused multiply-add does not.
struct AddScaled
{
    template<OrderedNumber C>
    REINSPECT_ANYWHERE static C of(C a, C b, C scale)
    {
        if constexpr (WholeNumber<C>)
            return wrapped(bitsOf(a) + bitsOf(scale) * bitsOf(b));
        else
            return std::fma(scale, b, a);
    }
};

struct AddProduct
{
    template<OrderedNumber C>
    REINSPECT_ANYWHERE static C of(C a, C b, C c, C value)
    {
        if constexpr (WholeNumber<C>)
            return wrapped(bitsOf(a) + bitsOf(value) * bitsOf(b) * bitsOf(c));
        else
            return std::fma(value * b, c, a);
    }
};

struct AddQuotient
{
    template<RealNumber C>
    REINSPECT_ANYWHERE static C of(C a, C b, C c, C value)
    {
        return std::fma(value, b / c, a);
    }
};

struct Interpolated
{
    template<RealNumber C>
    REINSPECT_ANYWHERE static C of(C a, C b, C weight)
    {
        return std::abs(weight) < C(0.5) ? std::fma(weight, b - a, a)
                                         : b - (b - a) * (C(1) - weight);
    }
};

struct FusedProduct
{
    template<RealNumber C>
    REINSPECT_ANYWHERE static C of(C a, C b, C c)
    {
        return std::fma(a, b, c);
    }
};

// A number as exponent: the usual ones have exact forms, as in PyTorch.
struct PowerOfNumber
{
    template<RealNumber C>
    REINSPECT_ANYWHERE static C of(C x, C exponent)
    {
        if (exponent == C(2))
            return x * x;
        if (exponent == C(3))
            return x * x * x;
        if (exponent == C(-1))
            return C(1) / x;
        if (exponent == C(-2))
            return C(1) / (x * x);
        if (exponent == C(0.5))
            return std::sqrt(x);
        if (exponent == C(-0.5))
            return C(1) / std::sqrt(x);
        return std::pow(x, exponent);
    }
};

#define REINSPECT_REAL_1(name, expression)                                                         \
    struct name                                                                                    \
    {                                                                                              \
        template<RealNumber C>                                                                     \
        REINSPECT_ANYWHERE static C of(C x)                                                        \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
// A gradient and the tensor it is for, or an element and a parameter.
#define REINSPECT_REAL_2(name, a, b, expression)                                                   \
    struct name                                                                                    \
    {                                                                                              \
        template<RealNumber C>                                                                     \
        REINSPECT_ANYWHERE static C of(C a, C b)                                                   \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
#define REINSPECT_REAL_3(name, a, b, c, expression)                                                \
    struct name                                                                                    \
    {                                                                                              \
        template<RealNumber C>                                                                     \
        REINSPECT_ANYWHERE static C of(C a, C b, C c)                                              \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
REINSPECT_REAL_1(
    GeluByTanh,
    C(0.5) * x * (C(1) + std::tanh(C(0.79788456080286535588) * (x + C(0.044715) * x * x * x))))
REINSPECT_REAL_1(Gelu, x* C(0.5) * (C(1) + std::erf(x * C(0.70710678118654752440))))
REINSPECT_REAL_2(SigmoidGradient, grad, y, grad*(C(1) - y) * y)
REINSPECT_REAL_2(TanhGradient, grad, y, grad*(C(1) - y * y))
REINSPECT_REAL_2(HardSwishGradient, grad, x,
                 x < C(-3)       ? C(0)
                     : x <= C(3) ? grad * (x / C(3) + C(0.5))
                                 : grad)
REINSPECT_REAL_2(HardSigmoidGradient, grad, x, x > C(-3) && x < C(3) ? grad / C(6) : C(0))
REINSPECT_REAL_2(LeakyRelu, x, slope, x > C(0) ? x : x * slope)
REINSPECT_REAL_3(LeakyReluGradient, grad, x, slope, x > C(0) ? grad : grad * slope)
REINSPECT_REAL_3(ThresholdGradient, grad, x, least, x <= least ? C(0) : grad)
REINSPECT_REAL_3(Threshold, x, least, value, x <= least ? value : x)
REINSPECT_REAL_3(DropoutGradient, grad, mask, scale, grad* mask* scale)
#undef REINSPECT_REAL_1
#undef REINSPECT_REAL_2
#undef REINSPECT_REAL_3

struct SiluGradient
{
    template<RealNumber C>
    REINSPECT_ANYWHERE static C of(C grad, C x)
    {
        const C s = C(1) / (C(1) + std::exp(-x));
        return grad * s * (C(1) + x * (C(1) - s));
    }
};

struct GeluGradient
{
    template<RealNumber C>
    REINSPECT_ANYWHERE static C of(C grad, C x)
    {
        const C cdf = C(0.5) * (C(1) + std::erf(x * C(0.70710678118654752440)));
        const C pdf = std::exp(C(-0.5) * x * x) * C(0.39894228040143267794);
        return grad * (cdf + x * pdf);
    }
};

struct GeluByTanhGradient
{
    template<RealNumber C>
    REINSPECT_ANYWHERE static C of(C grad, C x)
    {
        const C factor = C(0.79788456080286535588);
        const C t = std::tanh(factor * (x + C(0.044715) * x * x * x));
        const C slope = factor * (C(1) + C(3) * C(0.044715) * x * x);
        return grad * (C(0.5) * (C(1) + t) + C(0.5) * x * (C(1) - t * t) * slope);
    }
};

} // namespace reinspect::exec
