// SPDX-License-Identifier: MIT
// Elements as they lie in memory, little-endian, to the lanes of a slot and back. A boolean is a byte.
#include "core/triton/float_formats.h"
#include "core/triton/prepare.h"

#include <cstring>

namespace reinspect::triton
{
namespace
{

template<typename Raw>
Raw loaded(const std::byte* from)
{
    Raw raw;
    std::memcpy(&raw, from, sizeof raw);
    return raw;
}

template<typename Raw>
void readInteger(const std::byte* from, void* lanes, std::int64_t i)
{
    static_cast<std::int64_t*>(lanes)[i] = loaded<Raw>(from);
}

template<typename Raw>
void writeInteger(std::byte* to, const void* lanes, std::int64_t i)
{
    const auto raw = static_cast<Raw>(static_cast<const std::int64_t*>(lanes)[i]);
    std::memcpy(to, &raw, sizeof raw);
}

void readBool(const std::byte* from, void* lanes, std::int64_t i)
{
    static_cast<std::int64_t*>(lanes)[i] = *from != std::byte{0} ? -1 : 0;
}

void writeBool(std::byte* to, const void* lanes, std::int64_t i)
{
    *to = static_cast<const std::int64_t*>(lanes)[i] != 0 ? std::byte{1} : std::byte{0};
}

template<typename T>
void readFloat(const std::byte* from, void* lanes, std::int64_t i)
{
    static_cast<T*>(lanes)[i] = loaded<T>(from);
}

template<typename T>
void writeFloat(std::byte* to, const void* lanes, std::int64_t i)
{
    std::memcpy(to, static_cast<const T*>(lanes) + i, sizeof(T));
}

void readHalf(const std::byte* from, void* lanes, std::int64_t i)
{
    static_cast<float*>(lanes)[i] = float16FromBits(loaded<std::uint16_t>(from));
}

void writeHalf(std::byte* to, const void* lanes, std::int64_t i)
{
    const std::uint16_t bits = bitsOfFloat16(static_cast<const float*>(lanes)[i]);
    std::memcpy(to, &bits, sizeof bits);
}

void readBFloat(const std::byte* from, void* lanes, std::int64_t i)
{
    static_cast<float*>(lanes)[i] =
        std::bit_cast<float>(static_cast<std::uint32_t>(loaded<std::uint16_t>(from)) << 16);
}

void writeBFloat(std::byte* to, const void* lanes, std::int64_t i)
{
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<const float*>(lanes)[i]);
    const auto high = static_cast<std::uint16_t>(bits >> 16);
    std::memcpy(to, &high, sizeof high);
}

template<Scalar Format>
void readByteFloat(const std::byte* from, void* lanes, std::int64_t i)
{
    static_cast<float*>(lanes)[i] =
        static_cast<float>(decodeFloat(Format, std::to_integer<std::uint64_t>(*from)));
}

template<Scalar Format>
void writeByteFloat(std::byte* to, const void* lanes, std::int64_t i)
{
    *to = static_cast<std::byte>(
        encodeFloat(Format, static_cast<double>(static_cast<const float*>(lanes)[i])));
}

Codec integerCodec(int bits)
{
    switch (bits)
    {
    case 1: return {readBool, writeBool};
    case 8: return {readInteger<std::int8_t>, writeInteger<std::int8_t>};
    case 16: return {readInteger<std::int16_t>, writeInteger<std::int16_t>};
    case 32: return {readInteger<std::int32_t>, writeInteger<std::int32_t>};
    case 64: return {readInteger<std::int64_t>, writeInteger<std::int64_t>};
    default: return {};
    }
}

} // namespace

Codec codecOf(const Type& element)
{
    switch (element.scalar)
    {
    case Scalar::Int:
    case Scalar::Index:
    case Scalar::Pointer: return integerCodec(element.bits);
    case Scalar::Float16: return {readHalf, writeHalf};
    case Scalar::BFloat16: return {readBFloat, writeBFloat};
    case Scalar::Float32: return {readFloat<float>, writeFloat<float>};
    case Scalar::Float64: return {readFloat<double>, writeFloat<double>};
    case Scalar::Float8E4M3FN:
        return {readByteFloat<Scalar::Float8E4M3FN>, writeByteFloat<Scalar::Float8E4M3FN>};
    case Scalar::Float8E5M2:
        return {readByteFloat<Scalar::Float8E5M2>, writeByteFloat<Scalar::Float8E5M2>};
    case Scalar::Float8E4M3FNUZ:
        return {readByteFloat<Scalar::Float8E4M3FNUZ>, writeByteFloat<Scalar::Float8E4M3FNUZ>};
    case Scalar::Float8E5M2FNUZ:
        return {readByteFloat<Scalar::Float8E5M2FNUZ>, writeByteFloat<Scalar::Float8E5M2FNUZ>};
    case Scalar::Float8E4M3B11FNUZ:
        return {readByteFloat<Scalar::Float8E4M3B11FNUZ>,
                writeByteFloat<Scalar::Float8E4M3B11FNUZ>};
    default: return {};
    }
}

std::int64_t memoryBytes(const Type& element)
{
    if (!codecOf(element).read || element.isTensor)
        return 0;
    return element.isOneBit() ? 1 : element.bits / 8;
}

} // namespace reinspect::triton
