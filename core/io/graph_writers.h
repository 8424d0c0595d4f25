// SPDX-License-Identifier: MIT
// Graphs as text for other tools: PyTorch's `graph():` form and DOT.
#pragma once

#include "core/ir/graph.h"

namespace reinspect
{

// What print(graph) gives: "%x : [num_users=1] = call_function[target=...](args = ..., kwargs =
// {})".
std::string writeIrText(const Graph& graph);
// One statement a node and an edge a line; labels escaped. Readable by dot and by pydot.
std::string writeDot(const Graph& graph);

} // namespace reinspect
