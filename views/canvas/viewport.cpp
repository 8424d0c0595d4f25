// SPDX-License-Identifier: MIT
#include "views/canvas/viewport.h"

#include <algorithm>

namespace reinspect
{

QTransform Viewport::transform() const
{
    return QTransform::fromTranslate(-m_origin.x(), -m_origin.y())
        * QTransform::fromScale(m_scale, m_scale);
}

void Viewport::resize(QSizeF size)
{
    const QPointF middle = sceneRect().center();
    m_size = {std::max(size.width(), 1.0), std::max(size.height(), 1.0)};
    center(middle);
}

void Viewport::zoomTo(double scale, QPointF anchor)
{
    const QPointF fixed = toScene(anchor);
    m_scale = std::clamp(scale, kSmallest, kLargest);
    m_origin = fixed - anchor / m_scale;
}

void Viewport::fit(const QRectF& scene, double largest, double margin)
{
    if (scene.isEmpty())
        return;
    const double byWidth = (m_size.width() - 2 * margin) / scene.width();
    const double byHeight = (m_size.height() - 2 * margin) / scene.height();
    m_scale = std::clamp(std::min({byWidth, byHeight, largest}), kSmallest, kLargest);
    center(scene.center());
}

// How far [low, high] must move to lie in [0, length]; a longer interval shows its beginning.
static double moveInside(double low, double high, double length, double margin)
{
    if (high > length - margin)
        return std::max(length - margin - high, margin - low);
    return low < margin ? margin - low : 0;
}

void Viewport::reveal(const QRectF& scene, double margin)
{
    const QRectF screen = toScreen(scene);
    pan({moveInside(screen.left(), screen.right(), m_size.width(), margin),
         moveInside(screen.top(), screen.bottom(), m_size.height(), margin)});
}

// How far [low, high] must move so that it fills [margin, length - margin], when it is long enough.
static double moveToFill(double low, double high, double length, double margin)
{
    if (high - low < length - 2 * margin)
        return 0;
    return low > margin ? margin - low : std::max(length - margin - high, 0.0);
}

void Viewport::keepInside(const QRectF& scene, double margin)
{
    const QRectF screen = toScreen(scene);
    pan({moveToFill(screen.left(), screen.right(), m_size.width(), margin),
         moveToFill(screen.top(), screen.bottom(), m_size.height(), margin)});
}

// The middle of the screen stays over the scene.
void Viewport::keepNear(const QRectF& scene)
{
    if (scene.isEmpty())
        return;
    const QPointF middle = sceneRect().center();
    center({std::clamp(middle.x(), scene.left(), scene.right()),
            std::clamp(middle.y(), scene.top(), scene.bottom())});
}

} // namespace reinspect
