// SPDX-License-Identifier: MIT
// For tests of core/triton: kernels from text or from tests/data/triton, and memory with numbers in it.
#pragma once

#include "core/triton/float_formats.h"
#include "core/triton/ttir.h"
#include "core/triton/ttir_run.h"

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace reinspect::triton
{

inline std::string kernelFile(const std::string& name)
{
    std::ifstream file(std::string(REINSPECT_SOURCE_DIR "/tests/data/triton/") + name + ".ttir");
    std::ostringstream text;
    text << file.rdbuf();
    return std::move(text).str();
}

// "f32" -> the type; only for types that the tests use.
inline Type typeNamed(const std::string& name)
{
    const Result<Kernel> kernel = readTtir("tt.func public @k(%x: " + name + ") { tt.return }");
    return kernel.ok() ? kernel->function().values[0].type : Type();
}

// Numbers as they lie in memory.
class Memory
{
public:
    Memory(const std::string& type, const std::vector<double>& numbers)
        : m_type(typeNamed(type))
        , m_width(m_type.bits < 8 ? 1 : m_type.bits / 8u)
        , bytes(numbers.size() * m_width)
    {
        for (std::size_t i = 0; i < numbers.size(); ++i)
        {
            const std::uint64_t bits = m_type.isFloat()
                ? encodeFloat(m_type.scalar, numbers[i])
                : static_cast<std::uint64_t>(static_cast<std::int64_t>(numbers[i]));
            std::memcpy(bytes.data() + i * m_width, &bits, m_width);
        }
    }

    double at(std::size_t i) const
    {
        std::uint64_t bits = 0;
        std::memcpy(&bits, bytes.data() + i * m_width, m_width);
        if (m_type.isFloat())
            return decodeFloat(m_type.scalar, bits);
        const auto unused = static_cast<int>(64 - 8 * m_width);
        return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
    }

    std::vector<double> numbers() const
    {
        std::vector<double> all;
        for (std::size_t i = 0; i < bytes.size() / m_width; ++i)
            all.push_back(at(i));
        return all;
    }

    TensorArgument argument()
    {
        return {.storage = bytes.data(), .storageBytes = static_cast<std::int64_t>(bytes.size())};
    }

private:
    Type m_type;
    std::size_t m_width;

public:
    std::vector<std::byte> bytes;
};

} // namespace reinspect::triton
