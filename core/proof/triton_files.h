// SPDX-License-Identifier: MIT
// The Triton kernels of a capture, from its `triton` part and the TTIR files beside it. What cannot be read is
// kept as an error with its variant: only a run that needs it fails.
#pragma once

#include "core/exec/triton_library.h"
#include "core/ir/capture_facts.h"

namespace reinspect::proof
{

std::shared_ptr<const exec::TritonLibrary> readTritonLibrary(const CaptureFacts& facts);

} // namespace reinspect::proof
