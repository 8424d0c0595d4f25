// SPDX-License-Identifier: MIT
// The Triton kernels of a runnable script: sources with their decorators, add_kernel() in the order of
// kernel_idx, constant_args by constant_args_idx.
#pragma once

#include "core/io/problem_list.h"

namespace reinspect
{

// Kernels, and the capture's "triton" part with the constants, so that writing keeps them. Empty when
// the script has none.
CaptureFacts scriptKernels(ProblemList& problems);

} // namespace reinspect
