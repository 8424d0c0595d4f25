// SPDX-License-Identifier: MIT
// Losses and their gradients. Reductions: 0 none, 1 mean, 2 sum, as at::Reduction counts them.
#include "core/exec/kernel_registry.h"
#include "core/exec/operands.h"
#include "core/exec/reduction.h"

#include <algorithm>
#include <cmath>

namespace reinspect::exec
{
namespace
{

// Scores (batch, classes, ...) and one class for each of the others.
struct Classes
{
    std::int64_t batch = 1;
    std::int64_t classes = 0;
    std::int64_t inner = 1;
    bool isSingle = false; // no batch dimension
    std::vector<std::int64_t> target;
    std::vector<double> weight; // of each class
    std::int64_t ignored = -100;
    std::int64_t reduction = 1;

    std::int64_t place(std::int64_t i) const // of target i's score
    {
        return (i / inner * classes + target[static_cast<std::size_t>(i)]) * inner + i % inner;
    }
    bool isIgnored(std::int64_t i) const { return target[static_cast<std::size_t>(i)] == ignored; }
    double weightOf(std::int64_t i) const
    {
        return weight[static_cast<std::size_t>(target[static_cast<std::size_t>(i)])];
    }
};

Result<Classes> classesOf(const KernelCall& call, const Tensor& self)
{
    Classes made;
    REINSPECT_TRY(const Tensor target, call.tensor("target"));
    REINSPECT_TRY(made.ignored, call.integer("ignore_index"));
    REINSPECT_TRY(made.reduction, call.integer("reduction"));
    made.isSingle = self.rank() == 1;
    if (self.rank() == 0 || (!made.isSingle && target.rank() + 1 != self.rank())
        || !isFloating(self.dtype))
        return call.error("scores " + tensorText(self) + " and targets " + tensorText(target));
    made.batch = made.isSingle ? 1 : self.sizes[0];
    made.classes = self.sizes[made.isSingle ? 0 : 1];
    for (std::size_t d = 2; d < self.rank(); ++d)
        made.inner *= self.sizes[d];
    made.target = readAll<std::int64_t>(target);
    if (std::ssize(made.target) != made.batch * made.inner)
        return call.error("scores " + tensorText(self) + " and targets " + tensorText(target));
    for (const std::int64_t number : made.target)
        if (number != made.ignored && (number < 0 || number >= made.classes))
            return call.error("target " + std::to_string(number) + " is out of range for "
                              + std::to_string(made.classes) + " classes");
    const std::optional<Tensor> weight = call.optionalTensor("weight");
    made.weight = weight ? readAll<double>(*weight)
                         : std::vector<double>(static_cast<std::size_t>(made.classes), 1);
    if (std::ssize(made.weight) != made.classes)
        return call.error("weights for " + std::to_string(made.weight.size()) + " of "
                          + std::to_string(made.classes) + " classes");
    return made;
}

Result<Value> classLoss(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor target, call.tensor("target"));
    REINSPECT_TRY(const Classes classes, classesOf(call, self));
    const bool isKept = classes.reduction == 0 && !classes.isSingle;
    REINSPECT_TRY(const Tensor result, call.result(self.dtype, isKept ? target.sizes : Sizes{}, 0));
    REINSPECT_TRY(const Tensor total, call.result(self.dtype, {}, 1));
    const std::vector<double> scores = readAll<double>(self);
    std::vector<double> losses(classes.target.size(), 0);
    double weights = 0;
    for (std::int64_t i = 0; i < std::ssize(losses); ++i)
    {
        if (classes.isIgnored(i))
            continue;
        weights += classes.weightOf(i);
        losses[static_cast<std::size_t>(i)] =
            -classes.weightOf(i) * scores[static_cast<std::size_t>(classes.place(i))];
    }
    const double sum = sumOf(losses);
    if (!isKept)
        losses = {classes.reduction == 1 ? sum / weights : sum};
    writeAll<double>(result, losses);
    writeAll<double>(total, std::vector<double>{classes.reduction == 0 ? 0 : weights});
    return listOf(std::vector<Tensor>{result, total});
}

Result<Value> classLossBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor grad, call.tensor("grad_output"));
    REINSPECT_TRY(const Tensor total, call.tensor("total_weight"));
    REINSPECT_TRY(const Classes classes, classesOf(call, self));
    const bool isKept = classes.reduction == 0 && !classes.isSingle;
    if (grad.count() != (isKept ? std::ssize(classes.target) : 1) || total.count() != 1)
        return call.error("a gradient " + tensorText(grad) + " does not fit");
    REINSPECT_TRY(const Tensor result, call.result(self.dtype, self.sizes));
    const std::vector<double> grads = readAll<double>(grad);
    const double divisor = classes.reduction == 1 ? readAll<double>(total)[0] : 1;
    std::vector<double> made(static_cast<std::size_t>(result.count()), 0);
    for (std::int64_t i = 0; i < std::ssize(classes.target); ++i)
        if (!classes.isIgnored(i))
            made[static_cast<std::size_t>(classes.place(i))] =
                -classes.weightOf(i) * grads[isKept ? static_cast<std::size_t>(i) : 0] / divisor;
    writeAll<double>(result, made);
    return Value(result);
}

