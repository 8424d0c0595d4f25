// SPDX-License-Identifier: MIT
// What an operator writes when its schema is not known: a printed auto_functionalized (v1) names its
// arguments, not which of them are mutable. The graph holds the traces of it: result i is the i-th
// written argument in schema order, so its shape fits; a written input is copied back; a buffer that
// was just allocated is there to be written; what was written is not read again under its old name.
// All calls of the operator in the graph are looked at together. An answer is always an assumption.
#pragma once

#include "core/ir/graph.h"

namespace reinspect
{

// Names of keyword arguments of `call`, in their order; those that are None in this call included.
std::vector<std::string> inferWrittenArguments(const Graph& graph, NodeId call);

} // namespace reinspect
