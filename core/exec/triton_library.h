// SPDX-License-Identifier: MIT
// The Triton kernels of a capture, ready to run on the host: each compiled variant's TTIR as core/triton read
// it. Which variant a launch takes, and what its parameters are, is core/triton/bind_launch's business. Filled
// by who knows the capture's files (core/proof/triton_files.h).
#pragma once

#include "core/triton/ttir.h"

#include <map>
#include <memory>
#include <vector>

namespace reinspect::exec
{

struct TritonProgram
{
    std::shared_ptr<const triton::Kernel> kernel; // null: `problem` says why
    Error problem = {};
};

struct TritonLibrary
{
    std::map<std::int64_t, std::vector<TritonProgram>> variants; // by kernel_idx, as in the capture
};

} // namespace reinspect::exec
