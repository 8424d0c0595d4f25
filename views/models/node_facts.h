// SPDX-License-Identifier: MIT
// What is known of one node at one event, as groups of short rows: the inspector's content.
#pragma once

#include <QString>

#include "core/io/document.h"
#include "core/passes/pass_trace.h"
#include "views/models/decision_badges.h"

namespace reinspect
{

struct NodeFact
{
    QString name;
    QString value;
    NodeId link; // the row names this node; invalid: it is plain text
    std::optional<Badge> badge = {};
};

struct NodeFactGroup
{
    QString title;
    std::vector<NodeFact> facts;
};

struct NodeQuestion
{
    const PassTrace& trace;
    const Graph& graph; // at `event`
    const CaptureFacts& facts;
    EventIndex event;
    NodeId node;
};

// Empty groups are left out.
std::vector<NodeFactGroup> nodeFacts(const NodeQuestion& question);
// The part about the pass: the decisions on the node, and its part in those on others.
std::vector<NodeFactGroup> decisionFacts(const NodeQuestion& question);

} // namespace reinspect
