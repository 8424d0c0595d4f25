// SPDX-License-Identifier: MIT
// Philox4x32-10: random numbers counted, not streamed. The same seed, stream and place give the same number
// whatever ran before, so that a graph before and after the pass draws alike.
#pragma once

#include "core/exec/numbers.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace reinspect::exec
{

class Philox
{
public:
    REINSPECT_ANYWHERE Philox(std::uint64_t seed, std::uint64_t stream)
        : m_seed(seed)
        , m_stream(stream)
    {}

    REINSPECT_ANYWHERE std::array<std::uint32_t, 4> block(std::uint64_t counter) const
    {
        std::array<std::uint32_t, 4> c = {low(counter), high(counter), low(m_stream),
                                          high(m_stream)};
        std::uint32_t k0 = low(m_seed);
        std::uint32_t k1 = high(m_seed);
        for (int round = 0; round < 10; ++round)
        {
            const std::uint64_t p0 = std::uint64_t{0xD2511F53} * c[0];
            const std::uint64_t p1 = std::uint64_t{0xCD9E8D57} * c[2];
            c = {high(p1) ^ c[1] ^ k0, low(p1), high(p0) ^ c[3] ^ k1, low(p0)};
            k0 += 0x9E3779B9;
            k1 += 0xBB67AE85;
        }
        return c;
    }

    REINSPECT_ANYWHERE std::uint64_t bits(std::uint64_t place) const
    {
        const auto b = block(place);
        return (std::uint64_t{b[0]} << 32) | b[1];
    }
    // [0, 1), a multiple of 2^-24: the same in every float type
    REINSPECT_ANYWHERE double uniform(std::uint64_t place) const
    {
        return static_cast<double>(bits(place) >> 40) * 0x1p-24;
    }
    REINSPECT_ANYWHERE double normal(std::uint64_t place) const
    {
        const auto b = block(place);
        const double u = (static_cast<double>(b[0]) + 1.0) * 0x1p-32;
        const double v = static_cast<double>(b[1]) * 0x1p-32;
        return std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v);
    }

    // A stream for a name.
    static std::uint64_t streamOf(std::string_view text)
    {
        std::uint64_t hash = 0xcbf29ce484222325u;
        for (const char c : text)
            hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
        return hash;
    }

private:
    REINSPECT_ANYWHERE static std::uint32_t low(std::uint64_t value)
    {
        return static_cast<std::uint32_t>(value);
    }
    REINSPECT_ANYWHERE static std::uint32_t high(std::uint64_t value)
    {
        return static_cast<std::uint32_t>(value >> 32);
    }
    std::uint64_t m_seed;
    std::uint64_t m_stream;
};

} // namespace reinspect::exec
