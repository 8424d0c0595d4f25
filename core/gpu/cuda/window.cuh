// SPDX-License-Identifier: MIT
// Windows over three spatial dimensions, in device code: which elements a window sees, and which windows see an element.
#pragma once

#include "core/gpu/cuda/elements.cuh"

namespace reinspect::gpu
{

// [batch, channels, three spatial dimensions]
struct Side
{
    void* data;
    DType dtype;
    std::int64_t sizes[5];
    std::int64_t strides[5];

    std::int64_t count() const
    {
        std::int64_t made = 1;
        for (const std::int64_t size : sizes)
            made *= size;
        return made;
    }
    __device__ std::int64_t plane() const { return sizes[2] * sizes[3] * sizes[4]; }
};

struct WindowJob
{
    Side large;
    Side small;
    Side places; // as the small side
    std::int64_t kernel[3];
    std::int64_t stride[3];
    std::int64_t padding[3];
    std::int64_t dilation[3];
    bool isAdaptive;
    bool countsPadding;
    bool placesInKernel;
    std::int64_t divisor;
    int node;
    IndexFault* fault;
};

__device__ inline std::int64_t quotient(std::int64_t a, std::int64_t b)
{
    // Neither is negative, and 64-bit division is slow.
    if (((a | b) >> 32) == 0)
        return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
    return a / b;
}

__device__ inline void indexOf(std::int64_t number, const std::int64_t (&sizes)[5],
                               std::int64_t (&index)[5])
{
    for (int d = 4; d >= 0; --d)
    {
        const std::int64_t rest = quotient(number, sizes[d]);
        index[d] = number - rest * sizes[d];
        number = rest;
    }
}

__device__ inline std::int64_t offsetOf(const Side& side, const std::int64_t (&index)[5])
{
    std::int64_t offset = 0;
    for (int d = 0; d < 5; ++d)
        offset += index[d] * side.strides[d];
    return offset;
}

// What a window sees along one dimension: places begin + k * step for k from first up to last.
struct Run
{
    std::int64_t begin;
    std::int64_t step;
    std::int64_t first;
    std::int64_t last;
};

__device__ inline Run runOf(const WindowJob& job, int d, std::int64_t window)
{
    const std::int64_t large = job.large.sizes[d + 2];
    if (job.isAdaptive)
    {
        const std::int64_t small = job.small.sizes[d + 2];
        const std::int64_t begin = window * large / small;
        return {begin, 1, 0, ((window + 1) * large + small - 1) / small - begin};
    }
    const std::int64_t step = job.dilation[d];
    const std::int64_t begin = window * job.stride[d] - job.padding[d];
    const std::int64_t first = begin < 0 ? (-begin + step - 1) / step : 0;
    const std::int64_t room = large - 1 - begin;
    const std::int64_t last = room < 0 ? 0 : room / step + 1;
    return {begin, step, first, min(last, job.kernel[d])};
}

// Windows that may see place `at` along one dimension: from first up to last.
__device__ inline void windowsOf(const WindowJob& job, int d, std::int64_t at, std::int64_t& first,
                                 std::int64_t& last)
{
    const std::int64_t large = job.large.sizes[d + 2];
    const std::int64_t small = job.small.sizes[d + 2];
    if (job.isAdaptive)
    {
        first = at * small / large;
        last = ((at + 1) * small + large - 1) / large;
        return;
    }
    const std::int64_t from = at + job.padding[d] - job.dilation[d] * (job.kernel[d] - 1);
    first = from <= 0 ? 0 : (from + job.stride[d] - 1) / job.stride[d];
    last = min((at + job.padding[d]) / job.stride[d] + 1, small);
}

// Which place of the window's kernel that is; -1: it does not see it.
__device__ inline std::int64_t insideOf(const WindowJob& job, int d, std::int64_t window,
                                        std::int64_t at)
{
    const Run run = runOf(job, d, window);
    const std::int64_t distance = at - run.begin;
    if (distance < 0 || distance % run.step != 0)
        return -1;
    const std::int64_t inside = distance / run.step;
    return inside >= run.first && inside < run.last ? inside : -1;
}

// visit(place on the large side along each dimension, place in the kernel along each) for what a window sees.
template<typename Visit>
__device__ void forEachSeen(const WindowJob& job, const std::int64_t (&window)[5], Visit&& visit)
{
    const Run runs[3] = {runOf(job, 0, window[2]), runOf(job, 1, window[3]),
                         runOf(job, 2, window[4])};
    std::int64_t at[5] = {window[0], window[1], 0, 0, 0};
    std::int64_t k[3];
    for (k[0] = runs[0].first; k[0] < runs[0].last; ++k[0])
    {
        at[2] = runs[0].begin + k[0] * runs[0].step;
        for (k[1] = runs[1].first; k[1] < runs[1].last; ++k[1])
        {
            at[3] = runs[1].begin + k[1] * runs[1].step;
            for (k[2] = runs[2].first; k[2] < runs[2].last; ++k[2])
            {
                at[4] = runs[2].begin + k[2] * runs[2].step;
                visit(at, k);
            }
        }
    }
}

// visit(window, place in its kernel along each dimension) for the windows that see an element of the large side.
template<typename Visit>
__device__ void forEachWindow(const WindowJob& job, const std::int64_t (&at)[5], Visit&& visit)
{
    std::int64_t first[3], last[3], k[3];
    for (int d = 0; d < 3; ++d)
        windowsOf(job, d, at[d + 2], first[d], last[d]);
    std::int64_t window[5] = {at[0], at[1], 0, 0, 0};
    for (window[2] = first[0]; window[2] < last[0]; ++window[2])
    {
        k[0] = insideOf(job, 0, window[2], at[2]);
        for (window[3] = first[1]; k[0] >= 0 && window[3] < last[1]; ++window[3])
        {
            k[1] = insideOf(job, 1, window[3], at[3]);
            for (window[4] = first[2]; k[1] >= 0 && window[4] < last[2]; ++window[4])
            {
                k[2] = insideOf(job, 2, window[4], at[4]);
                if (k[2] >= 0)
                    visit(window, k);
            }
        }
    }
}

inline Side sideOf(const Array& array)
{
    Side side{array.data, array.dtype, {}, {}};
    for (int d = 0; d < 5; ++d)
    {
        side.sizes[d] = array.sizes[d];
        side.strides[d] = array.strides[d];
    }
    return side;
}

inline WindowJob jobOf(const WindowCall& call, int node, IndexFault* fault)
{
    WindowJob job{};
    for (int d = 0; d < 3; ++d)
    {
        job.kernel[d] = call.kernel[d];
        job.stride[d] = call.stride[d];
        job.padding[d] = call.padding[d];
        job.dilation[d] = call.dilation[d];
    }
    job.isAdaptive = call.isAdaptive;
    job.countsPadding = call.countsPadding;
    job.placesInKernel = call.placesInKernel;
    job.divisor = call.divisor;
    job.node = node;
    job.fault = fault;
    return job;
}

} // namespace reinspect::gpu
