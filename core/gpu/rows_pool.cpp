// SPDX-License-Identifier: MIT
// Pooling in one, two or three dimensions. Schemas, layouts and errors are those of core/exec/kernels_pool.cpp.
#include "core/gpu/gpu_rows.h"
#include "core/gpu/window_calls.h"

#include <algorithm>

namespace reinspect::gpu
{
namespace
{

using exec::KernelCall;
using exec::Sizes;
using exec::Tensor;
using exec::Value;
using exec::WindowGrid;

// Floats that are here; whole numbers are pooled on the host.
bool isPooled(const Tensor& tensor)
{
    return exec::isFloating(tensor.dtype) && isReadable(tensor.dtype)
        && tensor.storage->isOnDevice();
}

// Means as the call asks for them.
WindowCall meanCall(const KernelCall& call, WindowUse use, const WindowGrid& grid)
{
    WindowCall job = windowCall(use, grid);
    job.countsPadding = call.flag("count_include_pad");
    job.divisor = call.optionalInteger("divisor_override").value_or(0);
    return job;
}

WindowCall adaptiveCall(WindowUse use)
{
    WindowCall job;
    job.use = use;
    job.isAdaptive = true;
    return job;
}

// Do windows fit into so large a side?
bool isFilled(const Tensor& self, std::size_t rank)
{
    return (self.rank() == rank + 1 || self.rank() == rank + 2)
        && std::ranges::min(
               Sizes(self.sizes.end() - static_cast<std::ptrdiff_t>(rank), self.sizes.end()))
        > 0;
}

Result<Value> means(const KernelCall& call, WindowCall job, const Tensor& self, const Sizes& small)
{
    REINSPECT_TRY(const Tensor result, exec::pooledResult(call, self, self.dtype, small));
    job.input = sideOf(self, small.size());
    job.result = sideOf(result, small.size());
    REINSPECT_CHECK(runWindow(call, job));
    return Value(result);
}

Result<Value> meansBackward(const KernelCall& call, WindowCall job, const Tensor& self,
                            const Tensor& grad, const Sizes& large)
{
    REINSPECT_TRY(const Tensor result, exec::pooledResult(call, self, self.dtype, large));
    job.input = sideOf(grad, large.size());
    job.result = sideOf(result, large.size());
    REINSPECT_CHECK(runWindow(call, job));
    return Value(result);
}

Result<Value> average(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Sizes large, exec::spatialSizes(call, self, exec::poolRank(call)));
    REINSPECT_TRY(const WindowGrid grid, exec::poolGrid(call, large));
    if (!isPooled(self) || call.optionalInteger("divisor_override") == 0)
        return exec::runOnHost(call);
    return means(call, meanCall(call, WindowUse::Mean, grid), self, grid.small);
}

Result<Value> averageBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor grad, call.tensor("grad_output"));
    REINSPECT_TRY(const Sizes large, exec::spatialSizes(call, self, exec::poolRank(call)));
    REINSPECT_TRY(const WindowGrid grid, exec::poolGrid(call, large));
    if (!isPooled(self) || !isPooled(grad) || call.optionalInteger("divisor_override") == 0
        || grad.sizes != exec::pooledSizes(self, grid.small))
        return exec::runOnHost(call);
    return meansBackward(call, meanCall(call, WindowUse::MeanGradient, grid), self, grad, large);
}

Result<Value> adaptiveAverage(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    const std::size_t rank = exec::poolRank(call);
    REINSPECT_TRY(const Sizes small, exec::spatialArgument(call, "output_size", rank));
    if (!isPooled(self) || !isFilled(self, rank) || std::ranges::min(small) < 0)
        return exec::runOnHost(call);
    return means(call, adaptiveCall(WindowUse::Mean), self, small);
}

Result<Value> adaptiveAverageBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor grad, call.tensor("grad_output"));
    const std::size_t rank = exec::poolRank(call);
    REINSPECT_TRY(const Sizes small, exec::spatialSizes(call, grad, rank));
    if (!isPooled(self) || !isPooled(grad) || !isFilled(self, rank)
        || grad.sizes != exec::pooledSizes(self, small))
        return exec::runOnHost(call);
    REINSPECT_TRY(const Sizes large, exec::spatialSizes(call, self, rank));
    return meansBackward(call, adaptiveCall(WindowUse::MeanGradient), self, grad, large);
}

Result<Value> largest(const KernelCall& call, WindowCall job, const Tensor& self,
                      const Sizes& small, DType places)
{
    REINSPECT_TRY(const Tensor result, exec::pooledResult(call, self, self.dtype, small, 0));
    REINSPECT_TRY(const Tensor found, exec::pooledResult(call, self, places, small, 1));
    job.input = sideOf(self, small.size());
    job.result = sideOf(result, small.size());
    job.places = sideOf(found, small.size());
    REINSPECT_CHECK(runWindow(call, job));
    return exec::listOf(std::vector<Tensor>{result, found});
}

template<bool InKernel>
Result<Value> maximum(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Sizes kernel, call.integers("kernel_size"));
    REINSPECT_TRY(const Sizes large,
                  exec::spatialSizes(call, self, InKernel ? kernel.size() : exec::poolRank(call)));
    REINSPECT_TRY(const WindowGrid grid, exec::poolGrid(call, large));
    if (!isPooled(self) || large.size() > 3)
        return exec::runOnHost(call);
    WindowCall job = windowCall(WindowUse::Largest, grid);
    job.placesInKernel = InKernel;
    return largest(call, job, self, grid.small, InKernel ? DType::Int8 : DType::Int64);
}

