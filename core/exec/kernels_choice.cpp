// SPDX-License-Identifier: MIT
// Elementwise operators of three operands and those with bounds or parameters: where, clamp, lerp, addcmul,
// activations and the backward forms that stay elementwise.
#include "core/exec/choice_functions.h"
#include "core/exec/pointwise.h"

#include <array>
#include <limits>

namespace reinspect::exec
{
namespace
{

// What no number is below, or above.
Value endOf(DType dtype, bool isLow)
{
    if (computeKind(dtype) == ComputeKind::Integer)
        return isLow ? std::numeric_limits<std::int64_t>::min()
                     : std::numeric_limits<std::int64_t>::max();
    const double infinity = std::numeric_limits<double>::infinity();
    return isLow ? -infinity : infinity;
}

// condition ? self : other. The condition takes no part in promotion.
Result<Value> choose(const KernelCall& call, const Operand& condition, const Operand& yes,
                     const Operand& no, DType dtype)
{
    REINSPECT_TRY(Operands operands, operandsFrom(call, {yes, no}));
    auto sizes =
        broadcastSizes(operands.sizes, condition.tensor ? condition.tensor->sizes : Sizes{});
    if (!sizes.ok())
        return call.error(sizes.error().message);
    operands.sizes = std::move(*sizes);
    dtype = dtype == DType::Unknown ? operands.promoted : dtype;
    operands.list.push_back(condition);
    return runFunction<Where, 3>(call, operands, dtype, dtype);
}

Result<Value> where(const KernelCall& call)
{
    REINSPECT_TRY(const Operand condition, operandOf(call, call.schema->arguments[0].name));
    REINSPECT_TRY(const Operand self, operandOf(call, call.schema->arguments[1].name));
    REINSPECT_TRY(const Operand other, operandOf(call, call.schema->arguments[2].name));
    return choose(call, condition, self, other, DType::Unknown);
}

Result<Value> maskedFill(const KernelCall& call)
{
    REINSPECT_TRY(const Operand mask, operandOf(call, "mask"));
    REINSPECT_TRY(const Operand self, operandOf(call, "self"));
    REINSPECT_TRY(const Operand value, operandOf(call, "value"));
    return choose(call, mask, value, self, self.dtype);
}

// Bounds are numbers or tensors, and either may be left out.
Result<Value> clampBetween(const KernelCall& call, std::string_view low, std::string_view high)
{
    REINSPECT_TRY(const Operand self, operandOf(call, call.schema->arguments.front().name));
    std::vector<Operand> list{self};
    std::vector<std::size_t> open;
    for (const std::string_view name : {low, high})
    {
        Operand bound{{}, Value(false), DType::Bool};
        if (!name.empty() && call.has(name))
        {
            REINSPECT_TRY(bound, operandOf(call, name));
        }
        else
            open.push_back(list.size());
        list.push_back(bound);
    }
    REINSPECT_TRY(Operands operands, operandsFrom(call, std::move(list)));
    const DType dtype = operands.promoted;
    for (const std::size_t place : open)
        operands.list[place].number = endOf(dtype, place == 1);
    return runFunction<Clamp, 3>(call, operands, dtype, dtype);
}

Result<Value> clamp(const KernelCall& call)
{
    return clampBetween(call, "min", "max");
}
Result<Value> clampMin(const KernelCall& call)
{
    return clampBetween(call, "min", "");
}
Result<Value> clampMax(const KernelCall& call)
{
    return clampBetween(call, "", "max");
}
Result<Value> hardtanh(const KernelCall& call)
{
    return clampBetween(call, "min_val", "max_val");
}
Result<Value> clampMinTo(const KernelCall& call)
{
    return clampBetween(call, call.schema->arguments[1].name, "");
}
Result<Value> clampMaxTo(const KernelCall& call)
{
    return clampBetween(call, "", call.schema->arguments[1].name);
}

// self + value * (a op b), computed in the promoted dtype's arithmetic.
template<typename F>
Result<Value> addProduct(const KernelCall& call)
{
    REINSPECT_TRY(Operands operands, operandsOf(call, {"self", "tensor1", "tensor2"}));
    const double value = call.optionalNumber("value").value_or(1.0);
    const bool isWhole = computeKind(operands.promoted) == ComputeKind::Integer;
    operands.list.push_back(Operand{
        {}, isWhole ? Value(static_cast<std::int64_t>(value)) : Value(value), operands.promoted});
    return runFunction<F, 4>(call, operands, operands.promoted, operands.promoted);
}

Result<Value> lerp(const KernelCall& call)
{
    REINSPECT_TRY(const Operands operands, operandsOf(call, {"self", "end", "weight"}));
    return runFloating<Interpolated, 3>(call, operands, operands.list[0].dtype);
}

// The first N arguments, tensors, and behind them the named numbers.
template<typename F, std::size_t N, std::size_t Parameters>
Result<Value> parameterized(const KernelCall& call,
                            const std::array<std::string_view, Parameters>& names)
{
    std::vector<Operand> list;
    for (std::size_t i = 0; i < N; ++i)
    {
        REINSPECT_TRY(Operand operand, operandOf(call, call.schema->arguments[i].name));
        list.push_back(std::move(operand));
    }
    REINSPECT_TRY(Operands operands, operandsFrom(call, std::move(list)));
    for (const std::string_view name : names)
    {
        REINSPECT_TRY(const double number, call.number(name));
        operands.list.push_back(Operand{{}, Value(number), operands.promoted});
    }
    return runFloating<F, N + Parameters>(call, operands, operands.promoted);
}

template<typename F>
Result<Value> activation(const KernelCall& call)
{
    return parameterized<F, 1, 0>(call, {});
}

// The gradient and the tensor it is for.
template<typename F>
Result<Value> activationBackward(const KernelCall& call)
{
    return parameterized<F, 2, 0>(call, {});
}

Result<Value> gelu(const KernelCall& call)
{
    return call.text("approximate") == "tanh" ? activation<GeluByTanh>(call)
                                              : activation<Gelu>(call);
}

Result<Value> geluBackward(const KernelCall& call)
{
    return call.text("approximate") == "tanh" ? activationBackward<GeluByTanhGradient>(call)
                                              : activationBackward<GeluGradient>(call);
}

Result<Value> threshold(const KernelCall& call)
{
    return parameterized<Threshold, 1, 2>(call, {"threshold", "value"});
}

Result<Value> thresholdBackward(const KernelCall& call)
{
    return parameterized<ThresholdGradient, 2, 1>(call, {"threshold"});
}

Result<Value> leakyRelu(const KernelCall& call)
{
    return parameterized<LeakyRelu, 1, 1>(call, {"negative_slope"});
}

Result<Value> leakyReluBackward(const KernelCall& call)
{
    return parameterized<LeakyReluGradient, 2, 1>(call, {"negative_slope"});
}

// What follows runs on the host only.

Result<Value> hardtanhBackward(const KernelCall& call)
{
    REINSPECT_TRY(const double low, call.number("min_val"));
    REINSPECT_TRY(const double high, call.number("max_val"));
    REINSPECT_TRY(const Operands operands, operandsOf(call, {"grad_output", "self"}));
    return mapFloating<2>(call, operands, operands.promoted, [=]<typename C>(C grad, C x) {
        return x <= static_cast<C>(low) || x >= static_cast<C>(high) ? C(0) : grad;
    });
}

Result<Value> elu(const KernelCall& call)
{
    REINSPECT_TRY(const double alpha, call.number("alpha"));
    REINSPECT_TRY(const double scale, call.number("scale"));
    REINSPECT_TRY(const double inner, call.number("input_scale"));
    REINSPECT_TRY(const Operands operands, operandsOf(call, {"self"}));
    return mapFloating<1>(call, operands, operands.promoted, [=]<typename C>(C x) {
        return x > C(0) ? x * static_cast<C>(scale)
                        : std::expm1(x * static_cast<C>(inner)) * static_cast<C>(alpha * scale);
    });
}

Result<Value> softplus(const KernelCall& call)
{
    REINSPECT_TRY(const double beta, call.number("beta"));
    REINSPECT_TRY(const double most, call.number("threshold"));
    REINSPECT_TRY(const Operands operands, operandsOf(call, {"self"}));
    return mapFloating<1>(call, operands, operands.promoted, [=]<typename C>(C x) {
        const C scaled = x * static_cast<C>(beta);
        return scaled > static_cast<C>(most) ? x
                                             : std::log1p(std::exp(scaled)) / static_cast<C>(beta);
    });
}

const KernelRow table[] = {
    {"aten.where.self", where},
    {"aten.where.ScalarSelf", where},
    {"aten.where.ScalarOther", where},
    {"aten.where.Scalar", where},
    {"prims.where.default", where},
    {"aten.masked_fill.Scalar", maskedFill},
    {"aten.masked_fill.Tensor", maskedFill},
    {"aten.clamp.default", clamp},
    {"aten.clamp.Tensor", clamp},
    {"aten.clamp_min.default", clampMin},
    {"aten.clamp_min.Tensor", clampMin},
    {"aten.clamp_max.default", clampMax},
    {"aten.clamp_max.Tensor", clampMax},
    {"aten.hardtanh.default", hardtanh},
    {"aten.clamp_min.Scalar", clampMinTo,
     "aten::clamp_min.Scalar(Tensor self, Scalar min) -> Tensor"},
    {"aten.clamp_max.Scalar", clampMaxTo,
     "aten::clamp_max.Scalar(Tensor self, Scalar max) -> Tensor"},
    {"aten.maximum.Tensor", clampMinTo,
     "aten::maximum.Tensor(Tensor self, Tensor other) -> Tensor"},
    {"aten.maximum.Scalar", clampMinTo,
     "aten::maximum.Scalar(Tensor self, Scalar other) -> Tensor"},
    {"aten.minimum.Tensor", clampMaxTo,
     "aten::minimum.Tensor(Tensor self, Tensor other) -> Tensor"},
    {"aten.minimum.Scalar", clampMaxTo,
     "aten::minimum.Scalar(Tensor self, Scalar other) -> Tensor"},
    {"aten.addcmul.default", addProduct<AddProduct>},
    {"aten.addcdiv.default", addProduct<AddQuotient>},
    {"aten.addcmul.Scalar", addProduct<AddProduct>,
     "aten::addcmul.Scalar(Tensor self, Tensor tensor1, Tensor tensor2, Scalar value=1) -> Tensor"},
    {"aten.addcdiv.Scalar", addProduct<AddQuotient>,
     "aten::addcdiv.Scalar(Tensor self, Tensor tensor1, Tensor tensor2, Scalar value=1) -> Tensor"},
    {"prims.fma.default", ternary<FusedProduct>},
    {"aten.lerp.Scalar", lerp},
    {"aten.lerp.Tensor", lerp},
    {"aten.gelu.default", gelu},
    {"aten.gelu_backward.default", geluBackward},
    {"aten.silu_backward.default", activationBackward<SiluGradient>},
    {"aten.sigmoid_backward.default", activationBackward<SigmoidGradient>},
    {"aten.tanh_backward.default", activationBackward<TanhGradient>},
    {"aten.threshold.default", threshold},
    {"aten.threshold_backward.default", thresholdBackward},
    {"aten.hardtanh_backward.default", hardtanhBackward, {}, RunsOn::Host},
    {"aten.leaky_relu.default", leakyRelu},
    {"aten.leaky_relu_backward.default", leakyReluBackward},
    {"aten.elu.default", elu, {}, RunsOn::Host},
    {"aten.softplus.default", softplus, {}, RunsOn::Host},
    {"aten.hardswish_backward.default", activationBackward<HardSwishGradient>},
    {"aten.hardsigmoid_backward.default", activationBackward<HardSigmoidGradient>},
};

} // namespace

std::span<const KernelRow> choiceKernels()
{
    return table;
}

} // namespace reinspect::exec
