// SPDX-License-Identifier: MIT
#include "views/canvas/box_metrics.h"

#include <algorithm>
#include <cmath>

namespace reinspect
{

static QFont fontOf(int pixels, bool bold)
{
    QFont font(QStringList{QStringLiteral("DejaVu Sans"), QStringLiteral("sans-serif")});
    font.setPixelSize(pixels);
    font.setBold(bold);
    // Boxes are measured at zoom 1 and painted at any zoom: letters must scale with them.
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(QFont::PreferAntialias);
    return font;
}

TextMeasure::TextMeasure(const QFont& font)
    : m_font(font)
    , m_metrics(font)
{
    for (std::size_t i = 32; i < m_ascii.size(); ++i)
        m_ascii[i] = m_metrics.horizontalAdvance(QLatin1Char(static_cast<char>(i)));
}

double TextMeasure::width(std::string_view text) const
{
    double width = 0;
    for (char c : text)
    {
        if (static_cast<unsigned char>(c) >= m_ascii.size())
            return m_metrics.horizontalAdvance(
                QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
        width += m_ascii[static_cast<unsigned char>(c)];
    }
    return width;
}

QString TextMeasure::elided(const std::string& text, double width) const
{
    const QString whole = QString::fromStdString(text);
    return this->width(text) <= width ? whole : m_metrics.elidedText(whole, Qt::ElideRight, width);
}

BoxMetrics::BoxMetrics()
    : m_name(fontOf(12, true))
    , m_detail(fontOf(11, false))
    , m_stub(fontOf(10, false))
    , m_tag(fontOf(10, true))
{}

// Widths come in steps, so that equal layers of a model are equal to the layout too.
static double stepped(double width)
{
    constexpr double kStep = 12;
    return std::ceil(width / kStep) * kStep;
}

BoxSize BoxMetrics::boxSize(const NodeLabel& label, bool hasTagRow) const
{
    const double text = std::max(
        {m_name.width(label.name), m_detail.width(label.operation), m_detail.width(label.shape)});
    const double least = hasTagRow ? 180 : 96;
    const int lines = label.shape.empty() ? 2 : 3;
    return {stepped(std::max(least, std::min(text, kWidestText) + 2 * kPadding)),
            lines * kLine + kPadding + (hasTagRow ? kTagRow : 0)};
}

BoxSize BoxMetrics::groupSize(const std::string& name) const
{
    constexpr double kBadges = 190;
    const double text = std::min(m_name.width(name), kWidestText);
    return {stepped(std::max(kBadges, text + 2 * kPadding)), 2 * kLine + 2 * kPadding + kTagRow};
}

double BoxMetrics::stubWidth(const std::string& name) const
{
    return stepped(std::min(m_stub.width(name), kWidestText / 2) + 16);
}

double BoxMetrics::tagWidth(const QString& word) const
{
    return kTagHeight + m_tag.width(word.toStdString()) + 6;
}

} // namespace reinspect
