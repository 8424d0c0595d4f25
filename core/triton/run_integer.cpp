// SPDX-License-Identifier: MIT
// Integers. Lanes hold them sign-extended; operators without a sign cut their operands to the width.
#include "core/triton/prepare.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace reinspect::triton
{
namespace
{

using I = std::int64_t;
using U = std::uint64_t;

// Width 32 and 64 are known to the compiler; 0 asks the step.
template<int Width>
I wrapped(I value, int shift)
{
    if constexpr (Width == 64)
        return value;
    else if constexpr (Width == 32)
        return static_cast<std::int32_t>(value);
    else
        return static_cast<I>(static_cast<U>(value) << shift) >> shift;
}

template<int Width>
U unsignedOf(I value, int shift)
{
    if constexpr (Width == 64)
        return static_cast<U>(value);
    else if constexpr (Width == 32)
        return static_cast<std::uint32_t>(value);
    else
        return static_cast<U>(value) << shift >> shift;
}

struct Operands
{
    I a = 0; // with the sign
    I b = 0;
    U ua = 0; // without
    U ub = 0;
    int width = 64;
};

template<typename Op, int Width>
bool binary(Machine&, Frame& frame, const Step& step)
{
    const I* a = frame.ints(step.in[0]);
    const I* b = frame.ints(step.in[1]);
    I* r = frame.ints(step.out[0]);
    const I n = step.count * frame.lanes;
    const int shift = step.shift;
    for (I i = 0; i < n; ++i)
        r[i] = wrapped<Width>(Op::of({a[i], b[i], unsignedOf<Width>(a[i], shift),
                                      unsignedOf<Width>(b[i], shift), 64 - shift}),
                              shift);
    return true;
}

template<typename Op>
Handler handlerFor(int bits)
{
    return bits == 32 ? binary<Op, 32> : bits == 64 ? binary<Op, 64> : binary<Op, 0>;
}

I add(U a, U b)
{
    return static_cast<I>(a + b);
}

// clang-format off
struct Add { static I of(const Operands& o) { return static_cast<I>(static_cast<U>(o.a) + static_cast<U>(o.b)); } };
struct Sub { static I of(const Operands& o) { return static_cast<I>(static_cast<U>(o.a) - static_cast<U>(o.b)); } };
struct Mul { static I of(const Operands& o) { return static_cast<I>(static_cast<U>(o.a) * static_cast<U>(o.b)); } };
struct And { static I of(const Operands& o) { return o.a & o.b; } };
struct Or { static I of(const Operands& o) { return o.a | o.b; } };
struct Xor { static I of(const Operands& o) { return o.a ^ o.b; } };
struct MaxS { static I of(const Operands& o) { return std::max(o.a, o.b); } };
struct MinS { static I of(const Operands& o) { return std::min(o.a, o.b); } };
struct MaxU { static I of(const Operands& o) { return static_cast<I>(std::max(o.ua, o.ub)); } };
struct MinU { static I of(const Operands& o) { return static_cast<I>(std::min(o.ua, o.ub)); } };
struct DivU { static I of(const Operands& o) { return o.ub == 0 ? -1 : static_cast<I>(o.ua / o.ub); } };
struct RemU { static I of(const Operands& o) { return o.ub == 0 ? o.a : static_cast<I>(o.ua % o.ub); } };
struct CeilDivU { static I of(const Operands& o) { return o.ub == 0 ? -1 : static_cast<I>(o.ua / o.ub + (o.ua % o.ub != 0)); } };
// A shift by the width or more leaves nothing, or the sign.
struct Shl { static I of(const Operands& o) { return o.ub >= static_cast<U>(o.width) ? 0 : static_cast<I>(o.ua << o.ub); } };
struct ShrS { static I of(const Operands& o) { return o.a >> std::min(o.ub, static_cast<U>(63)); } };
struct ShrU { static I of(const Operands& o) { return o.ub >= static_cast<U>(o.width) ? 0 : static_cast<I>(o.ua >> o.ub); } };
// clang-format on

I quotient(I a, I b)
{
    if (b == 0)
        return -1;
    return b == -1 ? add(0, 0 - static_cast<U>(a)) : a / b; // the smallest number stays as it is
}

I remainder(I a, I b)
{
    return b == 0 ? a : b == -1 ? 0 : a % b;
}

struct DivS
{
    static I of(const Operands& o) { return quotient(o.a, o.b); }
};
struct RemS
{
    static I of(const Operands& o) { return remainder(o.a, o.b); }
};
struct FloorDivS
{
    static I of(const Operands& o)
    {
        const I rest = remainder(o.a, o.b);
        return quotient(o.a, o.b) - (o.b != 0 && rest != 0 && (rest < 0) != (o.b < 0) ? 1 : 0);
    }
};
struct CeilDivS
{
    static I of(const Operands& o)
    {
        const I rest = remainder(o.a, o.b);
        return quotient(o.a, o.b) + (o.b != 0 && rest != 0 && (rest < 0) == (o.b < 0) ? 1 : 0);
    }
};

// The upper half of the product without sign.
U highU(U a, U b, int width)
{
    if (width < 64)
        return (a * b) >> width; // exact up to 32 bits, which is all that narrower types have
    const U low = (a & 0xFFFFFFFFu) * (b & 0xFFFFFFFFu);
    const U middle = (a >> 32) * (b & 0xFFFFFFFFu) + (low >> 32);
    const U other = (a & 0xFFFFFFFFu) * (b >> 32) + (middle & 0xFFFFFFFFu);
    return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}

struct MulHighU
{
    static I of(const Operands& o) { return static_cast<I>(highU(o.ua, o.ub, o.width)); }
};
struct MulHighS
{
    static I of(const Operands& o)
    {
        if (o.width < 64)
            return (o.a * o.b) >> o.width;
        U high = highU(o.ua, o.ub, 64);
        high -= o.a < 0 ? o.ub : 0;
        high -= o.b < 0 ? o.ua : 0;
        return static_cast<I>(high);
    }
};
struct Carry
{
    static I of(const Operands& o)
    {
        const U sum = o.ua + o.ub;
        return (o.width < 64 ? (sum >> o.width) != 0 : sum < o.ua) ? -1 : 0;
    }
};
struct Power
{
    static I of(const Operands& o)
    {
        if (o.b < 0)
            return o.a == 1 ? 1 : o.a == -1 ? (o.b % 2 == 0 ? 1 : -1) : 0;
        U result = 1;
        U base = static_cast<U>(o.a);
        for (U exponent = static_cast<U>(o.b); exponent != 0; exponent >>= 1, base *= base)
            result *= (exponent & 1) != 0 ? base : 1;
        return static_cast<I>(result);
    }
};

bool isIntegral(const Type& type)
{
    return type.isInteger();
}

template<typename Op>
Result<void> prepareBinary(Preparation& p)
{
    if (!p.has(2, 1) || !p.hasOneShape() || !isIntegral(p.in(0)) || p.in(0).bits != p.in(1).bits
        || !isIntegral(p.in(1)) || !isIntegral(p.out()) || p.out().bits != p.in(0).bits)
        return p.misfit();
    p.step.shift = 64 - p.in(0).bits;
    p.step.run = handlerFor<Op>(p.in(0).bits);
    if (p.operation.code == Opcode::MulHiUI && p.in(0).bits != 64 && p.in(0).bits > 32)
        return p.fail("its width is not known");
    p.isElementwise = true;
    return {};
}

// Two results: the sum or the low half, and the carry or the high half.
template<typename Low, typename High>
bool extended(Machine&, Frame& frame, const Step& step)
{
    const I* a = frame.ints(step.in[0]);
    const I* b = frame.ints(step.in[1]);
    I* low = frame.ints(step.out[0]);
    I* high = frame.ints(step.out[1]);
    const int shift = step.shift;
    for (I i = 0; i < step.count * frame.lanes; ++i)
    {
        const Operands o{a[i], b[i], unsignedOf<0>(a[i], shift), unsignedOf<0>(b[i], shift),
                         64 - shift};
        low[i] = wrapped<0>(Low::of(o), shift);
        high[i] = wrapped<0>(High::of(o), shift);
    }
    return true;
}

template<typename Low, typename High>
Result<void> prepareExtended(Preparation& p)
{
    if (!p.has(2, 2) || !p.hasOneShape() || !isIntegral(p.in(0)) || !isIntegral(p.in(1))
        || !isIntegral(p.out(0)) || !isIntegral(p.out(1)) || p.in(0).bits != p.in(1).bits)
        return p.misfit();
    if (p.in(0).bits > 32 && p.in(0).bits != 64)
        return p.fail("its width is not known");
    p.step.shift = 64 - p.in(0).bits;
    p.step.run = extended<Low, High>;
    p.isElementwise = true;
    return {};
}

constexpr std::array<std::string_view, 10> kPredicates = {"eq",  "ne",  "slt", "sle", "sgt",
                                                          "sge", "ult", "ule", "ugt", "uge"};

template<int Predicate>
bool compare(Machine&, Frame& frame, const Step& step)
{
    const I* a = frame.ints(step.in[0]);
    const I* b = frame.ints(step.in[1]);
    I* r = frame.ints(step.out[0]);
    const I n = step.count * frame.lanes;
    for (I i = 0; i < n; ++i)
    {
        // Sign extension keeps the order of numbers without sign, too.
        const auto ua = static_cast<U>(a[i]);
        const auto ub = static_cast<U>(b[i]);
        bool is = false;
        if constexpr (Predicate == 0)
            is = a[i] == b[i];
        else if constexpr (Predicate == 1)
            is = a[i] != b[i];
        else if constexpr (Predicate == 2)
            is = a[i] < b[i];
        else if constexpr (Predicate == 3)
            is = a[i] <= b[i];
        else if constexpr (Predicate == 4)
            is = a[i] > b[i];
        else if constexpr (Predicate == 5)
            is = a[i] >= b[i];
        else if constexpr (Predicate == 6)
            is = ua < ub;
        else if constexpr (Predicate == 7)
            is = ua <= ub;
        else if constexpr (Predicate == 8)
            is = ua > ub;
        else
            is = ua >= ub;
        r[i] = is ? -1 : 0;
    }
    return true;
}

Result<void> prepareCompare(Preparation& p)
{
    constexpr std::array<Handler, 10> handlers = {compare<0>, compare<1>, compare<2>, compare<3>,
                                                  compare<4>, compare<5>, compare<6>, compare<7>,
                                                  compare<8>, compare<9>};
    if (!p.has(2, 1) || !p.hasOneShape() || laneOf(p.in(0)) != Lane::Int64
        || laneOf(p.in(1)) != Lane::Int64 || p.in(0).isBlock() || p.in(1).isBlock()
        || !p.out().isOneBit() || p.in(0).bits != p.in(1).bits)
        return p.misfit();
    I predicate = p.operation.integer("predicate", -1);
    for (std::size_t i = 0; i < kPredicates.size(); ++i)
        if (p.operation.hasWord(kPredicates[i]))
            predicate = static_cast<I>(i);
    if (predicate < 0 || predicate >= static_cast<I>(handlers.size()))
        return p.fail("its comparison is not known");
    p.step.run = handlers[static_cast<std::size_t>(predicate)];
    p.isElementwise = true;
    return {};
}

// clang-format off
struct Abs { static I of(I a, U, int) { return a < 0 ? static_cast<I>(0 - static_cast<U>(a)) : a; } };
struct PopCount { static I of(I, U a, int) { return std::popcount(a); } };
struct LeadingZeros { static I of(I, U a, int width) { return std::countl_zero(a) - (64 - width); } };
struct TrailingZeros { static I of(I, U a, int width) { return std::min(std::countr_zero(a), width); } };
// clang-format on

template<typename Op>
bool unary(Machine&, Frame& frame, const Step& step)
{
    const I* a = frame.ints(step.in[0]);
    I* r = frame.ints(step.out[0]);
    for (I i = 0; i < step.count * frame.lanes; ++i)
        r[i] =
            wrapped<0>(Op::of(a[i], unsignedOf<0>(a[i], step.shift), 64 - step.shift), step.shift);
    return true;
}

template<typename Op>
Result<void> prepareUnary(Preparation& p)
{
    if (!p.has(1, 1) || !p.hasOneShape() || !isIntegral(p.in(0)) || !isIntegral(p.out()))
        return p.misfit();
    p.step.shift = 64 - p.in(0).bits;
    p.step.run = unary<Op>;
    p.isElementwise = true;
    return {};
}

constexpr auto kRows = std::to_array<PrepareRow>({
    {Opcode::AddI, prepareBinary<Add>},
    {Opcode::SubI, prepareBinary<Sub>},
    {Opcode::MulI, prepareBinary<Mul>},
    {Opcode::DivSI, prepareBinary<DivS>},
    {Opcode::DivUI, prepareBinary<DivU>},
    {Opcode::RemSI, prepareBinary<RemS>},
    {Opcode::RemUI, prepareBinary<RemU>},
    {Opcode::FloorDivSI, prepareBinary<FloorDivS>},
    {Opcode::CeilDivSI, prepareBinary<CeilDivS>},
    {Opcode::CeilDivUI, prepareBinary<CeilDivU>},
    {Opcode::ShlI, prepareBinary<Shl>},
    {Opcode::ShrSI, prepareBinary<ShrS>},
    {Opcode::ShrUI, prepareBinary<ShrU>},
    {Opcode::AndI, prepareBinary<And>},
    {Opcode::OrI, prepareBinary<Or>},
    {Opcode::XorI, prepareBinary<Xor>},
    {Opcode::MaxSI, prepareBinary<MaxS>},
    {Opcode::MaxUI, prepareBinary<MaxU>},
    {Opcode::MinSI, prepareBinary<MinS>},
    {Opcode::MinUI, prepareBinary<MinU>},
    {Opcode::IPowI, prepareBinary<Power>},
    {Opcode::MulHiUI, prepareBinary<MulHighU>},
    {Opcode::MulSIExtended, prepareExtended<Mul, MulHighS>},
    {Opcode::MulUIExtended, prepareExtended<Mul, MulHighU>},
    {Opcode::AddUIExtended, prepareExtended<Add, Carry>},
    {Opcode::CmpI, prepareCompare},
    {Opcode::AbsI, prepareUnary<Abs>},
    {Opcode::CtPop, prepareUnary<PopCount>},
    {Opcode::Ctlz, prepareUnary<LeadingZeros>},
    {Opcode::Cttz, prepareUnary<TrailingZeros>},
});

} // namespace

std::span<const PrepareRow> integerRows()
{
    return kRows;
}

} // namespace reinspect::triton
