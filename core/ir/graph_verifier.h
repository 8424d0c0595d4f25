// SPDX-License-Identifier: MIT
// What must hold of every graph: links and users agree with the arguments, names are unique, every
// argument stands before its user, and there is at most one output, at the end.
#pragma once

#include "core/ir/graph.h"

namespace reinspect
{

// The first rule broken, naming the node; for tests, debug builds and freshly read graphs.
Result<void> verifyGraph(const Graph& graph);

} // namespace reinspect
