// SPDX-License-Identifier: MIT
// Sorting by CUB's radix sort, and random numbers.
#include "core/gpu/cuda/elements.cuh"

#include "core/exec/philox.h"

#include <cub/device/device_radix_sort.cuh>

namespace reinspect::gpu
{
namespace
{

// Whole numbers in the order of what they stand for: floats with NaN at the end, as PyTorch sorts.
__device__ std::uint64_t orderOf(DType dtype, const void* data, std::int64_t i)
{
    switch (dtype)
    {
    case DType::Float64:
    case DType::Float32:
    case DType::Float16:
    case DType::BFloat16:
    {
        const double value = loadAs<double>(dtype, data, i) + 0.0; // -0 and 0 are equal
        if (value != value)
            return UINT64_MAX;
        const auto bits = static_cast<std::uint64_t>(__double_as_longlong(value));
        return (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
    }
    case DType::UInt64: return static_cast<const std::uint64_t*>(data)[i];
    default:
        return static_cast<std::uint64_t>(loadAs<std::int64_t>(dtype, data, i))
            ^ (std::uint64_t{1} << 63);
    }
}

__global__ void keysKernel(const void* data, DType dtype, std::int64_t count, bool descends,
                           std::uint64_t* keys, std::int64_t* places)
{
    forEachNumber(count, [&](std::int64_t i) {
        const std::uint64_t key = orderOf(dtype, data, i);
        keys[i] = descends ? ~key : key;
        places[i] = i;
    });
}

__global__ void linesKernel(const std::int64_t* places, std::int64_t count, std::int64_t length,
                            std::uint64_t* keys)
{
    forEachNumber(
        count, [&](std::int64_t i) { keys[i] = static_cast<std::uint64_t>(places[i] / length); });
}

template<typename T>
__global__ void takeKernel(const void* input, void* values, std::int64_t* out,
                           const std::int64_t* places, std::int64_t count, std::int64_t length)
{
    forEachNumber(count, [&](std::int64_t i) {
        static_cast<T*>(values)[i] = static_cast<const T*>(input)[places[i]];
        out[i] = places[i] % length;
    });
}

struct Sorter
{
    Scratch& scratch;
    cudaStream_t stream;
    std::int64_t count;
    std::uint64_t* keys[2];
    std::int64_t* places[2];

    // Stable, by the keys; the sorted places are places[0] afterwards.
    cudaError_t sort(int bits)
    {
        cub::DoubleBuffer<std::uint64_t> keyBuffer(keys[0], keys[1]);
        cub::DoubleBuffer<std::int64_t> placeBuffer(places[0], places[1]);
        std::size_t bytes = 0;
        if (const auto error = cub::DeviceRadixSort::SortPairs(nullptr, bytes, keyBuffer,
                                                               placeBuffer, count, 0, bits, stream))
            return error;
        void* room = scratch.take(static_cast<std::int64_t>(bytes));
        if (!room)
            return cudaErrorMemoryAllocation;
        const auto error = cub::DeviceRadixSort::SortPairs(room, bytes, keyBuffer, placeBuffer,
                                                           count, 0, bits, stream);
        if (placeBuffer.Current() != places[0])
            std::swap(places[0], places[1]);
        return error;
    }
};

int bitsFor(std::int64_t lines)
{
    int bits = 1;
    while ((std::int64_t{1} << bits) < lines)
        ++bits;
    return bits;
}

__global__ void randomKernel(const RandomCall call, const Shape<1> shape)
{
    const exec::Philox random(
        call.seed, call.streamFrom ? static_cast<std::uint64_t>(*call.streamFrom) : call.stream);
    forEachNumber(shape.count, [&](std::int64_t i) {
        std::int64_t at[1];
        shape.offsets(i, at);
        const auto place = static_cast<std::uint64_t>(i);
        double value = 0;
        switch (call.draw)
        {
        case Draw::Uniform: value = call.a + call.b * random.uniform(place); break;
        case Draw::Normal: value = call.a + call.b * random.normal(place); break;
        case Draw::Whole:
            value = static_cast<double>(
                call.low + static_cast<std::int64_t>(random.bits(place) % call.span));
            break;
        case Draw::Count: value = call.a + call.b * static_cast<double>(place); break;
        case Draw::Seed:
            storeAs<std::int64_t>(call.result.dtype, call.result.data, at[0],
                                  static_cast<std::int64_t>(random.bits(place) >> 1));
            return;
        }
        storeAs<double>(call.result.dtype, call.result.data, at[0], value);
    });
}

} // namespace

cudaError_t runSort(const SortCall& call, Scratch& scratch, cudaStream_t stream)
{
    const std::int64_t lines = call.input.sizes[0];
    const std::int64_t length = call.input.sizes[1];
    const std::int64_t count = lines * length;
    if (count == 0)
        return cudaSuccess;
    Sorter sorter{scratch, stream, count, {}, {}};
    for (int k = 0; k < 2; ++k)
    {
        sorter.keys[k] = static_cast<std::uint64_t*>(scratch.take(count * 8));
        sorter.places[k] = static_cast<std::int64_t*>(scratch.take(count * 8));
        if (!sorter.keys[k] || !sorter.places[k])
            return cudaErrorMemoryAllocation;
    }
    const unsigned blocks = blocksFor(count);
    keysKernel<<<blocks, kThreads, 0, stream>>>(call.input.data, call.input.dtype, count,
                                                call.descends, sorter.keys[0], sorter.places[0]);
    if (const cudaError_t error = sorter.sort(64))
        return error;
    if (lines > 1)
    {
        linesKernel<<<blocks, kThreads, 0, stream>>>(sorter.places[0], count, length,
                                                     sorter.keys[0]);
        if (const cudaError_t error = sorter.sort(bitsFor(lines)))
            return error;
    }
    auto* out = static_cast<std::int64_t*>(call.places.data);
    switch (call.input.width)
    {
    case 1:
        takeKernel<std::uint8_t><<<blocks, kThreads, 0, stream>>>(
            call.input.data, call.values.data, out, sorter.places[0], count, length);
        break;
    case 2:
        takeKernel<std::uint16_t><<<blocks, kThreads, 0, stream>>>(
            call.input.data, call.values.data, out, sorter.places[0], count, length);
        break;
    case 4:
        takeKernel<std::uint32_t><<<blocks, kThreads, 0, stream>>>(
            call.input.data, call.values.data, out, sorter.places[0], count, length);
        break;
    case 8:
        takeKernel<std::uint64_t><<<blocks, kThreads, 0, stream>>>(
            call.input.data, call.values.data, out, sorter.places[0], count, length);
        break;
    default: return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}

cudaError_t runRandom(const RandomCall& call, cudaStream_t stream)
{
    Shape<1> shape;
    for (int d = 0; d < call.result.rank; ++d)
        shape.add(call.result.sizes[d], {call.result.strides[d]});
    if (shape.count == 0)
        return cudaSuccess;
    randomKernel<<<blocksFor(shape.count), kThreads, 0, stream>>>(call, shape);
    return cudaGetLastError();
}

} // namespace reinspect::gpu
