// SPDX-License-Identifier: MIT
#include "views/canvas/graph_scene.h"

#include <algorithm>

namespace reinspect
{

GraphScene::GraphScene()
    : m_metrics(std::make_shared<const BoxMetrics>())
    , m_picture(std::make_shared<const GraphPicture>())
    , m_places(std::make_shared<const ScenePlaces>())
{}

void GraphScene::setTrace(std::shared_ptr<const PassTrace> trace)
{
    m_source.reset();
    m_picture = std::make_shared<const GraphPicture>();
    m_found.clear();
    m_differences.clear();
    m_classes = {};
    m_occurring = {};
    clearPlaces();
    m_now = {};
    m_base = {};
    if (!trace)
        return;
    m_picture =
        std::make_shared<const GraphPicture>(makePicture(pictureSource(trace), {}, *m_metrics));
    m_source = std::make_shared<const MarkSource>(std::move(trace));
}

void GraphScene::setScope(const Scope& scope)
{
    if (!m_source)
        return;
    m_picture =
        std::make_shared<const GraphPicture>(makePicture(m_picture->source, scope, *m_metrics));
    clearPlaces();
}

void GraphScene::clearPlaces()
{
    m_places = std::make_shared<const ScenePlaces>();
    m_now.farLinks.clear();
    m_operations.clear();
    m_hoveredEdge = kNoBox;
    m_shownEdits.reset();
}

static QRectF toQt(const LayoutRect& rect)
{
    return {rect.x, rect.y, rect.width, rect.height};
}

void GraphScene::setLayout(const LayoutResult& layout)
{
    ScenePlaces places;
    for (std::size_t box = 0; box < layout.boxes.size(); ++box)
    {
        const LayoutRect& room = layout.boxes[box];
        places.boxes.push_back(toQt(m_picture->rooms.rooms[box].box).translated(room.x, room.y));
    }
    for (std::size_t i = 0; i < layout.groups.size(); ++i)
    {
        places.groups.push_back(toQt(layout.groups[i]));
        places.frameGroups.push_back(frameGroupAt(i));
    }
    placeStubs(places, layout);
    placeEdges(places, layout);
    places.boxIndex = GridIndex(places.boxes);
    places.bounds = QRectF(0, 0, layout.width, layout.height).adjusted(-24, -24, 24, 24);
    m_places = std::make_shared<const ScenePlaces>(std::move(places));
    m_shownEdits.reset();
}

// The group that begins where the frame does; a frame of folded boxes has none.
std::uint32_t GraphScene::frameGroupAt(std::size_t frame) const
{
    if (m_picture->all.groupPlaces.empty())
        return kNoGroup;
    const std::vector<NodeGroup>& groups = m_picture->source->groups;
    const std::uint32_t box = m_picture->visible.groupStarts[frame];
    const std::uint32_t framed = groupOfNode(boxNode(box));
    const std::uint32_t folded = m_picture->groupOfBox(box);
    const bool isFolded =
        folded != kNoGroup && framed != kNoGroup && groups[folded].contains(groups[framed]);
    return isFolded ? kNoGroup : framed;
}

std::uint32_t GraphScene::groupOfNode(NodeId node) const
{
    if (!node || !m_picture->source)
        return kNoGroup;
    return framedGroup(m_picture->source->groups, m_picture->source->placeOf[node.index()]);
}

std::uint32_t GraphScene::smallestGroupOf(NodeId node) const
{
    if (!node || !m_picture->source)
        return kNoGroup;
    return innermostGroup(m_picture->source->groups, m_picture->source->placeOf[node.index()]);
}

std::uint32_t GraphScene::foldedGroupOf(NodeId node) const
{
    const std::uint32_t place = m_picture->source ? m_picture->placeOfNode(node) : kNoBox;
    return place == kNoBox ? kNoGroup : m_picture->groupOf[place];
}

std::vector<NodeId> GraphScene::membersOf(std::uint32_t group) const
{
    std::vector<NodeId> nodes;
    const NodeGroup& range = m_picture->source->groups[group];
    for (std::uint32_t place = range.begin; place < range.end; ++place)
        nodes.push_back(m_picture->source->all.nodes[place].id);
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
    const std::uint32_t place = m_picture->placeOfNode(stub.value);
    const std::uint32_t group = place == kNoBox ? kNoGroup : m_picture->groupOf[place];
    return group == kNoGroup ? m_picture->trace().nameOf(stub.value) : groupName(group);
}

std::uint32_t GraphScene::frameNameAt(QPointF point, double zoom) const
{
    for (std::size_t i = 0; i < m_places->groups.size(); ++i)
    {
        const QRectF frame = m_places->groups[i].adjusted(-8, -8, 8, 8);
        const QRectF name(frame.left(), frame.top() - 16 / std::min(zoom, 1.0), frame.width(),
                          16 / std::min(zoom, 1.0));
        if (m_places->frameGroups[i] != kNoGroup && name.contains(point))
            return m_places->frameGroups[i];
    }
    return kNoGroup;
}

std::uint8_t GraphScene::classOfBox(std::uint32_t box) const
{
    if (m_classes.isEmpty() || groupOfBox(box) != kNoGroup)
        return kNoClass;
    const NodeId node = boxNode(box);
    return m_now.marks.of(node).presence == Presence::Present ? m_classes.of(node) : kNoClass;
}

NodeMarks GraphScene::boxMarks(std::uint32_t box) const
{
    const std::uint32_t group = groupOfBox(box);
    if (group == kNoGroup)
        return m_now.marks.of(boxNode(box));
    const auto found = m_now.groupFacts.find(group);
    return found == m_now.groupFacts.end() ? NodeMarks() : found->second.marks;
}

void GraphScene::placeStubs(ScenePlaces& places, const LayoutResult& layout)
{
    std::vector<QRectF> rects;
    for (std::uint32_t box = 0; box < places.boxes.size(); ++box)
    {
        const std::uint32_t first = m_picture->rooms.firstStub[box];
        const StubRoom& room = m_picture->rooms.rooms[box];
        for (std::uint32_t i = 0; i < room.stubs.size(); ++i)
        {
            const VisibleGraph::Stub& stub = m_picture->visible.stubs[first + i];
            const QRectF rect =
                toQt(room.stubs[i]).translated(layout.boxes[box].x, layout.boxes[box].y);
            places.stubs.push_back({m_picture->valueOfStub(first + i), m_picture->nodeOfBox(box),
                                    rect, stub.kind == StubKind::Far});
            rects.push_back(rect);
        }
    }
    places.stubIndex = GridIndex(rects);
    m_now.stubShown.assign(places.stubs.size(), 1);
}

void GraphScene::placeEdges(ScenePlaces& places, const LayoutResult& layout)
{
    m_hoveredEdge = kNoBox;
    places.firstEdge.assign(places.boxes.size() + 1, 0);
    std::vector<QRectF> rects;
    for (std::size_t i = 0; i < layout.routes.size(); ++i)
    {
        const LayoutEdge& ends = m_picture->visible.edges[i];
        SceneEdge edge{m_picture->nodeOfBox(ends.from), m_picture->nodeOfBox(ends.to), {}};
        for (const LayoutPoint& point : layout.routes[i])
            edge.line.append(QPointF(point.x, point.y));
        rects.push_back(edge.line.boundingRect());
        places.edges.push_back(std::move(edge));
        ++places.firstEdge[ends.to + 1];
    }
    for (std::size_t box = 0; box < places.boxes.size(); ++box)
        places.firstEdge[box + 1] += places.firstEdge[box];
    places.edgeIndex = GridIndex(rects);
    m_edgeShown.assign(places.edges.size(), 1);
    m_now.edgeStates.assign(places.edges.size(), EdgeState::Plain);
}

NodeId GraphScene::nodeAt(QPointF point) const
{
    const QRectF spot(point, QSizeF(0, 0));
    const std::vector<std::uint32_t> boxes = boxesIn(spot);
    if (!boxes.empty())
        return boxNode(boxes.front());
    for (std::uint32_t stub : stubsIn(spot))
    {
        if (m_now.stubShown[stub])
            return m_places->stubs[stub].value;
    }
    return {};
}

QRectF GraphScene::rectOf(NodeId node, NodeId near) const
{
    const std::uint32_t box = m_picture->boxOfNode(node);
    if (box != kNoBox && box < m_places->boxes.size())
        return m_places->boxes[box];
    QRectF first;
    for (std::uint32_t i = 0; i < m_places->stubs.size(); ++i)
    {
        if (m_places->stubs[i].value != node || !m_now.stubShown[i])
            continue;
        if (m_places->stubs[i].user == near)
            return m_places->stubs[i].rect;
        if (first.isEmpty())
            first = m_places->stubs[i].rect;
    }
    return first;
}

NodeId GraphScene::following(NodeId node, bool forward) const
{
    const std::vector<UnionGraph::Node>& all = m_picture->all.nodes;
    const std::uint32_t start = m_picture->placeOfNode(node);
    if (start == kNoBox)
        return {};
    for (std::uint32_t place = start; forward ? place + 1 < all.size() : place > 0;)
    {
        forward ? ++place : --place;
        if (!all[place].isStubOnly && m_now.marks.of(all[place].id).presence == Presence::Present)
            return all[place].id;
    }
    return {};
}

} // namespace reinspect
