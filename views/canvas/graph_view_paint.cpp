// SPDX-License-Identifier: MIT
// GraphView: what is painted, on the widget and into files.
#include "views/canvas/graph_painter.h"
#include "views/canvas/graph_scene.h"
#include "views/canvas/graph_view.h"
#include "views/canvas/picture_file.h"
#include "views/session/session.h"

#include <QPainter>

namespace reinspect
{

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

Result<void> GraphView::savePicture(const QString& path) const
{
    return writePicture(*m_scene, m_theme, path);
}

QString GraphView::hintText() const
{
    if (!m_session->document())
        return tr("Open a file to see its graph.");
    return m_session->trace() ? tr("The graph is empty.") : tr("Running the pass...");
}

void GraphView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(Surface::Background));
    painter.setPen(m_theme.color(Surface::FaintText));
    if (m_scene->isEmpty())
    {
        painter.drawText(rect(), Qt::AlignCenter, hintText());
        return;
    }
    if (!m_isSettled)
        painter.drawText(rect().adjusted(10, 8, -10, -8), Qt::AlignTop | Qt::AlignRight,
                         tr("Improving the layout... (Esc keeps this one)"));
    painter.setTransform(m_viewport.transform(), true);
    m_painter->paint(painter, *m_scene, m_theme, {.area = m_viewport.sceneRect(), .scale = zoom()});
    painter.resetTransform();
    paintBand(painter);
    if (hasFocus())
    {
        painter.setPen(QPen(m_theme.color(Surface::Focus), 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

} // namespace reinspect
