// SPDX-License-Identifier: MIT
// Two arrays against each other, and a number for the bits of one: every thread takes what it sees, blocks join that of
// their threads, and one block the rest.
#include "core/gpu/cuda/elements.cuh"

#include <cub/block/block_reduce.cuh>

namespace reinspect::gpu
{
namespace
{

using exec::DifferenceLimits;
using exec::ElementDifferences;

constexpr int kMostBlocks = 1024;

struct Joined
{
    template<typename T>
    __device__ T operator()(T a, const T& b) const
    {
        a.add(b);
        return a;
    }
};

struct Squares
{
    double sum = 0;
    std::int64_t finite = 0;
    __device__ void add(const Squares& other)
    {
        sum += other.sum;
        finite += other.finite;
    }
};

struct BitSum
{
    std::uint64_t sum = 0;
    __device__ void add(const BitSum& other) { sum += other.sum; }
};

// Of all threads of the block; the first one has it.
template<typename T>
__device__ T ofBlock(const T& own)
{
    using Reduce = cub::BlockReduce<T, kThreads>;
    __shared__ typename Reduce::TempStorage storage;
    return Reduce(storage).Reduce(own, Joined());
}

template<typename T>
__global__ void joinKernel(T* partial, int count)
{
    T own{};
    for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads)
        own.add(partial[i]);
    const T all = ofBlock(own);
    if (threadIdx.x == 0)
        partial[0] = all;
}

struct Pair
{
    const void* expected = nullptr;
    const void* found = nullptr;
    DType dtype = DType::Unknown;
    Shape<2> shape;
};

__global__ void squaresKernel(Pair pair, Squares* partial)
{
    Squares own;
    forEachNumber(pair.shape.count, [&](std::int64_t i) {
        std::int64_t at[2];
        pair.shape.offsets(i, at);
        const auto value = loadAs<double>(pair.dtype, pair.expected, at[0]);
        if (!isfinite(value))
            return;
        own.sum += value * value;
        ++own.finite;
    });
    const Squares all = ofBlock(own);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = all;
}

template<typename C>
__global__ void compareKernel(Pair pair, DifferenceLimits limits, const Squares* squares,
                              ElementDifferences* partial)
{
    if constexpr (std::is_same_v<C, double>)
        if (squares && squares->finite > 0)
            limits.scale = sqrt(squares->sum / static_cast<double>(squares->finite));
    ElementDifferences own;
    forEachNumber(pair.shape.count, [&](std::int64_t i) {
        std::int64_t at[2];
        pair.shape.offsets(i, at);
        const auto a = loadAs<C>(pair.dtype, pair.expected, at[0]);
        const auto b = loadAs<C>(pair.dtype, pair.found, at[1]);
        if constexpr (std::is_same_v<C, double>)
            own.addReal(a, b, i, limits);
        else
            own.addWhole(a, b, i);
    });
    const ElementDifferences all = ofBlock(own);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = all;
}

__device__ std::uint64_t bitsAt(const void* data, int width, std::int64_t i)
{
    switch (width)
    {
    case 1: return static_cast<const std::uint8_t*>(data)[i];
    case 2: return static_cast<const std::uint16_t*>(data)[i];
    case 4: return static_cast<const std::uint32_t*>(data)[i];
    default: return static_cast<const std::uint64_t*>(data)[i];
    }
}

__global__ void digestKernel(const void* data, int width, Shape<1> shape, BitSum* partial)
{
    BitSum own;
    forEachNumber(shape.count, [&](std::int64_t i) {
        std::int64_t at[1];
        shape.offsets(i, at);
        own.sum += exec::elementDigest(bitsAt(data, width, at[0]), static_cast<std::uint64_t>(i));
    });
    const BitSum all = ofBlock(own);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = all;
}

int blocksOf(std::int64_t count)
{
    const unsigned blocks = blocksFor(count);
    return blocks < kMostBlocks ? static_cast<int>(blocks > 0 ? blocks : 1) : kMostBlocks;
}

template<typename T>
cudaError_t fetch(T& value, T* partial, int blocks, cudaStream_t stream)
{
    joinKernel<<<1, kThreads, 0, stream>>>(partial, blocks);
    if (const cudaError_t code = cudaGetLastError(); code != cudaSuccess)
        return code;
    const cudaError_t code =
        cudaMemcpyAsync(&value, partial, sizeof value, cudaMemcpyDeviceToHost, stream);
    return code == cudaSuccess ? cudaStreamSynchronize(stream) : code;
}

} // namespace

cudaError_t runCompare(const CompareCall& call, ElementDifferences& found, Scratch& scratch,
                       cudaStream_t stream)
{
    Pair pair{call.expected.data, call.found.data, call.expected.dtype, {}};
    for (int d = 0; d < call.expected.rank; ++d)
        pair.shape.add(call.expected.sizes[d], {call.expected.strides[d], call.found.strides[d]});
    const int blocks = blocksOf(pair.shape.count);
    auto* partial = static_cast<ElementDifferences*>(
        scratch.take(static_cast<std::int64_t>(sizeof(ElementDifferences)) * blocks));
    auto* squares =
        static_cast<Squares*>(scratch.take(static_cast<std::int64_t>(sizeof(Squares)) * blocks));
    if (!partial || !squares)
        return cudaErrorMemoryAllocation;
    const bool isWhole = call.kind == Kind::Integer;
    const bool needsScale = !isWhole && call.limits.relative > 0;
    if (needsScale)
    {
        squaresKernel<<<blocks, kThreads, 0, stream>>>(pair, squares);
        joinKernel<<<1, kThreads, 0, stream>>>(squares, blocks);
    }
    if (isWhole)
        compareKernel<std::int64_t>
            <<<blocks, kThreads, 0, stream>>>(pair, call.limits, nullptr, partial);
    else
        compareKernel<double><<<blocks, kThreads, 0, stream>>>(
            pair, call.limits, needsScale ? squares : nullptr, partial);
    return fetch(found, partial, blocks, stream);
}

cudaError_t runDigest(const Array& array, std::uint64_t& sum, Scratch& scratch, cudaStream_t stream)
{
    Shape<1> shape;
    for (int d = 0; d < array.rank; ++d)
        shape.add(array.sizes[d], {array.strides[d]});
    const int blocks = blocksOf(shape.count);
    auto* partial =
        static_cast<BitSum*>(scratch.take(static_cast<std::int64_t>(sizeof(BitSum)) * blocks));
    if (!partial)
        return cudaErrorMemoryAllocation;
    digestKernel<<<blocks, kThreads, 0, stream>>>(array.data, array.width, shape, partial);
    BitSum all;
    const cudaError_t code = fetch(all, partial, blocks, stream);
    sum = all.sum;
    return code;
}

} // namespace reinspect::gpu
