// SPDX-License-Identifier: MIT
#include "views/canvas/graph_scene.h"

#include <algorithm>

namespace reinspect
{

void GraphScene::setTrace(std::shared_ptr<const PassTrace> trace)
{
    m_source.reset();
    m_picture = {};
    m_marks = {};
    m_groupFacts.clear();
    m_found.clear();
    m_differences.clear();
    m_classes = {};
    m_occurring = {};
    clearPlaces();
    if (!trace)
        return;
    m_picture = makePicture(pictureSource(trace), {}, m_metrics);
    m_source.emplace(std::move(trace));
}

void GraphScene::setScope(const Scope& scope)
{
    if (!m_source)
        return;
    m_picture = makePicture(m_picture.source, scope, m_metrics);
    clearPlaces();
}

void GraphScene::clearPlaces()
{
    m_boxes.clear();
    m_stubs.clear();
    m_edges.clear();
    m_groups.clear();
    m_farLinks.clear();
    m_frameGroups.clear();
    m_operations.clear();
    m_hoveredEdge = kNoBox;
    m_bounds = {};
    m_shownEdits.reset();
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
    m_frameGroups.clear();
    for (std::size_t i = 0; i < layout.groups.size(); ++i)
    {
        m_groups.push_back(toQt(layout.groups[i]));
        m_frameGroups.push_back(frameGroupAt(i));
    }
    placeStubs(layout);
    placeEdges(layout);
    m_boxIndex = GridIndex(m_boxes);
    m_bounds = QRectF(0, 0, layout.width, layout.height).adjusted(-24, -24, 24, 24);
    m_shownEdits.reset();
}

// The group that begins where the frame does; a frame of folded boxes, and one that only a part of
// a group fills, has none.
std::uint32_t GraphScene::frameGroupAt(std::size_t frame) const
{
    if (m_picture.all.groupPlaces.empty())
        return kNoGroup;
    const std::uint32_t box = m_picture.visible.groupStarts[frame];
    return m_picture.groupOfBox(box) == kNoGroup ? groupOfNode(boxNode(box)) : kNoGroup;
}

std::uint32_t GraphScene::groupOfNode(NodeId node) const
{
    if (!node || !m_picture.source)
        return kNoGroup;
    const std::vector<NodeGroup>& groups = m_picture.source->groups;
    const std::uint32_t place = m_picture.source->placeOf[node.index()];
    const auto after = std::upper_bound(
        groups.begin(), groups.end(), place,
        [](std::uint32_t wanted, const NodeGroup& group) { return wanted < group.begin; });
    if (after == groups.begin() || place >= (after - 1)->end)
        return kNoGroup;
    return static_cast<std::uint32_t>(after - groups.begin()) - 1;
}

std::vector<NodeId> GraphScene::membersOf(std::uint32_t group) const
{
    std::vector<NodeId> nodes;
    const NodeGroup& range = m_picture.source->groups[group];
    for (std::uint32_t place = range.begin; place < range.end; ++place)
        nodes.push_back(m_picture.source->all.nodes[place].id);
    return nodes;
}

std::uint32_t GraphScene::groupAt(QPointF point) const
{
    for (const std::uint32_t box : boxesIn(QRectF(point, QSizeF(0, 0))))
    {
        if (groupOfBox(box) != kNoGroup)
            return groupOfBox(box);
    }
    return kNoGroup;
}

const std::string& GraphScene::stubName(const SceneStub& stub) const
{
    const std::uint32_t place = m_picture.placeOfNode(stub.value);
    const std::uint32_t group = place == kNoBox ? kNoGroup : m_picture.groupOf[place];
    return group == kNoGroup ? m_picture.trace().nameOf(stub.value) : groupName(group);
}

std::uint32_t GraphScene::frameNameAt(QPointF point, double zoom) const
{
    for (std::size_t i = 0; i < m_groups.size(); ++i)
    {
        const QRectF frame = m_groups[i].adjusted(-8, -8, 8, 8);
        const QRectF name(frame.left(), frame.top() - 16 / std::min(zoom, 1.0), frame.width(),
                          16 / std::min(zoom, 1.0));
        if (m_frameGroups[i] != kNoGroup && name.contains(point))
            return m_frameGroups[i];
    }
    return kNoGroup;
}

std::uint8_t GraphScene::classOfBox(std::uint32_t box) const
{
    if (m_classes.isEmpty() || groupOfBox(box) != kNoGroup)
        return kNoClass;
    const NodeId node = boxNode(box);
    return m_marks.of(node).presence == Presence::Present ? m_classes.of(node) : kNoClass;
}

NodeMarks GraphScene::boxMarks(std::uint32_t box) const
{
    const std::uint32_t group = groupOfBox(box);
    if (group == kNoGroup)
        return m_marks.of(boxNode(box));
    const auto found = m_groupFacts.find(group);
    return found == m_groupFacts.end() ? NodeMarks() : found->second.marks;
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
    const std::uint32_t start = m_picture.placeOfNode(node);
    if (start == kNoBox)
        return {};
    for (std::uint32_t place = start; forward ? place + 1 < all.size() : place > 0;)
    {
        forward ? ++place : --place;
        if (!all[place].isStubOnly && m_marks.of(all[place].id).presence == Presence::Present)
            return all[place].id;
    }
    return {};
}

} // namespace reinspect
