// SPDX-License-Identifier: MIT
#include "views/canvas/far_picture.h"

#include <QPainter>

namespace reinspect
{

bool FarPicture::isUseful(const GraphScene& scene, double scale)
{
    constexpr std::size_t kMany = 800;
    return scene.boxCount() > kMany && detailAt(scale) == Detail::Blocks;
}

bool FarPicture::isSharp(const Viewport& viewport) const
{
    return !m_pixmap.isNull() && m_scale == viewport.scale()
        && m_area.contains(viewport.sceneRect());
}

void FarPicture::render(GraphPainter& boxes, const GraphScene& scene, const Theme& theme,
                        const Viewport& viewport, double pixelRatio)
{
    const QRectF seen = viewport.sceneRect();
    m_scale = viewport.scale();
    m_area =
        seen.adjusted(-seen.width() / 2, -seen.height() / 2, seen.width() / 2, seen.height() / 2);
    m_pixmap = QPixmap((m_area.size() * m_scale * pixelRatio).toSize().expandedTo({1, 1}));
    m_pixmap.setDevicePixelRatio(pixelRatio);
    m_pixmap.fill(theme.color(Surface::Background));
    QPainter painter(&m_pixmap);
    painter.scale(m_scale, m_scale);
    painter.translate(-m_area.topLeft());
    boxes.paint(painter, scene, theme, {.area = m_area, .scale = m_scale});
}

bool FarPicture::paint(QPainter& painter, GraphPainter& boxes, const GraphScene& scene,
                       const Theme& theme, const Viewport& viewport, double pixelRatio,
                       bool mayBeBlurred)
{
    const bool canStandIn = mayBeBlurred && !m_pixmap.isNull();
    if (!isSharp(viewport) && !canStandIn)
        render(boxes, scene, theme, viewport, pixelRatio);
    const QRectF target = viewport.toScreen(m_area);
    if (isSharp(viewport))
    {
        painter.drawPixmap(target.topLeft(), m_pixmap);
        return true;
    }
    painter.drawPixmap(target, m_pixmap, QRectF(QPointF(0, 0), QSizeF(m_pixmap.size())));
    return false;
}

} // namespace reinspect
