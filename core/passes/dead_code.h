// SPDX-License-Identifier: MIT
// What goes once the wrappers are lowered: get_attr nodes that nothing uses. Everything else stays, as
// upstream leaves it to later passes: views, factories and copies of a tensor into itself. Mirrors the end
// of decompose_auto_functionalized of torch/_inductor/fx_passes/post_grad.py.
#pragma once

#include "core/ir/capture_facts.h"
#include "core/ir/graph_edit.h"

namespace reinspect
{

void removeUnusedAttributes(Graph& graph);

// Storages follow the arguments: a view of what was replaced is a view of what replaced it. Upstream
// leaves the old ids, by which a copy and what it was made of would share memory.
void followStorages(Graph& graph, const CaptureFacts& facts);

} // namespace reinspect
