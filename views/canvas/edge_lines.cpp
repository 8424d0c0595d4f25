// SPDX-License-Identifier: MIT
// GraphScene: which edge is under the pointer, and the way between two chosen nodes.
#include "views/canvas/edge_walk.h"

#include <algorithm>
#include <cmath>

namespace reinspect
{

static double distanceTo(const QLineF& line, QPointF point)
{
    const QPointF along = line.p2() - line.p1();
    const double length = QPointF::dotProduct(along, along);
    const double at = length == 0
        ? 0
        : std::clamp(QPointF::dotProduct(point - line.p1(), along) / length, 0., 1.);
    const QPointF away = point - (line.p1() + at * along);
    return std::hypot(away.x(), away.y());
}

std::uint32_t GraphScene::edgeAt(QPointF point, double tolerance) const
{
    std::uint32_t nearest = kNoBox;
    double best = tolerance;
    const QRectF around(point.x() - tolerance, point.y() - tolerance, 2 * tolerance, 2 * tolerance);
    for (const std::uint32_t edge : edgesIn(around))
    {
        if (!m_edgeShown[edge])
            continue;
        const QPolygonF& line = m_places->edges[edge].line;
        for (qsizetype i = 1; i < line.size(); ++i)
        {
            const double distance = distanceTo(QLineF(line[i - 1], line[i]), point);
            if (distance <= best)
            {
                best = distance;
                nearest = edge;
            }
        }
    }
    return nearest;
}

bool GraphScene::setHoveredEdge(std::uint32_t edge)
{
    if (edge == m_hoveredEdge)
        return false;
    m_hoveredEdge = edge;
    return true;
}

void GraphScene::markPath(const Graph& graph, const Selection& selection)
{
    if (selection.nodes.size() != 2)
        return;
    const std::vector<NodeId> path = shortestPath(graph, selection.nodes[1], selection.nodes[0]);
    for (std::size_t i = 1; i < path.size(); ++i)
        markEdge(path[i - 1], path[i], EdgeState::Path);
}

} // namespace reinspect
