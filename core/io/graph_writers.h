// SPDX-License-Identifier: MIT
// Graphs as text for other tools: PyTorch's `graph():` form and DOT.
#pragma once

#include "core/ir/graph.h"

namespace reinspect
{

// What print(graph) gives: "%x : [num_users=1] = call_function[target=...](args = ..., kwargs =
// {})".
std::string writeIrText(const Graph& graph);
// One statement a node and an edge a line; labels escaped. Readable by dot and by pydot. Reading it
// back here gives an equal graph, since a graph attribute holds the capture.
std::string writeDot(const Graph& graph);
inline constexpr std::string_view kDotCaptureAttribute = "reinspect_capture";

} // namespace reinspect
