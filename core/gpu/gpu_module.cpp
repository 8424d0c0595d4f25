// SPDX-License-Identifier: MIT
#include "core/gpu/gpu_module.h"

#include "core/gpu/gpu_device.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>

#include <dlfcn.h>

namespace reinspect::gpu
{
namespace
{

constexpr const char* kModule = "reinspect-cuda.so";

std::vector<std::string> placesOfModule()
{
    if (const char* given = std::getenv("REINSPECT_CUDA_MODULE"))
        return {given};
    std::error_code failed;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
    const std::filesystem::path folder = program.parent_path();
    return {(folder / kModule).string(),
            (folder.parent_path() / "lib" / "reinspect" / kModule).string(),
            (folder.parent_path() / "bin" / kModule).string()};
}

Error cannot(std::string message, std::string hint)
{
    return Error{
        .message = std::move(message), .hint = std::move(hint), .kind = ErrorKind::CannotRunHere};
}

struct Module
{
    OpenFunction open = nullptr;
};

Result<Module> loadModule()
{
    std::string problem;
    for (const std::string& path : placesOfModule())
    {
        std::error_code failed;
        if (!std::filesystem::exists(path, failed))
            continue;
        void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library)
        {
            problem = dlerror();
            continue;
        }
        if (void* function = dlsym(library, "reinspectOpenGpu"))
            return Module{reinterpret_cast<OpenFunction>(function)};
        problem = path + " is not a module of this program";
    }
    if (!problem.empty())
        return cannot("the module for CUDA could not be loaded: " + problem,
                      "It needs cuBLAS of the CUDA toolkit it was built with.");
    return cannot(
        "the module for CUDA, reinspect-cuda, is not there",
        "It is built where the CUDA toolkit (nvcc) is found; without it the CPU runs graphs.");
}

GpuFacts factsOf(Api& api)
{
    const Facts& facts = api.facts();
    return {.name = facts.name,
            .architecture = "sm_" + std::to_string(facts.major * 10 + facts.minor),
            .totalBytes = facts.totalBytes,
            .freeBytes = facts.freeBytes};
}

struct Opened
{
    std::shared_ptr<Api> api;
    std::shared_ptr<exec::Device> device;
};

} // namespace

Result<Gpu> openGpu(int number, std::optional<bool> tf32)
{
    static std::mutex mutex;
    // Never closed: a driver that is unloaded while the program ends is a crash.
    static auto& opened = *new std::map<int, Opened>;
    const std::scoped_lock lock(mutex);
    auto at = opened.find(number);
    if (at == opened.end())
    {
        REINSPECT_TRY(const Module module, loadModule());
        std::array<char, 512> message{};
        std::shared_ptr<Api> api(module.open(kApiVersion, number, message.data(), message.size()));
        if (!api)
            return cannot("CUDA cannot be used here: " + std::string(message.data()),
                          "Without it the CPU runs graphs.");
        at = opened.emplace(number, Opened{api, makeGpuDevice(api)}).first;
    }
    if (tf32)
        at->second.api->allowTf32(*tf32);
    return Gpu{at->second.device, factsOf(*at->second.api)};
}

} // namespace reinspect::gpu
