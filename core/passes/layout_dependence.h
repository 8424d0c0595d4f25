// SPDX-License-Identifier: MIT
// Calls whose result follows from where elements lie and not only from their values: a clone of an operand with
// other strides may change what they compute.
#pragma once

#include "core/ir/graph.h"

namespace reinspect
{

// The call goes by strides: view, as_strided and what the operator table does not know.
bool dependsOnLayout(const Graph& graph, NodeId id);
// The call names positions of the storage, by itself or by a view in its arguments.
bool namesPositions(const Node& node);

} // namespace reinspect
