// SPDX-License-Identifier: MIT
#include "views/canvas/far_picture.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace reinspect
{

QImage scenePixels(GraphPainter& boxes, const GraphScene& scene, const Theme& theme,
                   const QRectF& area, double scale, double pixelRatio)
{
    QImage image((area.size() * scale * pixelRatio).toSize().expandedTo({1, 1}),
                 QImage::Format_RGB32);
    image.setDevicePixelRatio(pixelRatio);
    image.fill(theme.color(Surface::Background));
    QPainter painter(&image);
    painter.scale(scale, scale);
    painter.translate(-area.topLeft());
    boxes.paint(painter, scene, theme, {.area = area, .scale = scale});
    return image;
}

bool FarPicture::isUseful(const GraphScene& scene, double scale)
{
    constexpr std::size_t kMany = 800;
    return scene.boxCount() > kMany && detailAt(scale) != Detail::Text;
}

void FarPicture::clear()
{
    m_lane.cancel();
    m_shown = {};
    ++m_version;
}

bool FarPicture::isSharp(const Viewport& viewport) const
{
    return !m_shown.image.isNull() && m_shown.scale == viewport.scale()
        && m_shown.version == m_version && m_shown.area.contains(viewport.sceneRect());
}

// As much around what is seen as the memory for it allows.
FarPicture::Pixels FarPicture::wanted(const Viewport& viewport, double pixelRatio) const
{
    constexpr double kMostPixels = 16e6;
    const QRectF seen = viewport.sceneRect();
    const double pixels = seen.width() * seen.height() * std::pow(viewport.scale() * pixelRatio, 2);
    const double side = std::clamp(std::sqrt(kMostPixels / std::max(pixels, 1.0)), 1.1, 2.0);
    const QSizeF margin = seen.size() * (side - 1) / 2;
    return {{},
            seen.adjusted(-margin.width(), -margin.height(), margin.width(), margin.height()),
            viewport.scale(),
            m_version};
}

// One at a time: while the hand moves, each is of where it was a moment ago.
void FarPicture::request(const GraphScene& scene, const Theme& theme, const Viewport& viewport,
                         double pixelRatio)
{
    if (m_lane.isBusy())
        return;
    m_lane.run(
        [scene, theme, pixels = wanted(viewport, pixelRatio), pixelRatio](std::stop_token) {
            Pixels made = pixels;
            GraphPainter painter;
            made.image = scenePixels(painter, scene, theme, pixels.area, pixels.scale, pixelRatio);
            return made;
        },
        [this](Pixels made) {
            m_shown = std::move(made);
            m_ready();
        });
}

bool FarPicture::paint(QPainter& painter, const GraphScene& scene, const Theme& theme,
                       const Viewport& viewport, double pixelRatio)
{
    if (m_shown.image.isNull())
    {
        m_shown = wanted(viewport, pixelRatio);
        m_shown.image =
            scenePixels(m_painter, scene, theme, m_shown.area, m_shown.scale, pixelRatio);
    }
    else if (!isSharp(viewport))
    {
        request(scene, theme, viewport, pixelRatio);
    }
    const QRectF target = viewport.toScreen(m_shown.area);
    const bool isInScale = m_shown.scale == viewport.scale();
    if (isInScale)
        painter.drawImage(target.topLeft(), m_shown.image);
    else
        painter.drawImage(target, m_shown.image, QRectF(QPointF(0, 0), m_shown.image.size()));
    return isSharp(viewport);
}

} // namespace reinspect
