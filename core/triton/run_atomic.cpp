// SPDX-License-Identifier: MIT
// Atomics. Programs run one after the other, so each lane just reads, computes and writes, in order. A
// masked-off lane gives 0.
#include "core/triton/float_formats.h"
#include "core/triton/prepare.h"

#include <algorithm>
#include <array>
#include <optional>

namespace reinspect::triton
{
namespace
{

using I = std::int64_t;

enum class Kind : std::int64_t // in the order of Triton's numbers, from 1
{
    And = 1,
    Or,
    Xor,
    Add,
    FAdd,
    Max,
    Min,
    UMax,
    UMin,
    Exchange,
};

constexpr std::array<std::string_view, 11> kKinds = {"",    "and", "or",   "xor",  "add", "fadd",
                                                     "max", "min", "umax", "umin", "exch"};

std::uint64_t cut(I value, int shift)
{
    return static_cast<std::uint64_t>(value) << shift >> shift;
}

I combined(Kind kind, I old, I value, int shift)
{
    switch (kind)
    {
    case Kind::And: return old & value;
    case Kind::Or: return old | value;
    case Kind::Xor: return old ^ value;
    case Kind::FAdd:
    case Kind::Add:
        return static_cast<I>(static_cast<std::uint64_t>(old) + static_cast<std::uint64_t>(value));
    case Kind::Max: return std::max(old, value);
    case Kind::Min: return std::min(old, value);
    case Kind::UMax: return cut(old, shift) > cut(value, shift) ? old : value;
    case Kind::UMin: return cut(old, shift) < cut(value, shift) ? old : value;
    case Kind::Exchange: return value;
    }
    return value;
}

template<typename T>
T combined(Kind kind, T old, T value)
{
    switch (kind)
    {
    case Kind::Max: return std::fmax(old, value);
    case Kind::Min: return std::fmin(old, value);
    case Kind::Exchange: return value;
    default: return old + value;
    }
}

void countBoth(Machine& machine, std::uint64_t address)
{
    RunReport::Touched& touched = machine.regionOf(address)->touched;
    ++touched.loads;
    ++touched.stores;
}

// step.number: the Kind; in: pointer, value, mask; numbers[0]: bytes of an element.
template<typename T>
bool readModifyWrite(Machine& machine, Frame& frame, const Step& step)
{
    const I* addresses = frame.ints(step.in[0]);
    const T* values = frame.data<T>(step.in[1]);
    const I* mask = step.in.size() > 2 ? frame.ints(step.in[2]) : nullptr;
    T* old = frame.data<T>(step.out[0]);
    const Codec codec = codecOf(*step.element);
    for (I i = 0; i < step.count; ++i)
    {
        old[i] = T{};
        if (mask && mask[i] == 0)
            continue;
        const auto address = static_cast<std::uint64_t>(addresses[i]);
        std::byte* at = machine.at(address, step.numbers[0], true, step);
        if (!at)
            return false;
        countBoth(machine, address);
        codec.read(at, old, i);
        T fresh{};
        if constexpr (std::is_same_v<T, I>)
            fresh = combined(static_cast<Kind>(step.number), old[i], values[i], step.shift);
        else
            fresh = combined<T>(static_cast<Kind>(step.number), old[i], values[i]);
        if constexpr (std::is_same_v<T, float>)
            fresh = roundedTo(step.scalar, fresh);
        codec.write(at, &fresh, 0);
    }
    return true;
}

Result<void> prepareReadModifyWrite(Preparation& p)
{
    if (p.ins() < 2 || p.ins() > 3 || p.outs() != 1 || !p.in(0).isPointer() || !(p.in(1) == p.out())
        || p.in(0).pointee->scalar != p.out().scalar || p.in(0).pointee->bits != p.out().bits
        || p.in(0).shape != p.out().shape || (p.ins() > 2 && !p.in(2).isOneBit())
        || (p.ins() > 2 && p.in(2).shape != p.out().shape))
        return p.misfit();
    I kind = p.operation.integer("atomic_rmw_op", 0);
    for (std::size_t i = 1; i < kKinds.size(); ++i)
        if (p.operation.hasWord(kKinds[i]))
            kind = static_cast<I>(i);
    if (p.operation.hasWord("xchg"))
        kind = static_cast<I>(Kind::Exchange);
    const bool isFloat = p.out().isFloat();
    const bool fits = !isFloat
        || (kind >= static_cast<I>(Kind::FAdd) && kind <= static_cast<I>(Kind::Min))
        || kind == static_cast<I>(Kind::Exchange);
    if (kind < 1 || kind > 10 || !fits)
        return p.fail("its kind is not known for this type");
    p.step.number = kind;
    p.step.shift = 64 - p.out().bits;
    p.step.scalar = p.out().scalar;
    p.step.element = p.in(0).pointee.get();
    p.step.numbers = {memoryBytes(*p.in(0).pointee)};
    if (p.step.numbers[0] == 0)
        return p.fail("elements of this type cannot lie in memory here");
    p.step.run = laneOf(p.out()) == Lane::Int64 ? readModifyWrite<I>
        : laneOf(p.out()) == Lane::Double       ? readModifyWrite<double>
                                                : readModifyWrite<float>;
    return {};
}

// in: pointer, expected, wanted. Floats are compared as their bits are.
template<typename T>
bool compareAndSwap(Machine& machine, Frame& frame, const Step& step)
{
    const I* addresses = frame.ints(step.in[0]);
    const T* expected = frame.data<T>(step.in[1]);
    const T* wanted = frame.data<T>(step.in[2]);
    T* old = frame.data<T>(step.out[0]);
    const Codec codec = codecOf(*step.element);
    const auto bytes = static_cast<std::size_t>(step.numbers[0]);
    for (I i = 0; i < step.count; ++i)
    {
        const auto address = static_cast<std::uint64_t>(addresses[i]);
        std::byte* at = machine.at(address, step.numbers[0], true, step);
        if (!at)
            return false;
        countBoth(machine, address);
        std::array<std::byte, 8> bits = {};
        codec.write(bits.data(), expected, i);
        codec.read(at, old, i);
        if (std::equal(at, at + bytes, bits.begin()))
            codec.write(at, wanted, i);
    }
    return true;
}

Result<void> prepareCompareAndSwap(Preparation& p)
{
    if (!p.has(3, 1) || !p.in(0).isPointer() || !(p.in(1) == p.out()) || !(p.in(2) == p.out())
        || p.in(0).pointee->scalar != p.out().scalar || p.in(0).pointee->bits != p.out().bits
        || p.in(0).shape != p.out().shape)
        return p.misfit();
    p.step.element = p.in(0).pointee.get();
    p.step.numbers = {memoryBytes(*p.in(0).pointee)};
    if (p.step.numbers[0] == 0)
        return p.fail("elements of this type cannot lie in memory here");
    p.step.run = laneOf(p.out()) == Lane::Int64 ? compareAndSwap<I>
        : laneOf(p.out()) == Lane::Double       ? compareAndSwap<double>
                                                : compareAndSwap<float>;
    return {};
}

constexpr auto kRows = std::to_array<PrepareRow>({
    {Opcode::AtomicRmw, prepareReadModifyWrite},
    {Opcode::AtomicCas, prepareCompareAndSwap},
});

} // namespace

std::span<const PrepareRow> atomicRows()
{
    return kRows;
}

} // namespace reinspect::triton
