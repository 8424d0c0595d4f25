// SPDX-License-Identifier: MIT
// What each file of kernels starts on a stream.
#pragma once

#include "core/gpu/gpu_api.h"

#include <cuda_runtime.h>

namespace reinspect::gpu
{

cudaError_t runPointwise(const PointwiseCall& call, cudaStream_t stream);
bool hasPointwise(std::uint16_t function, Kind kind);
cudaError_t runCopy(const Array& to, const Array& from, cudaStream_t stream);
cudaError_t runFill(void* data, std::int64_t bytes, std::uint64_t pattern, int width,
                    cudaStream_t stream);
// `scratch(bytes)`: memory until the stream is done with this call; null: there is none.
struct Scratch
{
    virtual void* take(std::int64_t bytes) = 0;

protected:
    ~Scratch() = default;
};
cudaError_t runReduction(const ReductionCall& call, Scratch& scratch, cudaStream_t stream);
cudaError_t runLines(const LineCall& call, cudaStream_t stream);
cudaError_t runIndex(const IndexCall& call, int node, IndexFault* fault, Scratch& scratch,
                     cudaStream_t stream);
// For runIndex(): `places` has an offset for each place of the shape, -1 where an index was out of range.
cudaError_t runCombination(const IndexCall& call, const std::int64_t* places, std::int64_t count,
                           Scratch& scratch, cudaStream_t stream);
// `found`, on the device, is how many.
cudaError_t runSelect(const void* flags, std::int64_t count, std::int64_t* places,
                      std::int64_t* found, Scratch& scratch, cudaStream_t stream);
cudaError_t runWindow(const WindowCall& call, int node, IndexFault* fault, cudaStream_t stream);
cudaError_t runUnfold(const WindowCall& call, cudaStream_t stream); // and Fold
cudaError_t runRandom(const RandomCall& call, cudaStream_t stream);
cudaError_t runSort(const SortCall& call, Scratch& scratch, cudaStream_t stream);
// Both wait.
cudaError_t runCompare(const CompareCall& call, exec::ElementDifferences& found, Scratch& scratch,
                       cudaStream_t stream);
cudaError_t runDigest(const Array& array, std::uint64_t& sum, Scratch& scratch,
                      cudaStream_t stream);

} // namespace reinspect::gpu
