// SPDX-License-Identifier: MIT
// MemoryChart: the layers of its picture.
#include "views/canvas/class_colors.h"
#include "views/canvas/mark_shapes.h"
#include "views/models/tensor_words.h"
#include "views/panels/memory_chart.h"

#include <QPainter>

#include <algorithm>

namespace reinspect
{

void MemoryChart::paintAxes(QPainter& painter, const Theme& theme) const
{
    const QRectF area = plot();
    const int lineHeight = fontMetrics().height();
    const std::int64_t top = topBytes();
    const int lines = std::clamp(static_cast<int>(area.height()) / (lineHeight * 2), 1, 8);
    const std::int64_t step = byteStep(top, lines);
    for (std::int64_t bytes = 0; bytes <= top; bytes += step)
    {
        const qreal y = pointAt(0, bytes).y();
        painter.setPen(theme.color(Surface::Grid));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(theme.color(Surface::FaintText));
        painter.drawText(QRectF(0, y - lineHeight / 2.0, area.left() - 6, lineHeight),
                         Qt::AlignRight | Qt::AlignVCenter, bytesText(bytes));
    }
    painter.setPen(theme.color(Surface::Edge));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.drawLine(area.bottomLeft(), area.topLeft());
    painter.setPen(theme.color(Surface::FaintText));
    const QRectF below(area.left(), area.bottom() + 4, area.width(), lineHeight);
    painter.drawText(below, Qt::AlignLeft, QStringLiteral("1"));
    painter.drawText(below, Qt::AlignRight, QStringLiteral("%L1").arg(m_curves->axis.size()));
    painter.drawText(below, Qt::AlignHCenter, tr("nodes in program order"));
}

// The largest allocations one by one, from the ground up by birth; the small ones as one layer on top.
void MemoryChart::paintStack(QPainter& painter, const Theme& theme) const
{
    if (!m_stacked || *m_stacked >= m_curves->curves.size())
        return;
    constexpr std::size_t kMost = 200;
    const std::vector<MemoryBand>& all = m_curves->curves[*m_stacked].bands;
    std::vector<std::size_t> order(all.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) {
        return all[i].bytes * static_cast<std::int64_t>(all[i].died - all[i].born);
    });
    const auto shown = static_cast<std::ptrdiff_t>(std::min(kMost, order.size()));
    std::sort(order.begin(), order.begin() + shown);
    std::vector<std::int64_t> ground(m_curves->axis.size() + 1, 0);
    const qreal half = 0.5 * plot().width() / static_cast<qreal>(m_curves->axis.size());
    for (std::size_t k = 0; k < order.size(); ++k)
    {
        const MemoryBand& band = all[order[k]];
        const bool isSmall = k >= kMost;
        const ClassColor color = classColor(theme, order[k], 10, false);
        painter.setBrush(isSmall ? theme.color(Surface::Grid) : color.fill);
        painter.setPen(isSmall ? QPen(Qt::NoPen) : QPen(theme.color(Surface::Panel), 0.5));
        for (std::size_t place = band.born; place < band.died && place < m_curves->axis.size();)
        {
            const std::int64_t from = ground[place];
            std::size_t end = place;
            while (end < band.died && end < m_curves->axis.size() && ground[end] == from)
                ground[end++] += band.bytes;
            const QPointF low = pointAt(place, from) - QPointF(half, 0);
            const QPointF high = pointAt(end - 1, from + band.bytes) + QPointF(half, 0);
            painter.drawRect(QRectF(QPointF(low.x(), high.y()), QPointF(high.x(), low.y())));
            place = end;
        }
    }
}

void MemoryChart::paintCurve(QPainter& painter, const Theme& theme, std::size_t index) const
{
    const MemoryCurve& curve = m_curves->curves[index];
    painter.setBrush(Qt::NoBrush);
    QPen pen(memoryColor(theme, index), 1.6);
    pen.setJoinStyle(Qt::BevelJoin);
    if (curve.measured.isThere())
    {
        painter.setPen(pen);
        painter.drawPolyline(polyline(curve, curve.measured));
        pen.setWidthF(1);
    }
    if (!curve.predicted.isThere())
        return;
    pen.setStyle(Qt::DotLine);
    painter.setPen(pen);
    painter.drawPolyline(polyline(curve, curve.predicted));
}

void MemoryChart::paintPeak(QPainter& painter, const Theme& theme, std::size_t index) const
{
    const MemoryLine& line = m_curves->curves[index].best();
    const auto at = m_curves->placeOf.find(line.peakNode);
    if (at == m_curves->placeOf.end())
        return;
    constexpr qreal kExtent = 11;
    const QPointF point = pointAt(at->second, line.peakBytes);
    const QRectF box(point - QPointF(kExtent / 2, kExtent / 2), QSizeF(kExtent, kExtent));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Surface::Panel));
    painter.drawEllipse(box.adjusted(-2, -2, 2, 2));
    drawMark(painter, memoryMark(index), box, memoryColor(theme, index));
}

void MemoryChart::paintCursor(QPainter& painter, const Theme& theme) const
{
    const QRectF area = plot();
    if (m_current && m_current != m_chosen)
    {
        const qreal x = pointAt(*m_current, 0).x();
        painter.setPen(QPen(theme.style(Role::Current).border, 1, Qt::DashLine));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
    if (!m_chosen)
        return;
    const qreal x = pointAt(*m_chosen, 0).x();
    painter.setPen(QPen(theme.style(Role::Selected).border, 2));
    painter.drawLine(QPointF(x, area.top() - 4), QPointF(x, area.bottom()));
}

} // namespace reinspect
