// SPDX-License-Identifier: MIT
// Reading and writing at places that arrays of whole numbers name. First the places are worked out and checked, one
// number each; then elements move.
#include "core/gpu/cuda/elements.cuh"

namespace reinspect::gpu
{
namespace
{

// Of several values for one place the first stays where there are no more places than this: finding it looks at
// all pairs.
constexpr std::int64_t kMostOrdered = 4096;

struct Columns
{
    int count;
    bool countsFromEnd;
    IndexColumn column[kMostIndices];
    int rank;
    std::int64_t sizes[kMostDimensions];
    std::int64_t strides[kMostDimensions];
    std::int64_t places;
    int node;
    IndexFault* fault;
};

__device__ void report(const Columns& columns, int k, std::int64_t index)
{
    if (atomicCAS(&columns.fault->node, -1, columns.node) != -1)
        return;
    columns.fault->dimension = columns.column[k].dimension;
    columns.fault->index = index;
    columns.fault->size = columns.column[k].size;
}

// The offset of each place in the tensor; -1 where an index is out of range.
__global__ void placesKernel(const Columns columns, std::int64_t* places)
{
    forEachNumber(columns.places, [&](std::int64_t number) {
        std::int64_t index[kMostDimensions];
        std::int64_t rest = number;
        std::int64_t offset = 0;
        for (int d = columns.rank - 1; d >= 0; --d)
        {
            index[d] = rest % columns.sizes[d];
            rest /= columns.sizes[d];
            offset += index[d] * columns.strides[d];
        }
        for (int k = 0; k < columns.count; ++k)
        {
            const IndexColumn& column = columns.column[k];
            std::int64_t at = 0;
            for (int d = 0; d < columns.rank; ++d)
                at += index[d] * column.strides[d];
            const std::int64_t given = loadAs<std::int64_t>(column.dtype, column.data, at);
            const std::int64_t found =
                given < 0 && columns.countsFromEnd ? given + column.size : given;
            if (found < 0 || found >= column.size)
            {
                report(columns, k, given);
                places[number] = -1;
                return;
            }
            offset += found * column.step;
        }
        places[number] = offset;
    });
}

// Values that an earlier one of the same place comes before.
__global__ void shadowKernel(const std::int64_t* places, std::int64_t count, bool* isShadowed)
{
    forEachNumber(count, [&](std::int64_t i) {
        bool found = false;
        for (std::int64_t k = 0; k < i && !found; ++k)
            found = places[k] == places[i];
        isShadowed[i] = found;
    });
}

struct Move
{
    void* tensor;
    void* values;
    DType dtype;
    const std::int64_t* places;
    const bool* isShadowed; // null: none is
    std::int64_t placeCount;
    Shape<1> before;
    Shape<1> after;
};

// visit(offset in the tensor, number of the value)
template<typename Visit>
__device__ void forEachElement(const Move& move, Visit&& visit)
{
    forEachNumber(move.before.count * move.placeCount * move.after.count, [&](std::int64_t number) {
        const std::int64_t rest = number / move.after.count;
        const std::int64_t place = rest % move.placeCount;
        std::int64_t before[1], after[1];
        if (move.places[place] < 0 || (move.isShadowed && move.isShadowed[place]))
            return;
        move.before.offsets(rest / move.placeCount, before);
        move.after.offsets(number % move.after.count, after);
        visit(before[0] + move.places[place] + after[0], number);
    });
}

template<typename T, bool Reads>
__global__ void moveKernel(const Move move)
{
    forEachElement(move, [&](std::int64_t offset, std::int64_t number) {
        T* tensor = static_cast<T*>(move.tensor);
        T* values = static_cast<T*>(move.values);
        if constexpr (Reads)
            values[number] = tensor[offset];
        else
            tensor[offset] = values[number];
    });
}

// Sixteen-bit floats: the word that holds the number is exchanged until nobody came between.
template<typename Add>
__device__ void addHalf(std::uint16_t* place, Add&& add)
{
    const auto address = reinterpret_cast<std::uintptr_t>(place);
    auto* word = reinterpret_cast<unsigned*>(address & ~std::uintptr_t{2});
    const unsigned shift = (address & 2) != 0 ? 16 : 0;
    unsigned seen = *word;
    for (;;)
    {
        const unsigned made = add(static_cast<std::uint16_t>(seen >> shift));
        const unsigned next = (seen & ~(0xFFFFu << shift)) | (made << shift);
        const unsigned before = atomicCAS(word, seen, next);
        if (before == seen)
            return;
        seen = before;
    }
}

__device__ void addTo(const Move& move, std::int64_t offset, std::int64_t number)
{
    void* tensor = move.tensor;
    const void* values = move.values;
    switch (move.dtype)
    {
    case DType::Float32:
        atomicAdd(static_cast<float*>(tensor) + offset, static_cast<const float*>(values)[number]);
        break;
    case DType::Float64:
        atomicAdd(static_cast<double*>(tensor) + offset,
                  static_cast<const double*>(values)[number]);
        break;
    case DType::Float16:
        addHalf(static_cast<std::uint16_t*>(tensor) + offset, [&](std::uint16_t seen) {
            const float sum = __half2float(__ushort_as_half(seen))
                + __half2float(static_cast<const __half*>(values)[number]);
            return __half_as_ushort(__float2half_rn(sum));
        });
        break;
    case DType::BFloat16:
        addHalf(static_cast<std::uint16_t*>(tensor) + offset, [&](std::uint16_t seen) {
            const float sum = __bfloat162float(__ushort_as_bfloat16(seen))
                + __bfloat162float(static_cast<const __nv_bfloat16*>(values)[number]);
            return __bfloat16_as_ushort(__float2bfloat16_rn(sum));
        });
        break;
    case DType::Int32:
    case DType::UInt32:
        atomicAdd(static_cast<unsigned*>(tensor) + offset,
                  static_cast<const unsigned*>(values)[number]);
        break;
    case DType::Int64:
    case DType::UInt64:
        atomicAdd(static_cast<unsigned long long*>(tensor) + offset,
                  static_cast<const unsigned long long*>(values)[number]);
        break;
    default: break; // refused before
    }
}

__global__ void addKernel(const Move move)
{
    forEachElement(move,
                   [&](std::int64_t offset, std::int64_t number) { addTo(move, offset, number); });
}

bool canAdd(DType dtype)
{
    switch (dtype)
    {
    case DType::Float32:
    case DType::Float64:
    case DType::Float16:
    case DType::BFloat16:
    case DType::Int32:
    case DType::UInt32:
    case DType::Int64:
    case DType::UInt64: return true;
    default: return false;
    }
}

template<bool Reads>
cudaError_t startMove(const Move& move, int width, unsigned blocks, cudaStream_t stream)
{
    switch (width)
    {
    case 1: moveKernel<std::uint8_t, Reads><<<blocks, kThreads, 0, stream>>>(move); break;
    case 2: moveKernel<std::uint16_t, Reads><<<blocks, kThreads, 0, stream>>>(move); break;
    case 4: moveKernel<std::uint32_t, Reads><<<blocks, kThreads, 0, stream>>>(move); break;
    case 8: moveKernel<std::uint64_t, Reads><<<blocks, kThreads, 0, stream>>>(move); break;
    case 16: moveKernel<uint4, Reads><<<blocks, kThreads, 0, stream>>>(move); break;
    default: return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}

Shape<1> shapeOf(int rank, const std::int64_t* sizes, const std::int64_t* strides)
{
    Shape<1> shape;
    for (int d = 0; d < rank; ++d)
        shape.add(sizes[d], {strides[d]});
    return shape;
}

} // namespace

cudaError_t runIndex(const IndexCall& call, int node, IndexFault* fault, Scratch& scratch,
                     cudaStream_t stream)
{
    Columns columns{call.columns, call.countsFromEnd, {}, call.shapeRank, {}, {}, 1, node, fault};
    for (int k = 0; k < call.columns; ++k)
        columns.column[k] = call.column[k];
    for (int d = 0; d < call.shapeRank; ++d)
    {
        columns.sizes[d] = call.shape[d];
        columns.strides[d] = call.shapeStrides[d];
        columns.places *= call.shape[d];
    }
    Move move{call.tensor,
              call.values,
              call.dtype,
              nullptr,
              nullptr,
              columns.places,
              shapeOf(call.beforeRank, call.before, call.beforeStrides),
              shapeOf(call.afterRank, call.after, call.afterStrides)};
    const std::int64_t count = move.before.count * move.placeCount * move.after.count;
    if (count == 0)
        return cudaSuccess;
    if (call.use == IndexUse::Add && !canAdd(call.dtype))
        return cudaErrorInvalidValue;
    auto* places = static_cast<std::int64_t*>(
        scratch.take(columns.places * static_cast<std::int64_t>(sizeof(std::int64_t))));
    if (!places)
        return cudaErrorMemoryAllocation;
    placesKernel<<<blocksFor(columns.places), kThreads, 0, stream>>>(columns, places);
    move.places = places;
    if (call.use == IndexUse::Combine)
        return runCombination(call, places, columns.places, scratch, stream);
    if (call.use == IndexUse::Write && columns.places > 1 && columns.places <= kMostOrdered)
    {
        auto* shadowed = static_cast<bool*>(scratch.take(columns.places));
        if (!shadowed)
            return cudaErrorMemoryAllocation;
        shadowKernel<<<blocksFor(columns.places), kThreads, 0, stream>>>(places, columns.places,
                                                                         shadowed);
        move.isShadowed = shadowed;
    }
    const unsigned blocks = blocksFor(count);
    if (call.use == IndexUse::Add)
    {
        addKernel<<<blocks, kThreads, 0, stream>>>(move);
        return cudaGetLastError();
    }
    return call.use == IndexUse::Read ? startMove<true>(move, call.width, blocks, stream)
                                      : startMove<false>(move, call.width, blocks, stream);
}

} // namespace reinspect::gpu
