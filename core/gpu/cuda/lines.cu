// SPDX-License-Identifier: MIT
// What runs along lines of an array: softmax and its relatives, running sums. A block takes a line.
#include "core/gpu/cuda/elements.cuh"

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

namespace reinspect::gpu
{
namespace
{

struct LineJob
{
    void* result;
    const void* input;
    const void* second;
    DType resultType;
    DType inputType;
    DType secondType;
    std::int64_t length;
    std::int64_t strides[3]; // along the line
    Shape<3> lines;
};

constexpr int kLineThreads = 256;

template<typename C>
struct Block
{
    using Reduce = cub::BlockReduce<C, kLineThreads>;

    // Of element(i) over the line; every thread gets it.
    template<typename Element, typename Op>
    static __device__ C all(std::int64_t length, C none, Element&& element, Op op)
    {
        __shared__ typename Reduce::TempStorage storage;
        __shared__ C made;
        C own = none;
        for (std::int64_t i = threadIdx.x; i < length; i += kLineThreads)
            own = op(own, element(i));
        const C total = Reduce(storage).Reduce(own, op);
        if (threadIdx.x == 0)
            made = total;
        __syncthreads();
        own = made;
        __syncthreads();
        return own;
    }
};

template<typename C>
struct Larger
{
    __device__ C operator()(C a, C b) const { return a != a ? a : b != b ? b : a > b ? a : b; }
};
template<typename C>
struct Plus
{
    __device__ C operator()(C a, C b) const { return a + b; }
};
template<typename C>
struct Times
{
    __device__ C operator()(C a, C b) const { return a * b; }
};

template<LineFunction F, typename C>
__global__ void lineKernel(const LineJob job)
{
    for (std::int64_t line = blockIdx.x; line < job.lines.count; line += gridDim.x)
    {
        std::int64_t at[3];
        job.lines.offsets(line, at);
        const auto input = [&](std::int64_t i) {
            return loadAs<C>(job.inputType, job.input, at[1] + i * job.strides[1]);
        };
        const auto second = [&](std::int64_t i) {
            return loadAs<C>(job.secondType, job.second, at[2] + i * job.strides[2]);
        };
        C most = 0;
        C sum = 0;
        if constexpr (F == LineFunction::SoftmaxGradient)
            sum = Block<C>::all(
                job.length, C(0), [&](std::int64_t i) { return input(i) * second(i); }, Plus<C>());
        else if constexpr (F == LineFunction::LogSoftmaxGradient)
            sum = Block<C>::all(job.length, C(0), input, Plus<C>());
        else
        {
            most = Block<C>::all(job.length, static_cast<C>(-INFINITY), input, Larger<C>());
            sum = Block<C>::all(
                job.length, C(0),
                [&](std::int64_t i) { return static_cast<C>(exp(input(i) - most)); }, Plus<C>());
        }
        const C logarithm = F == LineFunction::LogSoftmax ? static_cast<C>(log(sum)) : C(0);
        for (std::int64_t i = threadIdx.x; i < job.length; i += kLineThreads)
        {
            C value = input(i);
            if constexpr (F == LineFunction::SoftmaxGradient)
                value = second(i) * (value - sum);
            else if constexpr (F == LineFunction::LogSoftmaxGradient)
                value -= static_cast<C>(exp(second(i))) * sum;
            else if constexpr (F == LineFunction::LogSoftmax)
                value = value - most - logarithm;
            else if (F == LineFunction::SafeSoftmax && isinf(most) && most < 0)
                value = 0;
            else
                value = static_cast<C>(exp(value - most)) / sum;
            storeAs<C>(job.resultType, job.result, at[0] + i * job.strides[0], value);
        }
    }
}

template<typename C, typename Op>
__global__ void scanKernel(const LineJob job, C none)
{
    using Scan = cub::BlockScan<C, kLineThreads>;
    __shared__ typename Scan::TempStorage storage;
    for (std::int64_t line = blockIdx.x; line < job.lines.count; line += gridDim.x)
    {
        std::int64_t at[3];
        job.lines.offsets(line, at);
        C before = none;
        for (std::int64_t first = 0; first < job.length; first += kLineThreads)
        {
            const std::int64_t i = first + threadIdx.x;
            C value = i < job.length
                ? loadAs<C>(job.inputType, job.input, at[1] + i * job.strides[1])
                : none;
            C total;
            Scan(storage).InclusiveScan(value, value, Op(), total);
            if (i < job.length)
                storeAs<C>(job.resultType, job.result, at[0] + i * job.strides[0],
                           Op()(before, value));
            before = Op()(before, total);
            __syncthreads();
        }
    }
}

template<LineFunction F>
void startLines(const LineJob& job, Kind kind, unsigned blocks, cudaStream_t stream)
{
    if (kind == Kind::Double)
        lineKernel<F, double><<<blocks, kLineThreads, 0, stream>>>(job);
    else
        lineKernel<F, float><<<blocks, kLineThreads, 0, stream>>>(job);
}

template<template<typename> class Op>
void startScan(const LineJob& job, Kind kind, unsigned blocks, cudaStream_t stream, int none)
{
    // float32 in double, as on the host: what adds up over a line is seen at every place of it.
    if (kind == Kind::Integer)
        scanKernel<std::int64_t, Op<std::int64_t>>
            <<<blocks, kLineThreads, 0, stream>>>(job, std::int64_t{none});
    else
        scanKernel<double, Op<double>><<<blocks, kLineThreads, 0, stream>>>(job, double(none));
}

} // namespace

cudaError_t runLines(const LineCall& call, cudaStream_t stream)
{
    LineJob job{call.result.data,
                call.input.data,
                call.second.data,
                call.result.dtype,
                call.input.dtype,
                call.second.dtype,
                1,
                {},
                {}};
    const int last = call.result.rank - 1;
    for (int d = 0; d < last; ++d)
        job.lines.add(call.result.sizes[d],
                      {call.result.strides[d], call.input.strides[d], call.second.strides[d]});
    if (last >= 0)
    {
        job.length = call.result.sizes[last];
        job.strides[0] = call.result.strides[last];
        job.strides[1] = call.input.strides[last];
        job.strides[2] = call.second.strides[last];
    }
    if (job.lines.count == 0 || job.length == 0)
        return cudaSuccess;
    const auto blocks = static_cast<unsigned>(min(job.lines.count, std::int64_t{1} << 20));
    switch (call.function)
    {
    case LineFunction::Softmax:
        startLines<LineFunction::Softmax>(job, call.kind, blocks, stream);
        break;
    case LineFunction::SafeSoftmax:
        startLines<LineFunction::SafeSoftmax>(job, call.kind, blocks, stream);
        break;
    case LineFunction::LogSoftmax:
        startLines<LineFunction::LogSoftmax>(job, call.kind, blocks, stream);
        break;
    case LineFunction::SoftmaxGradient:
        startLines<LineFunction::SoftmaxGradient>(job, call.kind, blocks, stream);
        break;
    case LineFunction::LogSoftmaxGradient:
        startLines<LineFunction::LogSoftmaxGradient>(job, call.kind, blocks, stream);
        break;
    case LineFunction::RunningSum: startScan<Plus>(job, call.kind, blocks, stream, 0); break;
    case LineFunction::RunningProduct: startScan<Times>(job, call.kind, blocks, stream, 1); break;
    }
    return cudaGetLastError();
}

} // namespace reinspect::gpu
