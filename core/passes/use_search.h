// SPDX-License-Identifier: MIT
// Does anything still need the old value? Looks at the uses of an argument's memory after a call, in
// program order, and says of each why it counts or not. Mirrors any_use_of_views_after_node of
// torch/_inductor/fx_passes/reinplace.py, which stops at the first that counts; this goes on for a
// while, so that a reader sees the others.
#pragma once

#include "core/passes/core_analysis.h"
#include "core/passes/trace_builder.h"

namespace reinspect
{

struct UseQuestion
{
    NodeId node;        // the call
    NodeId argument;    // what it would write
    NodeId copy;        // the copy back; invalid: there is none
    NodeId overwritten; // a copy_ into this one does not count; mostly the argument
};

struct UseRecord
{
    std::vector<std::pair<NodeId, OverlapAnswer>> tested; // members compared with the argument
    std::vector<UseExamined> listed;
    std::vector<UsesSummed> summed;
    std::optional<StorageUse> blocking; // the first that counts
    std::string_view assumption;        // on which the blocking one rests; empty: none
};

UseRecord searchUses(const Graph& graph, const CoreAnalysis& analysis,
                     const ReinplacePolicy& policy, const UseQuestion& question);

} // namespace reinspect
