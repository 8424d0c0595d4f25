// SPDX-License-Identifier: MIT
// The picture as seen from afar, kept as pixels: moving over a graph of 100,000 boxes then copies pixels
// instead of painting boxes. A little more than the widget shows is kept. Pixels are made on a thread of
// their own; until they are there, the old ones stand in, scaled.
#pragma once

#include "views/canvas/graph_painter.h"
#include "views/canvas/viewport.h"
#include "views/session/lane.h"

#include <QImage>

namespace reinspect
{

// A part of a scene as pixels. Fit for any thread, with a painter of that thread.
QImage scenePixels(GraphPainter& boxes, const GraphScene& scene, const Theme& theme,
                   const QRectF& area, double scale, double pixelRatio);

class FarPicture
{
public:
    // `ready` is called when other pixels are there to be painted.
    explicit FarPicture(std::function<void()> ready)
        : m_ready(std::move(ready))
    {}

    // Worth it: the boxes are many and too small for text.
    static bool isUseful(const GraphScene& scene, double scale);

    void invalidate() { ++m_version; } // marks or colours changed: the old pixels stand in
    void clear();                      // places changed: the old pixels would be of another picture
    bool isSharp(const Viewport& viewport) const; // and as the scene is now
    // On a painter in widget coordinates. Asks for what is not sharp. What no old pixels can stand in for
    // is painted at once. Returns whether it is sharp.
    bool paint(QPainter& painter, const GraphScene& scene, const Theme& theme,
               const Viewport& viewport, double pixelRatio);

private:
    struct Pixels
    {
        QImage image;
        QRectF area; // of the scene
        double scale = 0;
        std::uint64_t version = 0;
    };
    Pixels wanted(const Viewport& viewport, double pixelRatio) const;
    void request(const GraphScene& scene, const Theme& theme, const Viewport& viewport,
                 double pixelRatio);

    std::function<void()> m_ready;
    Pixels m_shown;
    std::uint64_t m_version = 0;
    GraphPainter m_painter; // of this thread
    Lane m_lane;
};

} // namespace reinspect
