// SPDX-License-Identifier: MIT
// Elements of arrays in device code, read and written as the types that operators compute in, with the rounding of
// core/exec/elements.h; and places of strided arrays.
#pragma once

#include "core/gpu/cuda/launches.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

namespace reinspect::gpu
{

// Dimensions of N arrays of equal sizes, neighbours joined where all allow it; the last runs fastest.
template<int N>
struct Shape
{
    int rank = 0;
    std::int64_t count = 1; // elements
    std::int64_t sizes[kMostDimensions] = {};
    std::int64_t strides[N][kMostDimensions] = {};

    void add(std::int64_t size, const std::int64_t (&given)[N])
    {
        count *= size;
        if (size == 1)
            return;
        bool joins = rank > 0;
        for (int k = 0; k < N && joins; ++k)
            joins = strides[k][rank - 1] == given[k] * size;
        const int at = joins ? rank - 1 : rank++;
        sizes[at] = joins ? sizes[at] * size : size;
        for (int k = 0; k < N; ++k)
            strides[k][at] = given[k];
    }

    // Offsets of element `number` in each array.
    __device__ void offsets(std::int64_t number, std::int64_t (&at)[N]) const
    {
        for (int k = 0; k < N; ++k)
            at[k] = 0;
        for (int d = rank - 1; d >= 0; --d)
        {
            std::int64_t index = number;
            if (d > 0)
            {
                // Most arrays have fewer than 2^32 elements, and 64-bit division is slow.
                if (((number | sizes[d]) >> 32) == 0)
                {
                    const auto quotient = static_cast<std::uint32_t>(number)
                        / static_cast<std::uint32_t>(sizes[d]);
                    index = number - std::int64_t{quotient} * sizes[d];
                    number = quotient;
                }
                else
                {
                    index = number % sizes[d];
                    number /= sizes[d];
                }
            }
            for (int k = 0; k < N; ++k)
                at[k] += index * strides[k][d];
        }
    }

    // Array k is row by row without gaps.
    bool isDense(int k) const { return rank == 0 || (rank == 1 && strides[k][0] == 1); }
    bool isNumber(int k) const { return rank == 0 || (rank == 1 && strides[k][0] == 0); }
};

template<typename To, typename From>
__device__ To converted(From value)
{
    if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>)
    {
        // As on the host: what does not fit is the least integer.
        const double whole = static_cast<double>(value);
        if (whole >= -9223372036854775808.0 && whole < 9223372036854775808.0)
            return static_cast<To>(static_cast<std::int64_t>(whole));
        if (std::is_same_v<To, std::uint64_t> && whole > 0 && whole < 18446744073709551616.0)
            return static_cast<To>(static_cast<std::uint64_t>(whole));
        return static_cast<To>(INT64_MIN);
    }
    else
        return static_cast<To>(value);
}

__device__ inline float eightBits(std::uint8_t bits, __nv_fp8_interpretation_t kind)
{
    return __half2float(__half(__nv_cvt_fp8_to_halfraw(bits, kind)));
}

template<typename C>
__device__ C loadAs(DType dtype, const void* data, std::int64_t i)
{
    switch (dtype)
    {
    case DType::Float32: return converted<C>(static_cast<const float*>(data)[i]);
    case DType::Float64: return converted<C>(static_cast<const double*>(data)[i]);
    case DType::Float16: return converted<C>(__half2float(static_cast<const __half*>(data)[i]));
    case DType::BFloat16:
        return converted<C>(__bfloat162float(static_cast<const __nv_bfloat16*>(data)[i]));
    case DType::Float8E4M3FN:
        return converted<C>(eightBits(static_cast<const std::uint8_t*>(data)[i], __NV_E4M3));
    case DType::Float8E5M2:
        return converted<C>(eightBits(static_cast<const std::uint8_t*>(data)[i], __NV_E5M2));
    case DType::Bool:
        return converted<C>(std::int64_t{static_cast<const std::uint8_t*>(data)[i] != 0});
    case DType::Int8: return converted<C>(static_cast<const std::int8_t*>(data)[i]);
    case DType::Int16: return converted<C>(static_cast<const std::int16_t*>(data)[i]);
    case DType::Int32: return converted<C>(static_cast<const std::int32_t*>(data)[i]);
    case DType::Int64: return converted<C>(static_cast<const std::int64_t*>(data)[i]);
    case DType::UInt16: return converted<C>(static_cast<const std::uint16_t*>(data)[i]);
    case DType::UInt32: return converted<C>(static_cast<const std::uint32_t*>(data)[i]);
    case DType::UInt64: return converted<C>(static_cast<const std::uint64_t*>(data)[i]);
    default: return converted<C>(static_cast<const std::uint8_t*>(data)[i]);
    }
}

