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

SceneChange GraphScene::update(const TraceCursor& cursor, const Selection& selection,
                               const CaptureFacts& facts)
{
    if (!m_source)
        return {};
    const bool isFirst = !m_shownEdits;
    const Marked before = m_now;
    m_now.marks = m_source->marksAt(cursor, selection, facts, m_base);
    for (NodeId node : m_found)
        m_now.marks.nodes[node.index()].roles.add(Role::Found);
    for (const auto& [node, role] : m_differences)
        m_now.marks.nodes[node.index()].roles.add(role);
    gatherGroupFacts(cursor.event());
    noteOperations(cursor);
    if (m_shownEdits != m_now.marks.editCount)
        showArguments(cursor.graph());
    m_shownEdits = m_now.marks.editCount;
    markEdges(selection);
    markPath(cursor.graph(), selection);
    linkFarStubs(selection);
    gatherRoles();
    return isFirst ? SceneChange{{}, true} : changeSince(before);
}

void GraphScene::noteOperations(const TraceCursor& cursor)
{
    m_operations.clear();
    for (const NodeId node : m_source->retargeted())
    {
        if (m_now.marks.of(node).isRetargeted)
            m_operations[node] =
                retargetedText(m_source->firstTarget(node), cursor.graph()[node].target);
    }
}

// As the painter bends it.
static QRectF reachOf(const QLineF& link)
{
    const double bend = std::clamp(std::abs(link.dy()) / 2, 40.0, 240.0);
    return QRectF(link.p1(), link.p2()).normalized().adjusted(0, -bend, 0, bend);
}

// Rings and tags reach out of their boxes, arrows and wide lines out of their edges.
SceneChange GraphScene::changeSince(const Marked& before) const
{
    constexpr double kReach = 34;
    constexpr std::size_t kMost = 200;
    SceneChange change;
    const auto add = [&change](const QRectF& rect) {
        change.areas.push_back(rect.adjusted(-kReach, -kReach, kReach, kReach));
    };
    const std::size_t slotCount = m_now.marks.nodes.size();
    std::vector<bool> differs(slotCount, false);
    for (std::size_t slot = 0; slot < slotCount; ++slot)
        differs[slot] = !(m_now.marks.nodes[slot] == before.marks.nodes[slot]);
    for (std::uint32_t box = 0; box < m_places->boxes.size(); ++box)
    {
        const auto facts = before.groupFacts.find(groupOfBox(box));
        const bool isOther = groupOfBox(box) == kNoGroup
            ? differs[boxNode(box).index()]
            : facts == before.groupFacts.end() || !(facts->second == groupFacts(groupOfBox(box)));
        if (isOther)
            add(m_places->boxes[box]);
    }
    for (std::uint32_t stub = 0; stub < m_places->stubs.size(); ++stub)
    {
        const SceneStub& there = m_places->stubs[stub];
        if (m_now.stubShown[stub] != before.stubShown[stub] || differs[there.value.index()]
            || differs[there.user.index()])
            add(there.rect);
    }
    for (std::uint32_t edge = 0; edge < m_places->edges.size(); ++edge)
    {
        if (m_now.edgeStates[edge] != before.edgeStates[edge])
            add(m_places->edges[edge].line.boundingRect());
    }
    if (m_now.farLinks != before.farLinks)
    {
        for (const std::vector<QLineF>* links : {&before.farLinks, &m_now.farLinks})
            for (const QLineF& link : *links)
                add(reachOf(link));
    }
    change.isAll = change.areas.size() > kMost;
    return change;
}

// What was decided in each folded group so far, and what the event and the reader say of its nodes.
void GraphScene::gatherGroupFacts(EventIndex event)
{
    m_now.groupFacts.clear();
    for (const auto& [group, members] : m_picture->members)
    {
        GroupFacts& facts = m_now.groupFacts[group];
        for (const NodeId node : members)
        {
            facts.marks.roles.add(m_now.marks.of(node).roles);
            ++(m_now.marks.of(node).roles.has(Role::Input) ? facts.inputs : facts.nodes);
        }
        facts.marks.roles.keepOnly(groupRoles());
    }
    if (m_now.groupFacts.empty())
        return;
    for (const Decision& decision : trace()->decisions)
    {
        const std::uint32_t place = m_picture->placeOfNode(decision.node);
        const std::uint32_t group = place == kNoBox ? kNoGroup : m_picture->groupOf[place];
        if (group == kNoGroup)
            continue;
        GroupFacts& facts = m_now.groupFacts[group];
        const bool isDecided = decision.decided && decision.decided <= event;
        const bool isKept = decision.verdict == Verdict::Kept;
        ++(!isDecided ? facts.undecided : isKept ? facts.kept : facts.inPlace);
        if (isDecided && isKept)
            facts.cloneBytes += decision.bytes.constant().value_or(0);
    }
}

