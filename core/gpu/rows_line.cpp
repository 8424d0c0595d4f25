// SPDX-License-Identifier: MIT
// What runs along one dimension: softmax and its relatives, running sums. As core/exec/kernels_softmax.cpp and
// kernels_extreme.cpp.
#include "core/exec/reduction.h"
#include "core/gpu/gpu_device.h"
#include "core/gpu/gpu_rows.h"

namespace reinspect::gpu
{
namespace
{

using exec::KernelCall;
using exec::Tensor;
using exec::Value;

Result<Value> alongLines(const KernelCall& call, LineFunction function, const Tensor& result,
                         const Tensor& input, const std::optional<Tensor>& second, std::size_t dim,
                         DType computed)
{
    LineCall job;
    job.function = function;
    job.kind = *kindOf(computed);
    job.result = *arrayOf(exec::withLast(result, dim));
    job.input = *arrayOf(exec::withLast(input, dim));
    if (second)
        job.second = *arrayOf(exec::withLast(*second, dim));
    GpuDevice& device = gpuOf(call);
    if (const auto done = device.check(device.api().lines(job)); !done.ok())
        return call.error(done.error().message, done.error().kind);
    return Value(result);
}

bool isSuited(const Tensor& tensor)
{
    return isReadable(tensor.dtype) && kindOf(tensor.dtype) && tensor.rank() <= kMostDimensions;
}

template<LineFunction Function>
Result<Value> softmax(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    const DType dtype = call.flag("half_to_float") ? DType::Float32 : call.dtype(self.dtype);
    if (!isSuited(self) || !exec::isFloating(dtype) || !isReadable(dtype))
        return exec::runOnHost(call);
    REINSPECT_TRY(const Tensor result,
                  call.result(dtype, self.sizes, 0, exec::preservedStrides(self)));
    return alongLines(call, Function, result, self, {}, dim, dtype);
}

template<LineFunction Function>
Result<Value> gradient(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor grad, call.tensor("grad_output"));
    REINSPECT_TRY(const Tensor output, call.tensor("output"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", output));
    const DType dtype = call.dtype(output.dtype, "input_dtype");
    if (grad.sizes != output.sizes || !isSuited(grad) || !isSuited(output)
        || !exec::isFloating(dtype) || !isReadable(dtype))
        return exec::runOnHost(call);
    REINSPECT_TRY(const Tensor result,
                  call.result(dtype, output.sizes, 0, exec::preservedStrides(grad)));
    return alongLines(call, Function, result, grad, output, dim, grad.dtype);
}

template<LineFunction Function>
Result<Value> running(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    const DType dtype = call.dtype(exec::isIntegral(self.dtype) ? DType::Int64 : self.dtype);
    if (!isSuited(self) || !kindOf(dtype) || !isReadable(dtype))
        return exec::runOnHost(call);
    REINSPECT_TRY(const Tensor result,
                  call.result(dtype, self.sizes, 0, exec::preservedStrides(self)));
    return alongLines(call, Function, result, self, {}, dim, dtype);
}

const exec::KernelRow table[] = {
    {"aten._softmax.default", softmax<LineFunction::Softmax>},
    {"aten.softmax.int", softmax<LineFunction::Softmax>},
    {"aten._safe_softmax.default", softmax<LineFunction::SafeSoftmax>},
    {"aten._log_softmax.default", softmax<LineFunction::LogSoftmax>},
    {"aten.log_softmax.int", softmax<LineFunction::LogSoftmax>},
    {"aten._softmax_backward_data.default", gradient<LineFunction::SoftmaxGradient>},
    {"aten._log_softmax_backward_data.default", gradient<LineFunction::LogSoftmaxGradient>},
    {"aten.cumsum.default", running<LineFunction::RunningSum>},
    {"aten.cumprod.default", running<LineFunction::RunningProduct>},
};

} // namespace

std::span<const exec::KernelRow> lineRows()
{
    return table;
}

} // namespace reinspect::gpu
