// SPDX-License-Identifier: MIT
// Windows of tensors as the api's window calls: for the rows of pooling and convolution.
#pragma once

#include "core/exec/windows.h"
#include "core/gpu/gpu_calls.h"

namespace reinspect::gpu
{

// [batch, channels, three spatial dimensions], from a tensor with so many spatial dimensions.
Array sideOf(const exec::Tensor& tensor, std::size_t spatialRank);
// Kernel, stride, padding and dilation.
WindowCall windowCall(WindowUse use, const exec::WindowGrid& grid);
Result<void> runWindow(const exec::KernelCall& call, const WindowCall& job);

} // namespace reinspect::gpu
