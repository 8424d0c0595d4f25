// SPDX-License-Identifier: MIT
// Pooling over three spatial dimensions. Gradients are gathered: each element
// of the large side adds up what the windows that see it have for it, in their order, so that a result is the same each
// time.
#include "core/gpu/cuda/window.cuh"

namespace reinspect::gpu
{
namespace
{

using Job = WindowJob;

__device__ double divisorOf(const Job& job, const std::int64_t (&window)[5])
{
    if (job.divisor != 0)
        return static_cast<double>(job.divisor);
    std::int64_t made = 1;
    for (int d = 0; d < 3; ++d)
    {
        const Run run = runOf(job, d, window[d + 2]);
        const std::int64_t behind = job.large.sizes[d + 2] + job.padding[d];
        made *= job.countsPadding ? min(run.begin + job.kernel[d], behind) - run.begin
                                  : max(run.last - run.first, std::int64_t{0});
    }
    return static_cast<double>(made);
}

__device__ void report(const Job& job, std::int64_t index, std::int64_t size)
{
    if (atomicCAS(&job.fault->node, -1, job.node) != -1)
        return;
    job.fault->dimension = 0;
    job.fault->index = index;
    job.fault->size = size;
}

__device__ double loadFrom(const Side& side, const std::int64_t (&index)[5])
{
    return loadAs<double>(side.dtype, side.data, offsetOf(side, index));
}

__global__ void meanKernel(const Job job, std::int64_t count)
{
    forEachNumber(count, [&](std::int64_t number) {
        std::int64_t window[5];
        indexOf(number, job.small.sizes, window);
        double sum = 0;
        forEachSeen(job, window, [&](const std::int64_t(&at)[5], const std::int64_t(&)[3]) {
            sum += loadFrom(job.large, at);
        });
        storeAs<double>(job.small.dtype, job.small.data, offsetOf(job.small, window),
                        sum / divisorOf(job, window));
    });
}

__global__ void meanGradientKernel(const Job job, std::int64_t count)
{
    forEachNumber(count, [&](std::int64_t number) {
        std::int64_t at[5];
        indexOf(number, job.large.sizes, at);
        double sum = 0;
        forEachWindow(job, at, [&](const std::int64_t(&window)[5], const std::int64_t(&)[3]) {
            sum += loadFrom(job.small, window) / divisorOf(job, window);
        });
        storeAs<double>(job.large.dtype, job.large.data, offsetOf(job.large, at), sum);
    });
}

__device__ std::int64_t placeOf(const Side& large, const std::int64_t (&at)[5])
{
    return (at[2] * large.sizes[3] + at[3]) * large.sizes[4] + at[4];
}

__global__ void largestKernel(const Job job, std::int64_t count)
{
    forEachNumber(count, [&](std::int64_t number) {
        std::int64_t window[5];
        indexOf(number, job.small.sizes, window);
        double best = -INFINITY; // of a window that sees nothing but padding
        std::int64_t place = 0;
        bool isFirst = true;
        forEachSeen(job, window, [&](const std::int64_t(&at)[5], const std::int64_t(&k)[3]) {
            const double value = loadFrom(job.large, at);
            if (!isFirst && !(value > best || value != value))
                return;
            isFirst = false;
            best = value;
            place = job.placesInKernel ? (k[0] * job.kernel[1] + k[1]) * job.kernel[2] + k[2]
                                       : placeOf(job.large, at);
        });
        storeAs<double>(job.small.dtype, job.small.data, offsetOf(job.small, window), best);
        storeAs<std::int64_t>(job.places.dtype, job.places.data, offsetOf(job.places, window),
                              place);
    });
}

__global__ void largestGradientKernel(const Job job, std::int64_t count)
{
    forEachNumber(count, [&](std::int64_t number) {
        std::int64_t at[5];
        indexOf(number, job.large.sizes, at);
        const std::int64_t own = placeOf(job.large, at);
        double sum = 0;
        forEachWindow(job, at, [&](const std::int64_t(&window)[5], const std::int64_t(&)[3]) {
            const auto place = loadAs<std::int64_t>(job.places.dtype, job.places.data,
                                                    offsetOf(job.places, window));
            if (place == own)
                sum += loadFrom(job.small, window);
        });
        storeAs<double>(job.large.dtype, job.large.data, offsetOf(job.large, at), sum);
    });
}

// Places that the windows do not see, which no forward step gives: a block takes a plane, and one thread adds what there
// is, in order.
__global__ void strayKernel(const Job job, std::int64_t planes)
{
    const std::int64_t windows = job.small.plane();
    const std::int64_t size = job.large.plane();
    for (std::int64_t plane = blockIdx.x; plane < planes; plane += gridDim.x)
        for (std::int64_t base = 0; base < windows; base += blockDim.x)
        {
            const auto strayOf = [&](std::int64_t w, std::int64_t(&window)[5],
                                     std::int64_t(&at)[5]) {
                indexOf(plane * windows + w, job.small.sizes, window);
                const auto place = loadAs<std::int64_t>(job.places.dtype, job.places.data,
                                                        offsetOf(job.places, window));
                if (place < 0 || place >= size)
                {
                    report(job, place, size);
                    return false;
                }
                indexOf(plane * size + place, job.large.sizes, at);
                for (int d = 0; d < 3; ++d)
                    if (insideOf(job, d, window[d + 2], at[d + 2]) < 0)
                        return true;
                return false;
            };
            std::int64_t window[5], at[5];
            const std::int64_t own = base + threadIdx.x;
            const bool isStray = own < windows && strayOf(own, window, at);
            if (__syncthreads_or(isStray) == 0 || threadIdx.x != 0)
                continue;
            for (std::int64_t w = base; w < min(base + blockDim.x, windows); ++w)
                if (strayOf(w, window, at))
                    storeAs<double>(job.large.dtype, job.large.data, offsetOf(job.large, at),
                                    loadFrom(job.large, at) + loadFrom(job.small, window));
        }
}

// The small side holds places in the kernel, `places` is what comes out.
__global__ void offsetKernel(const Job job, std::int64_t count)
{
    forEachNumber(count, [&](std::int64_t number) {
        std::int64_t window[5], at[5];
        indexOf(number, job.small.sizes, window);
        const auto given =
            loadAs<std::int64_t>(job.small.dtype, job.small.data, offsetOf(job.small, window));
        const std::int64_t size = job.kernel[0] * job.kernel[1] * job.kernel[2];
        std::int64_t place = -1;
        if (given < 0 || given >= size)
            report(job, given, size);
        else
        {
            std::int64_t rest = given;
            bool isInside = true;
            for (int d = 2; d >= 0; --d)
            {
                at[d + 2] = window[d + 2] * job.stride[d] - job.padding[d]
                    + rest % job.kernel[d] * job.dilation[d];
                rest /= job.kernel[d];
                isInside = isInside && at[d + 2] >= 0 && at[d + 2] < job.large.sizes[d + 2];
            }
            place = isInside ? placeOf(job.large, at) : -1;
        }
        storeAs<std::int64_t>(job.places.dtype, job.places.data, offsetOf(job.places, window),
                              place);
    });
}

cudaError_t startLargestGradient(const Job& job, cudaStream_t stream)
{
    const std::int64_t count = job.large.count();
    if (count > 0)
        largestGradientKernel<<<blocksFor(count), kThreads, 0, stream>>>(job, count);
    const std::int64_t planes = job.small.sizes[0] * job.small.sizes[1];
    if (job.small.count() > 0)
        strayKernel<<<static_cast<unsigned>(min(planes, std::int64_t{1} << 20)), kThreads, 0,
                      stream>>>(job, planes);
    return cudaGetLastError();
}

using Kernel = void (*)(const Job, std::int64_t);

cudaError_t start(Kernel kernel, const Job& job, std::int64_t count, cudaStream_t stream)
{
    if (count > 0)
        kernel<<<blocksFor(count), kThreads, 0, stream>>>(job, count);
    return cudaGetLastError();
}

} // namespace

cudaError_t runWindow(const WindowCall& call, int node, IndexFault* fault, cudaStream_t stream)
{
    Job job = jobOf(call, node, fault);
    const bool resultIsLarge =
        call.use == WindowUse::MeanGradient || call.use == WindowUse::LargestGradient;
    job.large = sideOf(resultIsLarge ? call.result : call.input);
    job.small = sideOf(resultIsLarge ? call.input : call.result);
    job.places = sideOf(call.places);
    switch (call.use)
    {
    case WindowUse::Mean: return start(meanKernel, job, job.small.count(), stream);
    case WindowUse::MeanGradient: return start(meanGradientKernel, job, job.large.count(), stream);
    case WindowUse::Largest: return start(largestKernel, job, job.small.count(), stream);
    case WindowUse::LargestGradient: return startLargestGradient(job, stream);
    case WindowUse::PlaceOfOffset:
        job.small = sideOf(call.input);
        job.large = sideOf(call.places); // its sizes only
        job.places = sideOf(call.result);
        return start(offsetKernel, job, job.small.count(), stream);
    case WindowUse::Unfold:
    case WindowUse::Fold: return runUnfold(call, stream);
    }
    return cudaErrorInvalidValue;
}

} // namespace reinspect::gpu
