// SPDX-License-Identifier: MIT
// What is known of one node at one event, as groups of short rows: the inspector's content.
#pragma once

#include <QString>

#include <functional>
#include <optional>

#include "core/io/document.h"
#include "core/passes/pass_trace.h"
#include "core/proof/kernel_effects.h"
#include "views/models/decision_badges.h"

namespace reinspect
{

struct NodeFact
{
    QString name;
    QString value;
    NodeId link; // the row names this node; invalid: it is plain text
    std::optional<Badge> badge = {};
    DecisionIndex proves = {}; // a click on the row has this decision proved; invalid: it does not
};

// What a proof of a decision has come to.
struct ProofState
{
    QString text; // "Run it", "Running...", or the verdict
    std::optional<Badge> badge = {};
    bool canRun = false;
};

struct NodeFactGroup
{
    QString title;
    std::vector<NodeFact> facts;
    DecisionIndex decision = {}; // that it is about; invalid: none
};

struct NodeQuestion
{
    const PassTrace& trace;
    const Graph& graph; // at `event`
    const CaptureFacts& facts;
    EventIndex event;
    NodeId node;
    const proof::KernelEffects* kernel = nullptr;        // of a node that launches one
    std::function<ProofState(DecisionIndex)> proof = {}; // empty: nothing is said of proofs
};

// Empty groups are left out.
std::vector<NodeFactGroup> nodeFacts(const NodeQuestion& question);
// The part about the pass: the decisions on the node, and its part in those on others.
std::vector<NodeFactGroup> decisionFacts(const NodeQuestion& question);

} // namespace reinspect
