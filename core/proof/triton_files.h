// SPDX-License-Identifier: MIT
// The Triton kernels of a capture, from its `triton` part and the TTIR files beside it. What cannot be read is
// kept as a sentence with its kernel: only a run that needs it fails.
#pragma once

#include "core/exec/triton_library.h"
#include "core/ir/capture_facts.h"

namespace reinspect::proof
{

// `capturePath`: the JSON file, whose folder the kernels' files are named from.
std::shared_ptr<const exec::TritonLibrary> readTritonLibrary(const CaptureFacts& facts,
                                                             const std::string& capturePath);

} // namespace reinspect::proof
