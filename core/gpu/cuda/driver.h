// SPDX-License-Identifier: MIT
// Loads and launches kernels from PTX, through the driver's own interface: found at run time, so that the module links
// nothing of the driver.
#pragma once

#include "core/gpu/gpu_api.h"

#include <cuda.h>
#include <cuda_runtime.h>

#include <map>
#include <string>

namespace reinspect::gpu
{

class Driver
{
public:
    Driver() = default;
    ~Driver();
    Driver(const Driver&) = delete;
    Driver& operator=(const Driver&) = delete;

    const char* open(); // null, or what is missing
    const char* launch(const KernelLaunch& launch, cudaStream_t stream);

private:
    struct Loaded
    {
        CUlibrary library = nullptr;
        CUkernel kernel = nullptr;
    };

    const char* load(const KernelLaunch& launch, Loaded& loaded);
    const char* failed(CUresult code, const char* what);

    CUresult (*m_errorString)(CUresult, const char**) = nullptr;
    decltype(&::cuLibraryLoadData) m_loadData = nullptr;
    decltype(&::cuLibraryUnload) m_unload = nullptr;
    decltype(&::cuLibraryGetKernel) m_getKernel = nullptr;
    decltype(&::cuKernelSetAttribute) m_setAttribute = nullptr;
    decltype(&::cuLaunchKernel) m_launch = nullptr;
    std::map<const char*, Loaded> m_loaded; // by the text's address
    std::string m_message;
};

} // namespace reinspect::gpu
