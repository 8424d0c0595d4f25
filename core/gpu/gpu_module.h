// SPDX-License-Identifier: MIT
// The device that runs graphs on CUDA: the module reinspect-cuda, loaded when it is asked for.
#pragma once

#include "core/exec/device.h"

#include <memory>
#include <optional>

namespace reinspect::gpu
{

struct GpuFacts
{
    std::string name;         // "NVIDIA H200"
    std::string architecture; // "sm_90"
    std::int64_t totalBytes = 0;
    std::int64_t freeBytes = 0;
};

struct Gpu
{
    std::shared_ptr<exec::Device> device;
    GpuFacts facts;
};

// CannotRunHere: no module (it is built where the CUDA toolkit is; it lies beside the program, in lib/reinspect of
// an installed one, or where REINSPECT_CUDA_MODULE says), no driver, or no device: the message says which of them.
// The module is loaded once and stays; the device, too. `tf32`: whether products of float32 matrices may use it
// from now on; nothing: as it is.
Result<Gpu> openGpu(int number = 0, std::optional<bool> tf32 = {});

} // namespace reinspect::gpu
