// SPDX-License-Identifier: MIT
#include "core/gpu/cuda/driver.h"

namespace reinspect::gpu
{
namespace
{

template<typename Function>
bool find(const char* name, unsigned version, Function& function)
{
    void* found = nullptr;
#if CUDART_VERSION >= 13000
    cudaDriverEntryPointQueryResult outcome{};
    const cudaError_t code =
        cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &outcome);
#else
    (void)version;
    const cudaError_t code = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault);
#endif
    function = reinterpret_cast<Function>(found);
    return code == cudaSuccess && found;
}

} // namespace

Driver::~Driver()
{
    for (const auto& [text, loaded] : m_loaded)
        m_unload(loaded.library);
}

const char* Driver::open()
{
    const bool found = find("cuGetErrorString", 6000, m_errorString)
        && find("cuLibraryLoadData", 12000, m_loadData) && find("cuLibraryUnload", 12000, m_unload)
        && find("cuLibraryGetKernel", 12000, m_getKernel)
        && find("cuKernelSetAttribute", 12000, m_setAttribute)
        && find("cuLaunchKernel", 7000, m_launch);
    return found ? nullptr : "the CUDA driver is older than 12.0";
}

const char* Driver::failed(CUresult code, const char* what)
{
    const char* text = nullptr;
    m_errorString(code, &text);
    m_message = std::string(what) + ": " + (text ? text : "unknown error");
    return m_message.c_str();
}

const char* Driver::load(const KernelLaunch& launch, Loaded& loaded)
{
    char log[2048] = {};
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    const CUresult code =
        m_loadData(&loaded.library, launch.ptx, options, values, 2, nullptr, nullptr, 0);
    if (code != CUDA_SUCCESS)
    {
        failed(code, "the PTX could not be loaded");
        if (log[0] != '\0')
            m_message += ": " + std::string(log).substr(0, 500);
        return m_message.c_str();
    }
    if (const CUresult missing = m_getKernel(&loaded.kernel, loaded.library, launch.entry))
    {
        m_unload(loaded.library);
        return failed(missing, "the PTX has no such kernel");
    }
    return nullptr;
}

const char* Driver::launch(const KernelLaunch& launch, cudaStream_t stream)
{
    auto at = m_loaded.find(launch.ptx);
    if (at == m_loaded.end())
    {
        Loaded loaded;
        if (const char* problem = load(launch, loaded))
            return problem;
        at = m_loaded.emplace(launch.ptx, loaded).first;
    }
    const CUkernel kernel = at->second.kernel;
    if (launch.sharedBytes > 48 * 1024)
    {
        CUdevice device = 0;
        int current = 0;
        cudaGetDevice(&current);
        device = current;
        if (const CUresult code =
                m_setAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                               static_cast<int>(launch.sharedBytes), kernel, device))
            return failed(code, "the kernel's shared memory");
    }
    const CUresult code =
        m_launch(reinterpret_cast<CUfunction>(kernel), launch.grid[0], launch.grid[1],
                 launch.grid[2], launch.threads, 1, 1, launch.sharedBytes,
                 reinterpret_cast<CUstream>(stream), launch.parameters, nullptr);
    return code == CUDA_SUCCESS ? nullptr : failed(code, "the launch");
}

} // namespace reinspect::gpu
