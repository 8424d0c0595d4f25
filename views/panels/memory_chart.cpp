// SPDX-License-Identifier: MIT
#include "views/panels/memory_chart.h"

#include "views/canvas/class_colors.h"
#include "views/canvas/mark_shapes.h"
#include "views/models/tensor_words.h"
#include "views/session/qt_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>

namespace reinspect
{

namespace
{

std::optional<std::size_t> placeOf(const MemoryCurves* curves, const std::string& node)
{
    if (!curves)
        return {};
    const auto at = curves->placeOf.find(node);
    return at == curves->placeOf.end() ? std::nullopt : std::optional(at->second);
}

} // namespace

QColor memoryColor(const Theme& theme, std::size_t curve)
{
    constexpr Role kRoles[] = {Role::Kept, Role::Reinplaced, Role::View, Role::Mutated};
    return theme.style(kRoles[curve % std::size(kRoles)]).border;
}

Mark memoryMark(std::size_t curve)
{
    constexpr Mark kMarks[] = {Mark::Circle, Mark::Diamond, Mark::Square, Mark::Triangle};
    return kMarks[curve % std::size(kMarks)];
}

std::int64_t byteStep(std::int64_t most, int count)
{
    std::int64_t step = 1;
    while (most / step >= std::max(count, 1) && step < (std::int64_t(1) << 60))
        step *= 2;
    return step;
}

MemoryChart::MemoryChart(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Memory over program order"));
    setWhatsThis(
        tr("Bytes that live while each node runs, inputs left out. Solid lines were measured, "
           "dotted ones are predicted. A mark stands at each peak. A click, or the arrow keys, "
           "chooses a node; Page Up and Page Down go to the peaks."));
}

void MemoryChart::setCurves(std::shared_ptr<const MemoryCurves> curves)
{
    const std::string chosen = m_curves && m_chosen ? m_curves->axis[*m_chosen] : std::string();
    const std::string current = m_curves && m_current ? m_curves->axis[*m_current] : std::string();
    m_curves = std::move(curves);
    m_chosen = placeOf(m_curves.get(), chosen);
    m_current = placeOf(m_curves.get(), current);
    update();
}

void MemoryChart::setShown(std::size_t curve, bool shown)
{
    shown ? static_cast<void>(m_hidden.erase(curve)) : static_cast<void>(m_hidden.insert(curve));
    update();
}

void MemoryChart::setStacked(std::optional<std::size_t> curve)
{
    m_stacked = curve;
    update();
}

void MemoryChart::setChosen(const std::string& node)
{
    m_chosen = placeOf(m_curves.get(), node);
    setAccessibleDescription(m_chosen ? textAt(*m_chosen) : QString());
    update();
}

void MemoryChart::setCurrent(const std::string& node)
{
    m_current = placeOf(m_curves.get(), node);
    update();
}

QRectF MemoryChart::plot() const
{
    const QFontMetrics metrics = fontMetrics();
    const qreal left = metrics.horizontalAdvance(QStringLiteral("1,023.9 MiB")) + 8;
    return QRectF(rect()).adjusted(left, metrics.height() / 2.0 + 4, -10,
                                   -(metrics.height() * 1.0 + 8));
}

std::int64_t MemoryChart::topBytes() const
{
    std::int64_t most = 1;
    for (std::size_t i = 0; m_curves && i < m_curves->curves.size(); ++i)
        if (isShown(i) || m_stacked == i)
            most = std::max({most, m_curves->curves[i].predicted.peakBytes,
                             m_curves->curves[i].measured.peakBytes});
    return most;
}

QPointF MemoryChart::pointAt(std::size_t place, std::int64_t bytes) const
{
    const QRectF area = plot();
    const auto count = static_cast<qreal>(m_curves ? m_curves->axis.size() : 1);
    return {area.left() + (static_cast<qreal>(place) + 0.5) / count * area.width(),
            area.bottom()
                - static_cast<qreal>(bytes) / static_cast<qreal>(topBytes()) * area.height()};
}

std::optional<std::size_t> MemoryChart::placeAt(const QPointF& point) const
{
    const QRectF area = plot();
    if (!m_curves || m_curves->axis.empty() || area.width() <= 0)
        return {};
    const auto count = static_cast<qreal>(m_curves->axis.size());
    const qreal place = std::clamp((point.x() - area.left()) / area.width(), 0.0, 1.0) * count;
    return std::min(static_cast<std::size_t>(place), m_curves->axis.size() - 1);
}

QString MemoryChart::textAt(std::size_t place) const
{
    QStringList parts;
    for (std::size_t i = 0; i < m_curves->curves.size(); ++i)
    {
        const MemoryCurve& curve = m_curves->curves[i];
        if (isShown(i) && curve.best().isThere())
            parts.append(
                tr("%1 %2").arg(bytesText(curve.at(curve.best(), place)), toQString(curve.stage)));
    }
    return QStringLiteral("%1: %2").arg(toQString(m_curves->axis[place]),
                                        parts.join(QStringLiteral(", ")));
}

void MemoryChart::choose(std::size_t place)
{
    emit nodeChosen(toQString(m_curves->axis[place]));
}

void MemoryChart::mousePressEvent(QMouseEvent* event)
{
    if (const auto place = placeAt(event->position()); place && event->button() == Qt::LeftButton)
        choose(*place);
    else
        QWidget::mousePressEvent(event);
}

void MemoryChart::keyPressEvent(QKeyEvent* event)
{
    if (!m_curves || m_curves->axis.empty())
        return QWidget::keyPressEvent(event);
    const std::size_t last = m_curves->axis.size() - 1;
    const std::size_t now = m_chosen.value_or(0);
    const bool isBack = event->key() == Qt::Key_PageUp;
    std::optional<std::size_t> peak;
    switch (event->key())
    {
    case Qt::Key_Left: return choose(m_chosen && now > 0 ? now - 1 : 0);
    case Qt::Key_Right: return choose(m_chosen ? std::min(now + 1, last) : 0);
    case Qt::Key_Home: return choose(0);
    case Qt::Key_End: return choose(last);
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        for (std::size_t i = 0; i < m_curves->curves.size(); ++i)
            if (const auto at = placeOf(m_curves.get(), m_curves->curves[i].best().peakNode); at
                && isShown(i) && (isBack ? *at < now : *at > now)
                && (!peak || (isBack ? *at > *peak : *at < *peak)))
                peak = at;
        if (peak)
            choose(*peak);
        return;
    default: QWidget::keyPressEvent(event);
    }
}

bool MemoryChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    if (const auto place = placeAt(help->pos()))
        QToolTip::showText(help->globalPos(), textAt(*place), this);
    return true;
}