// Edges and stubs of earlier and later arguments are hidden; a node that is not there has none. After the
// first time only boxes that were edited are looked at.
void GraphScene::showArguments(const Graph& graph)
{
    const std::uint32_t now = m_now.marks.editCount;
    if (!m_shownEdits)
    {
        for (std::uint32_t box = 0; box < m_places->boxes.size(); ++box)
            showArgumentsOf(box, graph);
        return;
    }
    std::vector<std::uint32_t> boxes;
    for (const NodeId node : nodesEdited(*trace(), *m_shownEdits, now))
        boxes.push_back(m_picture->boxOfNode(node));
    std::ranges::sort(boxes);
    boxes.erase(std::unique(boxes.begin(), boxes.end()), boxes.end());
    for (const std::uint32_t box : boxes)
    {
        if (box < m_places->boxes.size())
            showArgumentsOf(box, graph);
    }
}

// Told by places, because a folded group is one place with many nodes.
void GraphScene::showArgumentsOf(std::uint32_t box, const Graph& graph)
{
    std::vector<std::uint32_t> wanted;
    const auto want = [&](NodeId user) {
        if (!graph.contains(user))
            return;
        for (const NodeId input : graph.inputs(user))
            wanted.push_back(m_picture->placeOfNode(input));
    };
    const auto members = m_picture->members.find(groupOfBox(box));
    if (members == m_picture->members.end())
        want(boxNode(box));
    else
        std::ranges::for_each(members->second, want);
    std::ranges::sort(wanted);
    const auto isWanted = [&wanted](std::uint32_t place) {
        return std::ranges::binary_search(wanted, place);
    };
    for (std::uint32_t edge = m_places->firstEdge[box]; edge < m_places->firstEdge[box + 1]; ++edge)
        m_edgeShown[edge] = isWanted(m_picture->visible.boxes[m_picture->visible.edges[edge].from]);
    const std::uint32_t end = m_picture->rooms.firstStub[box + 1];
    for (std::uint32_t stub = m_picture->rooms.firstStub[box]; stub < end; ++stub)
        m_now.stubShown[stub] = isWanted(m_picture->visible.stubs[stub].value);
}

void GraphScene::markEdges(const Selection& selection)
{
    for (std::uint32_t edge = 0; edge < m_places->edges.size(); ++edge)
        m_now.edgeStates[edge] = m_edgeShown[edge] ? EdgeState::Plain : EdgeState::Hidden;
    std::vector<bool> isChosen(m_places->boxes.size(), false);
    for (const NodeId node : selection.nodes)
    {
        const std::uint32_t box = m_picture->boxOfNode(node);
        if (box < m_places->boxes.size())
            isChosen[box] = true;
    }
    if (!selection.nodes.empty())
    {
        for (std::uint32_t edge = 0; edge < m_places->edges.size(); ++edge)
        {
            const LayoutEdge& ends = m_picture->visible.edges[edge];
            if (m_edgeShown[edge] && (isChosen[ends.from] || isChosen[ends.to]))
                m_now.edgeStates[edge] = EdgeState::Chosen;
        }
    }
    for (const auto& [base, view] : m_now.marks.viewSteps)
        markEdge(base, view, EdgeState::View);
}

void GraphScene::markEdge(NodeId from, NodeId to, EdgeState state)
{
    const std::uint32_t box = m_picture->boxOfNode(to);
    const std::uint32_t source = m_picture->boxOfNode(from);
    if (box >= m_places->boxes.size() || source >= m_places->boxes.size())
        return;
    for (std::uint32_t edge = m_places->firstEdge[box]; edge < m_places->firstEdge[box + 1]; ++edge)
    {
        if (m_edgeShown[edge] && m_picture->visible.edges[edge].from == source)
            m_now.edgeStates[edge] = state;
    }
}

void GraphScene::linkFarStubs(const Selection& selection)
{
    m_now.farLinks.clear();
    if (selection.nodes.empty())
        return;
    for (std::uint32_t i = 0; i < m_places->stubs.size() && m_now.farLinks.size() < kMostFarLinks;
         ++i)
    {
        const SceneStub& stub = m_places->stubs[i];
        const bool isChosen = m_now.marks.of(stub.value).roles.has(Role::Selected)
            || m_now.marks.of(stub.user).roles.has(Role::Selected);
        if (!stub.isFar || !m_now.stubShown[i] || !isChosen)
            continue;
        const std::uint32_t source = m_picture->boxOfNode(stub.value);
        if (source >= m_places->boxes.size())
            continue;
        const QRectF& box = m_places->boxes[source];
        m_now.farLinks.emplace_back(QPointF(box.center().x(), box.bottom()),
                                    QPointF(stub.rect.center().x(), stub.rect.top()));
    }
}

void GraphScene::gatherRoles()
{
    m_occurring = {};
    for (std::uint32_t box = 0; box < m_places->boxes.size(); ++box)
        m_occurring.add(boxMarks(box).roles);
    for (std::uint32_t i = 0; i < m_places->stubs.size(); ++i)
    {
        if (!m_now.stubShown[i])
            continue;
        m_occurring.add(m_now.marks.of(m_places->stubs[i].value).roles);
        m_occurring.add(m_places->stubs[i].isFar ? Role::FarStub : Role::Stub);
    }
}

std::string GraphScene::operation(NodeId node) const
{
    const auto now = m_operations.find(node);
    return now != m_operations.end()
        ? now->second
        : m_picture->source->operation(node, m_source->firstTarget(node));
}

} // namespace reinspect
