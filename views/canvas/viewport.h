// SPDX-License-Identifier: MIT
// Which part of the scene is seen, and how large: one small value. A screen point p shows the scene
// point origin + p / scale.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QTransform>

namespace reinspect
{

class Viewport
{
public:
    static constexpr double kSmallest = 0.002;
    static constexpr double kLargest = 4;

    double scale() const { return m_scale; }
    QSizeF size() const { return m_size; } // of the screen
    QPointF toScene(QPointF screen) const { return m_origin + screen / m_scale; }
    QPointF toScreen(QPointF scene) const { return (scene - m_origin) * m_scale; }
    QRectF toScreen(const QRectF& scene) const
    {
        return {toScreen(scene.topLeft()), scene.size() * m_scale};
    }
    QRectF toScene(const QRect& screen) const
    {
        return {toScene(QPointF(screen.topLeft())), QSizeF(screen.size()) / m_scale};
    }
    QRectF sceneRect() const { return {m_origin, m_size / m_scale}; }
    QTransform transform() const; // scene to screen

    // The scene point in the middle stays there.
    void resize(QSizeF size);
    // The scene point under `anchor` stays there.
    void zoomTo(double scale, QPointF anchor);
    void pan(QPointF screenDelta) { m_origin -= screenDelta / m_scale; }
    void center(QPointF scene)
    {
        m_origin = scene - QPointF(m_size.width(), m_size.height()) / (2 * m_scale);
    }
    // Shows all of `scene`, never larger than `largest`.
    void fit(const QRectF& scene, double largest, double margin);
    // The least pan that brings `scene` inside, `margin` screen pixels from the border.
    void reveal(const QRectF& scene, double margin);
    // Of a scene larger than the screen, shows no more than `margin` pixels beyond its borders.
    void keepInside(const QRectF& scene, double margin);
    // Keeps some of `scene` in sight.
    void keepNear(const QRectF& scene);

    friend bool operator==(const Viewport&, const Viewport&) = default;

private:
    double m_scale = 1;
    QPointF m_origin;
    QSizeF m_size{1, 1};
};

} // namespace reinspect
