// SPDX-License-Identifier: MIT
// Elementwise arithmetic and comparisons of two operands.
#include "core/exec/binary_functions.h"
#include "core/exec/choice_functions.h"
#include "core/exec/pointwise.h"

namespace reinspect::exec
{
namespace
{

// self + alpha * other
Result<Value> addScaled(const KernelCall& call, bool subtracts)
{
    const std::string_view one = call.schema->arguments[0].name;
    const std::string_view two = call.schema->arguments[1].name;
    REINSPECT_TRY(Operands operands, operandsOf(call, {one, two}));
    const Value* alpha = call.given("alpha");
    const bool plain = !alpha || alpha->number() == 1.0;
    if (plain)
        return subtracts ? runPointwise<Difference, ResultRule::Same, 2>(call, operands)
                         : runPointwise<Sum, ResultRule::Same, 2>(call, operands);
    const DType dtype = operands.promoted;
    if (isComplex(dtype) || !alpha->number())
        return call.unsupported("alpha with complex numbers");
    const double scale = *alpha->number() * (subtracts ? -1.0 : 1.0);
    operands.list.push_back(Operand{
        {}, isIntegral(dtype) ? Value(static_cast<std::int64_t>(scale)) : Value(scale), dtype});
    return runFunction<AddScaled, 3>(call, operands, dtype, dtype);
}

Result<Value> add(const KernelCall& call)
{
    return addScaled(call, false);
}
Result<Value> subtract(const KernelCall& call)
{
    return addScaled(call, true);
}

Result<Value> subtractReversed(const KernelCall& call)
{
    KernelCall turned = call;
    std::swap(turned.values[0], turned.values[1]);
    return addScaled(turned, true);
}

// Whole numbers have no quotient by 0.
Result<void> refuseZero(const KernelCall& call, const Operands& operands)
{
    if (!isIntegral(operands.promoted))
        return {};
    const Operand& by = operands.list[1];
    bool zero = !by.tensor && by.number.integer() == 0;
    if (by.tensor)
        for (const std::int64_t value : readAll<std::int64_t>(*by.tensor))
            zero = zero || value == 0;
    return zero ? Result<void>(call.error("integer division by zero")) : Result<void>();
}

template<typename F>
Result<Value> divideWhole(const KernelCall& call)
{
    REINSPECT_TRY(
        const Operands operands,
        operandsOf(call, {call.schema->arguments[0].name, call.schema->arguments[1].name}));
    REINSPECT_CHECK(refuseZero(call, operands));
    return runPointwise<F, ResultRule::Same, 2>(call, operands);
}

Result<Value> divideByMode(const KernelCall& call)
{
    const std::string mode = call.text("rounding_mode");
    if (mode == "floor")
        return divideWhole<FloorQuotient>(call);
    if (mode == "trunc")
        return divideWhole<TruncatedQuotient>(call);
    return binary<Quotient, ResultRule::Floating>(call);
}

Result<Value> powerOfNumber(const KernelCall& call)
{
    REINSPECT_TRY(const Operands operands, operandsOf(call, {"self", "exponent"}));
    if (!isFloating(operands.promoted) || !operands.list[1].number.number())
        return runPointwise<Power, ResultRule::Same, 2>(call, operands);
    return runFloating<PowerOfNumber, 2>(call, operands, operands.promoted);
}

constexpr ResultRule same = ResultRule::Same;
constexpr ResultRule floating = ResultRule::Floating;
constexpr ResultRule boolean = ResultRule::Bool;

#define REINSPECT_TENSOR_AND_SCALAR(name, function)                                                \
    {"aten." name ".Tensor", function},                                                            \
    {                                                                                              \
        "aten." name ".Scalar", function                                                           \
    }

const KernelRow table[] = {
    REINSPECT_TENSOR_AND_SCALAR("add", add),
    REINSPECT_TENSOR_AND_SCALAR("sub", subtract),
    REINSPECT_TENSOR_AND_SCALAR("rsub", subtractReversed),
    {"aten.mul.Tensor", binary<Product, same>},
    {"aten.mul.Scalar", binary<Product, same>},
    {"aten.div.Tensor", binary<Quotient, floating>},
    {"aten.div.Scalar", binary<Quotient, floating>},
    {"aten.true_divide.Tensor", binary<Quotient, floating>},
    {"aten.div.Tensor_mode", divideByMode},
    {"aten.div.Scalar_mode", divideByMode},
    {"aten.floor_divide.default", divideWhole<FloorQuotient>},
    {"aten.floor_divide.Scalar", divideWhole<FloorQuotient>},
    REINSPECT_TENSOR_AND_SCALAR("remainder", divideWhole<Remainder>),
    {"aten.remainder.Scalar_Tensor", divideWhole<Remainder>},
    REINSPECT_TENSOR_AND_SCALAR("fmod", divideWhole<FloatRemainder>),
    {"aten.pow.Tensor_Tensor", binary<Power, same>},
    {"aten.pow.Scalar", binary<Power, same>},
    {"aten.pow.Tensor_Scalar", powerOfNumber},
    {"aten.maximum.default", binary<Maximum, same>},
    {"aten.minimum.default", binary<Minimum, same>},
    {"aten.fmax.default", binary<LargerNumber, same>},
    {"aten.fmin.default", binary<SmallerNumber, same>},
    {"aten.atan2.default", binary<ArcTangent2, floating>},
    {"aten.hypot.default", binary<Hypotenuse, same>},
    {"aten.copysign.Tensor", binary<CopySign, floating>},
    {"aten.copysign.Scalar", binary<CopySign, floating>},
    {"aten.nextafter.default", binary<NextAfter, same>},
    {"aten.logaddexp.default", binary<LogAddExp, floating>},
    {"aten.logaddexp2.default", binary<LogAddExp2, floating>},
    {"aten.xlogy.Tensor", binary<XLogY, floating>},
    {"aten.xlogy.Scalar_Other", binary<XLogY, floating>},
    {"aten.special_xlog1py.default", binary<XLog1PY, floating>},
    {"aten.heaviside.default", binary<HeavisideStep, same>},
    {"aten.ldexp.Tensor", binary<LoadExponent, floating>},
    REINSPECT_TENSOR_AND_SCALAR("bitwise_and", (binary<BitAnd, same>)),
    REINSPECT_TENSOR_AND_SCALAR("bitwise_or", (binary<BitOr, same>)),
    REINSPECT_TENSOR_AND_SCALAR("bitwise_xor", (binary<BitXor, same>)),
    {"aten.bitwise_left_shift.Tensor", binary<ShiftLeft, same>},
    {"aten.bitwise_left_shift.Tensor_Scalar", binary<ShiftLeft, same>},
    {"aten.bitwise_right_shift.Tensor", binary<ShiftRight, same>},
    {"aten.bitwise_right_shift.Tensor_Scalar", binary<ShiftRight, same>},
    {"aten.gcd.default", binary<Gcd, same>},
    REINSPECT_TENSOR_AND_SCALAR("eq", (binary<Equal, boolean>)),
    REINSPECT_TENSOR_AND_SCALAR("ne", (binary<NotEqual, boolean>)),
    REINSPECT_TENSOR_AND_SCALAR("lt", (binary<Less, boolean>)),
    REINSPECT_TENSOR_AND_SCALAR("le", (binary<LessEqual, boolean>)),
    REINSPECT_TENSOR_AND_SCALAR("gt", (binary<Greater, boolean>)),
    REINSPECT_TENSOR_AND_SCALAR("ge", (binary<GreaterEqual, boolean>)),
    {"aten.logical_and.default", binary<LogicalAnd, boolean>},
    {"aten.logical_or.default", binary<LogicalOr, boolean>},
    {"aten.logical_xor.default", binary<LogicalXor, boolean>},
};

} // namespace

std::span<const KernelRow> binaryKernels()
{
    return table;
}

} // namespace reinspect::exec
