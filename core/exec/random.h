// SPDX-License-Identifier: MIT
// What operators that draw share, wherever they run.
#pragma once

#include "core/exec/kernel_call.h"

namespace reinspect::exec
{

// Like `self` where there is one, otherwise of `size`; of the dtype asked for, `self`'s, or `otherwise`.
Result<Tensor> randomResult(const KernelCall& call, DType otherwise);
// Says where the numbers come from.
void noteRandom(const KernelCall& call);

} // namespace reinspect::exec
