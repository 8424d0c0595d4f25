// SPDX-License-Identifier: MIT
// Products of matrices, by cuBLAS. Schemas and errors are those of core/exec/kernels_product.cpp.
#include "core/exec/elements.h"
#include "core/gpu/gpu_calls.h"
#include "core/gpu/gpu_rows.h"

namespace reinspect::gpu
{
namespace
{

using exec::KernelCall;
using exec::Sizes;
using exec::Tensor;
using exec::Value;

// As a batch of one where it has no batch.
Tensor batched(Tensor tensor)
{
    if (tensor.rank() == 2)
    {
        tensor.strides.insert(tensor.strides.begin(), 0);
        tensor.sizes.insert(tensor.sizes.begin(), 1);
    }
    return tensor;
}

bool fits(const Tensor& a, const Tensor& b)
{
    const std::size_t rank = a.rank();
    return (rank == 2 || rank == 3) && b.rank() == rank && a.dtype == b.dtype
        && a.sizes[rank - 1] == b.sizes[rank - 2] && (rank == 2 || a.sizes[0] == b.sizes[0])
        && areMatrixSizes(a.sizes) && areMatrixSizes(b.sizes);
}

// bias * beta + a b * alpha; a bias as wide as the result is its content before.
Result<Value> product(const KernelCall& call, std::size_t first, bool isBiased)
{
    REINSPECT_TRY(const Tensor a, call.tensor(call.schema->arguments[first].name));
    REINSPECT_TRY(const Tensor b, call.tensor(call.schema->arguments[first + 1].name));
    const DType dtype = call.dtype(a.dtype, "out_dtype");
    const bool isKept = dtype == a.dtype || dtype == accumulatorOf(a.dtype);
    if (!fits(a, b) || !isMultiplied(a.dtype) || !isKept)
        return exec::runOnHost(call);
    Sizes sizes = a.sizes;
    sizes.back() = b.sizes.back();
    REINSPECT_TRY(const Tensor result, call.result(dtype, sizes));
    Tensor made = batched(result);
    if (!isPlainMatrix(made))
    {
        REINSPECT_TRY(made, call.scratch(dtype, made.sizes));
    }
    double alpha = 1;
    double beta = 0;
    if (isBiased)
    {
        alpha = call.optionalNumber("alpha").value_or(1);
        beta = call.optionalNumber("beta").value_or(1);
        REINSPECT_TRY(const Tensor bias, call.tensor("self"));
        Tensor before = made;
        if (sizes.size() == 2)
        {
            before.sizes.erase(before.sizes.begin());
            before.strides.erase(before.strides.begin());
        }
        if (const auto copied = exec::copyElements(before, bias); beta != 0 && !copied.ok())
            return call.error(copied.error().message);
    }
    REINSPECT_CHECK(multiplied(call, made, batched(a), batched(b), alpha, beta));
    if (made.storage != result.storage)
    {
        REINSPECT_CHECK(exec::copyElements(result, reshaped(made, result.sizes)));
    }
    return Value(result);
}

Result<Value> matrixProduct(const KernelCall& call)
{
    return product(call, 0, false);
}

Result<Value> biasedProduct(const KernelCall& call)
{
    return product(call, 1, true);
}

const exec::KernelRow table[] = {
    {"aten.mm.default", matrixProduct},      {"aten.mm.dtype", matrixProduct},
    {"aten.bmm.default", matrixProduct},     {"aten.bmm.dtype", matrixProduct},
    {"aten.addmm.default", biasedProduct},   {"aten.addmm.dtype", biasedProduct},
    {"aten.baddbmm.default", biasedProduct}, {"aten.baddbmm.dtype", biasedProduct},
};

} // namespace

std::span<const exec::KernelRow> productRows()
{
    return table;
}

} // namespace reinspect::gpu
