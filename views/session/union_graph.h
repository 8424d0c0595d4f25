// SPDX-License-Identifier: MIT
// Every node that exists at any event of a trace, in one order, with every argument it ever has:
// what is placed, once, so that boxes stand still while stepping.
#pragma once

#include "core/layout/visible_graph.h"
#include "core/passes/pass_trace.h"

namespace reinspect
{

UnionGraph unionGraph(const PassTrace& trace);

} // namespace reinspect
