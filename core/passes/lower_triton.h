// SPDX-License-Identifier: MIT
// A functional Triton wrapper becomes the launch that writes its arguments, with a copy in front of it for
// each argument that is still in tensors_to_clone. Mirrors decompose_triton_kernel_wrapper_functional of
// torch/_inductor/fx_passes/post_grad.py.
//
//     w   = triton_kernel_wrapper_functional(kwargs = {x: a, out: b}, tensors_to_clone = [out])
//     r   = getitem(w, "out")
//     becomes   b' = copy of b; triton_kernel_wrapper_mutation(kwargs = {x: a, out: b'}); r is b'
#pragma once

#include "core/passes/lowering_edit.h"

namespace reinspect
{

inline constexpr std::string_view kTritonFunctional =
    "higher_order.triton_kernel_wrapper_functional";

Result<void> lowerTritonWrapper(LoweringEdit& edit, NodeId wrapper);

} // namespace reinspect
