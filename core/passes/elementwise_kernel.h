// SPDX-License-Identifier: MIT
// Triton kernels that go element by element: each program reads and writes its own run of addresses,
// and reads each before it writes it. One that is given a tensor both to read and to write then
// computes the same as with two tensors. Read from the kernel's source, and only where the source is
// of the plainest form:
//
//     o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK); m = o < n
//     tl.store(out + o, tl.load(x + o, mask=m) * 2, mask=m)
#pragma once

#include "core/ir/capture_facts.h"

namespace reinspect
{

// Parameters that are only loaded and stored at the one offset of such a kernel; empty when the source
// is anything else.
std::vector<std::string> elementwiseParameters(const TritonKernel& kernel);

} // namespace reinspect
