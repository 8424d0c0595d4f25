// SPDX-License-Identifier: MIT
// Texts shaped once and painted many times. Made when first painted, so that a graph of 100,000
// nodes costs only what was looked at; emptied when it has grown large.
#pragma once

#include "views/canvas/box_metrics.h"

#include <QGlyphRun>
#include <QList>

#include <unordered_map>

class QPainter;

namespace reinspect
{

struct ShapedText
{
    QString text; // as painted, elided
    QList<QGlyphRun> runs;
    double width = 0;
    double height = 0;
};

class GlyphCache
{
public:
    // `text` in the measure's font, no wider than `widest`.
    const ShapedText& shaped(const TextMeasure& measure, const std::string& text, double widest);

private:
    struct Key
    {
        const TextMeasure* measure;
        std::string text;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct KeyHash
    {
        std::size_t operator()(const Key& key) const
        {
            return std::hash<std::string>()(key.text) ^ std::hash<const void*>()(key.measure);
        }
    };
    std::unordered_map<Key, ShapedText, KeyHash> m_texts;
};

// Centred in `rect` across, at its top. `asText`: as letters, for files that should be searchable.
void drawShaped(QPainter& painter, const ShapedText& text, const TextMeasure& measure,
                const QRectF& rect, bool asText);

} // namespace reinspect