Result<Value> adaptiveMaximum(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    const std::size_t rank = exec::poolRank(call);
    REINSPECT_TRY(const Sizes small, exec::spatialArgument(call, "output_size", rank));
    if (!isPooled(self) || !isFilled(self, rank) || std::ranges::min(small) < 0)
        return exec::runOnHost(call);
    return largest(call, adaptiveCall(WindowUse::Largest), self, small, DType::Int64);
}

// Each gradient goes to the place that its index names. Shorter floats are added up in float32.
template<bool IsAdaptive>
Result<Value> maximumBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor grad, call.tensor("grad_output"));
    REINSPECT_TRY(const Tensor indices, call.tensor("indices"));
    const std::size_t rank = exec::poolRank(call);
    REINSPECT_TRY(const Sizes large, exec::spatialSizes(call, self, rank));
    REINSPECT_TRY(const Sizes small, exec::spatialSizes(call, grad, rank));
    WindowCall job = adaptiveCall(WindowUse::LargestGradient);
    bool fits = isPooled(grad) && isFilled(self, rank) && exec::isIntegral(indices.dtype)
        && indices.storage->isOnDevice() && grad.sizes == indices.sizes
        && grad.sizes == exec::pooledSizes(self, small);
    if (!IsAdaptive && fits)
    {
        REINSPECT_TRY(const WindowGrid grid, exec::poolGrid(call, large));
        job = windowCall(WindowUse::LargestGradient, grid);
        fits = grid.small == small;
    }
    if (!fits)
        return exec::runOnHost(call);
    REINSPECT_TRY(const Tensor result, exec::pooledResult(call, self, grad.dtype, large));
    Tensor sums = result;
    if (dtypeBytes(grad.dtype) < 4)
    {
        REINSPECT_TRY(sums, call.scratch(DType::Float32, result.sizes));
    }
    job.input = sideOf(grad, rank);
    job.places = sideOf(indices, rank);
    job.result = sideOf(sums, rank);
    REINSPECT_CHECK(runWindow(call, job));
    REINSPECT_CHECK(exec::copyElements(result, sums));
    return Value(result);
}

// From places in the kernel to places on the large side.
Result<Value> offsetsToIndices(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Sizes large, call.integers("input_size"));
    REINSPECT_TRY(WindowGrid grid, exec::poolGrid(call, large));
    REINSPECT_TRY(grid.small, exec::spatialSizes(call, self, large.size()));
    if (!exec::isIntegral(self.dtype) || !self.storage->isOnDevice() || large.size() > 3)
        return exec::runOnHost(call);
    REINSPECT_TRY(const Tensor result, exec::pooledResult(call, self, DType::Int64, grid.small));
    WindowCall job = windowCall(WindowUse::PlaceOfOffset, grid);
    job.input = sideOf(self, large.size());
    job.result = sideOf(result, large.size());
    job.places = job.result;
    std::ranges::copy(large, job.places.sizes + 5 - large.size());
    REINSPECT_CHECK(runWindow(call, job));
    return Value(result);
}

const exec::KernelRow table[] = {
    {"aten.avg_pool1d.default", average},
    {"aten.avg_pool2d.default", average},
    {"aten.avg_pool3d.default", average},
    {"aten.avg_pool2d_backward.default", averageBackward},
    {"aten.avg_pool3d_backward.default", averageBackward},
    {"aten._adaptive_avg_pool2d.default", adaptiveAverage},
    {"aten._adaptive_avg_pool3d.default", adaptiveAverage},
    {"aten.adaptive_avg_pool1d.default", adaptiveAverage},
    {"aten._adaptive_avg_pool2d_backward.default", adaptiveAverageBackward},
    {"aten._adaptive_avg_pool3d_backward.default", adaptiveAverageBackward},
    {"aten.max_pool2d_with_indices.default", maximum<false>},
    {"aten.max_pool3d_with_indices.default", maximum<false>},
    {"aten.max_pool2d_with_indices_backward.default", maximumBackward<false>},
    {"aten.max_pool3d_with_indices_backward.default", maximumBackward<false>},
    {"aten.adaptive_max_pool2d.default", adaptiveMaximum},
    {"aten.adaptive_max_pool3d.default", adaptiveMaximum},
    {"aten.adaptive_max_pool2d_backward.default", maximumBackward<true>},
    {"aten.adaptive_max_pool3d_backward.default", maximumBackward<true>},
    {"prims._low_memory_max_pool_with_offsets.default", maximum<true>},
    {"prims._low_memory_max_pool_offsets_to_indices.default", offsetsToIndices},
};

} // namespace

Array sideOf(const Tensor& tensor, std::size_t spatialRank)
{
    Array side;
    side.data = tensor.storage->address() + tensor.offset * tensor.elementBytes();
    side.dtype = tensor.dtype;
    side.width = static_cast<int>(tensor.elementBytes());
    side.rank = 5;
    std::fill_n(side.sizes, 5, 1);
    const std::size_t before = tensor.rank() - spatialRank;
    for (std::size_t d = 0; d < tensor.rank(); ++d)
    {
        const std::size_t at = d < before ? 2 - before + d : 5 - tensor.rank() + d;
        side.sizes[at] = tensor.sizes[d];
        side.strides[at] = tensor.strides[d];
    }
    return side;
}

WindowCall windowCall(WindowUse use, const WindowGrid& grid)
{
    WindowCall job;
    job.use = use;
    const std::size_t added = 3 - grid.rank();
    std::ranges::copy(grid.kernel, job.kernel + added);
    std::ranges::copy(grid.stride, job.stride + added);
    std::ranges::copy(grid.padding, job.padding + added);
    std::ranges::copy(grid.dilation, job.dilation + added);
    return job;
}

Result<void> runWindow(const KernelCall& call, const WindowCall& job)
{
    return checked(call, gpuOf(call).api().window(job));
}

std::span<const exec::KernelRow> poolRows()
{
    return table;
}

} // namespace reinspect::gpu
