// SPDX-License-Identifier: MIT
// Arithmetic of floats: computed in float32 or float64, rounded once to the format of the result.
#include "core/triton/float_formats.h"
#include "core/triton/prepare.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace reinspect::triton
{
namespace
{

// A format that the compiler knows, or the step's.
template<Scalar Format>
float rounded(float value, Scalar format)
{
    if constexpr (Format == Scalar::None)
        return roundedTo(format, value);
    else
        return roundedTo(Format, value);
}

template<typename Op, Scalar Format>
bool binaryFloat(Machine&, Frame& frame, const Step& step)
{
    const float* a = frame.floats(step.in[0]);
    const float* b = frame.floats(step.in[1]);
    float* r = frame.floats(step.out[0]);
    const std::int64_t n = step.count * frame.lanes;
    for (std::int64_t i = 0; i < n; ++i)
        r[i] = rounded<Format>(Op::of(a[i], b[i]), step.scalar);
    return true;
}

template<typename Op>
bool binaryDouble(Machine&, Frame& frame, const Step& step)
{
    const double* a = frame.doubles(step.in[0]);
    const double* b = frame.doubles(step.in[1]);
    double* r = frame.doubles(step.out[0]);
    const std::int64_t n = step.count * frame.lanes;
    for (std::int64_t i = 0; i < n; ++i)
        r[i] = Op::of(a[i], b[i]);
    return true;
}

template<typename Op>
Handler binaryHandler(Scalar format)
{
    switch (format)
    {
    case Scalar::Float64: return binaryDouble<Op>;
    case Scalar::Float32: return binaryFloat<Op, Scalar::Float32>;
    case Scalar::Float16: return binaryFloat<Op, Scalar::Float16>;
    case Scalar::BFloat16: return binaryFloat<Op, Scalar::BFloat16>;
    default: return binaryFloat<Op, Scalar::None>;
    }
}

// The larger of two, +0 above -0; a NaN wins.
template<typename T>
T maximum(T a, T b)
{
    if (std::isnan(a) || std::isnan(b))
        return a + b;
    if (a == b)
        return std::signbit(a) ? b : a;
    return a > b ? a : b;
}

template<typename T>
T minimum(T a, T b)
{
    if (std::isnan(a) || std::isnan(b))
        return a + b;
    if (a == b)
        return std::signbit(a) ? a : b;
    return a < b ? a : b;
}

// The same, but a NaN loses.
template<typename T>
T maximumNumber(T a, T b)
{
    return std::isnan(a) ? b : std::isnan(b) ? a : maximum(a, b);
}

template<typename T>
T minimumNumber(T a, T b)
{
    return std::isnan(a) ? b : std::isnan(b) ? a : minimum(a, b);
}

// clang-format off
struct Add { template<typename T> static T of(T a, T b) { return a + b; } };
struct Sub { template<typename T> static T of(T a, T b) { return a - b; } };
struct Mul { template<typename T> static T of(T a, T b) { return a * b; } };
struct Div { template<typename T> static T of(T a, T b) { return a / b; } };
struct Rem { template<typename T> static T of(T a, T b) { return std::fmod(a, b); } };
struct Maximum { template<typename T> static T of(T a, T b) { return maximum(a, b); } };
struct Minimum { template<typename T> static T of(T a, T b) { return minimum(a, b); } };
struct MaxNum { template<typename T> static T of(T a, T b) { return maximumNumber(a, b); } };
struct MinNum { template<typename T> static T of(T a, T b) { return minimumNumber(a, b); } };
struct Pow { template<typename T> static T of(T a, T b) { return std::pow(a, b); } };
struct Atan2 { template<typename T> static T of(T a, T b) { return std::atan2(a, b); } };
struct CopySign { template<typename T> static T of(T a, T b) { return std::copysign(a, b); } };
// clang-format on

bool isOneFormat(const Preparation& p, std::size_t operands)
{
    if (!p.has(operands, 1) || !p.hasOneShape() || !p.out().isFloat())
        return false;
    for (std::size_t i = 0; i < operands; ++i)
        if (p.in(i).scalar != p.out().scalar)
            return false;
    return true;
}

template<typename Op>
Result<void> prepareBinary(Preparation& p)
{
    if (!isOneFormat(p, 2))
        return p.misfit();
    p.step.scalar = p.out().scalar;
    p.step.run = binaryHandler<Op>(p.out().scalar);
    p.isElementwise = true;
    return {};
}

template<typename T>
bool negate(Machine&, Frame& frame, const Step& step)
{
    const T* a = frame.data<T>(step.in[0]);
    T* r = frame.data<T>(step.out[0]);
    for (std::int64_t i = 0; i < step.count * frame.lanes; ++i)
        r[i] = -a[i];
    return true;
}

Result<void> prepareNegate(Preparation& p)
{
    if (!isOneFormat(p, 1))
        return p.misfit();
    p.step.run = laneOf(p.out()) == Lane::Double ? negate<double> : negate<float>;
    p.isElementwise = true;
    return {};
}

template<typename T>
bool fusedMultiplyAdd(Machine&, Frame& frame, const Step& step)
{
    const T* a = frame.data<T>(step.in[0]);
    const T* b = frame.data<T>(step.in[1]);
    const T* c = frame.data<T>(step.in[2]);
    T* r = frame.data<T>(step.out[0]);
    for (std::int64_t i = 0; i < step.count * frame.lanes; ++i)
    {
        r[i] = std::fma(a[i], b[i], c[i]);
        if constexpr (std::is_same_v<T, float>)
            r[i] = roundedTo(step.scalar, r[i]);
    }
    return true;
}

Result<void> prepareFma(Preparation& p)
{
    if (!isOneFormat(p, 3))
        return p.misfit();
    p.step.scalar = p.out().scalar;
    p.step.run =
        laneOf(p.out()) == Lane::Double ? fusedMultiplyAdd<double> : fusedMultiplyAdd<float>;
    p.isElementwise = true;
    return {};
}

// step.number: 1 when a NaN stays one.
template<typename T>
bool clamp(Machine&, Frame& frame, const Step& step)
{
    const T* x = frame.data<T>(step.in[0]);
    const T* low = frame.data<T>(step.in[1]);
    const T* high = frame.data<T>(step.in[2]);
    T* r = frame.data<T>(step.out[0]);
    for (std::int64_t i = 0; i < step.count * frame.lanes; ++i)
        r[i] = step.number != 0 ? minimum(maximum(x[i], low[i]), high[i])
                                : minimumNumber(maximumNumber(x[i], low[i]), high[i]);
    return true;
}

Result<void> prepareClamp(Preparation& p)
{
    if (!isOneFormat(p, 3))
        return p.misfit();
    const bool keepsNan = p.operation.text("propagateNan") == "all"
        || (p.operation.attribute("propagateNan")
            && p.operation.integer("propagateNan", 0) == 0xFFFF);
    p.step.number = keepsNan ? 1 : 0;
    p.step.run = laneOf(p.out()) == Lane::Double ? clamp<double> : clamp<float>;
    p.isElementwise = true;
    return {};
}

// In the order of MLIR's numbers.
constexpr std::array<std::string_view, 16> kPredicates = {
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
    "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};

// step.number: the predicate. Bits of `holds`: less, equal, greater, without order.
template<typename T>
bool compare(Machine&, Frame& frame, const Step& step)
{
    constexpr std::array<unsigned, 16> holds = {0,  2,  4,  6, 1,  3,  5, 7,
                                                10, 12, 14, 9, 11, 13, 8, 15};
    const unsigned truths = holds[static_cast<std::size_t>(step.number)];
    const T* a = frame.data<T>(step.in[0]);
    const T* b = frame.data<T>(step.in[1]);
    std::int64_t* r = frame.ints(step.out[0]);
    const std::int64_t n = step.count * frame.lanes;
    for (std::int64_t i = 0; i < n; ++i)
    {
        const unsigned is = a[i] < b[i] ? 1u : a[i] == b[i] ? 2u : a[i] > b[i] ? 4u : 8u;
        r[i] = (truths & is) != 0 ? -1 : 0;
    }
    return true;
}

Result<void> prepareCompare(Preparation& p)
{
    if (!p.has(2, 1) || !p.hasOneShape() || !p.in(0).isFloat() || p.in(0).scalar != p.in(1).scalar
        || !p.out().isOneBit())
        return p.misfit();
    p.step.number = p.operation.integer("predicate", -1);
    for (std::size_t i = 0; i < kPredicates.size(); ++i)
        if (p.operation.hasWord(kPredicates[i]))
            p.step.number = static_cast<std::int64_t>(i);
    if (p.step.number < 0 || p.step.number > 15)
        return p.fail("its comparison is not known");
    p.step.run = laneOf(p.in(0)) == Lane::Double ? compare<double> : compare<float>;
    p.isElementwise = true;
    return {};
}

constexpr auto kRows = std::to_array<PrepareRow>({
    {Opcode::AddF, prepareBinary<Add>},
    {Opcode::SubF, prepareBinary<Sub>},
    {Opcode::MulF, prepareBinary<Mul>},
    {Opcode::DivF, prepareBinary<Div>},
    {Opcode::PreciseDivF, prepareBinary<Div>},
    {Opcode::RemF, prepareBinary<Rem>},
    {Opcode::MaximumF, prepareBinary<Maximum>},
    {Opcode::MinimumF, prepareBinary<Minimum>},
    {Opcode::MaxNumF, prepareBinary<MaxNum>},
    {Opcode::MinNumF, prepareBinary<MinNum>},
    {Opcode::PowF, prepareBinary<Pow>},
    {Opcode::Atan2, prepareBinary<Atan2>},
    {Opcode::CopySign, prepareBinary<CopySign>},
    {Opcode::NegF, prepareNegate},
    {Opcode::Fma, prepareFma},
    {Opcode::ClampF, prepareClamp},
    {Opcode::CmpF, prepareCompare},
});

} // namespace

std::span<const PrepareRow> floatRows()
{
    return kRows;
}

} // namespace reinspect::triton
