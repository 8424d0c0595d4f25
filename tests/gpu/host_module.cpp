// SPDX-License-Identifier: MIT
// HostApi as a module: with REINSPECT_CUDA_MODULE the programs take it for a GPU.
#include "tests/gpu/host_api.h"

extern "C" __attribute__((visibility("default"))) reinspect::gpu::Api*
reinspectOpenGpu(std::uint32_t apiVersion, int, char*, std::size_t)
{
    return apiVersion == reinspect::gpu::kApiVersion ? new reinspect::gpu::HostApi : nullptr;
}
