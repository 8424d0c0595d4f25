// SPDX-License-Identifier: MIT
// From a function of numbers to an operator of tensors. A function is a struct with a static `of`, given for
// the types that it exists in: float and double, std::int64_t, complex. A tensor of another type is an error.
//
//     struct Sine { template<RealNumber C> REINSPECT_ANYWHERE static C of(C x) { return std::sin(x); } };
//     {"aten.sin.default", unaryFloating<Sine>},
#pragma once

#include "core/exec/device.h"
#include "core/exec/kernel_registry.h"
#include "core/exec/numbers.h"
#include "core/exec/operands.h"

#include <cmath>

namespace reinspect::exec
{

enum class ResultRule : std::uint8_t
{
    Same,     // the promoted dtype
    Floating, // integers give float32 and are computed in it
    Bool,
};

inline DType resultDType(ResultRule rule, DType promoted)
{
    if (rule == ResultRule::Bool)
        return DType::Bool;
    return rule == ResultRule::Floating && isIntegral(promoted) ? DType::Float32 : promoted;
}

// The dtype that the operands are taken in.
inline DType computedDType(ResultRule rule, DType promoted)
{
    return rule == ResultRule::Floating && isIntegral(promoted) ? DType::Float32 : promoted;
}

template<typename F, typename C, std::size_t N>
auto applied(const F& f, const std::array<const C*, N>& in, std::int64_t i)
{
    if constexpr (N == 1)
        return f(in[0][i]);
    else if constexpr (N == 2)
        return f(in[0][i], in[1][i]);
    else if constexpr (N == 3)
        return f(in[0][i], in[1][i], in[2][i]);
    else
        return f(in[0][i], in[1][i], in[2][i], in[3][i]);
}

// Refused where the function does not exist for what `common` is computed in. On a device by the device's own
// copy of the function, where it has one.
template<typename F, std::size_t N>
Result<Value> runFunction(const KernelCall& call, const Operands& operands, DType common,
                          DType resultType)
{
    const ComputeKind kind = computeKind(common);
    if (kind == ComputeKind::None)
        return call.unsupported("operands of dtype " + std::string(dtypeName(common)));
    if (needsHost(call, functionOf<F>, kind))
        return runOnHost(call);
    return dispatchCompute(kind, [&]<typename C>(TypeTag<C>) -> Result<Value> {
        if constexpr (existsFor<F, C, N>)
        {
            REINSPECT_TRY(const Tensor result, elementwiseResult(call, resultType, operands));
            if (result.storage->isOnDevice())
                return runOnDevice(call, functionOf<F>, result, operands, common);
            const auto f = [](auto... x) { return F::of(x...); };
            REINSPECT_CHECK((mapBlocks<C, C, N>(
                result, operands, common,
                [&](const std::array<const C*, N>& in, C* out, std::int64_t count) {
                    for (std::int64_t i = 0; i < count; ++i)
                        out[i] = static_cast<C>(applied(f, in, i));
                })));
            return Value(result);
        }
        else
            return call.unsupported("not for dtype " + std::string(dtypeName(common)));
    });
}

template<typename F, ResultRule Rule, std::size_t N>
Result<Value> runPointwise(const KernelCall& call, const Operands& operands)
{
    return runFunction<F, N>(call, operands, computedDType(Rule, operands.promoted),
                             resultDType(Rule, operands.promoted));
}

// The argument of the schema's first place, whatever its name.
template<typename F, ResultRule Rule>
Result<Value> unary(const KernelCall& call)
{
    REINSPECT_TRY(const Operands operands, operandsOf(call, {call.schema->arguments.front().name}));
    return runPointwise<F, Rule, 1>(call, operands);
}

template<typename F, ResultRule Rule>
Result<Value> binary(const KernelCall& call)
{
    REINSPECT_TRY(
        const Operands operands,
        operandsOf(call, {call.schema->arguments[0].name, call.schema->arguments[1].name}));
    return runPointwise<F, Rule, 2>(call, operands);
}

template<typename F>
Result<Value> ternary(const KernelCall& call)
{
    REINSPECT_TRY(const Operands operands,
                  operandsOf(call,
                             {call.schema->arguments[0].name, call.schema->arguments[1].name,
                              call.schema->arguments[2].name}));
    return runPointwise<F, ResultRule::Same, 3>(call, operands);
}

// A function of floats; `parameters` are numbers that every element gets and that take no part in promotion.
template<typename F, std::size_t N>
Result<Value> runFloating(const KernelCall& call, Operands operands, DType dtype,
                          std::initializer_list<double> parameters = {})
{
    if (!isFloating(dtype))
        return call.unsupported("not for dtype " + std::string(dtypeName(dtype)));
    for (const double parameter : parameters)
        operands.list.push_back(Operand{{}, Value(parameter), dtype});
    return runFunction<F, N>(call, operands, dtype, dtype);
}

// The same with a lambda on one, two or three numbers in float or double: on the host only.
template<std::size_t N, typename F>
Result<Value> mapFloating(const KernelCall& call, const Operands& operands, DType dtype, F&& f)
{
    if (!isFloating(dtype))
        return call.unsupported("not for dtype " + std::string(dtypeName(dtype)));
    return dispatchFloating(computeKind(dtype), [&]<typename C>(TypeTag<C>) -> Result<Value> {
        REINSPECT_TRY(const Tensor result, elementwiseResult(call, dtype, operands));
        REINSPECT_CHECK(
            (mapBlocks<C, C, N>(result, operands, dtype,
                                [&](const std::array<const C*, N>& in, C* out, std::int64_t count) {
                                    for (std::int64_t i = 0; i < count; ++i)
                                        out[i] = static_cast<C>(applied(f, in, i));
                                })));
        return Value(result);
    });
}

} // namespace reinspect::exec
