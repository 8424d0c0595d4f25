// SPDX-License-Identifier: MIT
// GraphView: what is painted, on the widget and into files.
#include "core/layout/row_layout.h"
#include "views/canvas/far_picture.h"
#include "views/canvas/graph_painter.h"
#include "views/canvas/graph_scene.h"
#include "views/canvas/graph_view.h"
#include "views/canvas/minimap.h"
#include "views/canvas/picture_file.h"
#include "views/session/layout_service.h"
#include "views/session/scope_history.h"
#include "views/session/session.h"

#include <QPaintEvent>
#include <QPainter>

namespace reinspect
{

bool GraphView::isPictureSharp() const
{
    if (m_scene->isEmpty())
        return true;
    const bool isFar = FarPicture::isUseful(*m_scene, zoom());
    return (!isFar || m_far->isSharp(m_viewport))
        && (m_minimap->isDrawn() || !m_minimap->isNeeded());
}

void GraphView::showFarPicture()
{
    update();
    tellSharp();
}

void GraphView::tellSharp()
{
    if (isPictureSharp())
        emit pictureSharpened();
}

void GraphView::paintScene(QPainter& painter, const QRect& part)
{
    if (FarPicture::isUseful(*m_scene, zoom()))
    {
        m_far->paint(painter, *m_scene, m_theme, m_viewport, devicePixelRatioF());
        return;
    }
    painter.setTransform(m_viewport.transform(), true);
    m_painter->paint(painter, *m_scene, m_theme,
                     {.area = m_viewport.toScene(part), .scale = zoom()});
    painter.resetTransform();
}

// Only of what takes long enough to be asked about.
void GraphView::paintProgress(QPainter& painter) const
{
    constexpr int kPatience = 1000; // milliseconds
    if (m_layout->elapsed() < kPatience)
        return;
    const QString text =
        tr("Improving the layout: %1%2 s. Escape keeps this one.")
            .arg(m_layout->percent() ? tr("%1 % of its groups, ").arg(*m_layout->percent())
                                     : QString())
            .arg(m_layout->elapsed() / 1000);
    const QRect place(width() - fontMetrics().horizontalAdvance(text) - 28, 8,
                      fontMetrics().horizontalAdvance(text) + 20, fontMetrics().height() + 8);
    painter.setPen(m_theme.color(Surface::Grid));
    painter.setBrush(m_theme.color(Surface::Panel));
    painter.drawRoundedRect(place, 4, 4);
    painter.setPen(m_theme.color(Surface::Text));
    painter.drawText(place, Qt::AlignCenter, text);
}

void GraphView::paintBand(QPainter& painter) const
{
    if (!m_isBanding || !m_isDragging)
        return;
    QColor fill = m_theme.color(Surface::Accent);
    painter.setPen(QPen(fill, 1, Qt::DashLine));
    fill.setAlphaF(0.12f);
    painter.setBrush(fill);
    painter.drawRect(QRectF(m_pressedAt, m_draggedTo).normalized());
}

QImage GraphView::renderWhole(double scale) const
{
    return pictureImage(*m_scene, m_theme, scale);
}

QByteArray GraphView::svg() const
{
    return pictureSvg(*m_scene, m_theme);
}

// A whole graph that is not drawn now is placed in rows: waiting for a better layout here would hold
// up the window.
static void drawWhole(GraphScene& scene, const Session& session)
{
    scene.setTrace(session.trace());
    scene.setLayout(rowLayout(scene.layoutRequest()));
    if (session.cursor())
        scene.update(*session.cursor(), session.selection(), session.document()->facts);
}

Result<void> GraphView::savePicture(const QString& path, PictureExtent extent, double scale) const
{
    const Scope& scope = m_scopes->current();
    if (extent == PictureExtent::Seen)
        return writePicture(
            *m_scene, m_theme, path,
            {.area = m_viewport.sceneRect().intersected(m_scene->bounds()), .scale = scale});
    if (extent == PictureExtent::Drawn || (scope.isWhole() && scope.folded.empty())
        || !m_session->trace())
        return writePicture(*m_scene, m_theme, path, {.area = {}, .scale = scale});
    GraphScene whole;
    drawWhole(whole, *m_session);
    return writePicture(whole, m_theme, path, {.area = {}, .scale = scale});
}

QString GraphView::hintText() const
{
    if (!m_session->document())
        return tr("Open a file to see its graph.");
    if (m_session->trace())
        return tr("The graph is empty.");
    return m_session->isBusy() ? tr("Running the pass...") : tr("The pass was stopped.");
}

void GraphView::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    painter.fillRect(event->rect(), m_theme.color(Surface::Background));
    painter.setPen(m_theme.color(Surface::FaintText));
    if (m_scene->isEmpty())
    {
        painter.drawText(rect(), Qt::AlignCenter, hintText());
        return;
    }
    for (const QRect& part : partsOf(event->region()))
    {
        painter.setClipRect(part);
        paintScene(painter, part);
    }
    painter.setClipping(false);
    paintBand(painter);
    paintProgress(painter);
    if (hasFocus())
    {
        painter.setPen(QPen(m_theme.color(Surface::Focus), 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

} // namespace reinspect
