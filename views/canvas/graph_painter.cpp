// SPDX-License-Identifier: MIT
#include "views/canvas/graph_painter.h"

#include <QPainter>
#include <QRegion>

namespace reinspect
{

Detail detailAt(double scale)
{
    if (scale < 0.15)
        return Detail::Blocks;
    return scale < 0.4 ? Detail::Marks : Detail::Text;
}

std::vector<QRect> partsOf(const QRegion& region)
{
    constexpr int kMost = 12;
    if (region.rectCount() > kMost)
        return {region.boundingRect()};
    return {region.begin(), region.end()};
}

// Rings and tags reach out of their boxes.
static constexpr double kReach = 32;

void GraphPainter::paint(QPainter& painter, const GraphScene& scene, const Theme& theme,
                         const PaintOptions& options)
{
    const QRectF area = options.area.adjusted(-kReach, -kReach, kReach, kReach);
    const Detail detail = options.asFile ? Detail::Text : detailAt(options.scale);
    const PaintJob job{painter, scene,         theme,  m_metrics,     m_glyphs,
                       area,    options.scale, detail, options.asFile};
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, detail == Detail::Text);
    paintGroups(job);
    paintEdges(job);
    paintFarLinks(job);
    if (detail == Detail::Text)
    {
        paintStubs(job);
        paintBoxes(job);
    }
    else
    {
        paintBoxBlocks(job);
    }
    painter.restore();
}

} // namespace reinspect
