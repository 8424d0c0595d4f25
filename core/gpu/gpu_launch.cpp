// SPDX-License-Identifier: MIT
// Kernels of the capture on the device: PTX, entry, parameters and grid.
#include "core/gpu/gpu_device.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace reinspect::gpu
{
namespace
{

// What follows `word` up to the next of `ends`; empty: the word is not there.
std::string wordAfter(const std::string& text, std::string_view word, std::string_view ends)
{
    const std::size_t at = text.find(word);
    if (at == std::string::npos)
        return {};
    const std::size_t begin = text.find_first_not_of(" \t", at + word.size());
    if (begin == std::string::npos)
        return {};
    return text.substr(begin, text.find_first_of(ends, begin) - begin);
}

// A kernel's parameters as memory: eight bytes each, of which the kernel reads what its type says.
class Parameters
{
public:
    Result<void> add(const triton::LaunchArgument& argument, const triton::Type& type)
    {
        std::uint64_t bits = 0;
        if (const auto* tensor = std::get_if<triton::TensorArgument>(&argument))
            bits = reinterpret_cast<std::uint64_t>(tensor->storage + tensor->offsetBytes);
        else if (const auto* whole = std::get_if<std::int64_t>(&argument))
            bits = static_cast<std::uint64_t>(*whole);
        else
        {
            REINSPECT_TRY(bits, bitsOfReal(std::get<double>(argument), type));
        }
        m_bits.push_back(bits);
        return {};
    }
    void addAddress(void* address) { m_bits.push_back(reinterpret_cast<std::uint64_t>(address)); }

    std::vector<void*> addresses()
    {
        std::vector<void*> list;
        for (std::uint64_t& bits : m_bits)
            list.push_back(&bits);
        return list;
    }

private:
    // Triton passes every float as the type that the kernel declares.
    static Result<std::uint64_t> bitsOfReal(double value, const triton::Type& type)
    {
        const std::string name = triton::toText(type);
        std::uint64_t bits = 0;
        if (name == "f64")
            std::memcpy(&bits, &value, sizeof value);
        else if (name == "f32")
        {
            const auto single = static_cast<float>(value);
            std::memcpy(&bits, &single, sizeof single);
        }
        else if (name == "f16")
            bits = exec::halfFrom(static_cast<float>(value)).bits;
        else if (name == "bf16")
            bits = exec::bfloat16From(static_cast<float>(value)).bits;
        else
            return Error{"a float is given for a parameter of type " + name};
        return bits;
    }

    std::vector<std::uint64_t> m_bits;
};

} // namespace

Result<const PtxText*> GpuDevice::ptxOf(const exec::KernelCall& call,
                                        const exec::TritonLaunch& launch)
{
    const TritonVariant& variant = launch.kernel->variants[launch.variant];
    const std::filesystem::path path =
        std::filesystem::path(call.context->facts->folder) / variant.ptxFile;
    if (variant.ptxFile.empty() || call.context->facts->folder.empty())
        return call.unsupported("the PTX of kernel " + launch.kernel->name + " is not in the file");
    if (const auto known = m_ptx.find(path.string()); known != m_ptx.end())
        return &known->second;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    PtxText made{std::move(content).str(), {}, {}};
    made.entry = wordAfter(made.text, ".entry", "( \t\r\n");
    made.target = wordAfter(made.text, ".target", ", \t\r\n");
    if (made.entry.empty())
        return call.unsupported("the PTX of kernel " + launch.kernel->name
                                + " cannot be read: " + path.string());
    return &m_ptx.emplace(path.string(), std::move(made)).first->second;
}

Result<void> GpuDevice::launch(const exec::KernelCall& call, const exec::TritonLaunch& launch)
{
    const std::int64_t programs = launch.grid.x * launch.grid.y * launch.grid.z;
    if (programs == 0)
        return {};
    REINSPECT_TRY(const PtxText* ptx, ptxOf(call, launch));
    const TritonVariant& variant = launch.kernel->variants[launch.variant];
    const triton::Function& function = launch.program->function();
    Parameters parameters;
    for (std::size_t i = 0; i < launch.arguments.size(); ++i)
        if (const auto added =
                parameters.add(launch.arguments[i], function.type(function.parameters[i]));
            !added.ok())
            return call.error(added.error().message);
    // Behind them the kernel's own scratch memory.
    std::vector<void*> scratch;
    for (const std::int64_t bytes : {variant.globalScratchBytes, variant.profileScratchBytes})
    {
        void* data = bytes > 0 ? m_api->allocate(bytes * programs, Pool::Scratch) : nullptr;
        scratch.push_back(data);
        parameters.addAddress(data);
    }
    std::vector<void*> addresses = parameters.addresses();
    KernelLaunch made;
    made.ptx = ptx->text.c_str();
    made.entry = ptx->entry.c_str();
    made.grid[0] = static_cast<unsigned>(launch.grid.x);
    made.grid[1] = static_cast<unsigned>(launch.grid.y);
    made.grid[2] = static_cast<unsigned>(launch.grid.z);
    made.threads = static_cast<unsigned>(variant.numWarps > 0 ? variant.numWarps * 32 : 128);
    made.sharedBytes = static_cast<unsigned>(variant.sharedBytes);
    made.parameters = addresses.data();
    const auto launched = check(m_api->launch(made));
    for (void* data : scratch)
        m_api->release(data, Pool::Scratch);
    if (launched.ok())
        return {};
    return call.error("kernel " + launch.kernel->name + ", compiled for " + ptx->target + ": "
                          + launched.error().message,
                      ErrorKind::CannotRunHere);
}

} // namespace reinspect::gpu
