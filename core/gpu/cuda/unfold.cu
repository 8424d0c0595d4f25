// SPDX-License-Identifier: MIT
// What convolutions are made of: what windows see laid out for a product of matrices, and the reverse, gathered.
#include "core/gpu/cuda/window.cuh"

namespace reinspect::gpu
{
namespace
{

using Job = WindowJob;

// [channels, kernel..., batch, windows...]
struct Columns
{
    void* data;
    DType dtype;
    std::int64_t sizes[8];
    std::int64_t strides[8];
};

template<typename T>
__global__ void unfoldKernel(const Job job, const Columns columns, std::int64_t count)
{
    forEachNumber(count, [&](std::int64_t number) {
        std::int64_t index[8];
        std::int64_t offset = 0;
        for (int d = 7; d >= 0; --d)
        {
            const std::int64_t rest = quotient(number, columns.sizes[d]);
            index[d] = number - rest * columns.sizes[d];
            number = rest;
            offset += index[d] * columns.strides[d];
        }
        std::int64_t at[5] = {index[4], index[0], 0, 0, 0};
        bool isInside = true;
        for (int d = 0; d < 3; ++d)
        {
            at[d + 2] =
                index[d + 5] * job.stride[d] - job.padding[d] + index[d + 1] * job.dilation[d];
            isInside = isInside && at[d + 2] >= 0 && at[d + 2] < job.large.sizes[d + 2];
        }
        static_cast<T*>(columns.data)[offset] =
            isInside ? static_cast<const T*>(job.large.data)[offsetOf(job.large, at)] : T{};
    });
}

template<typename C>
__global__ void foldKernel(const Job job, const Columns columns, std::int64_t count)
{
    forEachNumber(count, [&](std::int64_t number) {
        std::int64_t at[5];
        indexOf(number, job.large.sizes, at);
        const std::int64_t base = at[1] * columns.strides[0] + at[0] * columns.strides[4];
        C sum = 0;
        forEachWindow(job, at, [&](const std::int64_t(&window)[5], const std::int64_t(&k)[3]) {
            std::int64_t offset = base;
            for (int d = 0; d < 3; ++d)
                offset += k[d] * columns.strides[d + 1] + window[d + 2] * columns.strides[d + 5];
            sum += loadAs<C>(columns.dtype, columns.data, offset);
        });
        storeAs<C>(job.large.dtype, job.large.data, offsetOf(job.large, at), sum);
    });
}

Columns columnsOf(const Array& array)
{
    Columns columns{array.data, array.dtype, {}, {}};
    for (int d = 0; d < 8; ++d)
    {
        columns.sizes[d] = array.sizes[d];
        columns.strides[d] = array.strides[d];
    }
    return columns;
}

cudaError_t startUnfold(const Job& job, const Columns& columns, int width, cudaStream_t stream)
{
    std::int64_t count = 1;
    for (const std::int64_t size : columns.sizes)
        count *= size;
    if (count == 0)
        return cudaSuccess;
    const unsigned blocks = blocksFor(count);
    switch (width)
    {
    case 2:
        unfoldKernel<std::uint16_t><<<blocks, kThreads, 0, stream>>>(job, columns, count);
        break;
    case 4:
        unfoldKernel<std::uint32_t><<<blocks, kThreads, 0, stream>>>(job, columns, count);
        break;
    case 8:
        unfoldKernel<std::uint64_t><<<blocks, kThreads, 0, stream>>>(job, columns, count);
        break;
    default: return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}

cudaError_t startFold(Job& job, const Columns& columns, Kind kind, cudaStream_t stream)
{
    for (int d = 0; d < 3; ++d)
        job.small.sizes[d + 2] = columns.sizes[d + 5];
    const std::int64_t count = job.large.count();
    if (count == 0)
        return cudaSuccess;
    const unsigned blocks = blocksFor(count);
    if (kind == Kind::Double)
        foldKernel<double><<<blocks, kThreads, 0, stream>>>(job, columns, count);
    else
        foldKernel<float><<<blocks, kThreads, 0, stream>>>(job, columns, count);
    return cudaGetLastError();
}

} // namespace

cudaError_t runUnfold(const WindowCall& call, cudaStream_t stream)
{
    Job job = jobOf(call, -1, nullptr);
    const bool isFold = call.use == WindowUse::Fold;
    job.large = sideOf(isFold ? call.result : call.input);
    return isFold ? startFold(job, columnsOf(call.input), call.kind, stream)
                  : startUnfold(job, columnsOf(call.result), call.input.width, stream);
}

} // namespace reinspect::gpu
