// SPDX-License-Identifier: MIT
// Copies with and without conversion, and fills.
#include "core/gpu/cuda/elements.cuh"

namespace reinspect::gpu
{
namespace
{

struct Both
{
    void* to;
    const void* from;
    Shape<2> shape;
};

// Elements of T as they are.
template<typename T>
__global__ void moveKernel(const Both both)
{
    forEachNumber(both.shape.count, [&](std::int64_t i) {
        std::int64_t at[2];
        both.shape.offsets(i, at);
        static_cast<T*>(both.to)[at[0]] = static_cast<const T*>(both.from)[at[1]];
    });
}

template<typename C>
__global__ void convertKernel(const Both both, DType to, DType from)
{
    forEachNumber(both.shape.count, [&](std::int64_t i) {
        std::int64_t at[2];
        both.shape.offsets(i, at);
        storeAs<C>(to, both.to, at[0], loadAs<C>(from, both.from, at[1]));
    });
}

struct Complex
{
    float real, imaginary;
};

// Only the real part has a place in a real number; a real number becomes a complex one.
__global__ void complexKernel(const Both both, DType to, DType from)
{
    const auto part = [](DType dtype, const void* data, std::int64_t i, int which) -> double {
        if (dtype == DType::Complex64)
            return static_cast<const float*>(data)[2 * i + which];
        if (dtype == DType::Complex128)
            return static_cast<const double*>(data)[2 * i + which];
        return which == 0 ? loadAs<double>(dtype, data, i) : 0.0;
    };
    forEachNumber(both.shape.count, [&](std::int64_t i) {
        std::int64_t at[2];
        both.shape.offsets(i, at);
        const double real = part(from, both.from, at[1], 0);
        const double imaginary = part(from, both.from, at[1], 1);
        if (to == DType::Complex64)
            static_cast<Complex*>(both.to)[at[0]] = {static_cast<float>(real),
                                                     static_cast<float>(imaginary)};
        else if (to == DType::Complex128)
        {
            static_cast<double*>(both.to)[2 * at[0]] = real;
            static_cast<double*>(both.to)[2 * at[0] + 1] = imaginary;
        }
        else
            storeAs<double>(to, both.to, at[0], real);
    });
}

bool isComplex(DType dtype)
{
    return dtype == DType::Complex64 || dtype == DType::Complex128;
}

bool isWhole(DType dtype)
{
    switch (dtype)
    {
    case DType::Bool:
    case DType::Int8:
    case DType::Int16:
    case DType::Int32:
    case DType::Int64:
    case DType::UInt8:
    case DType::UInt16:
    case DType::UInt32:
    case DType::UInt64: return true;
    default: return false;
    }
}

// Neighbouring elements taken together as wider ones, as far as alignment and the innermost runs allow.
void widen(Both& both, int& bytes)
{
    Shape<2>& shape = both.shape;
    while (bytes < 16 && shape.rank > 0)
    {
        const int last = shape.rank - 1;
        bool fits = shape.strides[0][last] == 1 && shape.strides[1][last] == 1
            && shape.sizes[last] % 2 == 0
            && (reinterpret_cast<std::uintptr_t>(both.to)
                | reinterpret_cast<std::uintptr_t>(both.from))
                    % static_cast<std::uintptr_t>(bytes * 2)
                == 0;
        for (int d = 0; d < last; ++d)
            fits = fits && shape.strides[0][d] % 2 == 0 && shape.strides[1][d] % 2 == 0;
        if (!fits)
            return;
        bytes *= 2;
        shape.count /= 2;
        shape.sizes[last] /= 2;
        for (int d = 0; d < last; ++d)
            for (auto& strides : shape.strides)
                strides[d] /= 2;
    }
}

cudaError_t move(Both both, int bytes, cudaStream_t stream)
{
    if (both.shape.isDense(0) && both.shape.isDense(1))
        return cudaMemcpyAsync(both.to, both.from,
                               static_cast<std::size_t>(both.shape.count * bytes),
                               cudaMemcpyDeviceToDevice, stream);
    widen(both, bytes);
    const unsigned blocks = blocksFor(both.shape.count);
    switch (bytes)
    {
    case 1: moveKernel<std::uint8_t><<<blocks, kThreads, 0, stream>>>(both); break;
    case 2: moveKernel<std::uint16_t><<<blocks, kThreads, 0, stream>>>(both); break;
    case 4: moveKernel<std::uint32_t><<<blocks, kThreads, 0, stream>>>(both); break;
    case 8: moveKernel<std::uint64_t><<<blocks, kThreads, 0, stream>>>(both); break;
    case 16: moveKernel<uint4><<<blocks, kThreads, 0, stream>>>(both); break;
    default: return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}

template<typename T>
__global__ void fillKernel(T* data, std::int64_t count, T value)
{
    forEachNumber(count, [&](std::int64_t i) { data[i] = value; });
}

} // namespace

cudaError_t runCopy(const Array& to, const Array& from, cudaStream_t stream)
{
    Both both{to.data, from.data, {}};
    for (int d = 0; d < to.rank; ++d)
        both.shape.add(to.sizes[d], {to.strides[d], from.strides[d]});
    if (both.shape.count == 0)
        return cudaSuccess;
    if (to.dtype == from.dtype)
        return move(both, to.width, stream);
    const unsigned blocks = blocksFor(both.shape.count);
    if (isComplex(to.dtype) || isComplex(from.dtype))
        complexKernel<<<blocks, kThreads, 0, stream>>>(both, to.dtype, from.dtype);
    else if (isWhole(from.dtype))
        convertKernel<std::int64_t><<<blocks, kThreads, 0, stream>>>(both, to.dtype, from.dtype);
    else if (from.dtype == DType::Float64)
        convertKernel<double><<<blocks, kThreads, 0, stream>>>(both, to.dtype, from.dtype);
    else
        convertKernel<float><<<blocks, kThreads, 0, stream>>>(both, to.dtype, from.dtype);
    return cudaGetLastError();
}

cudaError_t runFill(void* data, std::int64_t bytes, std::uint64_t pattern, int width,
                    cudaStream_t stream)
{
    if (bytes == 0)
        return cudaSuccess;
    if (width == 1)
        return cudaMemsetAsync(data, static_cast<int>(pattern & 0xFF),
                               static_cast<std::size_t>(bytes), stream);
    const std::int64_t count = bytes / width;
    const unsigned blocks = blocksFor(count);
    switch (width)
    {
    case 2:
        fillKernel<<<blocks, kThreads, 0, stream>>>(static_cast<std::uint16_t*>(data), count,
                                                    static_cast<std::uint16_t>(pattern));
        break;
    case 4:
        fillKernel<<<blocks, kThreads, 0, stream>>>(static_cast<std::uint32_t*>(data), count,
                                                    static_cast<std::uint32_t>(pattern));
        break;
    case 8:
        fillKernel<<<blocks, kThreads, 0, stream>>>(static_cast<std::uint64_t*>(data), count,
                                                    pattern);
        break;
    default: return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}

} // namespace reinspect::gpu
