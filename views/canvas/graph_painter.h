// SPDX-License-Identifier: MIT
// Draws a part of a scene at a level of detail. The same code paints the screen and PNG, SVG and
// PDF files. The painter given must already map scene points to its device. Each thread that paints has
// a GraphPainter of its own.
#pragma once

#include "views/canvas/class_colors.h"
#include "views/canvas/glyph_cache.h"
#include "views/canvas/graph_scene.h"

class QPainter;
class QRegion;

namespace reinspect
{

// How much is drawn at a scale (device pixels a scene unit).
enum class Detail
{
    Text,   // everything
    Marks,  // boxes with their mark, no text
    Blocks, // plain boxes
};
Detail detailAt(double scale);

struct PaintOptions
{
    QRectF area; // of the scene; only what touches it is drawn
    double scale = 1;
    bool asFile = false; // text as letters, everything at full detail
};

// What to paint one by one of a region; what lies between a few parts stays as it is.
std::vector<QRect> partsOf(const QRegion& region);

class GraphPainter
{
public:
    void paint(QPainter& painter, const GraphScene& scene, const Theme& theme,
               const PaintOptions& options);

private:
    BoxMetrics m_metrics; // its own: fonts are not shared between threads
    GlyphCache m_glyphs;
};

// What the pieces of the painter share.
struct PaintJob
{
    QPainter& painter;
    const GraphScene& scene;
    const Theme& theme;
    const BoxMetrics& metrics;
    GlyphCache& glyphs;
    QRectF area;
    double scale;
    Detail detail;
    bool asFile;
};

void paintGroups(const PaintJob& job);
QRectF groupFrame(const QRectF& group); // what is drawn around a group of the layout
void paintEdges(const PaintJob& job);
void paintFarLinks(const PaintJob& job);
void paintStubs(const PaintJob& job);
void paintBoxes(const PaintJob& job);     // with text and tags
void paintBoxBlocks(const PaintJob& job); // many, without text
ClassColor classColorOf(const PaintJob& job, std::uint8_t number);
void paintFoldedGroup(const PaintJob& job, std::uint32_t box);
void paintFoldedName(const PaintJob& job, std::uint32_t box); // alone, for a small box
void paintRings(const PaintJob& job, std::uint32_t box);
// A tag at its top left corner; returns its width.
double paintTag(const PaintJob& job, Role role, QPointF corner, bool withWord);

} // namespace reinspect
