// SPDX-License-Identifier: MIT
// The union graph of a trace less what a scope leaves out, with folded groups as one node each. Of folded
// groups inside of each other only the outermost is seen.
#pragma once

#include "core/layout/node_groups.h"
#include "views/session/scope.h"

namespace reinspect
{

struct ScopedGraph
{
    UnionGraph graph;
    std::vector<std::uint32_t>
        placeOf; // by slot; kNoBox: left out. Members of a folded group share
    std::vector<std::uint32_t>
        groupOf; // by place: the folded group that it stands for, or kNoGroup
};

// Groups of the whole union graph, by the modules of the capture where it names them.
std::vector<NodeGroup> groupsOf(const PassTrace& trace, const UnionGraph& all);
ScopedGraph scopedGraph(const UnionGraph& all, std::size_t slotCount, const Scope& scope,
                        const std::vector<NodeGroup>& groups);

} // namespace reinspect
