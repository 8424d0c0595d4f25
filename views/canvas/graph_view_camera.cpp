// SPDX-License-Identifier: MIT
// GraphView: which part of the picture is seen.
#include "core/passes/explain.h"
#include "views/canvas/graph_scene.h"
#include "views/canvas/graph_view.h"
#include "views/canvas/legend.h"
#include "views/canvas/minimap.h"
#include "views/session/session.h"

#include <QResizeEvent>

namespace reinspect
{

static constexpr double kReadable = 0.6; // the least zoom at which text is easily read
static constexpr double kZoomStep = 1.25;
static constexpr double kMargin = 24; // between what must be seen and the border of the widget

// All of it when that can be read, else what the opening event speaks of.
void GraphView::openView()
{
    m_isOpened = true;
    letLegendFold();
    m_viewport.fit(m_scene->bounds(), 1, kMargin / 2);
    m_isFitted = m_viewport.scale() >= kReadable;
    if (m_isFitted)
        return;
    const NodeId anchor = anchorNode();
    QRectF wanted = m_scene->rectOf(anchor);
    const QRectF first = wanted;
    if (const TraceCursor* cursor = m_session->cursor(); cursor && cursor->event())
    {
        for (const Witness& witness : witnesses(cursor->trace(), cursor->event()))
            wanted = wanted.united(m_scene->rectOf(witness.node, anchor));
    }
    if (wanted.isEmpty())
        wanted = QRectF(m_scene->bounds().topLeft(), QSizeF(1, 1));
    m_viewport.fit(wanted.adjusted(-120, -160, 120, 160), 0.9, kMargin);
    if (m_viewport.scale() < kReadable)
    {
        m_viewport.zoomTo(kReadable + 0.1, {0, 0});
        m_viewport.center((first.isEmpty() ? wanted : first).center());
    }
    m_viewport.keepInside(m_scene->bounds(), kMargin);
}

QRectF GraphView::screenRect(NodeId node) const
{
    const QRectF rect = m_scene->rectOf(node, m_cameFrom);
    return rect.isEmpty() ? QRectF() : m_viewport.toScreen(rect);
}

void GraphView::revealNode(NodeId node)
{
    const QRectF rect = m_scene->rectOf(node, m_cameFrom);
    if (rect.isEmpty())
        return;
    const QRectF inside = QRectF(QPointF(0, 0), m_viewport.size()).adjusted(4, 4, -4, -4);
    if (inside.contains(m_viewport.toScreen(rect)))
        return;
    // From far away, the neighbourhood should be seen too.
    if (inside.intersects(m_viewport.toScreen(rect)))
        m_viewport.reveal(rect, 2 * kMargin);
    else
        m_viewport.center(rect.center());
    viewportMoved();
}

ViewPlace GraphView::viewPlace() const
{
    return {zoom(), screenRect(anchorNode()).center()};
}

void GraphView::setViewPlace(const ViewPlace& place)
{
    m_viewport.zoomTo(place.zoom, {0, 0});
    const QRectF anchor = screenRect(anchorNode());
    if (!anchor.isEmpty())
        m_viewport.pan(place.anchorAt - anchor.center());
    m_isOpened = m_isMoved = true;
    viewportMoved();
}

void GraphView::fit()
{
    letLegendFold();
    m_viewport.fit(m_scene->bounds(), 1, kMargin / 2);
    m_isMoved = true;
    viewportMoved();
}

void GraphView::zoomIn()
{
    zoomTo(zoom() * kZoomStep, QRectF(rect()).center());
}

void GraphView::zoomOut()
{
    zoomTo(zoom() / kZoomStep, QRectF(rect()).center());
}

void GraphView::resetZoom()
{
    zoomTo(1, QRectF(rect()).center());
}

void GraphView::centerOnSelection()
{
    centerOn(anchorNode());
}

void GraphView::centerOn(NodeId node)
{
    const QRectF rect = m_scene->rectOf(node, m_cameFrom);
    if (rect.isEmpty())
        return;
    m_viewport.center(rect.center());
    m_isMoved = true;
    viewportMoved();
}

void GraphView::zoomTo(double scale, QPointF anchor)
{
    m_viewport.zoomTo(scale, anchor);
    m_mayFoldLegend = false;
    m_isMoved = true;
    viewportMoved();
}

void GraphView::zoomToScreen(const QRectF& rect)
{
    const QRectF wanted(m_viewport.toScene(rect.topLeft()), m_viewport.toScene(rect.bottomRight()));
    m_viewport.fit(wanted, Viewport::kLargest, 0);
    m_isMoved = true;
    viewportMoved();
}

void GraphView::panBy(QPointF delta)
{
    m_viewport.pan(delta);
    m_viewport.keepNear(m_scene->bounds());
    m_mayFoldLegend = false;
    m_isMoved = true;
    viewportMoved();
}

void GraphView::viewportMoved()
{
    if (m_shownZoom != zoom())
    {
        m_shownZoom = zoom();
        emit zoomChanged(zoom());
    }
    placeOverlays();
    update();
    emit viewMoved();
}

NodeId GraphView::nodeInTheMiddle() const
{
    const QPointF middle = m_viewport.toScene(QPointF(width() / 2.0, height() / 2.0));
    NodeId nearest;
    double best = 0;
    for (std::uint32_t box = 0; box < m_scene->boxCount(); ++box)
    {
        const QPointF away = m_scene->boxRect(box).center() - middle;
        const double distance = QPointF::dotProduct(away, away);
        if (!nearest || distance < best)
        {
            nearest = m_scene->boxNode(box);
            best = distance;
        }
    }
    return nearest;
}

void GraphView::placeNode(NodeId node, QPointF at, double zoom)
{
    m_viewport.zoomTo(zoom, {0, 0});
    const QRectF rect = screenRect(node);
    if (!rect.isEmpty())
        m_viewport.pan(at - rect.center());
    m_isOpened = m_isMoved = true;
    viewportMoved();
}

void GraphView::resizeEvent(QResizeEvent* event)
{
    m_viewport.resize(event->size());
    // Until the user takes over, the opening view is that of the size the window settles on.
    if (m_isOpened && !m_isMoved)
        openView();
    m_minimap->rebuild();
    placeOverlays();
    viewportMoved();
}

} // namespace reinspect
