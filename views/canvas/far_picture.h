// SPDX-License-Identifier: MIT
// The picture as seen from far away, kept as pixels: moving over a graph of 100,000 boxes then copies
// pixels instead of painting boxes. A little more than the widget shows is kept. While the reader
// zooms, the old pixels stand in, scaled; sharp ones come when the hand rests.
#pragma once

#include "views/canvas/graph_painter.h"
#include "views/canvas/viewport.h"

#include <QPixmap>

namespace reinspect
{

class FarPicture
{
public:
    // Worth it: the boxes are many and too small for text.
    static bool isUseful(const GraphScene& scene, double scale);

    void invalidate() { m_pixmap = {}; } // marks, places or colours changed
    bool isSharp(const Viewport& viewport) const;
    // On a painter in widget coordinates. What is not sharp is painted anew, unless `mayBeBlurred`
    // and there is something to stand in. Returns whether it is sharp.
    bool paint(QPainter& painter, GraphPainter& boxes, const GraphScene& scene, const Theme& theme,
               const Viewport& viewport, double pixelRatio, bool mayBeBlurred);

private:
    void render(GraphPainter& boxes, const GraphScene& scene, const Theme& theme,
                const Viewport& viewport, double pixelRatio);

    QPixmap m_pixmap;
    QRectF m_area; // of the scene
    double m_scale = 0;
};

} // namespace reinspect
