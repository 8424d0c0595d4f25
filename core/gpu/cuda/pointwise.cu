// SPDX-License-Identifier: MIT
// The functions of core/exec/*_functions.h over strided arrays: a kernel for each function and type of computing.
#include "core/gpu/cuda/elements.cuh"

#include "core/exec/binary_functions.h"
#include "core/exec/choice_functions.h"
#include "core/exec/unary_functions.h"

#include <utility>

namespace reinspect::gpu
{
namespace
{

struct Operand
{
    const void* data; // null: a number
    DType dtype;
    DType roundTo;
    double real;
    std::int64_t whole;
};

template<int N>
struct Arguments
{
    void* result;
    DType dtype;
    bool isDense;    // every array row by row, or a number
    bool isStill[N]; // operand k is one element
    Shape<N + 1> shape;
    Operand operands[N];
};

template<typename C>
__device__ C numberOf(const Operand& operand)
{
    if constexpr (std::is_same_v<C, std::int64_t>)
        return operand.whole;
    else
        return static_cast<C>(operand.real);
}

template<typename C>
__device__ C valueOf(const Operand& operand, std::int64_t at)
{
    if (!operand.data)
        return numberOf<C>(operand);
    return roundedTo<C>(operand.roundTo, loadAs<C>(operand.dtype, operand.data, at));
}

template<typename F, typename C, int N>
__device__ C applied(const C (&x)[N])
{
    if constexpr (N == 1)
        return static_cast<C>(F::of(x[0]));
    else if constexpr (N == 2)
        return static_cast<C>(F::of(x[0], x[1]));
    else if constexpr (N == 3)
        return static_cast<C>(F::of(x[0], x[1], x[2]));
    else
        return static_cast<C>(F::of(x[0], x[1], x[2], x[3]));
}

template<typename F, typename C, int N>
__global__ void pointwiseKernel(const Arguments<N> arguments)
{
    constexpr int width = 4; // elements of a thread, next to each other: one wide access
    const std::int64_t count = arguments.shape.count;
    forEachNumber((count + width - 1) / width, [&](std::int64_t group) {
        C in[width][N];
        const std::int64_t first = group * width;
        const int used = static_cast<int>(min(std::int64_t{width}, count - first));
        std::int64_t at[width][N + 1];
        for (int i = 0; i < used; ++i)
            if (arguments.isDense)
            {
                at[i][0] = first + i;
                for (int k = 0; k < N; ++k)
                    at[i][k + 1] = arguments.isStill[k] ? 0 : first + i;
            }
            else
                arguments.shape.offsets(first + i, at[i]);
        for (int k = 0; k < N; ++k)
            for (int i = 0; i < used; ++i)
                in[i][k] = valueOf<C>(arguments.operands[k], at[i][k + 1]);
        for (int i = 0; i < used; ++i)
            storeAs<C>(arguments.dtype, arguments.result, at[i][0], applied<F, C, N>(in[i]));
    });
}

template<typename F, typename C, int N>
cudaError_t start(const PointwiseCall& call, cudaStream_t stream)
{
    Arguments<N> arguments{};
    arguments.result = call.result.data;
    arguments.dtype = call.result.dtype;
    for (int k = 0; k < N; ++k)
    {
        const PointwiseOperand& operand = call.operands[k];
        arguments.operands[k] = {operand.data, operand.dtype, operand.roundTo, operand.real,
                                 operand.whole};
    }
    for (int d = 0; d < call.result.rank; ++d)
    {
        std::int64_t strides[N + 1] = {call.result.strides[d]};
        for (int k = 0; k < N; ++k)
            strides[k + 1] = call.operands[k].strides[d];
        arguments.shape.add(call.result.sizes[d], strides);
    }
    if (arguments.shape.count == 0)
        return cudaSuccess;
    arguments.isDense = arguments.shape.isDense(0);
    for (int k = 0; k < N; ++k)
    {
        arguments.isStill[k] = !call.operands[k].data || arguments.shape.isNumber(k + 1);
        arguments.isDense =
            arguments.isDense && (arguments.isStill[k] || arguments.shape.isDense(k + 1));
    }
    pointwiseKernel<F, C, N>
        <<<blocksFor((arguments.shape.count + 3) / 4), kThreads, 0, stream>>>(arguments);
    return cudaGetLastError();
}

using Start = cudaError_t (*)(const PointwiseCall&, cudaStream_t);

template<typename F, typename C, int N>
constexpr Start startOf()
{
    if constexpr (exec::existsFor<F, C, N>)
        return start<F, C, N>;
    else
        return nullptr;
}

struct Function
{
    int operands;
    Start byKind[3]; // by Kind
};

constexpr Function kFunctions[] = {
#define REINSPECT_POINTWISE(name, count)                                                           \
    {count,                                                                                        \
     {startOf<exec::name, float, count>(), startOf<exec::name, double, count>(),                   \
      startOf<exec::name, std::int64_t, count>()}},
#include "core/exec/pointwise_functions.inc"
#undef REINSPECT_POINTWISE
};

} // namespace

bool hasPointwise(std::uint16_t function, Kind kind)
{
    return function < std::size(kFunctions)
        && kFunctions[function].byKind[static_cast<int>(kind)] != nullptr;
}

cudaError_t runPointwise(const PointwiseCall& call, cudaStream_t stream)
{
    if (!hasPointwise(call.function, call.kind) || kFunctions[call.function].operands != call.count)
        return cudaErrorInvalidValue;
    return kFunctions[call.function].byKind[static_cast<int>(call.kind)](call, stream);
}

} // namespace reinspect::gpu
