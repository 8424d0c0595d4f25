// SPDX-License-Identifier: MIT
// The roles that each node plays at one moment: what it is, what was decided about it so far, what
// the current event says of it, and what the reader chose.
#pragma once

#include "core/passes/explain.h"
#include "core/passes/trace_cursor.h"
#include "views/canvas/theme.h"
#include "views/session/session.h"

#include <unordered_map>

namespace reinspect
{

class RoleSet
{
public:
    void add(Role role) { m_bits |= bit(role); }
    void add(RoleSet other) { m_bits |= other.m_bits; }
    void keepOnly(RoleSet other) { m_bits &= other.m_bits; }
    bool has(Role role) const { return (m_bits & bit(role)) != 0; }
    bool isEmpty() const { return m_bits == 0; }

    friend bool operator==(RoleSet, RoleSet) = default;

private:
    static constexpr std::uint32_t bit(Role role) { return 1u << static_cast<unsigned>(role); }
    std::uint32_t m_bits = 0;
};

// How the picture and the text mark a node that the current event names.
Role roleOf(WitnessRole role);

enum class Presence : std::uint8_t
{
    Present,
    Removed, // was in the graph
    NotYet,  // comes later
};

struct NodeMarks
{
    Presence presence = Presence::Present;
    RoleSet roles;
    bool isRetargeted = false;

    friend bool operator==(const NodeMarks&, const NodeMarks&) = default;
};

struct SceneMarks
{
    std::vector<NodeMarks> nodes;                     // by slot
    std::vector<std::pair<NodeId, NodeId>> viewSteps; // from base to view, along the chosen chain
    std::uint32_t editCount = 0;

    const NodeMarks& of(NodeId node) const { return nodes[node.index()]; }
};

// What the edits so far make of each node. Carried from one event to the next, so that a step costs what
// it edits; empty at first.
struct MarkBase
{
    std::vector<NodeMarks> nodes; // by slot
    std::uint32_t editCount = 0;
};

// What never changes in a trace and would be searched for at every step otherwise.
class MarkSource
{
public:
    explicit MarkSource(std::shared_ptr<const PassTrace> trace);
    // `base` is what the last call left there, of whatever event it was.
    SceneMarks marksAt(const TraceCursor& cursor, const Selection& selection,
                       const CaptureFacts& facts, MarkBase& base) const;

    // Nodes whose operator is ever replaced.
    const std::vector<NodeId>& retargeted() const { return m_retargeted; }

    // The node's operator when it came into the graph.
    const OpTarget& firstTarget(NodeId node) const;

private:
    void moveBase(MarkBase& base, const TraceCursor& cursor) const;
    NodeMarks baseOf(NodeId node, const Graph& graph, std::uint32_t editCount) const;
    void markDecisions(SceneMarks& marks, EventIndex event) const;
    void markEvent(SceneMarks& marks, EventIndex event) const;
    void markSelection(SceneMarks& marks, const TraceCursor& cursor, const Selection& selection,
                       const CaptureFacts& facts) const;

    std::shared_ptr<const PassTrace> m_trace;
    std::vector<RoleSet> m_kinds;                  // by slot: input, output, copy-back
    std::vector<std::uint32_t> m_insertedBy;       // by slot: edits applied when the node came
    std::unordered_map<NodeId, OpTarget> m_madeAs; // first operators of nodes that the pass made
    std::vector<NodeId> m_retargeted;
    std::vector<bool> m_isRetargeted; // by slot, likewise
};

// Nodes that are edited between two events, some of them more than once.
std::vector<NodeId> nodesEdited(const PassTrace& trace, std::uint32_t from, std::uint32_t to);

// The one role that colours the box.
Role bodyRole(const NodeMarks& marks);
// Roles whose tags stand in the box, the most telling first.
std::vector<Role> tagRoles(const NodeMarks& marks);
// The role of the ring that the event draws around the box, if any.
std::optional<Role> eventRing(RoleSet roles);
// The role of a difference that the node has, if any.
std::optional<Role> diffRole(RoleSet roles);
// Likewise for what the reader chose.
std::optional<Role> choiceRing(RoleSet roles);

} // namespace reinspect
