// SPDX-License-Identifier: MIT
// Reductions. Shorter floats and float32 are accumulated in float, float64 in double, whole
// numbers in int64, by threads first and then in a tree, so that a result is the same each time.
#include "core/gpu/cuda/elements.cuh"

#include <cub/block/block_reduce.cuh>

#include <limits>

namespace reinspect::gpu
{
namespace
{

template<typename C>
constexpr bool isWhole = std::is_same_v<C, std::int64_t>;

// What one thread, or several together, know of a line so far.
template<typename C>
struct State
{
    C value;
    std::int64_t place;
};

template<Reduction R, typename C>
struct Fold
{
    static constexpr bool isLargest = R == Reduction::Largest || R == Reduction::PlaceOfLargest;
    static constexpr bool isExtreme =
        isLargest || R == Reduction::Least || R == Reduction::PlaceOfLeast;

    static __device__ State<C> none()
    {
        if constexpr (R == Reduction::Product || R == Reduction::All)
            return {C(1), 0};
        else
            return {C(0), -1}; // place -1: an extreme of nothing
    }
    static __device__ bool isBetter(const State<C>& a, const State<C>& b)
    {
        if (b.place < 0)
            return true;
        if (a.place < 0)
            return false;
        const bool aIsNan = a.value != a.value;
        const bool bIsNan = b.value != b.value;
        if (aIsNan || bIsNan)
            return aIsNan && (!bIsNan || a.place < b.place);
        if (a.value == b.value)
            return a.place < b.place;
        return isLargest ? a.value > b.value : a.value < b.value;
    }
    __device__ State<C> operator()(const State<C>& a, const State<C>& b) const
    {
        if constexpr (isExtreme)
            return isBetter(a, b) ? a : b;
        else if constexpr (R == Reduction::Product)
            return {a.value * b.value, 0};
        else if constexpr (R == Reduction::Any)
            return {C(a.value != C(0) || b.value != C(0)), 0};
        else if constexpr (R == Reduction::All)
            return {C(a.value != C(0) && b.value != C(0)), 0};
        else if constexpr (isWhole<C>) // wraps around
            return {static_cast<C>(static_cast<std::uint64_t>(a.value)
                                   + static_cast<std::uint64_t>(b.value)),
                    0};
        else
            return {a.value + b.value, 0};
    }
};

struct Job
{
    void* result;
    const void* input;
    DType resultType;
    DType inputType;
    double parameter;
    std::int64_t length; // of a line
    Shape<2> kept;       // result and input
    Shape<1> reduced;
    void* partial; // State<C> a slice and line, where lines are cut; null: they are not
    std::int64_t slices;
};

// Threads of a block share a line (Threads > 1), or each has its own.
template<Reduction R, typename C, int Threads>
struct Line
{
    using BlockReduce = cub::BlockReduce<State<C>, Threads>;

    const Job& job;
    std::int64_t base;
    std::int64_t begin;
    std::int64_t end;

    __device__ C at(std::int64_t i) const
    {
        std::int64_t offset[1];
        job.reduced.offsets(i, offset);
        return loadAs<C>(job.inputType, job.input, base + offset[0]);
    }

    // Of transform(element); every thread gets it.
    template<Reduction By, typename Transform>
    __device__ State<C> fold(Transform&& transform) const
    {
        Fold<By, C> op;
        State<C> own = Fold<By, C>::none();
        for (std::int64_t i = begin + (Threads > 1 ? threadIdx.x : 0); i < end; i += Threads)
            own = op(own, State<C>{transform(at(i)), i});
        if constexpr (Threads > 1)
        {
            __shared__ typename BlockReduce::TempStorage storage;
            __shared__ State<C> all;
            const State<C> made = BlockReduce(storage).Reduce(own, op);
            if (threadIdx.x == 0)
                all = made;
            __syncthreads();
            own = all;
            __syncthreads();
        }
        return own;
    }

    __device__ State<C> sum() const
    {
        return fold<Reduction::Sum>([](C x) { return x; });
    }

    __device__ C largest() const
    {
        return fold<Reduction::Largest>([](C x) { return x; }).value;
    }

