// SPDX-License-Identifier: MIT
// Single calls of the api on tensors of the device, for the rows that are made of several: the error of each names
// node and operator. Tensors that are read lie on the device; nothing is broadcast but by strides of 0.
#pragma once

#include "core/exec/operands.h"
#include "core/gpu/gpu_device.h"

namespace reinspect::gpu
{

// The api's sentence as an error of the call.
Result<void> checked(const exec::KernelCall& call, const char* problem);

exec::Operand numberOperand(double number);
// result[i] = function(operands[i]...), computed as `common` is; `result` may be one of the operands.
Result<void> mapped(const exec::KernelCall& call, exec::Pointwise function,
                    const exec::Tensor& result, std::vector<exec::Operand> operands, DType common);
Result<void> filled(const exec::KernelCall& call, const exec::Tensor& result, double number);
// The result's dimensions are the first of the input's; the others are reduced. Computed as `computed` is.
Result<void> reduced(const exec::KernelCall& call, Reduction function, const exec::Tensor& result,
                     const exec::Tensor& input, DType computed);

bool isMultiplied(DType dtype);
// The dtype in which products are added up: float64's own, float32 of everything else.
DType accumulatorOf(DType dtype);
// result = alpha a b + beta result: [batch, m, k] by [batch, k, n], nothing of it empty. Operands that cuBLAS cannot
// read as they lie are copied; the result lies row by row or column by column. It may be float32 of shorter floats.
Result<void> multiplied(const exec::KernelCall& call, const exec::Tensor& result,
                        const exec::Tensor& a, const exec::Tensor& b, double alpha = 1,
                        double beta = 0);
// Can cuBLAS write it as it lies?
bool isPlainMatrix(const exec::Tensor& tensor);
// Dimensions that cuBLAS can count.
bool areMatrixSizes(const exec::Sizes& sizes);

// In this dtype and row by row: the tensor itself where it is so.
Result<exec::Tensor> denseAs(const exec::KernelCall& call, const exec::Tensor& tensor, DType dtype);
// Other sizes of a tensor without gaps.
exec::Tensor reshaped(exec::Tensor dense, exec::Sizes sizes);
// The last two dimensions exchanged.
exec::Tensor transposed(exec::Tensor tensor);

} // namespace reinspect::gpu
