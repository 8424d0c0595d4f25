// SPDX-License-Identifier: MIT
// Several values for one place, always with the same result: the places are sorted, and one thread goes through the
// values of a place in their order. And the numbers of flags that are set.
#include "core/gpu/cuda/elements.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

namespace reinspect::gpu
{
namespace
{

struct Piles
{
    void* tensor;
    const void* values;
    DType dtype;
    Combination how;
    bool includesOld;
    const std::uint64_t* keys; // sorted: a place and 1; 0 where an index was out of range
    const std::int64_t* order; // which value each was
    std::int64_t count;
    Shape<1> before;
    Shape<1> after;
};

__global__ void keysKernel(const std::int64_t* places, std::int64_t count, std::uint64_t* keys,
                           std::int64_t* order)
{
    forEachNumber(count, [&](std::int64_t i) {
        keys[i] = static_cast<std::uint64_t>(places[i] + 1);
        order[i] = i;
    });
}

template<typename C>
__device__ C combined(Combination how, C old, C next)
{
    if constexpr (std::is_same_v<C, std::int64_t>)
    {
        const auto a = static_cast<std::uint64_t>(old);
        const auto b = static_cast<std::uint64_t>(next);
        if (how == Combination::Sum || how == Combination::Mean)
            return static_cast<C>(a + b);
        if (how == Combination::Product)
            return static_cast<C>(a * b);
    }
    switch (how)
    {
    case Combination::Last: return next;
    case Combination::Sum:
    case Combination::Mean: return old + next;
    case Combination::Product: return old * next;
    case Combination::Largest: return old != old ? old : next != next || next > old ? next : old;
    case Combination::Least: return old != old ? old : next != next || next < old ? next : old;
    }
    return next;
}

// Whole numbers are divided downwards.
template<typename C>
__device__ C divided(C sum, std::int64_t count)
{
    if constexpr (std::is_same_v<C, std::int64_t>)
        return sum / count - (sum % count < 0 ? 1 : 0);
    else
        return sum / static_cast<C>(count);
}

// visit(offset in the tensor, of which pile, of the value's numbers: first and step) for each pile of each element
// before and after.
template<typename Visit>
__device__ void forEachPile(const Piles& piles, bool fromItsEnd, Visit&& visit)
{
    forEachNumber(piles.before.count * piles.count * piles.after.count, [&](std::int64_t number) {
        const std::int64_t rest = number / piles.after.count;
        const std::int64_t at = rest % piles.count;
        const std::int64_t outer = rest / piles.count;
        const std::int64_t inner = number % piles.after.count;
        const std::uint64_t key = piles.keys[at];
        const std::int64_t beside = fromItsEnd ? at + 1 : at - 1;
        if (key == 0 || (beside >= 0 && beside < piles.count && piles.keys[beside] == key))
            return;
        std::int64_t before[1], after[1];
        piles.before.offsets(outer, before);
        piles.after.offsets(inner, after);
        visit(before[0] + static_cast<std::int64_t>(key - 1) + after[0], at,
              outer * piles.count * piles.after.count + inner);
    });
}

template<typename C>
__global__ void combineKernel(const Piles piles)
{
    forEachPile(piles, false, [&](std::int64_t offset, std::int64_t first, std::int64_t base) {
        const auto valueAt = [&](std::int64_t at) {
            return loadAs<C>(piles.dtype, piles.values, base + piles.order[at] * piles.after.count);
        };
        const std::uint64_t key = piles.keys[first];
        C made = piles.includesOld ? loadAs<C>(piles.dtype, piles.tensor, offset) : valueAt(first);
        std::int64_t at = piles.includesOld ? first : first + 1;
        for (; at < piles.count && piles.keys[at] == key; ++at)
            made = combined(piles.how, made, valueAt(at));
        if (piles.how == Combination::Mean)
            made = divided(made, at - first + (piles.includesOld ? 1 : 0));
        storeAs<C>(piles.dtype, piles.tensor, offset, made);
    });
}

template<typename T>
__global__ void lastKernel(const Piles piles)
{
    forEachPile(piles, true, [&](std::int64_t offset, std::int64_t last, std::int64_t base) {
        static_cast<T*>(piles.tensor)[offset] =
            static_cast<const T*>(piles.values)[base + piles.order[last] * piles.after.count];
    });
}

cudaError_t startLast(const Piles& piles, int width, unsigned blocks, cudaStream_t stream)
{
    switch (width)
    {
    case 1: lastKernel<std::uint8_t><<<blocks, kThreads, 0, stream>>>(piles); break;
    case 2: lastKernel<std::uint16_t><<<blocks, kThreads, 0, stream>>>(piles); break;
    case 4: lastKernel<std::uint32_t><<<blocks, kThreads, 0, stream>>>(piles); break;
    case 8: lastKernel<std::uint64_t><<<blocks, kThreads, 0, stream>>>(piles); break;
    case 16: lastKernel<uint4><<<blocks, kThreads, 0, stream>>>(piles); break;
    default: return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}

// The bits of the largest key.
int keyBits(const IndexCall& call)
{
    std::uint64_t most = 1;
    for (int k = 0; k < call.columns; ++k)
        most += static_cast<std::uint64_t>((call.column[k].size - 1) * call.column[k].step);
    for (int d = 0; d < call.shapeRank; ++d)
        most += static_cast<std::uint64_t>((call.shape[d] - 1) * call.shapeStrides[d]);
    int bits = 1;
    while (bits < 64 && (most >> bits) != 0)
        ++bits;
    return bits;
}

cudaError_t sortKeys(cub::DoubleBuffer<std::uint64_t>& keys, cub::DoubleBuffer<std::int64_t>& order,
                     std::int64_t count, int bits, Scratch& scratch, cudaStream_t stream)
{
    std::size_t bytes = 0;
    if (const auto error =
            cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, order, count, 0, bits, stream))
        return error;
    void* room = scratch.take(static_cast<std::int64_t>(bytes));
    if (!room)
        return cudaErrorMemoryAllocation;
    return cub::DeviceRadixSort::SortPairs(room, bytes, keys, order, count, 0, bits, stream);
}

bool isWhole(DType dtype)
{
    switch (dtype)
    {
    case DType::Float32:
    case DType::Float64:
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float8E4M3FN:
    case DType::Float8E5M2: return false;
    default: return true;
    }
}

Shape<1> shapeOf(int rank, const std::int64_t* sizes, const std::int64_t* strides)
{
    Shape<1> shape;
    for (int d = 0; d < rank; ++d)
        shape.add(sizes[d], {strides[d]});
    return shape;
}

} // namespace

cudaError_t runCombination(const IndexCall& call, const std::int64_t* places, std::int64_t count,
                           Scratch& scratch, cudaStream_t stream)
{
    void* room[4];
    for (void*& data : room)
    {
        data = scratch.take(count * 8);
        if (!data)
            return cudaErrorMemoryAllocation;
    }
    cub::DoubleBuffer<std::uint64_t> keys(static_cast<std::uint64_t*>(room[0]),
                                          static_cast<std::uint64_t*>(room[1]));
    cub::DoubleBuffer<std::int64_t> order(static_cast<std::int64_t*>(room[2]),
                                          static_cast<std::int64_t*>(room[3]));
    keysKernel<<<blocksFor(count), kThreads, 0, stream>>>(places, count, keys.Current(),
                                                          order.Current());
    if (const auto error = sortKeys(keys, order, count, keyBits(call), scratch, stream))
        return error;
    const Piles piles{call.tensor,
                      call.values,
                      call.dtype,
                      call.combination,
                      call.includesOld,
                      keys.Current(),
                      order.Current(),
                      count,
                      shapeOf(call.beforeRank, call.before, call.beforeStrides),
                      shapeOf(call.afterRank, call.after, call.afterStrides)};
    const unsigned blocks = blocksFor(piles.before.count * count * piles.after.count);
    if (call.combination == Combination::Last)
        return startLast(piles, call.width, blocks, stream);
    if (isWhole(call.dtype))
        combineKernel<std::int64_t><<<blocks, kThreads, 0, stream>>>(piles);
    else
        combineKernel<double><<<blocks, kThreads, 0, stream>>>(piles);
    return cudaGetLastError();
}

cudaError_t runSelect(const void* flags, std::int64_t count, std::int64_t* places,
                      std::int64_t* found, Scratch& scratch, cudaStream_t stream)
{
    const thrust::counting_iterator<std::int64_t> numbers(0);
    const auto* set = static_cast<const std::uint8_t*>(flags);
    std::size_t bytes = 0;
    if (const auto error =
            cub::DeviceSelect::Flagged(nullptr, bytes, numbers, set, places, found, count, stream))
        return error;
    void* room = scratch.take(static_cast<std::int64_t>(bytes));
    if (!room)
        return cudaErrorMemoryAllocation;
    return cub::DeviceSelect::Flagged(room, bytes, numbers, set, places, found, count, stream);
}

} // namespace reinspect::gpu
