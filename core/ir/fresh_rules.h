// SPDX-License-Identifier: MIT
// Sizes and strides of results in memory of their own, and how long that memory is.
#pragma once

#include "core/ir/tensor_meta.h"

#include <optional>
#include <span>

namespace reinspect
{

// Result of clone() with memory_format=preserve: dense tensors keep their strides, others get dense
// ones in the same order. Mirrors `compute_elementwise_output_strides` for one operand.
TensorMeta cloneResult(const TensorMeta& source);
// Result of copy(), slice_scatter() and select_scatter(): the sizes and strides of their input, from
// the start of a buffer just long enough. Mirrors what a fake tensor gives for `clone_preserve_strides`.
TensorMeta sameStridesResult(const TensorMeta& source);
// Result of a pointwise operator on these operands, where theirs is known: dense strides in the order
// that the operands suggest. Mirrors `compute_elementwise_output_strides`; nothing when it cannot be
// decided. Dtype, device and sizes are those of `result`, which the operands broadcast to.
std::optional<TensorMeta> pointwiseResult(const TensorMeta& result,
                                          std::span<const TensorMeta* const> operands);

// Elements from the start of the storage to the last one that sizes, strides and offset reach.
SymExpr requiredLength(const TensorMeta& meta);

} // namespace reinspect
