// SPDX-License-Identifier: MIT
// The lines of the picture: edges with their arrows, and the way to values made elsewhere.
#include "views/canvas/graph_painter.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace reinspect
{

static QPen edgePen(const PaintJob& job, EdgeState state)
{
    // A line is at least one device pixel wide, however small the picture.
    const double thinnest = 1 / job.scale;
    switch (state)
    {
    case EdgeState::Hidden:
    case EdgeState::Plain: return QPen(job.theme.color(Surface::Edge), job.scale < 1 ? 0 : 1.1);
    case EdgeState::Chosen:
        return QPen(job.theme.color(Surface::EdgeStrong), std::max(2.0, 1.5 * thinnest));
    case EdgeState::Path:
    case EdgeState::Hovered:
        return QPen(job.theme.color(Surface::Accent), std::max(3.5, 2.5 * thinnest));
    case EdgeState::View:
        return QPen(job.theme.style(Role::View).border, std::max(4.0, 2.5 * thinnest));
    }
    return {};
}

static void paintArrow(QPainter& painter, const QPolygonF& line, double size)
{
    const QPointF tip = line.last();
    const QPointF before = line[line.size() - 2];
    const double length = std::hypot(tip.x() - before.x(), tip.y() - before.y());
    if (length < 0.1)
        return;
    const QPointF along = (tip - before) / length * size;
    const QPointF across(along.y() * 0.5, -along.x() * 0.5);
    painter.drawPolygon(QPolygonF({tip, tip - along + across, tip - along - across}));
}

// Corners are rounded where there is room, so that the eye follows a line round them.
static QPainterPath roundedPath(const QPolygonF& line)
{
    QPainterPath path(line.first());
    for (qsizetype i = 1; i + 1 < line.size(); ++i)
    {
        const QPointF corner = line[i];
        const QPointF in = corner - line[i - 1];
        const QPointF out = line[i + 1] - corner;
        const double inLength = std::hypot(in.x(), in.y());
        const double outLength = std::hypot(out.x(), out.y());
        const double radius = std::min({9.0, inLength / 2, outLength / 2});
        if (radius < 1)
        {
            path.lineTo(corner);
            continue;
        }
        path.lineTo(corner - in / inLength * radius);
        path.quadTo(corner, corner + out / outLength * radius);
    }
    path.lineTo(line.last());
    return path;
}

static void paintNear(const PaintJob& job, const std::vector<std::uint32_t>& edges, EdgeState state)
{
    const QPen pen = edgePen(job, state);
    const double arrow = std::max(8.0, pen.widthF() * 2.6);
    for (std::uint32_t edge : edges)
    {
        if (job.scene.edgeState(edge) != state)
            continue;
        const QPolygonF& line = job.scene.edges()[edge].line;
        job.painter.setPen(pen);
        job.painter.setBrush(Qt::NoBrush);
        if (line.size() == 2)
            job.painter.drawLine(line.first(), line.last());
        else
            job.painter.drawPath(roundedPath(line));
        job.painter.setPen(Qt::NoPen);
        job.painter.setBrush(pen.color());
        paintArrow(job.painter, line, arrow);
    }
}

// Many small lines in one call. What would be a dot is left out.
static void paintAway(const PaintJob& job, const std::vector<std::uint32_t>& edges, EdgeState state)
{
    const double least = state == EdgeState::Plain ? 2.5 / job.scale : 0;
    QList<QLineF> lines;
    for (std::uint32_t edge : edges)
    {
        if (job.scene.edgeState(edge) != state)
            continue;
        const QPolygonF& line = job.scene.edges()[edge].line;
        const QPointF whole = line.last() - line.first();
        if (line.size() == 2 && std::abs(whole.x()) + std::abs(whole.y()) < least)
            continue;
        for (qsizetype i = 1; i < line.size(); ++i)
            lines.append(QLineF(line[i - 1], line[i]));
    }
    job.painter.setPen(edgePen(job, state));
    job.painter.drawLines(lines);
}

void paintEdges(const PaintJob& job)
{
    const std::vector<std::uint32_t> edges = job.scene.edgesIn(job.area);
    const auto paint = job.detail == Detail::Text ? paintNear : paintAway;
    for (EdgeState state : {EdgeState::Plain, EdgeState::Chosen, EdgeState::View, EdgeState::Path,
                            EdgeState::Hovered})
        paint(job, edges, state);
}

void paintFarLinks(const PaintJob& job)
{
    if (job.scene.farLinks().empty())
        return;
    QPen pen(job.theme.color(Surface::EdgeStrong), std::max(1.4, 1.2 / job.scale), Qt::DashLine);
    job.painter.save();
    job.painter.setRenderHint(QPainter::Antialiasing);
    job.painter.setOpacity(0.7);
    job.painter.setPen(pen);
    job.painter.setBrush(Qt::NoBrush);
    for (const QLineF& link : job.scene.farLinks())
    {
        // Leaves downward and arrives from above, as edges do.
        const double bend = std::clamp(std::abs(link.dy()) / 2, 40.0, 240.0);
        QPainterPath path(link.p1());
        path.cubicTo(link.p1() + QPointF(0, bend), link.p2() - QPointF(0, bend), link.p2());
        job.painter.drawPath(path);
    }
    job.painter.restore();
}

} // namespace reinspect
