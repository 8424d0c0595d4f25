// SPDX-License-Identifier: MIT
#include "views/canvas/scene_marks.h"

#include "core/alias/view_chain.h"
#include "core/passes/explain.h"

#include <algorithm>
#include <array>

namespace reinspect
{

static Role kindRole(const Node& node)
{
    switch (node.op)
    {
    case NodeOp::Placeholder:
    case NodeOp::GetAttr: return Role::Input;
    case NodeOp::Output: return Role::Output;
    case NodeOp::CallFunction:
    case NodeOp::CallMethod:
    case NodeOp::CallModule: break;
    }
    return Role::Plain;
}

MarkSource::MarkSource(std::shared_ptr<const PassTrace> trace)
    : m_trace(std::move(trace))
    , m_kinds(m_trace->result->slotCount())
    , m_insertedBy(m_trace->result->slotCount(), 0)
    , m_isRetargeted(m_trace->result->slotCount(), false)
{
    for (std::size_t slot = 0; slot < m_kinds.size(); ++slot)
        m_kinds[slot].add(kindRole(m_trace->result->node(NodeId(slot))));
    for (const Event& event : m_trace->events)
    {
        if (const CopyBackFound* found = event.as<CopyBackFound>())
            m_kinds[found->copy.index()].add(Role::CopyBack);
    }
    for (std::uint32_t i = 0; i < m_trace->edits.size(); ++i)
    {
        const GraphEdit& edit = m_trace->edits[i];
        if (const InsertNode* insert = std::get_if<InsertNode>(&edit))
        {
            m_insertedBy[insert->node.index()] = i + 1;
            m_madeAs.try_emplace(insert->node, insert->content->target);
        }
        else if (const SetTarget* set = std::get_if<SetTarget>(&edit))
        {
            m_retargeted.push_back(set->node);
            m_isRetargeted[set->node.index()] = true;
        }
    }
}

const OpTarget& MarkSource::firstTarget(NodeId node) const
{
    const auto made = m_madeAs.find(node);
    return made != m_madeAs.end() ? made->second : m_trace->initial->node(node).target;
}

SceneMarks MarkSource::marksAt(const TraceCursor& cursor, const Selection& selection,
                               const CaptureFacts& facts, MarkBase& base) const
{
    SceneMarks marks;
    if (m_trace->events.empty())
    {
        marks.nodes.resize(m_kinds.size());
        return marks;
    }
    moveBase(base, cursor);
    marks.editCount = base.editCount;
    marks.nodes = base.nodes;
    markDecisions(marks, cursor.event());
    markEvent(marks, cursor.event());
    markSelection(marks, cursor, selection, facts);
    return marks;
}

std::vector<NodeId> nodesEdited(const PassTrace& trace, std::uint32_t from, std::uint32_t to)
{
    std::vector<NodeId> nodes;
    for (std::uint32_t edit = std::min(from, to); edit < std::max(from, to); ++edit)
        nodes.push_back(editedNode(trace.edits[edit]));
    return nodes;
}

void MarkSource::moveBase(MarkBase& base, const TraceCursor& cursor) const
{
    const std::uint32_t editCount = m_trace->event(cursor.event()).editCount;
    const bool isFirst = base.nodes.empty();
    base.nodes.resize(m_kinds.size());
    for (std::size_t slot = 0; isFirst && slot < m_kinds.size(); ++slot)
        base.nodes[slot] = baseOf(NodeId(slot), cursor.graph(), editCount);
    for (const NodeId node : nodesEdited(*m_trace, isFirst ? editCount : base.editCount, editCount))
        base.nodes[node.index()] = baseOf(node, cursor.graph(), editCount);
    base.editCount = editCount;
}

NodeMarks MarkSource::baseOf(NodeId node, const Graph& graph, std::uint32_t editCount) const
{
    NodeMarks marks;
    marks.roles = m_kinds[node.index()];
    if (!graph.contains(node))
    {
        const bool isGone = m_insertedBy[node.index()] <= editCount;
        marks.presence = isGone ? Presence::Removed : Presence::NotYet;
        marks.roles.add(isGone ? Role::Removed : Role::NotYet);
    }
    else if (m_isRetargeted[node.index()] && graph[node].target != firstTarget(node))
    {
        marks.isRetargeted = true;
        marks.roles.add(Role::Retargeted);
    }
    return marks;
}

// A node with several arguments can be kept for one and reinplaced for another: it carries both.
void MarkSource::markDecisions(SceneMarks& marks, EventIndex event) const
{
    for (const Decision& decision : m_trace->decisions)
    {
        RoleSet& roles = marks.nodes[decision.node.index()].roles;
        if (!decision.decided || decision.decided > event)
            roles.add(Role::Candidate);
        else
            roles.add(decision.verdict == Verdict::Reinplaced ? Role::Reinplaced : Role::Kept);
    }
}

Role roleOf(WitnessRole role)
{
    switch (role)
    {
    case WitnessRole::Candidate: return Role::Current;
    case WitnessRole::Mutated: return Role::Mutated;
    case WitnessRole::CopyBack: return Role::CopyBack;
    case WitnessRole::Blocking: return Role::Blocking;
    case WitnessRole::Harmless: return Role::Harmless;
    case WitnessRole::View: return Role::View;
    case WitnessRole::Created: return Role::Created;
    case WitnessRole::Removed: return Role::Removed;
    }
    return Role::Plain;
}

// What a check looks at is part of a question about a candidate: both are marked.
void MarkSource::markEvent(SceneMarks& marks, EventIndex event) const
{
    if (const DecisionIndex index = m_trace->decisionAt(event))
    {
        const Decision& decision = m_trace->decision(index);
        marks.nodes[decision.node.index()].roles.add(Role::Current);
        for (NodeId node : decision.mutated)
            marks.nodes[node.index()].roles.add(Role::Mutated);
    }
    for (const Witness& witness : witnesses(*m_trace, event))
    {
        if (witness.node)
            marks.nodes[witness.node.index()].roles.add(roleOf(witness.role));
    }
}

void MarkSource::markSelection(SceneMarks& marks, const TraceCursor& cursor,
                               const Selection& selection, const CaptureFacts& facts) const
{
    for (NodeId node : selection.nodes)
        marks.nodes[node.index()].roles.add(Role::Selected);
    const NodeId primary = selection.primary();
    const StorageId storage =
        selection.storage || !primary ? selection.storage : m_trace->storages.storageOf(primary);
    // A tensor alone in its memory shares it with nobody; a storage picked as such is shown anyway.
    if (storage && (selection.storage || m_trace->storages.nodesOf(storage).size() > 1))
    {
        for (NodeId node : m_trace->storages.nodesOf(storage))
            marks.nodes[node.index()].roles.add(Role::SameMemory);
    }
    if (!primary || !cursor.graph().contains(primary))
        return;
    const std::vector<NodeId> chain = viewChain(cursor.graph(), primary, facts);
    for (std::size_t i = 1; i < chain.size(); ++i)
    {
        marks.nodes[chain[i].index()].roles.add(Role::View);
        marks.viewSteps.emplace_back(chain[i - 1], chain[i]);
    }
}

static std::optional<Role> firstOf(RoleSet roles, std::span<const Role> wanted)
{
    for (Role role : wanted)
    {
        if (roles.has(role))
            return role;
    }
    return std::nullopt;
}

Role bodyRole(const NodeMarks& marks)
{
    constexpr std::array order{Role::NotYet,    Role::Removed,  Role::Kept,  Role::Reinplaced,
                               Role::Candidate, Role::CopyBack, Role::Input, Role::Output};
    return firstOf(marks.roles, order).value_or(Role::Plain);
}

std::vector<Role> tagRoles(const NodeMarks& marks)
{
    constexpr std::array order{Role::NotYet,    Role::Removed,  Role::Kept,     Role::Reinplaced,
                               Role::Candidate, Role::Blocking, Role::Current,  Role::Mutated,
                               Role::Created,   Role::Harmless, Role::CopyBack, Role::Retargeted};
    std::vector<Role> tags;
    for (Role role : order)
    {
        // "in place" already says why the operator is another one.
        const bool isSaid = role == Role::Retargeted && marks.roles.has(Role::Reinplaced);
        if (marks.roles.has(role) && !isSaid)
            tags.push_back(role);
    }
    return tags;
}

std::optional<Role> eventRing(RoleSet roles)
{
    constexpr std::array order{Role::Current, Role::Blocking, Role::Mutated, Role::Created,
                               Role::Harmless};
    return firstOf(roles, order);
}

std::optional<Role> diffRole(RoleSet roles)
{
    constexpr std::array order{Role::DiffAdded, Role::DiffRemoved, Role::DiffRetargeted,
                               Role::DiffRewired, Role::DiffMetadata};
    return firstOf(roles, order);
}

std::optional<Role> choiceRing(RoleSet roles)
{
    constexpr std::array order{Role::Selected,     Role::Found,          Role::DiffAdded,
                               Role::DiffRemoved,  Role::DiffRetargeted, Role::DiffRewired,
                               Role::DiffMetadata, Role::View,           Role::SameMemory};
    return firstOf(roles, order);
}

} // namespace reinspect