// loss(x, target) for each element, then reduced.
template<typename Loss>
Result<Value> pairLoss(const KernelCall& call, Loss&& loss)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor target, call.tensor("target"));
    REINSPECT_TRY(const Operands operands,
                  operandsFrom(call, {operandFrom(self), operandFrom(target)}));
    REINSPECT_TRY(const std::int64_t reduction, call.integer("reduction"));
    if (!isFloating(operands.promoted))
        return call.unsupported("not for dtype " + std::string(dtypeName(operands.promoted)));
    REINSPECT_TRY(const Tensor result,
                  call.result(operands.promoted, reduction == 0 ? operands.sizes : Sizes{}));
    REINSPECT_TRY(const Tensor x, broadcastTo(*operands.list[0].tensor, operands.sizes));
    REINSPECT_TRY(const Tensor y, broadcastTo(*operands.list[1].tensor, operands.sizes));
    std::vector<double> values = readAll<double>(x);
    const std::vector<double> targets = readAll<double>(y);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = loss(values[i], targets[i]);
    if (reduction != 0)
    {
        const auto count = static_cast<double>(values.size());
        values = {reduction == 1 ? sumOf(values) / count : sumOf(values)};
    }
    writeAll<double>(result, values);
    return Value(result);
}

// slope(x, target) times the gradient, over the count for a mean.
template<typename Slope>
Result<Value> pairBackward(const KernelCall& call, Slope&& slope)
{
    REINSPECT_TRY(const Operands operands, operandsOf(call, {"self", "target", "grad_output"}));
    REINSPECT_TRY(const std::int64_t reduction, call.integer("reduction"));
    double count = 1;
    if (reduction == 1)
        for (const std::int64_t size : operands.sizes)
            count *= static_cast<double>(size);
    if (!isFloating(operands.promoted))
        return call.unsupported("not for dtype " + std::string(dtypeName(operands.promoted)));
    REINSPECT_TRY(const Tensor result, elementwiseResult(call, operands.promoted, operands));
    REINSPECT_CHECK((mapBlocks<double, double, 3>(
        result, operands, operands.promoted,
        [&](const std::array<const double*, 3>& in, double* out, std::int64_t elements) {
            for (std::int64_t i = 0; i < elements; ++i)
                out[i] = slope(in[0][i], in[1][i]) * in[2][i] / count;
        })));
    return Value(result);
}

Result<Value> squareLoss(const KernelCall& call)
{
    return pairLoss(call, [](double x, double y) { return (x - y) * (x - y); });
}
Result<Value> squareLossBackward(const KernelCall& call)
{
    return pairBackward(call, [](double x, double y) { return 2 * (x - y); });
}

Result<Value> smoothLoss(const KernelCall& call)
{
    REINSPECT_TRY(const double beta, call.number("beta"));
    return pairLoss(call, [=](double x, double y) {
        const double size = std::abs(x - y);
        return size < beta ? 0.5 * size * size / beta : size - 0.5 * beta;
    });
}
Result<Value> smoothLossBackward(const KernelCall& call)
{
    REINSPECT_TRY(const double beta, call.number("beta"));
    return pairBackward(call, [=](double x, double y) {
        const double difference = x - y;
        return std::abs(difference) < beta ? difference / beta
            : difference > 0               ? 1.0
            : difference < 0               ? -1.0
                                           : 0.0;
    });
}

Result<Value> huberLoss(const KernelCall& call)
{
    REINSPECT_TRY(const double delta, call.number("delta"));
    return pairLoss(call, [=](double x, double y) {
        const double size = std::abs(x - y);
        return size < delta ? 0.5 * size * size : delta * (size - 0.5 * delta);
    });
}
Result<Value> huberLossBackward(const KernelCall& call)
{
    REINSPECT_TRY(const double delta, call.number("delta"));
    return pairBackward(call, [=](double x, double y) { return std::clamp(x - y, -delta, delta); });
}

// The logarithms are cut off at -100.
Result<Value> binaryLoss(const KernelCall& call)
{
    if (call.has("weight"))
        return call.unsupported("with weights");
    return pairLoss(call, [](double x, double y) {
        return (y - 1) * std::max(std::log1p(-x), -100.0) - y * std::max(std::log(x), -100.0);
    });
}
Result<Value> binaryLossBackward(const KernelCall& call)
{
    if (call.has("weight"))
        return call.unsupported("with weights");
    return pairBackward(call,
                        [](double x, double y) { return (x - y) / std::max((1 - x) * x, 1e-12); });
}

const KernelRow table[] = {
    {"aten.nll_loss_forward.default", classLoss},
    {"aten.nll_loss2d_forward.default", classLoss},
    {"aten.nll_loss_backward.default", classLossBackward},
    {"aten.nll_loss2d_backward.default", classLossBackward},
    {"aten.mse_loss.default", squareLoss},
    {"aten.mse_loss_backward.default", squareLossBackward},
    {"aten.smooth_l1_loss.default", smoothLoss},
    {"aten.smooth_l1_loss_backward.default", smoothLossBackward},
    {"aten.huber_loss.default", huberLoss},
    {"aten.huber_loss_backward.default", huberLossBackward},
    {"aten.binary_cross_entropy.default", binaryLoss},
    {"aten.binary_cross_entropy_backward.default", binaryLossBackward},
};

} // namespace

std::span<const KernelRow> lossKernels()
{
    return table;
}

} // namespace reinspect::exec
