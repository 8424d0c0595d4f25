// SPDX-License-Identifier: MIT
// Nodes that the pass and the lowering make, named and described as PyTorch's would be.
#pragma once

#include "core/ir/graph.h"

namespace reinspect
{

// torch.fx's name for a call: "slice_tensor" for "aten.slice.Tensor", "add" for "operator.add".
// Mirrors `_target_to_str` and `_snake_case` of torch/fx/graph.py.
std::string nameForTarget(std::string_view target);

// A call without source or module; the caller makes its name unique by inserting it.
Node newCall(std::string_view target, std::vector<Argument> args, MetaValue meta = {});

// Metadata of a clone of `source`, and of a view of `base`; unknown where that is not known.
MetaValue cloneMeta(const Graph& graph, NodeId source);
MetaValue viewMeta(const Graph& graph, NodeId base, const ViewArgument& view);
// Of slice_scatter and select_scatter: the input's sizes and strides in memory of their own.
MetaValue scatterMeta(const Graph& graph, NodeId input);

Node viewCall(const Graph& graph, NodeId base, const ViewArgument& view);

} // namespace reinspect
