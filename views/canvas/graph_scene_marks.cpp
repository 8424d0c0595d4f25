// SPDX-License-Identifier: MIT
// GraphScene: what each box, stub and edge is at the current event.
#include "views/canvas/graph_scene.h"

#include <algorithm>

namespace reinspect
{

static constexpr std::size_t kMostFarLinks = 40; // more would hide the picture

// What a folded group shows of the roles of its nodes. Decisions are counted on its badges instead.
static RoleSet groupRoles()
{
    RoleSet roles;
    for (const Role role :
         {Role::Current, Role::Blocking, Role::Mutated, Role::Created, Role::Harmless,
          Role::SameMemory, Role::Found, Role::Selected, Role::DiffAdded, Role::DiffRemoved,
          Role::DiffRetargeted, Role::DiffRewired, Role::DiffMetadata})
        roles.add(role);
    return roles;
}

void GraphScene::update(const TraceCursor& cursor, const Selection& selection,
                        const CaptureFacts& facts)
{
    if (!m_source)
        return;
    m_marks = m_source->marksAt(cursor, selection, facts);
    for (NodeId node : m_found)
        m_marks.nodes[node.index()].roles.add(Role::Found);
    for (const auto& [node, role] : m_differences)
        m_marks.nodes[node.index()].roles.add(role);
    gatherGroupFacts(cursor.event());
    m_operations.clear();
    for (std::size_t slot = 0; slot < m_marks.nodes.size(); ++slot)
    {
        const NodeId node(slot);
        if (m_marks.nodes[slot].isRetargeted)
            m_operations.emplace_back(
                node, retargetedText(m_source->firstTarget(node), cursor.graph()[node].target));
    }
    if (m_shownEdits != m_marks.editCount)
        showArguments(cursor.graph());
    m_shownEdits = m_marks.editCount;
    markEdges(selection);
    markPath(cursor.graph(), selection);
    linkFarStubs(selection);
    gatherRoles();
}

// What was decided in each folded group so far, and what the event and the reader say of its nodes.
void GraphScene::gatherGroupFacts(EventIndex event)
{
    m_groupFacts.clear();
    for (const auto& [group, members] : m_picture.members)
    {
        GroupFacts& facts = m_groupFacts[group];
        facts.nodes = members.size();
        for (const NodeId node : members)
            facts.marks.roles.add(m_marks.of(node).roles);
        facts.marks.roles.keepOnly(groupRoles());
    }
    if (m_groupFacts.empty())
        return;
    for (const Decision& decision : trace()->decisions)
    {
        const std::uint32_t place = m_picture.placeOfNode(decision.node);
        const std::uint32_t group = place == kNoBox ? kNoGroup : m_picture.groupOf[place];
        if (group == kNoGroup)
            continue;
        GroupFacts& facts = m_groupFacts[group];
        const bool isDecided = decision.decided && decision.decided <= event;
        const bool isKept = decision.verdict == Verdict::Kept;
        ++(!isDecided ? facts.undecided : isKept ? facts.kept : facts.inPlace);
        if (isDecided && isKept)
            facts.cloneBytes += decision.bytes.constant().value_or(0);
    }
}

// Edges and stubs of earlier and later arguments are hidden; a node that is not there has none.
// Told by places, because a folded group is one place with many nodes.
void GraphScene::showArguments(const Graph& graph)
{
    std::vector<std::uint32_t> wantedBy(m_picture.all.nodes.size(), kNoBox);
    const auto want = [&](NodeId user, std::uint32_t box) {
        if (!graph.contains(user))
            return;
        for (const NodeId input : graph.inputs(user))
        {
            const std::uint32_t place = m_picture.placeOfNode(input);
            if (place != kNoBox)
                wantedBy[place] = box;
        }
    };
    for (std::uint32_t box = 0; box < m_boxes.size(); ++box)
    {
        const auto members = m_picture.members.find(groupOfBox(box));
        if (members == m_picture.members.end())
            want(boxNode(box), box);
        else
        {
            for (const NodeId node : members->second)
                want(node, box);
        }
        for (std::uint32_t edge = m_firstEdge[box]; edge < m_firstEdge[box + 1]; ++edge)
        {
            const std::uint32_t from = m_picture.visible.edges[edge].from;
            m_edgeShown[edge] = wantedBy[m_picture.visible.boxes[from]] == box;
        }
        const std::uint32_t end = m_picture.rooms.firstStub[box + 1];
        for (std::uint32_t stub = m_picture.rooms.firstStub[box]; stub < end; ++stub)
            m_stubShown[stub] = wantedBy[m_picture.visible.stubs[stub].value] == box;
    }
}

void GraphScene::markEdges(const Selection& selection)
{
    for (std::uint32_t edge = 0; edge < m_edges.size(); ++edge)
        m_edgeStates[edge] = m_edgeShown[edge] ? EdgeState::Plain : EdgeState::Hidden;
    std::vector<bool> isChosen(m_boxes.size(), false);
    for (const NodeId node : selection.nodes)
    {
        const std::uint32_t box = m_picture.boxOfNode(node);
        if (box < m_boxes.size())
            isChosen[box] = true;
    }
    if (!selection.nodes.empty())
    {
        for (std::uint32_t edge = 0; edge < m_edges.size(); ++edge)
        {
            const LayoutEdge& ends = m_picture.visible.edges[edge];
            if (m_edgeShown[edge] && (isChosen[ends.from] || isChosen[ends.to]))
                m_edgeStates[edge] = EdgeState::Chosen;
        }
    }
    for (const auto& [base, view] : m_marks.viewSteps)
        markEdge(base, view, EdgeState::View);
}

void GraphScene::markEdge(NodeId from, NodeId to, EdgeState state)
{
    const std::uint32_t box = m_picture.boxOfNode(to);
    const std::uint32_t source = m_picture.boxOfNode(from);
    if (box >= m_boxes.size() || source >= m_boxes.size())
        return;
    for (std::uint32_t edge = m_firstEdge[box]; edge < m_firstEdge[box + 1]; ++edge)
    {
        if (m_edgeShown[edge] && m_picture.visible.edges[edge].from == source)
            m_edgeStates[edge] = state;
    }
}

void GraphScene::linkFarStubs(const Selection& selection)
{
    m_farLinks.clear();
    if (selection.nodes.empty())
        return;
    for (std::uint32_t i = 0; i < m_stubs.size() && m_farLinks.size() < kMostFarLinks; ++i)
    {
        const SceneStub& stub = m_stubs[i];
        const bool isChosen = m_marks.of(stub.value).roles.has(Role::Selected)
            || m_marks.of(stub.user).roles.has(Role::Selected);
        if (!stub.isFar || !m_stubShown[i] || !isChosen)
            continue;
        const std::uint32_t source = m_picture.boxOfNode(stub.value);
        if (source >= m_boxes.size())
            continue;
        const QRectF& box = m_boxes[source];
        m_farLinks.emplace_back(QPointF(box.center().x(), box.bottom()),
                                QPointF(stub.rect.center().x(), stub.rect.top()));
    }
}

void GraphScene::gatherRoles()
{
    m_occurring = {};
    for (std::uint32_t box = 0; box < m_boxes.size(); ++box)
        m_occurring.add(boxMarks(box).roles);
    for (std::uint32_t i = 0; i < m_stubs.size(); ++i)
    {
        if (!m_stubShown[i])
            continue;
        m_occurring.add(m_marks.of(m_stubs[i].value).roles);
        m_occurring.add(m_stubs[i].isFar ? Role::FarStub : Role::Stub);
    }
}

std::string GraphScene::operation(NodeId node) const
{
    for (const auto& [retargeted, text] : m_operations)
    {
        if (retargeted == node)
            return text;
    }
    return m_picture.source->operation(node, m_source->firstTarget(node));
}

} // namespace reinspect
