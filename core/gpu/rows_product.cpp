// SPDX-License-Identifier: MIT
// Products of matrices, by cuBLAS. Schemas and errors are those of core/exec/kernels_product.cpp.
#include "core/exec/elements.h"
#include "core/gpu/gpu_device.h"
#include "core/gpu/gpu_rows.h"

#include <algorithm>
#include <limits>

namespace reinspect::gpu
{
namespace
{

using exec::KernelCall;
using exec::Sizes;
using exec::Tensor;
using exec::Value;

bool isMultiplied(DType dtype)
{
    return dtype == DType::Float32 || dtype == DType::Float64 || dtype == DType::Float16
        || dtype == DType::BFloat16;
}

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

// One of the last two dimensions runs without gaps, and the lines do not overlap.
bool isPlain(const Tensor& tensor)
{
    const auto runs = [&](std::size_t line, std::size_t step) {
        return (tensor.strides[line] == 1 || tensor.sizes[line] == 1)
            && (tensor.sizes[step] == 1 || tensor.strides[step] >= tensor.sizes[line])
            && tensor.strides[step] <= std::numeric_limits<int>::max();
    };
    return runs(2, 1) || (tensor.strides[1] == 1 && runs(1, 2));
}

Result<Tensor> plain(const KernelCall& call, const Tensor& tensor)
{
    if (isPlain(tensor))
        return tensor;
    REINSPECT_TRY(const Tensor dense, call.scratch(tensor.dtype, tensor.sizes));
    REINSPECT_CHECK(exec::copyElements(dense, tensor));
    return dense;
}

bool fits(const Tensor& a, const Tensor& b)
{
    const std::size_t rank = a.rank();
    return (rank == 2 || rank == 3) && b.rank() == rank && a.dtype == b.dtype
        && a.sizes[rank - 1] == b.sizes[rank - 2] && (rank == 2 || a.sizes[0] == b.sizes[0])
        && std::ranges::all_of(a.sizes,
                               [](std::int64_t size) {
                                   return size > 0 && size <= std::numeric_limits<int>::max();
                               })
        && b.sizes[rank - 1] > 0 && b.sizes[rank - 1] <= std::numeric_limits<int>::max();
}

// Reads the way of the last two dimensions right where sizes of 1 leave both open.
Array matrixOf(const Tensor& tensor)
{
    Array array = *arrayOf(tensor);
    if (array.sizes[2] == 1 && array.strides[1] == 1 && array.sizes[1] != 1)
        array.strides[2] = array.sizes[1];
    return array;
}

// bias * beta + a b * alpha; a bias as wide as the result is its content before.
Result<Value> product(const KernelCall& call, std::size_t first, bool isBiased)
{
    REINSPECT_TRY(const Tensor a, call.tensor(call.schema->arguments[first].name));
    REINSPECT_TRY(const Tensor b, call.tensor(call.schema->arguments[first + 1].name));
    const DType dtype = call.dtype(a.dtype, "out_dtype");
    if (!fits(a, b) || !isMultiplied(a.dtype) || dtype != a.dtype)
        return exec::runOnHost(call);
    Sizes sizes = a.sizes;
    sizes.back() = b.sizes.back();
    REINSPECT_TRY(const Tensor result, call.result(dtype, sizes));
    Tensor made = batched(result);
    if (!isPlain(made))
    {
        REINSPECT_TRY(made, call.scratch(dtype, made.sizes));
    }
    MatrixCall job;
    if (isBiased)
    {
        job.alpha = call.optionalNumber("alpha").value_or(1);
        job.beta = call.optionalNumber("beta").value_or(1);
        REINSPECT_TRY(const Tensor bias, call.tensor("self"));
        Tensor before = made;
        if (sizes.size() == 2)
        {
            before.sizes.erase(before.sizes.begin());
            before.strides.erase(before.strides.begin());
        }
        if (const auto copied = exec::copyElements(before, bias); job.beta != 0 && !copied.ok())
            return call.error(copied.error().message);
    }
    REINSPECT_TRY(const Tensor left, plain(call, batched(a)));
    REINSPECT_TRY(const Tensor right, plain(call, batched(b)));
    job.result = matrixOf(made);
    job.a = matrixOf(left);
    job.b = matrixOf(right);
    GpuDevice& device = gpuOf(call);
    if (const auto done = device.check(device.api().multiply(job)); !done.ok())
        return call.error(done.error().message, done.error().kind);
    if (made.storage != result.storage)
    {
        Tensor flat = made;
        flat.sizes = result.sizes;
        flat.strides = exec::contiguousStrides(result.sizes);
        REINSPECT_CHECK(exec::copyElements(result, flat));
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
