// SPDX-License-Identifier: MIT
// From a function of numbers to an operator of tensors. A function is a struct with a static `of`, given for
// the types that it exists in: float and double, std::int64_t, complex. A tensor of another type is an error.
//
//     struct Sine { template<typename C> static C of(C x) { return std::sin(x); } };
//     {"aten.sin.default", unaryFloating<Sine>},
#pragma once

#include "core/exec/kernel_registry.h"
#include "core/exec/operands.h"

#include <cmath>

namespace reinspect::exec
{

template<typename C>
concept RealNumber = std::is_same_v<C, float> || std::is_same_v<C, double>;
template<typename C>
concept WholeNumber = std::is_same_v<C, std::int64_t>;
template<typename C>
concept ComplexNumber =
    std::is_same_v<C, std::complex<float>> || std::is_same_v<C, std::complex<double>>;
template<typename C>
concept AnyNumber = RealNumber<C> || WholeNumber<C> || ComplexNumber<C>;

// Whole numbers wrap around.
inline std::int64_t wrapped(std::uint64_t value)
{
    return static_cast<std::int64_t>(value);
}
inline std::uint64_t bitsOf(std::int64_t value)
{
    return static_cast<std::uint64_t>(value);
}

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
constexpr bool existsFor = [] {
    if constexpr (N == 1)
        return requires(C x)
        {
            F::of(x);
        };
    else if constexpr (N == 2)
        return requires(C x)
        {
            F::of(x, x);
        };
    else
        return requires(C x)
        {
            F::of(x, x, x);
        };
}();

template<typename F, typename C, std::size_t N>
auto applied(const F& f, const std::array<const C*, N>& in, std::int64_t i)
{
    if constexpr (N == 1)
        return f(in[0][i]);
    else if constexpr (N == 2)
        return f(in[0][i], in[1][i]);
    else
        return f(in[0][i], in[1][i], in[2][i]);
}

template<typename F, ResultRule Rule, std::size_t N>
Result<Value> runPointwise(const KernelCall& call, const Operands& operands)
{
    const DType common = computedDType(Rule, operands.promoted);
    const ComputeKind kind = computeKind(common);
    if (kind == ComputeKind::None)
        return call.unsupported("operands of dtype " + std::string(dtypeName(common)));
    return dispatchCompute(kind, [&]<typename C>(TypeTag<C>) -> Result<Value> {
        if constexpr (existsFor<F, C, N>)
        {
            using Out = std::conditional_t<Rule == ResultRule::Bool, std::int64_t, C>;
            REINSPECT_TRY(const Tensor result,
                          elementwiseResult(call, resultDType(Rule, operands.promoted), operands));
            const auto f = [](auto... x) { return F::of(x...); };
            REINSPECT_CHECK((mapBlocks<C, Out, N>(
                result, operands, common,
                [&](const std::array<const C*, N>& in, Out* out, std::int64_t count) {
                    for (std::int64_t i = 0; i < count; ++i)
                        out[i] = static_cast<Out>(applied(f, in, i));
                })));
            return Value(result);
        }
        else
            return call.unsupported("not for dtype " + std::string(dtypeName(common)));
    });
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

// A function with parameters of its own, by a lambda on one, two or three numbers in float or double.
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
