// SPDX-License-Identifier: MIT
#include "core/gpu/gpu_calls.h"

#include <algorithm>
#include <limits>

namespace reinspect::gpu
{
namespace
{

using exec::KernelCall;
using exec::Operand;
using exec::Sizes;
using exec::Tensor;

Result<Tensor> plain(const KernelCall& call, const Tensor& tensor)
{
    return isPlainMatrix(tensor) ? Result<Tensor>(tensor) : denseAs(call, tensor, tensor.dtype);
}

// Reads the way of the last two dimensions right where sizes of 1 leave both open.
Array matrixOf(const Tensor& tensor)
{
    Array array = *arrayOf(tensor);
    if (array.sizes[2] == 1 && array.strides[1] == 1 && array.sizes[1] != 1)
        array.strides[2] = array.sizes[1];
    return array;
}

} // namespace

Result<void> checked(const KernelCall& call, const char* problem)
{
    if (const auto done = gpuOf(call).check(problem); !done.ok())
        return call.error(done.error().message, done.error().kind);
    return {};
}

Operand numberOperand(double number)
{
    return Operand{{}, exec::Value(number), DType::Float64};
}

Result<void> mapped(const KernelCall& call, exec::Pointwise function, const Tensor& result,
                    std::vector<Operand> operands, DType common)
{
    exec::Operands all;
    all.list = std::move(operands);
    REINSPECT_CHECK(exec::runOnDevice(call, function, result, std::move(all), common));
    return {};
}

Result<void> filled(const KernelCall& call, const Tensor& result, double number)
{
    return mapped(call, exec::Pointwise::Identity, result, {numberOperand(number)}, result.dtype);
}

Result<void> reduced(const KernelCall& call, Reduction function, const Tensor& result,
                     const Tensor& input, DType computed)
{
    ReductionCall job;
    job.function = function;
    job.kind = *kindOf(computed);
    job.result = *arrayOf(result);
    job.input = *arrayOf(input);
    return checked(call, gpuOf(call).api().reduce(job));
}

bool isMultiplied(DType dtype)
{
    return dtype == DType::Float32 || dtype == DType::Float64 || dtype == DType::Float16
        || dtype == DType::BFloat16;
}

DType accumulatorOf(DType dtype)
{
    return dtype == DType::Float64 ? DType::Float64 : DType::Float32;
}

// One of the last two dimensions runs without gaps, and the lines do not overlap.
bool isPlainMatrix(const Tensor& tensor)
{
    const auto runs = [&](std::size_t line, std::size_t step) {
        return (tensor.strides[line] == 1 || tensor.sizes[line] == 1)
            && (tensor.sizes[step] == 1 || tensor.strides[step] >= tensor.sizes[line])
            && tensor.strides[step] <= std::numeric_limits<int>::max();
    };
    return runs(2, 1) || (tensor.strides[1] == 1 && runs(1, 2));
}

bool areMatrixSizes(const Sizes& sizes)
{
    return std::ranges::all_of(sizes, [](std::int64_t size) {
        return size > 0 && size <= std::numeric_limits<int>::max();
    });
}

Result<void> multiplied(const KernelCall& call, const Tensor& result, const Tensor& a,
                        const Tensor& b, double alpha, double beta)
{
    REINSPECT_TRY(const Tensor left, plain(call, a));
    REINSPECT_TRY(const Tensor right, plain(call, b));
    MatrixCall job;
    job.result = matrixOf(result);
    job.a = matrixOf(left);
    job.b = matrixOf(right);
    job.alpha = alpha;
    job.beta = beta;
    return checked(call, gpuOf(call).api().multiply(job));
}

Result<Tensor> denseAs(const KernelCall& call, const Tensor& tensor, DType dtype)
{
    if (tensor.dtype == dtype && tensor.isContiguous())
        return tensor;
    REINSPECT_TRY(const Tensor dense, call.scratch(dtype, tensor.sizes));
    REINSPECT_CHECK(exec::copyElements(dense, tensor));
    return dense;
}

Tensor reshaped(Tensor dense, Sizes sizes)
{
    dense.strides = exec::contiguousStrides(sizes);
    dense.sizes = std::move(sizes);
    return dense;
}

Tensor transposed(Tensor tensor)
{
    const std::size_t rank = tensor.rank();
    std::swap(tensor.sizes[rank - 1], tensor.sizes[rank - 2]);
    std::swap(tensor.strides[rank - 1], tensor.strides[rank - 2]);
    return tensor;
}

} // namespace reinspect::gpu
