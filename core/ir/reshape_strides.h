// SPDX-License-Identifier: MIT
// Strides under which other sizes name the elements of a tensor in order.
#pragma once

#include "core/ir/tensor_meta.h"

namespace reinspect
{

// Nothing where a copy would be needed, or where sizes do not say. Mirrors _reshape_view_helper, which works
// out a view's metadata, and at::detail::computeStride where that cannot decide.
std::optional<std::vector<SymExpr>> reshapedStrides(const TensorMeta& base,
                                                    const std::vector<SymExpr>& sizes);

} // namespace reinspect
