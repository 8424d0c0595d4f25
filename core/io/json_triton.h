// SPDX-License-Identifier: MIT
// The "triton" part of a capture: kernels with their compiled variants, and the constants of launches.
// What is missing or of another form stays empty; a kernel without variants cannot be run, and says so then.
#pragma once

#include "core/io/json_tree.h"
#include "core/ir/capture_facts.h"

namespace reinspect
{

std::vector<TritonKernel> readTritonKernels(JsonValue triton);
std::vector<TritonConstants> readTritonConstants(JsonValue triton);

} // namespace reinspect
