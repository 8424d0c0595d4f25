// SPDX-License-Identifier: MIT
// The Triton kernels of a capture, ready to run on the host: what core/triton read of each variant's TTIR, and
// the constants of each call. Filled by who knows the capture's files (core/proof/triton_files.h).
#pragma once

#include "core/exec/value.h"
#include "core/triton/ttir.h"

#include <map>

namespace reinspect::exec
{

struct TritonVariant
{
    std::shared_ptr<const triton::Kernel> kernel; // null: `problem` says why
    std::string problem;
    std::vector<std::string> parameters; // of the compiled kernel, in order: constants left out
    std::map<std::string, Value, std::less<>> constants;
};

struct TritonLibrary
{
    std::map<std::int64_t, std::vector<TritonVariant>> variants; // by kernel_idx
    std::map<std::int64_t, std::map<std::string, Value, std::less<>>>
        constants; // by constant_args_idx
};

} // namespace reinspect::exec
