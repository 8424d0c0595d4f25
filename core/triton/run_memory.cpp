// SPDX-License-Identifier: MIT
#include "core/triton/float_formats.h"
#include "core/triton/memory_access.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace reinspect::triton
{
namespace
{

// How elements of a format in memory become lanes. Raw: as they lie there.
template<typename RawType, typename LaneType>
struct PlainFormat
{
    using Raw = RawType;
    using Lane = LaneType;
    static Lane read(Raw raw) { return static_cast<Lane>(raw); }
    static Raw write(Lane lane) { return static_cast<Raw>(lane); }
};

struct BoolFormat
{
    using Raw = std::uint8_t;
    using Lane = std::int64_t;
    static Lane read(Raw raw) { return raw != 0 ? -1 : 0; }
    static Raw write(Lane lane) { return lane != 0 ? 1 : 0; }
};

struct HalfFormat
{
    using Raw = std::uint16_t;
    using Lane = float;
    static Lane read(Raw raw) { return float16FromBits(raw); }
    static Raw write(Lane lane) { return bitsOfFloat16(lane); }
};

struct BFloatFormat
{
    using Raw = std::uint16_t;
    using Lane = float;
    static Lane read(Raw raw)
    {
        return std::bit_cast<float>(static_cast<std::uint32_t>(raw) << 16);
    }
    static Raw write(Lane lane)
    {
        return static_cast<Raw>(std::bit_cast<std::uint32_t>(lane) >> 16);
    }
};

template<Scalar Format>
struct ByteFormat
{
    using Raw = std::uint8_t;
    using Lane = float;
    static Lane read(Raw raw) { return static_cast<float>(decodeFloat(Format, raw)); }
    static Raw write(Lane lane)
    {
        return static_cast<Raw>(encodeFloat(Format, static_cast<double>(lane)));
    }
};

// Whether the lanes from i on that are not masked off lie one behind the other: how many of them.
std::int64_t runLength(const Access& access, std::int64_t i, std::int64_t bytes)
{
    std::int64_t end = i + 1;
    while (end < access.count && (!access.mask || access.mask[end] != 0)
           && access.addresses[end] == access.addresses[end - 1] + bytes)
        ++end;
    return end - i;
}

// The same, or 1 where a longer run would leave the tensor: the message shall name the element.
std::int64_t lengthInside(Machine& machine, const Access& access, std::int64_t i,
                          std::int64_t bytes)
{
    const std::int64_t length = runLength(access, i, bytes);
    const auto first = static_cast<std::uint64_t>(access.addresses[i]);
    return length == 1 || machine.holds(first, length * bytes) ? length : 1;
}

void count(Machine& machine, std::uint64_t address, std::int64_t elements, bool isWrite)
{
    MemoryRegion* region = machine.regionOf(address);
    (isWrite ? region->touched.stores : region->touched.loads) += elements;
}

template<typename Format>
bool loadLanes(Machine& machine, const Step& step, const Access& access, void* into)
{
    using Raw = typename Format::Raw;
    using Lane = typename Format::Lane;
    constexpr std::int64_t bytes = sizeof(Raw);
    auto* lanes = static_cast<Lane*>(into);
    const auto* other = static_cast<const Lane*>(access.other);
    for (std::int64_t i = 0; i < access.count;)
    {
        if (access.mask && access.mask[i] == 0)
        {
            lanes[i] = other ? other[access.isOneOther ? 0 : i] : Lane{};
            ++i;
            continue;
        }
        const auto first = static_cast<std::uint64_t>(access.addresses[i]);
        const std::int64_t length = lengthInside(machine, access, i, bytes);
        const std::byte* from = machine.at(first, length * bytes, false, step);
        if (!from)
            return false;
        count(machine, first, length, false);
        for (const std::int64_t end = i + length; i < end; ++i, from += bytes)
        {
            Raw raw;
            std::memcpy(&raw, from, sizeof raw);
            lanes[i] = Format::read(raw);
        }
    }
    return true;
}

template<typename Format>
bool storeLanes(Machine& machine, const Step& step, const Access& access, const void* from)
{
    using Raw = typename Format::Raw;
    using Lane = typename Format::Lane;
    constexpr std::int64_t bytes = sizeof(Raw);
    const auto* lanes = static_cast<const Lane*>(from);
    for (std::int64_t i = 0; i < access.count;)
    {
        if (access.mask && access.mask[i] == 0)
        {
            ++i;
            continue;
        }
        const auto first = static_cast<std::uint64_t>(access.addresses[i]);
        const std::int64_t length = lengthInside(machine, access, i, bytes);
        std::byte* to = machine.at(first, length * bytes, true, step);
        if (!to)
            return false;
        count(machine, first, length, true);
        for (const std::int64_t end = i + length; i < end; ++i, to += bytes)
        {
            const Raw raw = Format::write(lanes[i]);
            std::memcpy(to, &raw, sizeof raw);
        }
    }
    return true;
}

struct Transfers
{
    LoadLanes load = nullptr;
    StoreLanes store = nullptr;
};

template<typename Format>
constexpr Transfers transfers()
{
    return {loadLanes<Format>, storeLanes<Format>};
}

Transfers integerTransfers(int bits)
{
    switch (bits)
    {
    case 1: return transfers<BoolFormat>();
    case 8: return transfers<PlainFormat<std::int8_t, std::int64_t>>();
    case 16: return transfers<PlainFormat<std::int16_t, std::int64_t>>();
    case 32: return transfers<PlainFormat<std::int32_t, std::int64_t>>();
    case 64: return transfers<PlainFormat<std::int64_t, std::int64_t>>();
    default: return {};
    }
}

Transfers transfersOf(const Type& element)
{
    switch (element.scalar)
    {
    case Scalar::Int:
    case Scalar::Index:
    case Scalar::Pointer: return integerTransfers(element.bits);
    case Scalar::Float16: return transfers<HalfFormat>();
    case Scalar::BFloat16: return transfers<BFloatFormat>();
    case Scalar::Float32: return transfers<PlainFormat<float, float>>();
    case Scalar::Float64: return transfers<PlainFormat<double, double>>();
    case Scalar::Float8E4M3FN: return transfers<ByteFormat<Scalar::Float8E4M3FN>>();
    case Scalar::Float8E5M2: return transfers<ByteFormat<Scalar::Float8E5M2>>();
    case Scalar::Float8E4M3FNUZ: return transfers<ByteFormat<Scalar::Float8E4M3FNUZ>>();
    case Scalar::Float8E5M2FNUZ: return transfers<ByteFormat<Scalar::Float8E5M2FNUZ>>();
    case Scalar::Float8E4M3B11FNUZ: return transfers<ByteFormat<Scalar::Float8E4M3B11FNUZ>>();
    default: return {};
    }
}

// step.function: a LoadLanes; in: pointer, mask, other.
bool load(Machine& machine, Frame& frame, const Step& step)
{
    const Access access{.addresses = frame.ints(step.in[0]),
                        .mask = step.in.size() > 1 ? frame.ints(step.in[1]) : nullptr,
                        .other = step.in.size() > 2 ? frame.bytes(step.in[2]) : nullptr,
                        .count = step.count};
    return reinterpret_cast<LoadLanes>(step.function)(machine, step, access,
                                                      frame.bytes(step.out[0]));
}

// step.function: a StoreLanes; in: pointer, value, mask.
bool store(Machine& machine, Frame& frame, const Step& step)
{
    const Access access{.addresses = frame.ints(step.in[0]),
                        .mask = step.in.size() > 2 ? frame.ints(step.in[2]) : nullptr,
                        .count = step.count};
    return reinterpret_cast<StoreLanes>(step.function)(machine, step, access,
                                                       frame.bytes(step.in[1]));
}

bool isMaskFor(const Type& mask, const Type& pointer)
{
    return mask.isOneBit() && mask.shape == pointer.shape;
}

bool isValueFor(const Type& value, const Type& pointer)
{
    return pointer.isPointer() && value.scalar == pointer.pointee->scalar
        && value.bits == pointer.pointee->bits && value.shape == pointer.shape
        && value.isTensor == pointer.isTensor;
}

Result<void> prepareLoad(Preparation& p)
{
    if (p.ins() > 0 && p.in(0).isBlock())
        return prepareBlockLoad(p);
    if (p.ins() < 1 || p.ins() > 3 || p.outs() != 1 || !isValueFor(p.out(), p.in(0))
        || (p.ins() > 1 && !isMaskFor(p.in(1), p.in(0))) || (p.ins() > 2 && !(p.in(2) == p.out())))
        return p.misfit();
    p.step.function = reinterpret_cast<void (*)()>(loaderOf(*p.in(0).pointee));
    if (!p.step.function)
        return p.fail("elements of type " + toText(*p.in(0).pointee)
                      + " cannot lie in memory here");
    p.step.run = load;
    return {};
}

Result<void> prepareStore(Preparation& p)
{
    if (p.ins() > 0 && p.in(0).isBlock())
        return prepareBlockStore(p);
    if (p.ins() < 2 || p.ins() > 3 || p.outs() != 0 || !isValueFor(p.in(1), p.in(0))
        || (p.ins() > 2 && !isMaskFor(p.in(2), p.in(0))))
        return p.misfit();
    p.step.count = p.in(1).count();
    p.step.function = reinterpret_cast<void (*)()>(storerOf(*p.in(0).pointee));
    if (!p.step.function)
        return p.fail("elements of type " + toText(*p.in(0).pointee)
                      + " cannot lie in memory here");
    p.step.run = store;
    return {};
}

constexpr auto kRows = std::to_array<PrepareRow>({
    {Opcode::Load, prepareLoad},
    {Opcode::Store, prepareStore},
});

} // namespace

LoadLanes loaderOf(const Type& element)
{
    return element.isTensor ? nullptr : transfersOf(element).load;
}

StoreLanes storerOf(const Type& element)
{
    return element.isTensor ? nullptr : transfersOf(element).store;
}

std::span<const PrepareRow> memoryRows()
{
    return kRows;
}

} // namespace reinspect::triton
