// SPDX-License-Identifier: MIT
// The copy that functional wrappers make of what they write. Mirrors clone_preserve_strides of
// torch/_prims_common: everything from the start of the storage to the tensor's last element, and in it the
// same view, its offset kept.
#pragma once

#include "core/exec/kernel_call.h"

namespace reinspect::exec
{

Result<Tensor> cloneKeepingStrides(const KernelCall& call, const Tensor& tensor);

} // namespace reinspect::exec
