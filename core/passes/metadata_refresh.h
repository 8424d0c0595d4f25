// SPDX-License-Identifier: MIT
// Phase 2: what follows a changed node is described anew, as far as anything changes. Mirrors
// FakeTensorUpdater.incremental_update of torch/_inductor/fx_utils.py.
//
//     r = _generalized_scatter(x, ...)     new: memory of its own
//     v = slice(r, ...)                    a view of it: its storage, and its start where r's layout differs
//     c = copy(v, s)                       recomputed: begins at the start of its memory
//     m = mm(c, w)                         no rule here: stays as it was, and so does what follows it
//
// Rules are known for views, copies, clones, scatters and pointwise operators.
#pragma once

#include "core/ir/capture_facts.h"
#include "core/passes/trace_builder.h"

namespace reinspect
{

// Starts from the nodes that the builder's edits inserted or gave other arguments.
void refreshMetadata(TraceBuilder& builder, const CaptureFacts& facts = {});

} // namespace reinspect
