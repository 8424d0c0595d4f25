// SPDX-License-Identifier: MIT
#include "core/exec/kernel_registry.h"

namespace reinspect::exec
{

std::span<const KernelRow> scatterKernels()
{
    return {};
}

} // namespace reinspect::exec
