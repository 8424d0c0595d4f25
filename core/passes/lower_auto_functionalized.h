// SPDX-License-Identifier: MIT
// An auto_functionalized call, of either form, becomes a call of the operator it carries, which writes
// its arguments; copies are made of what only_clone_these_tensors names, and of nothing when the pass
// has not left such a list, as upstream does. Mirrors decompose_auto_functionalized of
// torch/_inductor/fx_passes/post_grad.py and the dense forms of torch/_higher_order_ops/auto_functionalize.py.
//
//     w = auto_functionalized_v2(op, s = 2, _x_base_index = 0, _x_slice_dim = 1, _x_slice_start = 0,
//                                _x_slice_end = 8, _all_bases = [b])     with base 0 left to clone
//     r = getitem(w, 1)
//     becomes   b' = copy of b; v = slice(b', 1, 0, 8); op(v, 2); r is b'
#pragma once

#include "core/passes/lowering_edit.h"

namespace reinspect
{

inline constexpr std::string_view kAutoFunctionalized = "higher_order.auto_functionalized";
inline constexpr std::string_view kAutoFunctionalizedV2 = "higher_order.auto_functionalized_v2";

// `inferred` is what the first form is taken to write when its operator has no schema here. Fails
// (CannotRunHere) where a result is read that the call does not have.
Result<void> lowerAutoFunctionalized(LoweringEdit& edit, NodeId wrapper,
                                     std::vector<std::string> inferred = {});

} // namespace reinspect
