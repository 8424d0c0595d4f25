// SPDX-License-Identifier: MIT
// Functions of one float, from the math dialect and from the device libraries that tt.extern_elementwise
// names (libdevice's "__nv_tanhf", OCML's "__ocml_tanh_f32").
#include "core/triton/float_formats.h"
#include "core/triton/prepare.h"

#include <array>
#include <cmath>
#include <optional>

namespace reinspect::triton
{
namespace
{

template<typename T>
using Unary = T (*)(T);
template<typename T>
using Binary = T (*)(T, T);

template<typename T>
T rsqrt(T x)
{
    return T(1) / std::sqrt(x);
}

template<typename T>
T exp10(T x)
{
    return std::pow(T(10), x);
}

template<typename T>
T roundToEven(T x)
{
    return std::nearbyint(x);
}

template<typename T>
T saturate(T x)
{
    return std::isnan(x) ? T(0) : std::fmin(std::fmax(x, T(0)), T(1));
}

template<typename T>
T normalCdf(T x)
{
    return T(0.5) * std::erfc(-x * T(0.70710678118654752440));
}

template<typename T>
T sinpi(T x)
{
    return static_cast<T>(
        std::sin(std::remainder(static_cast<double>(x), 2.0) * 3.14159265358979323846));
}

template<typename T>
T cospi(T x)
{
    return static_cast<T>(
        std::cos(std::remainder(static_cast<double>(x), 2.0) * 3.14159265358979323846));
}

template<typename T>
T quotient(T x, T y)
{
    return x / y;
}

struct UnaryRow
{
    Opcode code; // Unknown: only as a device function
    std::string_view name;
    Unary<float> single;
    Unary<double> twice;
};

// clang-format off
#define REINSPECT_UNARY(code, name, function)                                                       \
    {code, name, [](float x) -> float { return function(x); }, [](double x) -> double { return function(x); }}
constexpr auto kUnary = std::to_array<UnaryRow>({
    REINSPECT_UNARY(Opcode::Exp, "exp", std::exp),
    REINSPECT_UNARY(Opcode::Exp2, "exp2", std::exp2),
    REINSPECT_UNARY(Opcode::ExpM1, "expm1", std::expm1),
    REINSPECT_UNARY(Opcode::Log, "log", std::log),
    REINSPECT_UNARY(Opcode::Log2, "log2", std::log2),
    REINSPECT_UNARY(Opcode::Log10, "log10", std::log10),
    REINSPECT_UNARY(Opcode::Log1p, "log1p", std::log1p),
    REINSPECT_UNARY(Opcode::Sqrt, "sqrt", std::sqrt),
    REINSPECT_UNARY(Opcode::PreciseSqrt, "sqrt_rn", std::sqrt),
    REINSPECT_UNARY(Opcode::Unknown, "fsqrt_rn", std::sqrt),
    REINSPECT_UNARY(Opcode::Rsqrt, "rsqrt", rsqrt),
    REINSPECT_UNARY(Opcode::Cbrt, "cbrt", std::cbrt),
    REINSPECT_UNARY(Opcode::Sin, "sin", std::sin),
    REINSPECT_UNARY(Opcode::Cos, "cos", std::cos),
    REINSPECT_UNARY(Opcode::Tan, "tan", std::tan),
    REINSPECT_UNARY(Opcode::Asin, "asin", std::asin),
    REINSPECT_UNARY(Opcode::Acos, "acos", std::acos),
    REINSPECT_UNARY(Opcode::Atan, "atan", std::atan),
    REINSPECT_UNARY(Opcode::Sinh, "sinh", std::sinh),
    REINSPECT_UNARY(Opcode::Cosh, "cosh", std::cosh),
    REINSPECT_UNARY(Opcode::Tanh, "tanh", std::tanh),
    REINSPECT_UNARY(Opcode::Asinh, "asinh", std::asinh),
    REINSPECT_UNARY(Opcode::Acosh, "acosh", std::acosh),
    REINSPECT_UNARY(Opcode::Atanh, "atanh", std::atanh),
    REINSPECT_UNARY(Opcode::Erf, "erf", std::erf),
    REINSPECT_UNARY(Opcode::AbsF, "fabs", std::fabs),
    REINSPECT_UNARY(Opcode::Floor, "floor", std::floor),
    REINSPECT_UNARY(Opcode::Ceil, "ceil", std::ceil),
    REINSPECT_UNARY(Opcode::Round, "round", std::round),
    REINSPECT_UNARY(Opcode::RoundEven, "rint", roundToEven),
    REINSPECT_UNARY(Opcode::Trunc, "trunc", std::trunc),
    REINSPECT_UNARY(Opcode::Unknown, "nearbyint", roundToEven),
    REINSPECT_UNARY(Opcode::Unknown, "exp10", exp10),
    REINSPECT_UNARY(Opcode::Unknown, "erfc", std::erfc),
    REINSPECT_UNARY(Opcode::Unknown, "lgamma", std::lgamma),
    REINSPECT_UNARY(Opcode::Unknown, "tgamma", std::tgamma),
    REINSPECT_UNARY(Opcode::Unknown, "logb", std::logb),
    REINSPECT_UNARY(Opcode::Unknown, "saturate", saturate),
    REINSPECT_UNARY(Opcode::Unknown, "normcdf", normalCdf),
    REINSPECT_UNARY(Opcode::Unknown, "sinpi", sinpi),
    REINSPECT_UNARY(Opcode::Unknown, "cospi", cospi),
});
#undef REINSPECT_UNARY
// clang-format on

struct BinaryRow
{
    std::string_view name;
    Binary<float> single;
    Binary<double> twice;
};

// clang-format off
#define REINSPECT_BINARY(name, function)                                                            \
    {name, [](float x, float y) -> float { return function(x, y); },                                 \
     [](double x, double y) -> double { return function(x, y); }}
constexpr auto kBinary = std::to_array<BinaryRow>({
    REINSPECT_BINARY("pow", std::pow),
    REINSPECT_BINARY("atan2", std::atan2),
    REINSPECT_BINARY("fmod", std::fmod),
    REINSPECT_BINARY("remainder", std::remainder),
    REINSPECT_BINARY("copysign", std::copysign),
    REINSPECT_BINARY("fmax", std::fmax),
    REINSPECT_BINARY("fmin", std::fmin),
    REINSPECT_BINARY("fdim", std::fdim),
    REINSPECT_BINARY("hypot", std::hypot),
    REINSPECT_BINARY("nextafter", std::nextafter),
    REINSPECT_BINARY("div_rn", quotient),
    REINSPECT_BINARY("fdiv_rn", quotient),
    REINSPECT_BINARY("fdivide", quotient),
});
#undef REINSPECT_BINARY
// clang-format on

// step.function: a Unary<T> or Binary<T>.
template<typename T>
bool callUnary(Machine&, Frame& frame, const Step& step)
{
    const auto function = reinterpret_cast<Unary<T>>(step.function);
    const T* a = frame.data<T>(step.in[0]);
    T* r = frame.data<T>(step.out[0]);
    const std::int64_t n = step.count * frame.lanes;
    for (std::int64_t i = 0; i < n; ++i)
        r[i] = function(a[i]);
    if constexpr (std::is_same_v<T, float>)
        for (std::int64_t i = 0; step.scalar != Scalar::Float32 && i < n; ++i)
            r[i] = roundedTo(step.scalar, r[i]);
    return true;
}

template<typename T>
bool callBinary(Machine&, Frame& frame, const Step& step)
{
    const auto function = reinterpret_cast<Binary<T>>(step.function);
    const T* a = frame.data<T>(step.in[0]);
    const T* b = frame.data<T>(step.in[1]);
    T* r = frame.data<T>(step.out[0]);
    for (std::int64_t i = 0; i < step.count * frame.lanes; ++i)
        r[i] = function(a[i], b[i]);
    if constexpr (std::is_same_v<T, float>)
        for (std::int64_t i = 0; i < step.count * frame.lanes; ++i)
            r[i] = roundedTo(step.scalar, r[i]);
    return true;
}

template<typename Row>
void choose(Preparation& p, const Row& row, bool isUnary)
{
    p.step.scalar = p.out().scalar;
    p.isElementwise = true;
    const bool isDouble = laneOf(p.out()) == Lane::Double;
    if (isDouble)
        p.step.function = reinterpret_cast<void (*)()>(row.twice);
    else
        p.step.function = reinterpret_cast<void (*)()>(row.single);
    p.step.run = isUnary ? (isDouble ? callUnary<double> : callUnary<float>)
                         : (isDouble ? callBinary<double> : callBinary<float>);
}

bool isOneFloatFormat(const Preparation& p, std::size_t operands)
{
    if (!p.has(operands, 1) || !p.hasOneShape() || !p.out().isFloat())
        return false;
    for (std::size_t i = 0; i < operands; ++i)
        if (p.in(i).scalar != p.out().scalar)
            return false;
    return true;
}

Result<void> prepareUnary(Preparation& p)
{
    if (!isOneFloatFormat(p, 1))
        return p.misfit();
    for (const UnaryRow& row : kUnary)
        if (row.code == p.operation.code)
            choose(p, row, true);
    return {};
}

enum class Kind : std::int64_t
{
    NaN,
    Infinite,
    Finite,
    Negative,
};

// step.number: the Kind asked for; step.other: the value of a truth.
template<typename T>
bool classify(Machine&, Frame& frame, const Step& step)
{
    const T* a = frame.data<T>(step.in[0]);
    std::int64_t* r = frame.ints(step.out[0]);
    for (std::int64_t i = 0; i < step.count * frame.lanes; ++i)
    {
        bool is = false;
        switch (static_cast<Kind>(step.number))
        {
        case Kind::NaN: is = std::isnan(a[i]); break;
        case Kind::Infinite: is = std::isinf(a[i]); break;
        case Kind::Finite: is = std::isfinite(a[i]); break;
        case Kind::Negative: is = std::signbit(a[i]); break;
        }
        r[i] = is ? step.other : 0;
    }
    return true;
}

Result<void> prepareKind(Preparation& p, Kind kind)
{
    if (!p.has(1, 1) || !p.hasOneShape() || !p.in(0).isFloat() || !p.out().isInteger())
        return p.misfit();
    p.step.number = static_cast<std::int64_t>(kind);
    p.step.other = p.out().isOneBit() ? -1 : 1;
    p.step.run = laneOf(p.in(0)) == Lane::Double ? classify<double> : classify<float>;
    p.isElementwise = true;
    return {};
}

template<typename T>
bool powerOfInteger(Machine&, Frame& frame, const Step& step)
{
    const T* a = frame.data<T>(step.in[0]);
    const std::int64_t* b = frame.ints(step.in[1]);
    T* r = frame.data<T>(step.out[0]);
    for (std::int64_t i = 0; i < step.count * frame.lanes; ++i)
    {
        const double power = std::pow(static_cast<double>(a[i]), static_cast<double>(b[i]));
        if constexpr (std::is_same_v<T, float>)
            r[i] = roundedTo(step.scalar, static_cast<float>(power));
        else
            r[i] = power;
    }
    return true;
}

Result<void> preparePowerOfInteger(Preparation& p)
{
    if (!p.has(2, 1) || !p.hasOneShape() || !p.in(0).isFloat() || !p.in(1).isInteger()
        || p.out().scalar != p.in(0).scalar)
        return p.misfit();
    p.step.scalar = p.out().scalar;
    p.step.run = laneOf(p.out()) == Lane::Double ? powerOfInteger<double> : powerOfInteger<float>;
    p.isElementwise = true;
    return {};
}

// "tanh" of "__nv_tanhf", "__nv_fast_expf", "__ocml_tanh_f32".
std::string_view plainName(std::string_view symbol, bool isSingle)
{
    for (const std::string_view prefix : {"__nv_", "__ocml_", "fast_", "native_"})
        if (symbol.starts_with(prefix))
            symbol.remove_prefix(prefix.size());
    for (const std::string_view suffix : {"_f32", "_f64", "_f16"})
        if (symbol.ends_with(suffix))
            return symbol.substr(0, symbol.size() - suffix.size());
    if (isSingle && symbol.ends_with('f'))
        symbol.remove_suffix(1);
    return symbol;
}

Result<void> prepareExtern(Preparation& p)
{
    if (p.ins() == 0 || p.outs() != 1)
        return p.misfit();
    const std::string_view symbol = p.operation.text("symbol");
    const std::string_view name = plainName(symbol, laneOf(p.in(0)) == Lane::Float);
    const auto kindNamed = [&]() -> std::optional<Kind> {
        if (name == "isnan" || name == "isnand")
            return Kind::NaN;
        if (name == "isinf" || name == "isinfd")
            return Kind::Infinite;
        if (name == "isfinite" || name == "isfinited" || name == "finite")
            return Kind::Finite;
        if (name == "signbit" || name == "signbitd")
            return Kind::Negative;
        return std::nullopt;
    }();
    if (kindNamed && p.ins() == 1)
        return prepareKind(p, *kindNamed);
    if (isOneFloatFormat(p, 1))
        for (const UnaryRow& row : kUnary)
            if (row.name == name)
                choose(p, row, true);
    if (isOneFloatFormat(p, 2))
        for (const BinaryRow& row : kBinary)
            if (row.name == name)
                choose(p, row, false);
    if (!p.step.run)
        return p.fail("the device function '" + std::string(symbol) + "' is not known here");
    return {};
}

constexpr auto kRows = std::to_array<PrepareRow>({
    {Opcode::Exp, prepareUnary},
    {Opcode::Exp2, prepareUnary},
    {Opcode::ExpM1, prepareUnary},
    {Opcode::Log, prepareUnary},
    {Opcode::Log2, prepareUnary},
    {Opcode::Log10, prepareUnary},
    {Opcode::Log1p, prepareUnary},
    {Opcode::Sqrt, prepareUnary},
    {Opcode::PreciseSqrt, prepareUnary},
    {Opcode::Rsqrt, prepareUnary},
    {Opcode::Cbrt, prepareUnary},
    {Opcode::Sin, prepareUnary},
    {Opcode::Cos, prepareUnary},
    {Opcode::Tan, prepareUnary},
    {Opcode::Asin, prepareUnary},
    {Opcode::Acos, prepareUnary},
    {Opcode::Atan, prepareUnary},
    {Opcode::Sinh, prepareUnary},
    {Opcode::Cosh, prepareUnary},
    {Opcode::Tanh, prepareUnary},
    {Opcode::Asinh, prepareUnary},
    {Opcode::Acosh, prepareUnary},
    {Opcode::Atanh, prepareUnary},
    {Opcode::Erf, prepareUnary},
    {Opcode::AbsF, prepareUnary},
    {Opcode::Floor, prepareUnary},
    {Opcode::Ceil, prepareUnary},
    {Opcode::Round, prepareUnary},
    {Opcode::RoundEven, prepareUnary},
    {Opcode::Trunc, prepareUnary},
    {Opcode::FPowI, preparePowerOfInteger},
    {Opcode::IsNan, [](Preparation& p) { return prepareKind(p, Kind::NaN); }},
    {Opcode::IsInf, [](Preparation& p) { return prepareKind(p, Kind::Infinite); }},
    {Opcode::IsFinite, [](Preparation& p) { return prepareKind(p, Kind::Finite); }},
    {Opcode::ExternElementwise, prepareExtern},
});

} // namespace

std::span<const PrepareRow> mathRows()
{
    return kRows;
}

} // namespace reinspect::triton
