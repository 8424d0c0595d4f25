// SPDX-License-Identifier: MIT
// Activations and gradients of activations that kernels_choice.cpp does not have.
#include "core/exec/pointwise.h"

#include <algorithm>
#include <limits>

namespace reinspect::exec
{
namespace
{

// f(x) on floats.
template<typename F>
Result<Value> activation(const KernelCall& call, F&& f)
{
    REINSPECT_TRY(const Operands operands, operandsOf(call, {"self"}));
    return mapFloating<1>(call, operands, operands.promoted, f);
}

// f(gradient, x) on floats; the arguments are the first two of the schema unless named.
template<typename F>
Result<Value> gradient(const KernelCall& call, F&& f, std::string_view x = {})
{
    const std::string_view grad = call.schema->arguments[0].name;
    REINSPECT_TRY(const Operands operands,
                  operandsOf(call, {grad, x.empty() ? call.schema->arguments[1].name : x}));
    return mapFloating<2>(call, operands, operands.promoted, f);
}

Result<Value> celu(const KernelCall& call)
{
    REINSPECT_TRY(const double alpha, call.number("alpha"));
    if (alpha == 0)
        return call.error("alpha is zero");
    return activation(call, [a = alpha]<typename C>(C x) {
        const auto scale = static_cast<C>(a);
        return x > C(0) ? x : std::expm1(x / scale) * scale;
    });
}

Result<Value> selu(const KernelCall& call)
{
    return activation(call, []<typename C>(C x) {
        constexpr C alpha = C(1.6732632423543772848170429916717);
        constexpr C scale = C(1.0507009873554804934193349852946);
        return x > C(0) ? x * scale : std::expm1(x) * alpha * scale;
    });
}

Result<Value> hardShrink(const KernelCall& call)
{
    REINSPECT_TRY(const double limit, call.number("lambd"));
    return activation(call, [limit]<typename C>(C x) {
        const auto edge = static_cast<C>(limit);
        return x >= -edge && x <= edge ? C(0) : x;
    });
}

Result<Value> softShrink(const KernelCall& call)
{
    REINSPECT_TRY(const double limit, call.number("lambd"));
    return activation(call, [limit]<typename C>(C x) {
        const auto edge = static_cast<C>(limit);
        return x > edge ? x - edge : x < -edge ? x + edge : x != x ? x : C(0);
    });
}

Result<Value> shrinkBackward(const KernelCall& call)
{
    REINSPECT_TRY(const double limit, call.number("lambd"));
    return gradient(call, [limit]<typename C>(C grad, C x) {
        const auto edge = static_cast<C>(limit);
        return x >= -edge && x <= edge ? C(0) : grad;
    });
}

Result<Value> eluBackward(const KernelCall& call)
{
    REINSPECT_TRY(const double alpha, call.number("alpha"));
    REINSPECT_TRY(const double scale, call.number("scale"));
    REINSPECT_TRY(const double inner, call.number("input_scale"));
    const bool isResult = call.flag("is_result");
    return gradient(
        call,
        [=]<typename C>(C grad, C x) {
            const auto outer = static_cast<C>(scale);
            const auto factor = static_cast<C>(inner);
            const auto slope = static_cast<C>(alpha * scale);
            if (x > C(0))
                return grad * outer;
            return isResult ? grad * factor * (x + slope)
                            : grad * factor * slope * std::exp(x * factor);
        },
        "self_or_result");
}

Result<Value> softplusBackward(const KernelCall& call)
{
    REINSPECT_TRY(const double beta, call.number("beta"));
    REINSPECT_TRY(const double limit, call.number("threshold"));
    return gradient(call, [=]<typename C>(C grad, C x) {
        const C scaled = x * static_cast<C>(beta);
        if (scaled > static_cast<C>(limit))
            return grad;
        const C power = std::exp(scaled);
        return grad * power / (power + C(1));
    });
}

Result<Value> mishBackward(const KernelCall& call)
{
    return gradient(call, []<typename C>(C grad, C x) {
        const C curve = std::tanh(std::log1p(std::exp(x)));
        const C logistic = C(1) / (C(1) + std::exp(-x));
        return grad * (curve + x * logistic * (C(1) - curve * curve));
    });
}

// The buffer is exp(-|x|); on a device it is empty and nobody reads it.
Result<Value> logSigmoidForward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Value made, activation(call, []<typename C>(C x) {
                      return std::min(C(0), x) - std::log1p(std::exp(-std::abs(x)));
                  }));
    const TensorMeta* meta = call.expectedTensor(1);
    const bool isEmpty = meta && meta->sizes.size() == 1 && meta->sizes[0].constant() == 0;
    REINSPECT_TRY(const Tensor buffer, call.result(self.dtype, isEmpty ? Sizes{0} : self.sizes, 1));
    std::vector<double> values = isEmpty ? std::vector<double>() : readAll<double>(self);
    for (double& value : values)
        value = std::exp(-std::abs(value));
    writeAll<double>(buffer, values);
    return listOf(std::vector<Value>{made, Value(buffer)});
}

