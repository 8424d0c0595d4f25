// SPDX-License-Identifier: MIT
// Softmax and its relatives: computed in double along one dimension, rounded once.
#include "core/exec/reduction.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reinspect::exec
{
namespace
{

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double largest(std::span<const double> line)
{
    double most = -kInfinity;
    for (const double value : line)
        most = value != value || most != most ? value + most : std::max(most, value);
    return most;
}

// change(line) for each line along `dim`, in place.
template<typename Change>
void changeLines(const Tensor& self, const Tensor& result, std::size_t dim, Change&& change)
{
    std::vector<double> values = readAll<double>(withLast(self, dim));
    const std::size_t length = lineLength(self, dim);
    for (std::size_t i = 0; i < values.size(); i += length)
        change(std::span<double>(values).subspan(i, length));
    writeAll<double>(withLast(result, dim), values);
}

// exp(x - max), and their sum.
double exponentials(std::span<double> line)
{
    const double most = largest(line);
    for (double& value : line)
        value = std::exp(value - most);
    return sumOf(line);
}

void softmaxOf(std::span<double> line)
{
    const double sum = exponentials(line);
    for (double& value : line)
        value /= sum;
}

// A line of nothing but -inf gives zeros.
void safeSoftmaxOf(std::span<double> line)
{
    if (largest(line) == -kInfinity)
        std::ranges::fill(line, 0.0);
    else
        softmaxOf(line);
}

void logSoftmaxOf(std::span<double> line)
{
    const double most = largest(line);
    std::vector<double> copy(line.begin(), line.end());
    const double logarithm = std::log(exponentials(copy));
    for (double& value : line)
        value = value - most - logarithm;
}

template<void (*Line)(std::span<double>)>
Result<Value> softmax(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    const DType dtype = call.flag("half_to_float") ? DType::Float32 : call.dtype(self.dtype);
    if (!isFloating(dtype))
        return call.unsupported("not for dtype " + std::string(dtypeName(dtype)));
    REINSPECT_TRY(const Tensor result, call.result(dtype, self.sizes, 0, preservedStrides(self)));
    changeLines(self, result, dim, Line);
    return Value(result);
}

// `slope(grad, output)` turns one line of the gradient into the input's.
template<typename Slope>
Result<Value> backward(const KernelCall& call, Slope&& slope)
{
    REINSPECT_TRY(const Tensor grad, call.tensor("grad_output"));
    REINSPECT_TRY(const Tensor output, call.tensor("output"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", output));
    if (grad.sizes != output.sizes)
        return call.error("a gradient " + tensorText(grad) + " for a result " + tensorText(output));
    const DType dtype = call.dtype(output.dtype, "input_dtype");
    REINSPECT_TRY(const Tensor result, call.result(dtype, output.sizes, 0, preservedStrides(grad)));
    const std::vector<double> outputs = readAll<double>(withLast(output, dim));
    std::size_t at = 0;
    changeLines(grad, result, dim, [&](std::span<double> line) {
        slope(line, std::span<const double>(outputs).subspan(at, line.size()));
        at += line.size();
    });
    return Value(result);
}

Result<Value> softmaxBackward(const KernelCall& call)
{
    return backward(call, [](std::span<double> grad, std::span<const double> output) {
        std::vector<double> products;
        for (std::size_t i = 0; i < grad.size(); ++i)
            products.push_back(grad[i] * output[i]);
        const double sum = sumOf(products);
        for (std::size_t i = 0; i < grad.size(); ++i)
            grad[i] = products[i] - output[i] * sum;
    });
}

Result<Value> logSoftmaxBackward(const KernelCall& call)
{
    return backward(call, [](std::span<double> grad, std::span<const double> output) {
        const double sum = sumOf(grad);
        for (std::size_t i = 0; i < grad.size(); ++i)
            grad[i] -= std::exp(output[i]) * sum;
    });
}

// The two numbers of each line that a softmax needs: its largest, and the sum of exp(x - largest).
Result<Value> prepareSoftmax(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("a"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    const Folded input =
        folded(self, self.rank() > 0 ? std::vector{dim} : std::vector<std::size_t>{}, true);
    REINSPECT_TRY(Value most, (reduce<double, double>(call, input, self.dtype, largest, 0)));
    REINSPECT_TRY(Value sum,
                  (reduce<double, double>(
                      call, input, self.dtype,
                      [](std::span<const double> line) {
                          std::vector<double> copy(line.begin(), line.end());
                          return exponentials(copy);
                      },
                      1)));
    return listOf(std::vector<Value>{std::move(most), std::move(sum)});
}

const KernelRow table[] = {
    {"aten._softmax.default", softmax<softmaxOf>},
    {"aten.softmax.int", softmax<softmaxOf>},
    {"aten._safe_softmax.default", softmax<safeSoftmaxOf>},
    {"aten._log_softmax.default", softmax<logSoftmaxOf>},
    {"aten.log_softmax.int", softmax<logSoftmaxOf>},
    {"aten._softmax_backward_data.default", softmaxBackward},
    {"aten._log_softmax_backward_data.default", logSoftmaxBackward},
    {"prims.prepare_softmax_online.default", prepareSoftmax},
};

} // namespace

std::span<const KernelRow> softmaxKernels()
{
    return table;
}

} // namespace reinspect::exec
