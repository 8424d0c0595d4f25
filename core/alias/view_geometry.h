// SPDX-License-Identifier: MIT
// Where in its storage a view lies: sizes, strides and offset of each view operator's result, as
// PyTorch computes them. Fills in what a text dump leaves out, and says what had to be assumed.
#pragma once

#include "core/alias/storage_map.h"

#include <optional>

namespace reinspect
{

// Result of a view operator applied to a tensor with `base` metadata. `args` are the arguments after
// the tensor. Nothing for an operator without a rule here or for arguments that are not plain numbers.
// Storage and device are the base's.
std::optional<TensorMeta> viewResult(std::string_view target, const TensorMeta& base,
                                     std::span<const Argument> args,
                                     std::span<const NamedArgument> kwargs);

// Part `index` of what split, split_with_sizes or unbind makes of a tensor with `base` metadata; `part` is what
// was known of it. Nothing for another operator or lengths that are not plain numbers.
std::optional<TensorMeta> partResult(const Node& split, const TensorMeta& base,
                                     const TensorMeta& part, std::size_t index);

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

// Metadata with the gaps of a text dump filled: contiguous strides where none are printed, offsets
// computed along the view chain (an input's is taken as 0).
struct ResolvedMeta
{
    TensorMeta meta;
    std::string_view assumed; // a constant phrase; empty: nothing was assumed
};

class ViewGeometry
{
public:
    explicit ViewGeometry(const Graph& graph, const CaptureFacts& facts = {});
    // Null when the node has no tensor metadata.
    const ResolvedMeta* of(NodeId node) const;

private:
    std::vector<std::optional<ResolvedMeta>> m_resolved; // by slot
};

} // namespace reinspect
