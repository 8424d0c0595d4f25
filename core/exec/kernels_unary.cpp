// SPDX-License-Identifier: MIT
// Elementwise operators of one tensor.
#include "core/exec/pointwise.h"
#include "core/exec/unary_functions.h"

#include <limits>

namespace reinspect::exec
{
namespace
{

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
    if (call.context->accelerator)
        return runOnHost(call);
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
    {"aten.ceil.default", unary<WholeCeiling, same>},
    {"aten.floor.default", unary<WholeFloor, same>},
    {"aten.round.default", unary<WholeRound, same>},
    {"aten.round.decimals", roundDecimals, {}, RunsOn::Host},
    {"aten.trunc.default", unary<WholeTruncate, same>},
    {"aten.frac.default", unary<Fraction, same>},
    {"aten.deg2rad.default", unary<Radians, floating>},
    {"aten.rad2deg.default", unary<Degrees, floating>},
    {"aten.nan_to_num.default", nanToNum, {}, RunsOn::Host},
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
