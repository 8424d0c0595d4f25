// SPDX-License-Identifier: MIT
// One node through the stages of the pass: there, updated in place, rewired, removed.
#pragma once

#include <QString>

#include "core/passes/pass_trace.h"

namespace reinspect
{

enum class NodeState
{
    NotYet,
    Unchanged,
    Made,
    UpdatedInPlace, // its operator now writes into its argument
    OperatorReplaced,
    Rewired,
    MetadataChanged,
    Removed, // and from then on
};

struct NodeStage
{
    QString stage; // "After the decisions"
    NodeState state = NodeState::Unchanged;
    QString text; // "updated in place: index_put -> index_put_"
};

// As loaded, canonical, after the decisions, after the pass.
std::vector<NodeStage> nodeHistory(const PassTrace& trace, NodeId node);

} // namespace reinspect