template<typename C>
__device__ void storeAs(DType dtype, void* data, std::int64_t i, C value)
{
    switch (dtype)
    {
    case DType::Float32: static_cast<float*>(data)[i] = converted<float>(value); break;
    case DType::Float64: static_cast<double*>(data)[i] = converted<double>(value); break;
    case DType::Float16:
        static_cast<__half*>(data)[i] = __float2half_rn(converted<float>(value));
        break;
    case DType::BFloat16:
        static_cast<__nv_bfloat16*>(data)[i] = __float2bfloat16_rn(converted<float>(value));
        break;
    case DType::Float8E4M3FN:
        static_cast<std::uint8_t*>(data)[i] =
            __nv_cvt_float_to_fp8(converted<float>(value), __NV_NOSAT, __NV_E4M3);
        break;
    case DType::Float8E5M2:
        static_cast<std::uint8_t*>(data)[i] =
            __nv_cvt_float_to_fp8(converted<float>(value), __NV_NOSAT, __NV_E5M2);
        break;
    case DType::Bool: static_cast<std::uint8_t*>(data)[i] = value != C(0); break;
    case DType::Int8: static_cast<std::int8_t*>(data)[i] = converted<std::int8_t>(value); break;
    case DType::Int16: static_cast<std::int16_t*>(data)[i] = converted<std::int16_t>(value); break;
    case DType::Int32: static_cast<std::int32_t*>(data)[i] = converted<std::int32_t>(value); break;
    case DType::Int64: static_cast<std::int64_t*>(data)[i] = converted<std::int64_t>(value); break;
    case DType::UInt16:
        static_cast<std::uint16_t*>(data)[i] = converted<std::uint16_t>(value);
        break;
    case DType::UInt32:
        static_cast<std::uint32_t*>(data)[i] = converted<std::uint32_t>(value);
        break;
    case DType::UInt64:
        static_cast<std::uint64_t*>(data)[i] = converted<std::uint64_t>(value);
        break;
    default: static_cast<std::uint8_t*>(data)[i] = converted<std::uint8_t>(value); break;
    }
}

// What a store to this dtype and a load from it make of a number.
template<typename C>
__device__ C roundedTo(DType dtype, C value)
{
    if constexpr (std::is_same_v<C, float>)
    {
        if (dtype == DType::Float16)
            return __half2float(__float2half_rn(value));
        if (dtype == DType::BFloat16)
            return __bfloat162float(__float2bfloat16_rn(value));
    }
    return value;
}

constexpr int kThreads = 256;

// Blocks for one thread an element, at most as many as a loop over the grid needs.
inline unsigned blocksFor(std::int64_t count, int threads = kThreads)
{
    const std::int64_t blocks = (count + threads - 1) / threads;
    return static_cast<unsigned>(blocks < (1 << 20) ? blocks : (1 << 20));
}

// Every number below `count` that is this thread's.
template<typename Visit>
__device__ void forEachNumber(std::int64_t count, Visit&& visit)
{
    const std::int64_t step = std::int64_t{blockDim.x} * gridDim.x;
    for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
        visit(i);
}

} // namespace reinspect::gpu
