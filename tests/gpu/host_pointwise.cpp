// SPDX-License-Identifier: MIT
// HostApi: the functions of core/exec/*_functions.h, element by element.
#include "tests/gpu/host_api.h"

#include "core/exec/binary_functions.h"
#include "core/exec/choice_functions.h"
#include "core/exec/unary_functions.h"

#include "tests/gpu/host_elements.h"

#include <utility>

namespace reinspect::gpu
{
namespace
{

template<typename F, typename C, std::size_t N>
void applyTo(const PointwiseCall& call)
{
    forEachIndex(call.result.sizes, call.result.rank, [&](const Sizes& index) {
        C in[4] = {};
        for (std::size_t k = 0; k < N; ++k)
        {
            const PointwiseOperand& operand = call.operands[k];
            if (operand.data)
            {
                in[k] = load<C>(operand.dtype, operand.data, offsetOf(index, operand.strides));
                if (operand.roundTo != DType::Unknown)
                {
                    std::byte rounded[16];
                    store<C>(operand.roundTo, rounded, 0, in[k]);
                    in[k] = load<C>(operand.roundTo, rounded, 0);
                }
            }
            else if constexpr (std::is_same_v<C, std::int64_t>)
                in[k] = operand.whole;
            else
                in[k] = static_cast<C>(operand.real);
        }
        C made;
        if constexpr (N == 1)
            made = static_cast<C>(F::of(in[0]));
        else if constexpr (N == 2)
            made = static_cast<C>(F::of(in[0], in[1]));
        else if constexpr (N == 3)
            made = static_cast<C>(F::of(in[0], in[1], in[2]));
        else
            made = static_cast<C>(F::of(in[0], in[1], in[2], in[3]));
        store<C>(call.result.dtype, call.result.data, offsetOf(index, call.result.strides), made);
    });
}

using Apply = void (*)(const PointwiseCall&);

template<typename F, typename C, std::size_t N>
constexpr Apply applyOf()
{
    if constexpr (exec::existsFor<F, C, N>)
        return applyTo<F, C, N>;
    else
        return nullptr;
}

constexpr Apply kFunctions[][3] = {
#define REINSPECT_POINTWISE(name, count)                                                           \
    {applyOf<exec::name, float, count>(), applyOf<exec::name, double, count>(),                    \
     applyOf<exec::name, std::int64_t, count>()},
#include "core/exec/pointwise_functions.inc"
#undef REINSPECT_POINTWISE
};

} // namespace

bool HostApi::runs(std::uint16_t function, Kind kind)
{
    return function < std::size(kFunctions)
        && kFunctions[function][static_cast<int>(kind)] != nullptr;
}

const char* HostApi::pointwise(const PointwiseCall& call)
{
    kFunctions[call.function][static_cast<int>(call.kind)](call);
    return takeFailure();
}

} // namespace reinspect::gpu
