// SPDX-License-Identifier: MIT
#include "views/canvas/mark_shapes.h"

#include <QPainter>
#include <QPainterPath>

namespace reinspect
{

// Shapes are drawn in a square from (0, 0) to (1, 1).

static void fillPolygon(QPainter& painter, std::initializer_list<QPointF> points)
{
    painter.drawPolygon(QPolygonF(QList<QPointF>(points)));
}

static QPen thick(const QPainter& painter, double width)
{
    return QPen(painter.brush().color(), width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
}

static void strokeLines(QPainter& painter, std::initializer_list<QLineF> lines)
{
    painter.setPen(thick(painter, 0.18));
    painter.drawLines(QList<QLineF>(lines));
}

static void strokeEllipses(QPainter& painter, std::initializer_list<QRectF> rects)
{
    painter.setPen(thick(painter, 0.16));
    painter.setBrush(Qt::NoBrush);
    for (const QRectF& rect : rects)
        painter.drawEllipse(rect);
}

static void drawArrowBack(QPainter& painter)
{
    strokeLines(painter, {{0.2, 0.62, 0.85, 0.62}, {0.85, 0.62, 0.85, 0.15}});
    painter.setPen(Qt::NoPen);
    fillPolygon(painter, {{0.0, 0.62}, {0.38, 0.34}, {0.38, 0.9}});
}

static void drawSwap(QPainter& painter)
{
    strokeLines(painter, {{0.1, 0.3, 0.7, 0.3}, {0.3, 0.7, 0.9, 0.7}});
    painter.setPen(Qt::NoPen);
    fillPolygon(painter, {{1.0, 0.3}, {0.66, 0.08}, {0.66, 0.52}});
    fillPolygon(painter, {{0.0, 0.7}, {0.34, 0.48}, {0.34, 0.92}});
}

static void drawEye(QPainter& painter)
{
    QPainterPath lids(QPointF(0, 0.5));
    lids.quadTo(0.5, 0.0, 1, 0.5);
    lids.quadTo(0.5, 1.0, 0, 0.5);
    const QBrush brush = painter.brush();
    painter.setPen(thick(painter, 0.12));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(lids);
    painter.setPen(Qt::NoPen);
    painter.setBrush(brush);
    painter.drawEllipse(QRectF(0.35, 0.35, 0.3, 0.3));
}

static void drawBars(QPainter& painter)
{
    painter.drawRect(QRectF(0.32, 0.32, 0.6, 0.6));
    const QPen pen = thick(painter, 0.13);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(
        QPolygonF({{0.2, 0.66}, {0.08, 0.66}, {0.08, 0.08}, {0.66, 0.08}, {0.66, 0.2}}));
}

static void drawWarning(QPainter& painter)
{
    QPainterPath sign;
    sign.addPolygon(QPolygonF({{0.5, 0.02}, {1.0, 0.94}, {0.0, 0.94}}));
    sign.closeSubpath();
    sign.addRect(QRectF(0.43, 0.34, 0.14, 0.32)); // cut out, as the two overlap
    sign.addRect(QRectF(0.43, 0.73, 0.14, 0.13));
    painter.drawPath(sign);
}

static void drawStar(QPainter& painter)
{
    fillPolygon(painter,
                {{0.5, 0.0},
                 {0.63, 0.35},
                 {1.0, 0.38},
                 {0.71, 0.61},
                 {0.81, 0.98},
                 {0.5, 0.77},
                 {0.19, 0.98},
                 {0.29, 0.61},
                 {0.0, 0.38},
                 {0.37, 0.35}});
}

static void drawSlashed(QPainter& painter)
{
    strokeLines(painter, {{0.22, 0.78, 0.78, 0.22}});
    strokeEllipses(painter, {{0.1, 0.1, 0.8, 0.8}});
}

static void drawPin(QPainter& painter)
{
    strokeLines(painter, {{0.5, 0.5, 0.5, 0.98}});
    painter.setPen(Qt::NoPen);
    painter.drawEllipse(QRectF(0.22, 0.0, 0.56, 0.56));
}

static void drawUnitMark(QPainter& painter, Mark mark)
{
    switch (mark)
    {
    case Mark::None: return;
    case Mark::Circle: return painter.drawEllipse(QRectF(0.1, 0.1, 0.8, 0.8));
    case Mark::Ring: return strokeEllipses(painter, {{0.14, 0.14, 0.72, 0.72}});
    case Mark::Square: return painter.drawRect(QRectF(0.12, 0.12, 0.76, 0.76));
    case Mark::Diamond: return fillPolygon(painter, {{0.5, 0}, {1, 0.5}, {0.5, 1}, {0, 0.5}});
    case Mark::Triangle: return fillPolygon(painter, {{0.1, 0.02}, {0.98, 0.5}, {0.1, 0.98}});
    case Mark::Cross:
        return strokeLines(painter, {{0.15, 0.15, 0.85, 0.85}, {0.85, 0.15, 0.15, 0.85}});
    case Mark::Check:
        return strokeLines(painter, {{0.1, 0.55, 0.4, 0.85}, {0.4, 0.85, 0.92, 0.18}});
    case Mark::ArrowUp: return fillPolygon(painter, {{0.5, 0}, {1, 0.9}, {0, 0.9}});
    case Mark::ArrowBack: return drawArrowBack(painter);
    case Mark::Link:
        return strokeEllipses(painter, {{0.05, 0.25, 0.5, 0.5}, {0.45, 0.25, 0.5, 0.5}});
    case Mark::Eye: return drawEye(painter);
    case Mark::Bars: return drawBars(painter);
    case Mark::Plus: return strokeLines(painter, {{0.5, 0.1, 0.5, 0.9}, {0.1, 0.5, 0.9, 0.5}});
    case Mark::Dash: return strokeLines(painter, {{0.12, 0.5, 0.88, 0.5}});
    case Mark::Swap: return drawSwap(painter);
    case Mark::Warning: return drawWarning(painter);
    case Mark::Slashed: return drawSlashed(painter);
    case Mark::Star: return drawStar(painter);
    case Mark::Pin: return drawPin(painter);
    }
}

void drawMark(QPainter& painter, Mark mark, const QRectF& rect, const QColor& color)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(rect.topLeft());
    painter.scale(rect.width(), rect.height());
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    drawUnitMark(painter, mark);
    painter.restore();
}

} // namespace reinspect
