// SPDX-License-Identifier: MIT
// The copy that functional wrappers make of what they write. Mirrors clone_preserve_strides: the memory that
// the tensor spans, gaps included, from its first element on.
#pragma once

#include "core/exec/kernel_call.h"

namespace reinspect::exec
{

Result<Tensor> cloneKeepingStrides(const KernelCall& call, const Tensor& tensor);

} // namespace reinspect::exec
