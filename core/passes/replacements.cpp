// SPDX-License-Identifier: MIT
// The end of the core phase: what the candidates planned is applied together, as upstream does.
#include "core/passes/candidates.h"

#include <unordered_map>

namespace reinspect
{

void applyReplacements(TraceBuilder& builder, const std::vector<ReplacementPlanned>& planned)
{
    std::unordered_map<NodeId, NodeId> replacement;
    for (const ReplacementPlanned& one : planned)
        replacement.insert_or_assign(one.from, one.to);
    for (const ReplacementPlanned& one : planned)
    {
        if (!builder.graph().contains(one.from))
            continue;
        NodeId to = replacement[one.from];
        for (std::size_t hops = 0; replacement.contains(to) && hops < planned.size(); ++hops)
            to = replacement[to];
        replacement[one.from] = to; // a chain is walked once, however long
        builder.trace.removed.push_back(one.from);
        builder.edit(1, one.from, EditReason::ReplacementApplied, [&](EditRecorder& edits) {
            edits.replaceUses(one.from, to);
            edits.erase(one.from);
        });
    }
}

} // namespace reinspect
