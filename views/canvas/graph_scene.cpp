// SPDX-License-Identifier: MIT
#include "views/canvas/graph_scene.h"

#include <algorithm>

namespace reinspect
{

static constexpr std::size_t kMostFarLinks = 40; // more would hide the picture

void GraphScene::setTrace(std::shared_ptr<const PassTrace> trace)
{
    m_source.reset();
    m_picture = {};
    m_marks = {};
    m_boxes.clear();
    m_stubs.clear();
    m_edges.clear();
    m_groups.clear();
    m_farLinks.clear();
    m_operations.clear();
    m_found.clear();
    m_hoveredEdge = kNoBox;
    m_bounds = {};
    m_occurring = {};
    m_shownEdits.reset();
    if (!trace)
        return;
    m_picture = makePicture(trace, m_metrics);
    m_source.emplace(std::move(trace));
}

static QRectF toQt(const LayoutRect& rect)
{
    return {rect.x, rect.y, rect.width, rect.height};
}

void GraphScene::setLayout(const LayoutResult& layout)
{
    m_boxes.clear();
    for (std::size_t box = 0; box < layout.boxes.size(); ++box)
    {
        const LayoutRect& room = layout.boxes[box];
        m_boxes.push_back(toQt(m_picture.rooms.rooms[box].box).translated(room.x, room.y));
    }
    m_groups.clear();
    for (const LayoutRect& group : layout.groups)
        m_groups.push_back(toQt(group));
    placeStubs(layout);
    placeEdges(layout);
    m_boxIndex = GridIndex(m_boxes);
    m_bounds = QRectF(0, 0, layout.width, layout.height).adjusted(-24, -24, 24, 24);
    m_shownEdits.reset();
}

void GraphScene::placeStubs(const LayoutResult& layout)
{
    m_stubs.clear();
    std::vector<QRectF> rects;
    for (std::uint32_t box = 0; box < m_boxes.size(); ++box)
    {
        const std::uint32_t first = m_picture.rooms.firstStub[box];
        const StubRoom& room = m_picture.rooms.rooms[box];
        for (std::uint32_t i = 0; i < room.stubs.size(); ++i)
        {
            const VisibleGraph::Stub& stub = m_picture.visible.stubs[first + i];
            const QRectF rect =
                toQt(room.stubs[i]).translated(layout.boxes[box].x, layout.boxes[box].y);
            m_stubs.push_back({m_picture.valueOfStub(first + i), m_picture.nodeOfBox(box), rect,
                               stub.kind == StubKind::Far});
            rects.push_back(rect);
        }
    }
    m_stubIndex = GridIndex(rects);
    m_stubShown.assign(m_stubs.size(), 1);
}

void GraphScene::placeEdges(const LayoutResult& layout)
{
    m_edges.clear();
    m_hoveredEdge = kNoBox;
    m_firstEdge.assign(m_boxes.size() + 1, 0);
    std::vector<QRectF> rects;
    for (std::size_t i = 0; i < layout.routes.size(); ++i)
    {
        const LayoutEdge& ends = m_picture.visible.edges[i];
        SceneEdge edge{m_picture.nodeOfBox(ends.from), m_picture.nodeOfBox(ends.to), {}};
        for (const LayoutPoint& point : layout.routes[i])
            edge.line.append(QPointF(point.x, point.y));
        rects.push_back(edge.line.boundingRect());
        m_edges.push_back(std::move(edge));
        ++m_firstEdge[ends.to + 1];
    }
    for (std::size_t box = 0; box < m_boxes.size(); ++box)
        m_firstEdge[box + 1] += m_firstEdge[box];
    m_edgeIndex = GridIndex(rects);
    m_edgeShown.assign(m_edges.size(), 1);
    m_edgeStates.assign(m_edges.size(), EdgeState::Plain);
}

void GraphScene::update(const TraceCursor& cursor, const Selection& selection,
                        const CaptureFacts& facts)
{
    if (!m_source)
        return;
    m_marks = m_source->marksAt(cursor, selection, facts);
    for (NodeId node : m_found)
        m_marks.nodes[node.index()].roles.add(Role::Found);
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

// Edges and stubs of earlier and later arguments are hidden; a node that is not there has none.
void GraphScene::showArguments(const Graph& graph)
{
    std::vector<std::uint32_t> wantedBy(m_picture.placeOf.size(), kNoBox);
    for (std::uint32_t box = 0; box < m_boxes.size(); ++box)
    {
        const NodeId user = boxNode(box);
        const bool isPresent = graph.contains(user);
        if (isPresent)
        {
            for (NodeId input : graph.inputs(user))
                wantedBy[input.index()] = box;
        }
        for (std::uint32_t edge = m_firstEdge[box]; edge < m_firstEdge[box + 1]; ++edge)
            m_edgeShown[edge] = wantedBy[m_edges[edge].from.index()] == box;
        const std::uint32_t end = m_picture.rooms.firstStub[box + 1];
        for (std::uint32_t stub = m_picture.rooms.firstStub[box]; stub < end; ++stub)
            m_stubShown[stub] = wantedBy[m_stubs[stub].value.index()] == box;
    }
}

void GraphScene::markEdges(const Selection& selection)
{
    for (std::uint32_t edge = 0; edge < m_edges.size(); ++edge)
        m_edgeStates[edge] = m_edgeShown[edge] ? EdgeState::Plain : EdgeState::Hidden;
    const auto chosen = [this](NodeId node) { return m_marks.of(node).roles.has(Role::Selected); };
    if (!selection.nodes.empty())
    {
        for (std::uint32_t edge = 0; edge < m_edges.size(); ++edge)
        {
            if (m_edgeShown[edge] && (chosen(m_edges[edge].from) || chosen(m_edges[edge].to)))
                m_edgeStates[edge] = EdgeState::Chosen;
        }
    }
    for (const auto& [base, view] : m_marks.viewSteps)
    {
        const std::uint32_t box = m_picture.boxOfNode(view);
        if (box == kNoBox || box >= m_boxes.size())
            continue;
        for (std::uint32_t edge = m_firstEdge[box]; edge < m_firstEdge[box + 1]; ++edge)
        {
            if (m_edgeShown[edge] && m_edges[edge].from == base)
                m_edgeStates[edge] = EdgeState::View;
        }
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
        const QRectF& box = m_boxes[m_picture.boxOfNode(stub.value)];
        m_farLinks.emplace_back(QPointF(box.center().x(), box.bottom()),
                                QPointF(stub.rect.center().x(), stub.rect.top()));
    }
}

void GraphScene::gatherRoles()
{
    m_occurring = {};
    for (std::uint32_t box = 0; box < m_boxes.size(); ++box)
        m_occurring.add(m_marks.of(boxNode(box)).roles);
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
    return m_picture.operation(node, m_source->firstTarget(node));
}

NodeId GraphScene::nodeAt(QPointF point) const
{
    const QRectF spot(point, QSizeF(0, 0));
    const std::vector<std::uint32_t> boxes = boxesIn(spot);
    if (!boxes.empty())
        return boxNode(boxes.front());
    for (std::uint32_t stub : stubsIn(spot))
    {
        if (m_stubShown[stub])
            return m_stubs[stub].value;
    }
    return {};
}

QRectF GraphScene::rectOf(NodeId node, NodeId near) const
{
    const std::uint32_t box = m_picture.boxOfNode(node);
    if (box != kNoBox && box < m_boxes.size())
        return m_boxes[box];
    QRectF first;
    for (std::uint32_t i = 0; i < m_stubs.size(); ++i)
    {
        if (m_stubs[i].value != node || !m_stubShown[i])
            continue;
        if (m_stubs[i].user == near)
            return m_stubs[i].rect;
        if (first.isEmpty())
            first = m_stubs[i].rect;
    }
    return first;
}

NodeId GraphScene::following(NodeId node, bool forward) const
{
    const std::vector<UnionGraph::Node>& all = m_picture.all.nodes;
    if (!node || node.index() >= m_picture.placeOf.size())
        return {};
    for (std::uint32_t place = m_picture.placeOf[node.index()];
         forward ? place + 1 < all.size() : place > 0;)
    {
        forward ? ++place : --place;
        if (m_marks.of(all[place].id).presence == Presence::Present)
            return all[place].id;
    }
    return {};
}

} // namespace reinspect
