// SPDX-License-Identifier: MIT
// Elementwise operators of three operands and those with bounds or parameters: where, clamp, lerp, addcmul,
// activations and the backward forms that stay elementwise.
#include "core/exec/pointwise.h"

#include <algorithm>

namespace reinspect::exec
{
namespace
{

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
    const ComputeKind kind = computeKind(dtype);
    if (kind == ComputeKind::None)
        return call.unsupported("not for dtype " + std::string(dtypeName(dtype)));
    REINSPECT_TRY(const Tensor result, elementwiseResult(call, dtype, operands));
    return dispatchCompute(kind, [&]<typename C>(TypeTag<C>) -> Result<Value> {
        REINSPECT_CHECK((mapBlocks<C, C, 3>(result, operands, dtype,
                                            [](const auto& in, C* out, std::int64_t count) {
                                                for (std::int64_t i = 0; i < count; ++i)
                                                    out[i] = in[2][i] != C{} ? in[0][i] : in[1][i];
                                            })));
        return Value(result);
    });
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

// Bounds are numbers or tensors, and either may be left out. NaN stays.
Result<Value> clampBetween(const KernelCall& call, std::string_view low, std::string_view high)
{
    REINSPECT_TRY(const Operand self, operandOf(call, call.schema->arguments.front().name));
    std::vector<Operand> list{self};
    const bool hasLow = !low.empty() && call.has(low);
    const bool hasHigh = !high.empty() && call.has(high);
    for (const auto& [name, has] : {std::pair{low, hasLow}, std::pair{high, hasHigh}})
    {
        Operand bound{{}, Value(false), DType::Bool};
        if (has)
        {
            REINSPECT_TRY(bound, operandOf(call, name));
        }
        list.push_back(bound);
    }
    REINSPECT_TRY(const Operands operands, operandsFrom(call, std::move(list)));
    const DType dtype = operands.promoted;
    if (computeKind(dtype) == ComputeKind::None || isComplex(dtype))
        return call.unsupported("not for dtype " + std::string(dtypeName(dtype)));
    REINSPECT_TRY(const Tensor result, elementwiseResult(call, dtype, operands));
    return dispatchReal(computeKind(dtype), [&]<typename C>(TypeTag<C>) -> Result<Value> {
        REINSPECT_CHECK((mapBlocks<C, C, 3>(
            result, operands, dtype, [&](const auto& in, C* out, std::int64_t count) {
                for (std::int64_t i = 0; i < count; ++i)
                {
                    C x = in[0][i];
                    if (hasLow && x == x)
                        x = in[1][i] != in[1][i] ? in[1][i] : std::max(x, in[1][i]);
                    if (hasHigh && x == x)
                        x = in[2][i] != in[2][i] ? in[2][i] : std::min(x, in[2][i]);
                    out[i] = x;
                }
            })));
        return Value(result);
    });
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
template<bool Divides>
Result<Value> addProduct(const KernelCall& call)
{
    REINSPECT_TRY(const Operands operands, operandsOf(call, {"self", "tensor1", "tensor2"}));
    const double given = call.optionalNumber("value").value_or(1.0);
    const ComputeKind kind = computeKind(operands.promoted);
    if (kind == ComputeKind::None || (Divides && isIntegral(operands.promoted)))
        return call.unsupported("not for dtype " + std::string(dtypeName(operands.promoted)));
    REINSPECT_TRY(const Tensor result, elementwiseResult(call, operands.promoted, operands));
    return dispatchReal(kind, [&]<typename C>(TypeTag<C>) -> Result<Value> {
        const C value = static_cast<C>(given);
        REINSPECT_CHECK((mapBlocks<C, C, 3>(
            result, operands, operands.promoted, [&](const auto& in, C* out, std::int64_t count) {
                for (std::int64_t i = 0; i < count; ++i)
                    if constexpr (WholeNumber<C>)
                        out[i] = wrapped(bitsOf(in[0][i])
                                         + bitsOf(value) * bitsOf(in[1][i]) * bitsOf(in[2][i]));
                    else if constexpr (Divides)
                        out[i] = std::fma(value, in[1][i] / in[2][i], in[0][i]);
                    else
                        out[i] = std::fma(value * in[1][i], in[2][i], in[0][i]);
            })));
        return Value(result);
    });
}

Result<Value> lerp(const KernelCall& call)
{
    REINSPECT_TRY(const Operands operands, operandsOf(call, {"self", "end", "weight"}));
    const DType dtype = operands.list[0].dtype;
    return mapFloating<3>(call, operands, dtype, []<typename C>(C a, C b, C weight) {
        return std::abs(weight) < C(0.5) ? std::fma(weight, b - a, a)
                                         : b - (b - a) * (C(1) - weight);
    });
}

// One tensor and numbers.
template<typename F>
Result<Value> activation(const KernelCall& call, F&& f)
{
    REINSPECT_TRY(const Operands operands, operandsOf(call, {call.schema->arguments.front().name}));
    return mapFloating<1>(call, operands, operands.promoted, std::forward<F>(f));
}

// The gradient and the tensor it is for.
template<typename F>
Result<Value> activationBackward(const KernelCall& call, F&& f)
{
    REINSPECT_TRY(
        const Operands operands,
        operandsOf(call, {call.schema->arguments[0].name, call.schema->arguments[1].name}));
    return mapFloating<2>(call, operands, operands.promoted, std::forward<F>(f));
}

template<typename C>
constexpr C kRootHalf = C(0.70710678118654752440);
template<typename C>
constexpr C kRootTwoOverPi = C(0.79788456080286535588);

Result<Value> gelu(const KernelCall& call)
{
    if (call.text("approximate") == "tanh")
        return activation(call, []<typename C>(C x) {
            return C(0.5) * x
                * (C(1) + std::tanh(kRootTwoOverPi<C> * (x + C(0.044715) * x * x * x)));
        });
    return activation(
        call, []<typename C>(C x) { return x * C(0.5) * (C(1) + std::erf(x * kRootHalf<C>)); });
}

Result<Value> geluBackward(const KernelCall& call)
{
    if (call.text("approximate") == "tanh")
        return activationBackward(call, []<typename C>(C grad, C x) {
            const C inner = kRootTwoOverPi<C> * (x + C(0.044715) * x * x * x);
            const C t = std::tanh(inner);
            const C slope = kRootTwoOverPi<C> * (C(1) + C(3) * C(0.044715) * x * x);
            return grad * (C(0.5) * (C(1) + t) + C(0.5) * x * (C(1) - t * t) * slope);
        });
    return activationBackward(call, []<typename C>(C grad, C x) {
        const C cdf = C(0.5) * (C(1) + std::erf(x * kRootHalf<C>));
        const C pdf = std::exp(C(-0.5) * x * x) * C(0.39894228040143267794);
        return grad * (cdf + x * pdf);
    });
}

Result<Value> siluBackward(const KernelCall& call)
{
    return activationBackward(call, []<typename C>(C grad, C x) {
        const C s = C(1) / (C(1) + std::exp(-x));
        return grad * s * (C(1) + x * (C(1) - s));
    });
}

Result<Value> sigmoidBackward(const KernelCall& call)
{
    return activationBackward(call, []<typename C>(C grad, C y) { return grad * (C(1) - y) * y; });
}

Result<Value> tanhBackward(const KernelCall& call)
{
    return activationBackward(call, []<typename C>(C grad, C y) { return grad * (C(1) - y * y); });
}

Result<Value> thresholdBackward(const KernelCall& call)
{
    REINSPECT_TRY(const double threshold, call.number("threshold"));
    return activationBackward(call, [=]<typename C>(C grad, C x) {
        return x <= static_cast<C>(threshold) ? C(0) : grad;
    });
}

Result<Value> threshold(const KernelCall& call)
{
    REINSPECT_TRY(const double least, call.number("threshold"));
    REINSPECT_TRY(const double value, call.number("value"));
    return activation(call, [=]<typename C>(C x) {
        return x <= static_cast<C>(least) ? static_cast<C>(value) : x;
    });
}

Result<Value> hardtanhBackward(const KernelCall& call)
{
    REINSPECT_TRY(const double low, call.number("min_val"));
    REINSPECT_TRY(const double high, call.number("max_val"));
    return activationBackward(call, [=]<typename C>(C grad, C x) {
        return x <= static_cast<C>(low) || x >= static_cast<C>(high) ? C(0) : grad;
    });
}

Result<Value> leakyRelu(const KernelCall& call)
{
    REINSPECT_TRY(const double slope, call.number("negative_slope"));
    return activation(call,
                      [=]<typename C>(C x) { return x > C(0) ? x : x * static_cast<C>(slope); });
}

Result<Value> leakyReluBackward(const KernelCall& call)
{
    REINSPECT_TRY(const double slope, call.number("negative_slope"));
    return activationBackward(call, [=]<typename C>(C grad, C x) {
        return x > C(0) ? grad : grad * static_cast<C>(slope);
    });
}

Result<Value> elu(const KernelCall& call)
{
    REINSPECT_TRY(const double alpha, call.number("alpha"));
    REINSPECT_TRY(const double scale, call.number("scale"));
    REINSPECT_TRY(const double inner, call.number("input_scale"));
    return activation(call, [=]<typename C>(C x) {
        return x > C(0) ? x * static_cast<C>(scale)
                        : std::expm1(x * static_cast<C>(inner)) * static_cast<C>(alpha * scale);
    });
}

Result<Value> softplus(const KernelCall& call)
{
    REINSPECT_TRY(const double beta, call.number("beta"));
    REINSPECT_TRY(const double most, call.number("threshold"));
    return activation(call, [=]<typename C>(C x) {
        const C scaled = x * static_cast<C>(beta);
        return scaled > static_cast<C>(most) ? x
                                             : std::log1p(std::exp(scaled)) / static_cast<C>(beta);
    });
}

Result<Value> hardswishBackward(const KernelCall& call)
{
    return activationBackward(call, []<typename C>(C grad, C x) {
        return x < C(-3) ? C(0) : x <= C(3) ? grad * (x / C(3) + C(0.5)) : grad;
    });
}

Result<Value> hardsigmoidBackward(const KernelCall& call)
{
    return activationBackward(
        call, []<typename C>(C grad, C x) { return x > C(-3) && x < C(3) ? grad / C(6) : C(0); });
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
    {"aten.addcmul.default", addProduct<false>},
    {"aten.addcdiv.default", addProduct<true>},
    {"aten.addcmul.Scalar", addProduct<false>,
     "aten::addcmul.Scalar(Tensor self, Tensor tensor1, Tensor tensor2, Scalar value=1) -> Tensor"},
    {"aten.addcdiv.Scalar", addProduct<true>,
     "aten::addcdiv.Scalar(Tensor self, Tensor tensor1, Tensor tensor2, Scalar value=1) -> Tensor"},
    {"aten.lerp.Scalar", lerp},
    {"aten.lerp.Tensor", lerp},
    {"aten.gelu.default", gelu},
    {"aten.gelu_backward.default", geluBackward},
    {"aten.silu_backward.default", siluBackward},
    {"aten.sigmoid_backward.default", sigmoidBackward},
    {"aten.tanh_backward.default", tanhBackward},
    {"aten.threshold.default", threshold},
    {"aten.threshold_backward.default", thresholdBackward},
    {"aten.hardtanh_backward.default", hardtanhBackward},
    {"aten.leaky_relu.default", leakyRelu},
    {"aten.leaky_relu_backward.default", leakyReluBackward},
    {"aten.elu.default", elu},
    {"aten.softplus.default", softplus},
    {"aten.hardswish_backward.default", hardswishBackward},
    {"aten.hardsigmoid_backward.default", hardsigmoidBackward},
};

} // namespace

std::span<const KernelRow> choiceKernels()
{
    return table;
}

} // namespace reinspect::exec
