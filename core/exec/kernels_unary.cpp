// SPDX-License-Identifier: MIT
// Elementwise operators of one tensor.
#include "core/exec/pointwise.h"

#include <limits>

namespace reinspect::exec
{
namespace
{

#define REINSPECT_FUNCTION(name, concept, expression)                                              \
    struct name                                                                                    \
    {                                                                                              \
        template<concept C>                                                                        \
        static auto of(C x)                                                                        \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
template<typename C>
concept FloatingNumber = RealNumber<C> || ComplexNumber<C>;
template<typename C>
concept OrderedNumber = RealNumber<C> || WholeNumber<C>;

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

template<typename C>
concept NumberButComplex = OrderedNumber<C>;

// Whole numbers stay as they are.
template<typename F>
struct WholeStays : F
{
    using F::of;
    static std::int64_t of(std::int64_t x) { return x; }
};

struct Negative
{
    template<FloatingNumber C>
    static C of(C x)
    {
        return -x;
    }
    static std::int64_t of(std::int64_t x) { return wrapped(std::uint64_t{0} - bitsOf(x)); }
};

struct Absolute
{
    template<RealNumber C>
    static C of(C x)
    {
        return std::abs(x);
    }
    static std::int64_t of(std::int64_t x) { return x < 0 ? Negative::of(x) : x; }
};

struct Square
{
    template<FloatingNumber C>
    static C of(C x)
    {
        return x * x;
    }
    static std::int64_t of(std::int64_t x) { return wrapped(bitsOf(x) * bitsOf(x)); }
};

struct Sign
{
    template<OrderedNumber C>
    static C of(C x)
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
    static C of(C x)
    {
        return x < C{} ? C{} : x; // NaN stays
    }
};

struct IsNan
{
    template<AnyNumber C>
    static bool of(C x)
    {
        return x != x;
    }
};

struct IsFinite
{
    template<OrderedNumber C>
    static bool of(C x)
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
    static bool of(C x)
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
    static C of(C x)
    {
        return ~x;
    }
};

struct Conjugate
{
    template<AnyNumber C>
    static C of(C x)
    {
        if constexpr (ComplexNumber<C>)
            return std::conj(x);
        else
            return x;
    }
};

Result<Value> bitwiseNot(const KernelCall& call)
{
    REINSPECT_TRY(const Operands operands, operandsOf(call, {"self"}));
    return operands.promoted == DType::Bool
        ? runPointwise<LogicalNot, ResultRule::Same, 1>(call, operands)
        : runPointwise<BitwiseNot, ResultRule::Same, 1>(call, operands);
}

// The absolute value of a complex number is real.
Result<Value> absolute(const KernelCall& call)
{
    REINSPECT_TRY(const Operands operands, operandsOf(call, {"self"}));
    if (!isComplex(operands.promoted))
        return runPointwise<Absolute, ResultRule::Same, 1>(call, operands);
    const DType real = operands.promoted == DType::Complex128 ? DType::Float64 : DType::Float32;
    REINSPECT_TRY(const Tensor result, elementwiseResult(call, real, operands));
    using C = std::complex<double>;
    REINSPECT_CHECK((mapBlocks<C, double, 1>(result, operands, operands.promoted,
                                             [](const auto& in, double* out, std::int64_t count) {
                                                 for (std::int64_t i = 0; i < count; ++i)
                                                     out[i] = std::abs(in[0][i]);
                                             })));
    return Value(result);
}

Result<Value> roundDecimals(const KernelCall& call)
{
    REINSPECT_TRY(const Operands operands, operandsOf(call, {"self"}));
    REINSPECT_TRY(const std::int64_t decimals, call.integer("decimals"));
    return mapFloating<1>(call, operands, operands.promoted, [=]<typename C>(C x) {
        const C ten = std::pow(C(10), static_cast<C>(std::abs(decimals)));
        return decimals < 0 ? std::nearbyint(x / ten) * ten : std::nearbyint(x * ten) / ten;
    });
}

Result<Value> nanToNum(const KernelCall& call)
{
    REINSPECT_TRY(const Operands operands, operandsOf(call, {"self"}));
    if (isIntegral(operands.promoted))
        return runPointwise<Conjugate, ResultRule::Same, 1>(call, operands);
    const double nan = call.optionalNumber("nan").value_or(0);
    const auto most = call.optionalNumber("posinf");
    const auto least = call.optionalNumber("neginf");
    const double largest = operands.promoted == DType::Float16 ? 65504.0
        : operands.promoted == DType::BFloat16                 ? 3.3895313892515355e38
        : operands.promoted == DType::Float64                  ? std::numeric_limits<double>::max()
                                              : double{std::numeric_limits<float>::max()};
    return mapFloating<1>(call, operands, operands.promoted, [=]<typename C>(C x) {
        if (std::isnan(x))
            return static_cast<C>(nan);
        if (!std::isinf(x))
            return x;
        return static_cast<C>(x > 0 ? most.value_or(largest) : least.value_or(-largest));
    });
}

constexpr ResultRule same = ResultRule::Same;
constexpr ResultRule floating = ResultRule::Floating;
constexpr ResultRule boolean = ResultRule::Bool;

const KernelRow table[] = {
    {"aten.sin.default", unary<Sine, floating>},
    {"aten.cos.default", unary<Cosine, floating>},
    {"aten.tan.default", unary<Tangent, floating>},
    {"aten.asin.default", unary<ArcSine, floating>},
    {"aten.acos.default", unary<ArcCosine, floating>},
    {"aten.atan.default", unary<ArcTangent, floating>},
    {"aten.sinh.default", unary<SineH, floating>},
    {"aten.cosh.default", unary<CosineH, floating>},
    {"aten.tanh.default", unary<TangentH, floating>},
    {"aten.asinh.default", unary<ArcSineH, floating>},
    {"aten.acosh.default", unary<ArcCosineH, floating>},
    {"aten.atanh.default", unary<ArcTangentH, floating>},
    {"aten.exp.default", unary<Exp, floating>},
    {"aten.exp2.default", unary<Exp2, floating>},
    {"aten.expm1.default", unary<ExpM1, floating>},
    {"aten.log.default", unary<Log, floating>},
    {"aten.log2.default", unary<Log2, floating>},
    {"aten.log10.default", unary<Log10, floating>},
    {"aten.log1p.default", unary<Log1P, floating>},
    {"aten.sqrt.default", unary<SquareRoot, floating>},
    {"aten.rsqrt.default", unary<InverseRoot, floating>},
    {"aten.reciprocal.default", unary<Reciprocal, floating>},
    {"aten.sigmoid.default", unary<Sigmoid, floating>},
    {"aten.erf.default", unary<ErrorFunction, floating>},
    {"aten.erfc.default", unary<ErrorFunctionC, floating>},
    {"aten.lgamma.default", unary<LogGamma, floating>},
    {"aten.silu.default", unary<Silu, floating>},
    {"aten.mish.default", unary<Mish, floating>},
    {"aten.log_sigmoid.default", unary<LogSigmoid, floating>},
    {"aten.hardsigmoid.default", unary<HardSigmoid, same>},
    {"aten.hardswish.default", unary<HardSwish, same>},
    {"aten.relu6.default", unary<Relu6, same>},
    {"aten.relu.default", unary<Relu, same>},
    {"aten.neg.default", unary<Negative, same>},
    {"aten.abs.default", absolute},
    {"aten.square.default", unary<Square, same>},
    {"aten.sign.default", unary<Sign, same>},
    {"aten.sgn.default", unary<Sign, same>},
    {"aten.ceil.default", unary<WholeStays<Ceiling>, same>},
    {"aten.floor.default", unary<WholeStays<Floor>, same>},
    {"aten.round.default", unary<WholeStays<Round>, same>},
    {"aten.round.decimals", roundDecimals},
    {"aten.trunc.default", unary<WholeStays<Truncate>, same>},
    {"aten.frac.default", unary<Fraction, same>},
    {"aten.deg2rad.default", unary<Radians, floating>},
    {"aten.rad2deg.default", unary<Degrees, floating>},
    {"aten.nan_to_num.default", nanToNum},
    {"aten.conj_physical.default", unary<Conjugate, same>},
    {"aten._conj_physical.default", unary<Conjugate, same>},
    {"aten.bitwise_not.default", bitwiseNot},
    {"aten.logical_not.default", unary<LogicalNot, boolean>},
    {"aten.isnan.default", unary<IsNan, boolean>},
    {"aten.isinf.default", unary<IsInfinite, boolean>},
    {"aten.isposinf.default", unary<IsPositiveInfinite, boolean>},
    {"aten.isneginf.default", unary<IsNegativeInfinite, boolean>},
    {"aten.isfinite.default", unary<IsFinite, boolean>},
    {"aten.signbit.default", unary<SignBit, boolean>},
};

} // namespace

std::span<const KernelRow> unaryKernels()
{
    return table;
}

} // namespace reinspect::exec