Result<Value> logSigmoidBackward(const KernelCall& call)
{
    return gradient(call, []<typename C>(C grad, C x) {
        const C small = std::exp(-std::abs(x));
        const C share = small / (C(1) + small);
        return x < C(0) ? grad * (C(1) - share) : grad * share;
    });
}

Result<Value> dropoutBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Operands operands, operandsOf(call, {"grad_output", "mask"}));
    REINSPECT_TRY(const double scale, call.number("scale"));
    return mapFloating<2>(call, operands, operands.promoted, [scale]<typename C>(C grad, C mask) {
        return grad * mask * static_cast<C>(scale);
    });
}

struct PRelu
{
    template<RealNumber C>
    static C of(C x, C weight)
    {
        return x > C(0) ? x : weight * x;
    }
};

Result<Value> preluBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Operands operands, operandsOf(call, {"grad_output", "self", "weight"}));
    REINSPECT_TRY(
        Value first,
        mapFloating<3>(call, operands, operands.promoted, []<typename C>(C grad, C x, C weight) {
            return x > C(0) ? grad : weight * grad;
        }));
    REINSPECT_TRY(Value second,
                  mapFloating<3>(call, operands, operands.promoted, []<typename C>(C grad, C x, C) {
                      return x > C(0) ? C(0) : x * grad;
                  }));
    return listOf(std::vector<Value>{std::move(first), std::move(second)});
}

// The halves of a tensor along a dimension.
Result<std::array<Tensor, 2>> halvesOf(const KernelCall& call, const Tensor& self, std::size_t dim)
{
    if (self.rank() == 0 || self.sizes[dim] % 2 != 0)
        return call.error("dimension " + std::to_string(dim) + " of " + tensorText(self)
                          + " has no halves");
    std::array<Tensor, 2> halves{self, self};
    for (Tensor& half : halves)
        half.sizes[dim] /= 2;
    if (self.count() > 0)
        halves[1].offset += halves[0].sizes[dim] * self.strides[dim];
    return halves;
}

Result<Value> gatedUnit(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    REINSPECT_TRY(const auto halves, halvesOf(call, self, dim));
    REINSPECT_TRY(const Operands operands,
                  operandsFrom(call, {operandFrom(halves[0]), operandFrom(halves[1])}));
    return mapFloating<2>(call, operands, operands.promoted,
                          []<typename C>(C x, C gate) { return x / (C(1) + std::exp(-gate)); });
}

Result<Value> gatedUnitBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor grad, call.tensor("grad_output"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    REINSPECT_TRY(const auto halves, halvesOf(call, self, dim));
    if (grad.sizes != halves[0].sizes)
        return call.error("a gradient " + tensorText(grad) + " does not fit " + tensorText(self));
    REINSPECT_TRY(const Tensor result, call.result(self.dtype, self.sizes));
    REINSPECT_TRY(const auto parts, halvesOf(call, result, dim));
    const std::vector<double> grads = readAll<double>(grad);
    std::vector<double> first = readAll<double>(halves[0]);
    std::vector<double> second = readAll<double>(halves[1]);
    for (std::size_t i = 0; i < grads.size(); ++i)
    {
        const double gate = 1 / (1 + std::exp(-second[i]));
        second[i] = grads[i] * first[i] * gate * (1 - gate);
        first[i] = grads[i] * gate;
    }
    writeAll<double>(parts[0], first);
    writeAll<double>(parts[1], second);
    return Value(result);
}

// Same dtype, sizes and elements; NaN differs from itself.
Result<Value> areEqual(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor a, call.tensor("self"));
    REINSPECT_TRY(const Tensor b, call.tensor("other"));
    return Value(a.sizes == b.sizes
                 && readAll<std::complex<double>>(a) == readAll<std::complex<double>>(b));
}

const KernelRow table[] = {
    {"aten.celu.default", celu},
    {"aten.selu.default", selu},
    {"aten.hardshrink.default", hardShrink},
    {"aten.hardshrink_backward.default", shrinkBackward},
    {"aten.softshrink.default", softShrink},
    {"aten.softshrink_backward.default", shrinkBackward},
    {"aten.elu_backward.default", eluBackward},
    {"aten.softplus_backward.default", softplusBackward},
    {"aten.mish_backward.default", mishBackward},
    {"aten.log_sigmoid_forward.default", logSigmoidForward},
    {"aten.log_sigmoid_backward.default", logSigmoidBackward},
    {"aten.native_dropout_backward.default", dropoutBackward},
    {"aten._prelu_kernel.default", binary<PRelu, ResultRule::Same>},
    {"aten._prelu_kernel_backward.default", preluBackward},
    {"aten.glu.default", gatedUnit},
    {"aten.glu_backward.default", gatedUnitBackward},
    {"aten.equal.default", areEqual},
};

} // namespace

std::span<const KernelRow> activationKernels()
{
    return table;
}

} // namespace reinspect::exec
