// SPDX-License-Identifier: MIT
// What differs between two graphs, node by node; nodes of one name are the same node. Two equal graphs
// give no change.
#pragma once

#include "core/ir/graph.h"

namespace reinspect
{

enum class ChangeKind : std::uint8_t
{
    Added,
    Removed,
    Retargeted,   // another operator: index_put became index_put_
    Rewired,      // other arguments
    MetadataOnly, // another shape, type or memory of the same call
};

struct NodeChange
{
    ChangeKind kind = ChangeKind::Added;
    std::string name;
    NodeId before;          // invalid when added
    NodeId after;           // invalid when removed
    std::string beforeText; // "aten.index_put.default(x, [i], v)"; metadata for MetadataOnly
    std::string afterText;
};

// In the order of `after`, what was removed at the place where it stood in `before`.
std::vector<NodeChange> diffGraphs(const Graph& before, const Graph& after);

std::string_view changeKindName(ChangeKind kind); // "retargeted"
std::string_view changeKindMark(ChangeKind kind); // "~": one ASCII character, for lists

} // namespace reinspect