// Two points a node: the most while it runs, then what is left. Many nodes a pixel become one line down it.
QPolygonF MemoryChart::polyline(const MemoryCurve& curve, const MemoryLine& line) const
{
    QPolygonF points;
    const qreal half = 0.5 * plot().width() / static_cast<qreal>(m_curves->axis.size());
    const std::size_t count = std::min(line.live.size(), curve.places.size());
    for (std::size_t i = 0; i < count; ++i)
    {
        const QPointF high = pointAt(curve.places[i], line.high[i]);
        const QPointF live = pointAt(curve.places[i], line.live[i]);
        points << high - QPointF(half, 0) << high << QPointF(high.x(), live.y())
               << live + QPointF(half, 0);
    }
    return points;
}

void MemoryChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = Theme::matching(palette());
    painter.fillRect(rect(), theme.color(Surface::Panel));
    if (!m_curves || m_curves->axis.empty() || plot().width() < 20 || plot().height() < 20)
        return;
    paintAxes(painter, theme);
    painter.setRenderHint(QPainter::Antialiasing);
    paintStack(painter, theme);
    paintCursor(painter, theme);
    for (std::size_t i = m_curves->curves.size(); i-- > 0;)
        if (isShown(i))
            paintCurve(painter, theme, i);
    for (std::size_t i = m_curves->curves.size(); i-- > 0;)
        if (isShown(i))
            paintPeak(painter, theme, i);
    if (hasFocus())
    {
        painter.setPen(QPen(theme.color(Surface::Focus), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

} // namespace reinspect
