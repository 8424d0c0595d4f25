// SPDX-License-Identifier: MIT
// Casts between integers, floats and pointers, and selection. A float that no integer of the target holds
// becomes the nearest one; a NaN becomes 0 (the smallest number for 64 bits), as PTX's cvt does.
#include "core/triton/float_formats.h"
#include "core/triton/prepare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace reinspect::triton
{
namespace
{

using I = std::int64_t;
using U = std::uint64_t;

I signExtended(I value, int shift)
{
    return static_cast<I>(static_cast<U>(value) << shift) >> shift;
}

// step.shift: of the narrower type. With a sign: the lanes are right as they are.
bool truncateInteger(Machine&, Frame& frame, const Step& step)
{
    const I* a = frame.ints(step.in[0]);
    I* r = frame.ints(step.out[0]);
    for (I i = 0; i < step.count * frame.lanes; ++i)
        r[i] = signExtended(a[i], step.shift);
    return true;
}

bool zeroExtend(Machine&, Frame& frame, const Step& step)
{
    const I* a = frame.ints(step.in[0]);
    I* r = frame.ints(step.out[0]);
    for (I i = 0; i < step.count * frame.lanes; ++i)
        r[i] = static_cast<I>(static_cast<U>(a[i]) << step.shift >> step.shift);
    return true;
}

bool copyLanes(Machine&, Frame& frame, const Step& step)
{
    frame.copy(step.in[0], step.out[0]);
    return true;
}

Result<void> prepareIntegerCast(Preparation& p)
{
    const auto isWhole = [](const Type& type) { return type.isInteger() || type.isPointer(); };
    if (!p.has(1, 1) || !p.hasOneShape() || !isWhole(p.in(0)) || !isWhole(p.out()))
        return p.misfit();
    const bool narrows = p.out().bits < p.in(0).bits;
    const bool extendsZero =
        p.operation.code == Opcode::ExtUI || p.operation.code == Opcode::IndexCastUI;
    p.step.shift = 64 - std::min(p.in(0).bits, p.out().bits);
    p.step.run = narrows ? truncateInteger : extendsZero ? zeroExtend : copyLanes;
    p.isElementwise = true;
    return {};
}

// step.number: 1 without a sign; step.shift: of the integer; step.scalar: the float's format.
template<typename T>
bool fromInteger(Machine&, Frame& frame, const Step& step)
{
    const I* a = frame.ints(step.in[0]);
    T* r = frame.data<T>(step.out[0]);
    for (I i = 0; i < step.count * frame.lanes; ++i)
    {
        const U whole = static_cast<U>(a[i]) << step.shift >> step.shift;
        r[i] = step.number != 0 ? static_cast<T>(whole) : static_cast<T>(a[i]);
        if constexpr (std::is_same_v<T, float>)
            r[i] = roundedTo(step.scalar, r[i]);
    }
    return true;
}

Result<void> prepareFromInteger(Preparation& p)
{
    if (!p.has(1, 1) || !p.hasOneShape() || !p.in(0).isInteger() || !p.out().isFloat())
        return p.misfit();
    p.step.shift = 64 - p.in(0).bits;
    p.step.number = p.operation.code == Opcode::UIToFP ? 1 : 0;
    p.step.scalar = p.out().scalar;
    p.step.run = laneOf(p.out()) == Lane::Double ? fromInteger<double> : fromInteger<float>;
    p.isElementwise = true;
    return {};
}

I wholeOf(double value, bool isWide)
{
    if (std::isnan(value))
        return isWide ? std::numeric_limits<I>::min() : 0;
    const double limit = isWide ? 0x1p63 : 0x1p31;
    if (value >= limit)
        return isWide ? std::numeric_limits<I>::max() : std::numeric_limits<std::int32_t>::max();
    return static_cast<I>(std::max(value, -limit));
}

U unsignedWholeOf(double value, bool isWide)
{
    if (std::isnan(value) || value <= 0)
        return isWide && std::isnan(value) ? U{1} << 63 : 0;
    if (value >= (isWide ? 0x1p64 : 0x1p32))
        return isWide ? std::numeric_limits<U>::max() : std::numeric_limits<std::uint32_t>::max();
    return static_cast<U>(value);
}

template<typename T>
bool toInteger(Machine&, Frame& frame, const Step& step)
{
    const T* a = frame.data<T>(step.in[0]);
    I* r = frame.ints(step.out[0]);
    const bool isWide = step.shift < 32;
    for (I i = 0; i < step.count * frame.lanes; ++i)
    {
        const auto value = static_cast<double>(a[i]);
        const I whole = step.number != 0 ? static_cast<I>(unsignedWholeOf(value, isWide))
                                         : wholeOf(value, isWide);
        r[i] = signExtended(whole, step.shift);
    }
    return true;
}

Result<void> prepareToInteger(Preparation& p)
{
    if (!p.has(1, 1) || !p.hasOneShape() || !p.in(0).isFloat() || !p.out().isInteger())
        return p.misfit();
    p.step.shift = 64 - p.out().bits;
    p.step.number = p.operation.code == Opcode::FPToUI ? 1 : 0;
    p.step.run = laneOf(p.in(0)) == Lane::Double ? toInteger<double> : toInteger<float>;
    p.isElementwise = true;
    return {};
}

// step.number: 1 to round towards zero.
template<typename From, typename To>
bool convertFloat(Machine&, Frame& frame, const Step& step)
{
    const From* a = frame.data<From>(step.in[0]);
    To* r = frame.data<To>(step.out[0]);
    for (I i = 0; i < step.count * frame.lanes; ++i)
    {
        if constexpr (std::is_same_v<To, double>)
            r[i] = static_cast<double>(a[i]);
        else if constexpr (std::is_same_v<From, double>)
            r[i] = static_cast<float>(decodeFloat(step.scalar, encodeFloat(step.scalar, a[i])));
        else
            r[i] = step.number != 0 ? truncatedTo(step.scalar, a[i]) : roundedTo(step.scalar, a[i]);
    }
    return true;
}

Result<void> prepareFloatCast(Preparation& p)
{
    if (!p.has(1, 1) || !p.hasOneShape() || !p.in(0).isFloat() || !p.out().isFloat())
        return p.misfit();
    const bool fromDouble = laneOf(p.in(0)) == Lane::Double;
    const bool toDouble = laneOf(p.out()) == Lane::Double;
    const bool truncates =
        p.operation.text("rounding") == "rtz" || p.operation.integer("rounding", 1) == 0;
    if (truncates && fromDouble && !toDouble)
        return p.fail("rounding a float64 towards zero is not known here");
    p.step.scalar = p.out().scalar;
    p.step.number = truncates ? 1 : 0;
    p.step.run = fromDouble
        ? (toDouble ? convertFloat<double, double> : convertFloat<double, float>)
        : (toDouble ? convertFloat<float, double> : convertFloat<float, float>);
    p.isElementwise = true;
    return {};
}

// step.scalar: the float's format; step.shift: of the integer.
template<typename T>
bool bitsOfFloats(Machine&, Frame& frame, const Step& step)
{
    const T* a = frame.data<T>(step.in[0]);
    I* r = frame.ints(step.out[0]);
    for (I i = 0; i < step.count * frame.lanes; ++i)
        r[i] = signExtended(static_cast<I>(encodeFloat(step.scalar, static_cast<double>(a[i]))),
                            step.shift);
    return true;
}

template<typename T>
bool floatsOfBits(Machine&, Frame& frame, const Step& step)
{
    const I* a = frame.ints(step.in[0]);
    T* r = frame.data<T>(step.out[0]);
    for (I i = 0; i < step.count * frame.lanes; ++i)
        r[i] = static_cast<T>(
            decodeFloat(step.scalar, static_cast<U>(a[i]) << step.shift >> step.shift));
    return true;
}

// The bits of a float32 stay, a NaN's too.
bool bitsOfSingles(Machine&, Frame& frame, const Step& step)
{
    const float* a = frame.floats(step.in[0]);
    I* r = frame.ints(step.out[0]);
    for (I i = 0; i < step.count * frame.lanes; ++i)
        r[i] = std::bit_cast<std::int32_t>(a[i]);
    return true;
}

bool singlesOfBits(Machine&, Frame& frame, const Step& step)
{
    const I* a = frame.ints(step.in[0]);
    float* r = frame.floats(step.out[0]);
    for (I i = 0; i < step.count * frame.lanes; ++i)
        r[i] = std::bit_cast<float>(static_cast<std::uint32_t>(a[i]));
    return true;
}

Result<void> prepareBitcast(Preparation& p)
{
    if (!p.has(1, 1) || !p.hasOneShape() || p.in(0).bits != p.out().bits || p.in(0).bits == 0
        || p.in(0).isBlock() || p.out().isBlock())
        return p.misfit();
    const bool fromFloat = p.in(0).isFloat();
    const bool toFloat = p.out().isFloat();
    p.isElementwise = true;
    p.step.shift = 64 - p.in(0).bits;
    if (fromFloat == toFloat)
    {
        if (fromFloat && p.in(0).scalar != p.out().scalar)
            return p.fail("casting the bits of one float to another is not known here");
        p.step.run = copyLanes;
        return {};
    }
    p.step.scalar = fromFloat ? p.in(0).scalar : p.out().scalar;
    if (p.step.scalar == Scalar::Float32)
        p.step.run = fromFloat ? bitsOfSingles : singlesOfBits;
    else if (p.step.scalar == Scalar::Float64)
        p.step.run = fromFloat ? bitsOfFloats<double> : floatsOfBits<double>;
    else
        p.step.run = fromFloat ? bitsOfFloats<float> : floatsOfBits<float>;
    return {};
}

// step.number: 1 when one condition stands for all elements.
template<typename T>
bool select(Machine&, Frame& frame, const Step& step)
{
    const I* condition = frame.ints(step.in[0]);
    const T* a = frame.data<T>(step.in[1]);
    const T* b = frame.data<T>(step.in[2]);
    T* r = frame.data<T>(step.out[0]);
    const I n = step.count * frame.lanes;
    if (step.number != 0)
    {
        std::copy_n(condition[0] != 0 ? a : b, n, r);
        return true;
    }
    for (I i = 0; i < n; ++i)
        r[i] = condition[i] != 0 ? a[i] : b[i];
    return true;
}

Result<void> prepareSelect(Preparation& p)
{
    if (!p.has(3, 1) || !p.in(0).isOneBit() || !(p.in(1) == p.out()) || !(p.in(2) == p.out()))
        return p.misfit();
    const bool isOne = !p.in(0).isTensor && (p.out().isTensor || p.out().isBlock());
    if (!isOne && p.in(0).shape != p.out().shape)
        return p.misfit();
    p.step.number = isOne ? 1 : 0;
    p.step.run = laneOf(p.out()) == Lane::Float ? select<float> : select<I>;
    p.isElementwise = !isOne;
    return {};
}

bool addPointer(Machine&, Frame& frame, const Step& step)
{
    const I* a = frame.ints(step.in[0]);
    const I* b = frame.ints(step.in[1]);
    I* r = frame.ints(step.out[0]);
    const auto bytes = static_cast<U>(step.number);
    const I n = step.count * frame.lanes;
    for (I i = 0; i < n; ++i)
        r[i] = static_cast<I>(static_cast<U>(a[i]) + static_cast<U>(b[i]) * bytes);
    return true;
}

Result<void> prepareAddPointer(Preparation& p)
{
    if (!p.has(2, 1) || !p.hasOneShape() || !p.in(0).isPointer() || !p.in(1).isInteger()
        || !p.out().isPointer())
        return p.misfit();
    p.step.number = memoryBytes(*p.in(0).pointee);
    if (p.step.number == 0)
        return p.fail("elements of type " + toText(*p.in(0).pointee)
                      + " cannot lie in memory here");
    p.step.run = addPointer;
    p.isElementwise = true;
    return {};
}

constexpr auto kRows = std::to_array<PrepareRow>({
    {Opcode::ExtSI, prepareIntegerCast},
    {Opcode::ExtUI, prepareIntegerCast},
    {Opcode::TruncI, prepareIntegerCast},
    {Opcode::IndexCast, prepareIntegerCast},
    {Opcode::IndexCastUI, prepareIntegerCast},
    {Opcode::IntToPtr, prepareIntegerCast},
    {Opcode::PtrToInt, prepareIntegerCast},
    {Opcode::SIToFP, prepareFromInteger},
    {Opcode::UIToFP, prepareFromInteger},
    {Opcode::FPToSI, prepareToInteger},
    {Opcode::FPToUI, prepareToInteger},
    {Opcode::ExtF, prepareFloatCast},
    {Opcode::TruncF, prepareFloatCast},
    {Opcode::FpToFp, prepareFloatCast},
    {Opcode::ArithBitcast, prepareBitcast},
    {Opcode::Bitcast, prepareBitcast},
    {Opcode::Select, prepareSelect},
    {Opcode::AddPtr, prepareAddPointer},
});

} // namespace

std::span<const PrepareRow> convertRows()
{
    return kRows;
}

} // namespace reinspect::triton
