// SPDX-License-Identifier: MIT
// Where in its storage a view lies: sizes, strides and offset of each view operator's result, as
// PyTorch computes them. Fills in what a text dump leaves out, and says what had to be assumed.
#pragma once

#include "core/alias/storage_map.h"
#include "core/ir/fresh_rules.h"
#include "core/ir/view_rules.h"

#include <optional>

namespace reinspect
{

// Part `index` of what split, split_with_sizes or unbind makes of a tensor with `base` metadata; `part` is what
// was known of it. Nothing for another operator or lengths that are not plain numbers.
std::optional<TensorMeta> partResult(const Node& split, const TensorMeta& base,
                                     const TensorMeta& part, std::size_t index);

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
