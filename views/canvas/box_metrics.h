// SPDX-License-Identifier: MIT
// How large the boxes of the picture are: fonts, line heights, and the width of a text. Measured
// once for a trace, at zoom 1, so that no text is cut short of the widest line allowed.
#pragma once

#include "core/layout/node_label.h"
#include "core/layout/stub_room.h"

#include <QFont>
#include <QFontMetricsF>
#include <QString>

#include <array>

namespace reinspect
{

// Width of a text in one font. Most names are ASCII, and their letters are measured only once.
class TextMeasure
{
public:
    explicit TextMeasure(const QFont& font);
    const QFont& font() const { return m_font; }
    double width(std::string_view text) const;
    QString elided(const std::string& text, double width) const;

private:
    QFont m_font;
    QFontMetricsF m_metrics;
    std::array<double, 128> m_ascii{};
};

class BoxMetrics
{
public:
    static constexpr double kLine = 16;
    static constexpr double kPadding = 8; // beside and above the text
    static constexpr double kTagRow = 19; // below the text of boxes that ever carry a tag
    static constexpr double kTagHeight = 15;
    static constexpr double kStubHeight = 18;
    static constexpr double kWidestText =
        300; // longer lines are elided; the tool tip has them whole

    BoxMetrics();

    BoxSize boxSize(const NodeLabel& label, bool hasTagRow) const;
    BoxSize groupSize(const std::string& name) const; // of a folded group
    double stubWidth(const std::string& name) const;
    double tagWidth(const QString& word) const;

    const TextMeasure& name() const { return m_name; }
    const TextMeasure& detail() const { return m_detail; }
    const TextMeasure& stub() const { return m_stub; }
    const TextMeasure& tag() const { return m_tag; }

private:
    TextMeasure m_name;
    TextMeasure m_detail;
    TextMeasure m_stub;
    TextMeasure m_tag;
};

} // namespace reinspect
