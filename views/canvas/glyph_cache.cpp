// SPDX-License-Identifier: MIT
#include "views/canvas/glyph_cache.h"

#include <QPainter>
#include <QTextLayout>

namespace reinspect
{

static constexpr std::size_t kMostTexts = 20'000;

static ShapedText shape(const TextMeasure& measure, const std::string& text, double widest)
{
    ShapedText shaped;
    shaped.text = measure.elided(text, widest);
    QTextLayout layout(shaped.text, measure.font());
    layout.beginLayout();
    QTextLine line = layout.createLine();
    layout.endLayout();
    if (!line.isValid())
        return shaped;
    line.setPosition({0, 0});
    shaped.width = line.naturalTextWidth();
    shaped.height = line.height();
    shaped.runs = layout.glyphRuns();
    return shaped;
}

const ShapedText& GlyphCache::shaped(const TextMeasure& measure, const std::string& text,
                                     double widest)
{
    if (m_texts.size() > kMostTexts)
        m_texts.clear();
    const auto [found, isNew] = m_texts.try_emplace(Key{&measure, text});
    if (isNew)
        found->second = shape(measure, text, widest);
    return found->second;
}

void drawShaped(QPainter& painter, const ShapedText& text, const TextMeasure& measure,
                const QRectF& rect, bool asText)
{
    const QPointF corner(rect.center().x() - text.width / 2, rect.top());
    if (asText)
    {
        painter.setFont(measure.font());
        painter.drawText(QRectF(corner, QSizeF(text.width + 1, text.height)), Qt::TextDontClip,
                         text.text);
        return;
    }
    for (const QGlyphRun& run : text.runs)
        painter.drawGlyphRun(corner, run);
}

} // namespace reinspect