    __device__ State<C> state() const
    {
        const auto length = static_cast<C>(end - begin);
        if constexpr (R == Reduction::Any || R == Reduction::All)
            return fold<R>([](C x) { return C(x != C(0)); });
        else if constexpr (R == Reduction::Variance || R == Reduction::Deviation)
        {
            const C middle = sum().value / length;
            const C squares =
                fold<Reduction::Sum>([=](C x) { return (x - middle) * (x - middle); }).value;
            const double count = static_cast<double>(end - begin) - job.parameter;
            const C spread = squares / static_cast<C>(count > 0 ? count : 0.0);
            return {R == Reduction::Deviation ? static_cast<C>(sqrt(spread)) : spread, 0};
        }
        else if constexpr (R == Reduction::SumOfExponentials)
        {
            const C most = largest();
            return fold<Reduction::Sum>([=](C x) { return static_cast<C>(exp(x - most)); });
        }
        else if constexpr (R == Reduction::LogSumExp)
        {
            C most = largest();
            if (isinf(most) || end == begin)
                most = 0;
            const C total =
                fold<Reduction::Sum>([=](C x) { return static_cast<C>(exp(x - most)); }).value;
            return {static_cast<C>(log(total)) + most, 0};
        }
        else
            return fold<R>([](C x) { return x; });
    }
};

template<Reduction R, typename C>
__device__ void store(const Job& job, std::int64_t at, const State<C>& state)
{
    if constexpr (R == Reduction::PlaceOfLargest || R == Reduction::PlaceOfLeast)
        storeAs<std::int64_t>(job.resultType, job.result, at, state.place);
    else if constexpr (R == Reduction::Mean)
        storeAs<C>(job.resultType, job.result, at, state.value / static_cast<C>(job.length));
    else
        storeAs<C>(job.resultType, job.result, at, state.value);
}

// A block a line and slice.
template<Reduction R, typename C, int Threads>
__global__ void blockKernel(const Job job)
{
    const std::int64_t units = job.kept.count * job.slices;
    const std::int64_t slice = (job.length + job.slices - 1) / job.slices;
    for (std::int64_t unit = blockIdx.x; unit < units; unit += gridDim.x)
    {
        const std::int64_t line = unit / job.slices;
        const std::int64_t begin = (unit % job.slices) * slice;
        std::int64_t at[2];
        job.kept.offsets(line, at);
        const Line<R, C, Threads> work{job, at[1], min(begin, job.length),
                                       min(begin + slice, job.length)};
        const State<C> state = work.state();
        if (threadIdx.x != 0)
            continue;
        if (job.partial)
            static_cast<State<C>*>(job.partial)[unit] = state;
        else
            store<R, C>(job, at[0], state);
    }
}

// A thread a line: for short lines and for many lines side by side.
template<Reduction R, typename C>
__global__ void threadKernel(const Job job)
{
    forEachNumber(job.kept.count, [&](std::int64_t line) {
        std::int64_t at[2];
        job.kept.offsets(line, at);
        const Line<R, C, 1> work{job, at[1], 0, job.length};
        store<R, C>(job, at[0], work.state());
    });
}

template<Reduction R, typename C>
__global__ void joinKernel(const Job job)
{
    forEachNumber(job.kept.count, [&](std::int64_t line) {
        std::int64_t at[2];
        job.kept.offsets(line, at);
        const auto* partial = static_cast<const State<C>*>(job.partial) + line * job.slices;
        State<C> state = partial[0];
        for (std::int64_t i = 1; i < job.slices; ++i)
            state = Fold<R, C>()(state, partial[i]);
        store<R, C>(job, at[0], state);
    });
}

template<Reduction R>
constexpr bool canBeCut = R != Reduction::Variance&& R != Reduction::Deviation&& R
    != Reduction::SumOfExponentials&& R != Reduction::LogSumExp;

template<Reduction R, typename C>
cudaError_t startReduction(Job& job, Scratch& scratch, cudaStream_t stream)
{
    const bool linesAreSideBySide = job.reduced.rank > 0
        && job.reduced.strides[0][job.reduced.rank - 1] != 1 && job.kept.count >= 4096;
    if (job.length <= 32 || linesAreSideBySide)
    {
        threadKernel<R, C><<<blocksFor(job.kept.count), kThreads, 0, stream>>>(job);
        return cudaGetLastError();
    }
    if (canBeCut<R> && job.kept.count < 128 && job.length >= 16384)
    {
        job.slices = min(std::int64_t{512}, job.length / 4096);
        job.partial =
            scratch.take(job.kept.count * job.slices * static_cast<std::int64_t>(sizeof(State<C>)));
        if (!job.partial)
            return cudaErrorMemoryAllocation;
    }
    const std::int64_t units = job.kept.count * job.slices;
    const auto blocks = static_cast<unsigned>(min(units, std::int64_t{1} << 20));
    if (job.length <= 512)
        blockKernel<R, C, 64><<<blocks, 64, 0, stream>>>(job);
    else
        blockKernel<R, C, 256><<<blocks, 256, 0, stream>>>(job);
    if (job.partial)
        joinKernel<R, C><<<blocksFor(job.kept.count), kThreads, 0, stream>>>(job);
    return cudaGetLastError();
}

template<Reduction R>
cudaError_t startFloating(Job& job, Kind kind, Scratch& scratch, cudaStream_t stream)
{
    return kind == Kind::Double ? startReduction<R, double>(job, scratch, stream)
                                : startReduction<R, float>(job, scratch, stream);
}

template<Reduction R>
cudaError_t startAny(Job& job, Kind kind, Scratch& scratch, cudaStream_t stream)
{
    return kind == Kind::Integer ? startReduction<R, std::int64_t>(job, scratch, stream)
                                 : startFloating<R>(job, kind, scratch, stream);
}

} // namespace

cudaError_t runReduction(const ReductionCall& call, Scratch& scratch, cudaStream_t stream)
{
    Job job{call.result.data,
            call.input.data,
            call.result.dtype,
            call.input.dtype,
            call.parameter,
            1,
            {},
            {},
            nullptr,
            1};
    for (int d = 0; d < call.result.rank; ++d)
        job.kept.add(call.result.sizes[d], {call.result.strides[d], call.input.strides[d]});
    for (int d = call.result.rank; d < call.input.rank; ++d)
        job.reduced.add(call.input.sizes[d], {call.input.strides[d]});
    job.length = job.reduced.count;
    if (job.kept.count == 0)
        return cudaSuccess;
    switch (call.function)
    {
    case Reduction::Sum: return startAny<Reduction::Sum>(job, call.kind, scratch, stream);
    case Reduction::Mean: return startFloating<Reduction::Mean>(job, call.kind, scratch, stream);
    case Reduction::Product: return startAny<Reduction::Product>(job, call.kind, scratch, stream);
    case Reduction::Largest: return startAny<Reduction::Largest>(job, call.kind, scratch, stream);
    case Reduction::Least: return startAny<Reduction::Least>(job, call.kind, scratch, stream);
    case Reduction::PlaceOfLargest:
        return startAny<Reduction::PlaceOfLargest>(job, call.kind, scratch, stream);
    case Reduction::PlaceOfLeast:
        return startAny<Reduction::PlaceOfLeast>(job, call.kind, scratch, stream);
    case Reduction::Any: return startAny<Reduction::Any>(job, call.kind, scratch, stream);
    case Reduction::All: return startAny<Reduction::All>(job, call.kind, scratch, stream);
    case Reduction::Variance:
        return startFloating<Reduction::Variance>(job, call.kind, scratch, stream);
    case Reduction::Deviation:
        return startFloating<Reduction::Deviation>(job, call.kind, scratch, stream);
    case Reduction::SumOfExponentials:
        return startFloating<Reduction::SumOfExponentials>(job, call.kind, scratch, stream);
    case Reduction::LogSumExp:
        return startFloating<Reduction::LogSumExp>(job, call.kind, scratch, stream);
    }
    return cudaErrorInvalidValue;
}

} // namespace reinspect::gpu
