// SPDX-License-Identifier: MIT
// TimelineChart: the layers of its picture. Nodes narrower than a pixel share one, which has the colour of the kind
// that took most of it.
#include "views/canvas/class_colors.h"
#include "views/panels/timeline_chart.h"
#include "views/session/qt_text.h"
#include "views/session/time_classes.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace reinspect
{

static constexpr qreal kNarrow = 1.5; // pixels: less is shared
static constexpr qreal kRail = 3;     // the line under copies
static constexpr qreal kMargin = 6;
static constexpr std::size_t kMostKinds = 32;

struct TimelineChart::Bin
{
    int x = -1; // -1: nothing in it
    std::array<double, kMostKinds> seconds{};
    double copySeconds = 0;
    double all = 0;

    void add(const TimelineNode& node)
    {
        seconds[std::min<std::size_t>(node.kind, kMostKinds - 1)] += node.seconds;
        copySeconds += node.isCopy ? node.seconds : 0;
        all += node.seconds;
    }
    std::size_t kind() const
    {
        return static_cast<std::size_t>(std::ranges::max_element(seconds) - seconds.begin());
    }
};

double timeStep(double span, int count)
{
    if (span <= 0)
        return 1;
    const double least = span / std::max(count, 1);
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double step : {1.0, 2.0, 5.0})
        if (step * power >= least * (1 - 1e-9))
            return step * power;
    return 10 * power;
}

// With as many digits as tell one line from the next.
static QString axisText(double seconds, double step)
{
    const double unit = step >= 0.1 ? 1 : step >= 1e-4 ? 1e-3 : step >= 1e-7 ? 1e-6 : 1e-9;
    const QString name = unit == 1 ? QStringLiteral("s")
        : unit == 1e-3             ? QStringLiteral("ms")
        : unit == 1e-6             ? QStringLiteral("\u00b5s")
                                   : QStringLiteral("ns");
    const int digits = step / unit < 0.99 ? 1 : 0;
    return QStringLiteral("%L1 %2").arg(seconds / unit, 0, 'f', digits).arg(name);
}

QRectF TimelineChart::plot() const
{
    const QFontMetrics metrics = fontMetrics();
    const qreal left = metrics.horizontalAdvance(QStringLiteral("baseline 99.9 ms")) + 22;
    // Below: the axis, and the legend in as many rows as there is height for.
    const int rows = std::clamp(height() / (metrics.height() * 4), 2, 4);
    return QRectF(rect()).adjusted(left, 4, -8,
                                   -(metrics.height() * static_cast<qreal>(rows) + 10));
}

QRectF TimelineChart::laneRect(std::size_t lane) const
{
    constexpr qreal kMost = 44;
    const QRectF area = plot();
    const std::size_t lanes = m_timeline ? std::max<std::size_t>(m_timeline->stages.size(), 1) : 1;
    const qreal step = std::min(area.height() / static_cast<qreal>(lanes), kMost + 6);
    return {area.left(), area.top() + static_cast<qreal>(lane) * step, area.width(), step - 6};
}

static ClassColor colorOf(const Theme& theme, std::size_t kind)
{
    return classColor(theme, kind, kMostKinds, false);
}

static QColor copyColor(const Theme& theme)
{
    return theme.style(Role::Kept).border;
}

static void hatch(QPainter& painter, const Theme& theme, const QRectF& rect)
{
    painter.fillRect(rect, QBrush(copyColor(theme), Qt::BDiagPattern));
    painter.fillRect(QRectF(rect.left(), rect.bottom() - kRail, std::max(rect.width(), 1.0), kRail),
                     copyColor(theme));
}

void TimelineChart::paintNode(QPainter& painter, const Theme& theme, const QRectF& rect,
                              const TimelineNode& node) const
{
    const ClassColor color = colorOf(theme, node.kind);
    constexpr qreal kFramed = 4;
    constexpr qreal kNamed = 30;
    painter.fillRect(rect, rect.width() < kFramed ? color.strong : color.fill);
    if (node.isCopy)
        hatch(painter, theme, rect);
    if (rect.width() >= kFramed)
    {
        painter.setPen(QPen(node.isOnHost ? theme.color(Surface::Text) : color.strong, 1,
                            node.isOnHost ? Qt::DashLine : Qt::SolidLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    const QRectF seen = rect.intersected(plot()).adjusted(4, 0, -4, 0);
    if (seen.width() < kNamed || rect.height() < fontMetrics().height())
        return;
    const QString name = fontMetrics().elidedText(toQString(node.name), Qt::ElideRight,
                                                  static_cast<int>(seen.width()));
    const QRectF box(seen.left() - 2, seen.center().y() - fontMetrics().height() / 2.0,
                     fontMetrics().horizontalAdvance(name) + 4, fontMetrics().height());
    if (node.isCopy) // text on lines is hard to read
        painter.fillRect(box, color.fill);
    painter.setPen(theme.color(Surface::Text));
    painter.drawText(seen, Qt::AlignLeft | Qt::AlignVCenter, name);
}

void TimelineChart::paintBin(QPainter& painter, const Theme& theme, const QRectF& lane,
                             const Bin& bin) const
{
    if (bin.x < 0)
        return;
    const QRectF column(bin.x, lane.top(), 1, lane.height());
    const bool isCopies = bin.copySeconds * 2 >= bin.all && bin.copySeconds > 0;
    painter.fillRect(column, isCopies ? copyColor(theme) : colorOf(theme, bin.kind()).strong);
    if (bin.copySeconds > 0)
        painter.fillRect(QRectF(bin.x, lane.bottom() - kRail, 1, kRail), copyColor(theme));
}

void TimelineChart::paintLane(QPainter& painter, const Theme& theme, std::size_t lane) const
{
    const TimelineStage& stage = m_timeline->stages[lane];
    const QRectF area = laneRect(lane);
    painter.fillRect(area, theme.color(Surface::Background));
    Bin bin;
    std::size_t i = stage.placeAt(m_from).value_or(stage.nodes.size());
    for (; i < stage.nodes.size() && stage.nodes[i].begin <= m_from + m_span; ++i)
    {
        const QRectF rect = rectOf({lane, i});
        if (rect.width() >= kNarrow)
        {
            const qreal left = std::max(rect.left(), area.left() - 2);
            const qreal right = std::min(rect.right(), area.right() + 2);
            paintNode(painter, theme, QRectF(left, rect.top(), right - left, rect.height()),
                      stage.nodes[i]);
            continue;
        }
        if (const int x = static_cast<int>(rect.left()); x != bin.x)
        {
            paintBin(painter, theme, area, bin);
            bin = {};
            bin.x = x;
        }
        bin.add(stage.nodes[i]);
    }
    paintBin(painter, theme, area, bin);
}

// What the lane is, and how long all of it took.
void TimelineChart::paintLabel(QPainter& painter, const Theme& theme, std::size_t lane) const
{
    const TimelineStage& stage = m_timeline->stages[lane];
    const QRectF area = laneRect(lane);
    const QRectF box(6, area.top(), area.left() - 14, area.height());
    const QString time = timeText(stage.seconds);
    const int lines = area.height() >= 2 * fontMetrics().lineSpacing() ? 2 : 1;
    painter.setPen(theme.color(Surface::Text));
    painter.drawText(box,
                     lines == 2 ? Qt::AlignLeft | Qt::AlignTop : Qt::AlignLeft | Qt::AlignVCenter,
                     toQString(stage.stage));
    painter.setPen(theme.color(Surface::FaintText));
    painter.drawText(
        box, lines == 2 ? Qt::AlignLeft | Qt::AlignBottom : Qt::AlignRight | Qt::AlignVCenter,
        time);
    if (lane == m_lane && hasFocus())
    {
        painter.setPen(QPen(theme.color(Surface::Focus), 2));
        painter.drawLine(QPointF(2, area.top()), QPointF(2, area.bottom()));
    }
}

void TimelineChart::paintAxis(QPainter& painter, const Theme& theme) const
{
    const QRectF area = plot();
    const qreal bottom = laneRect(m_timeline->stages.size() - 1).bottom() + 3;
    const int width = fontMetrics().horizontalAdvance(QStringLiteral("999.9 ms")) + 30;
    const double step = timeStep(m_span, std::max(static_cast<int>(area.width()) / width, 1));
    painter.setPen(theme.color(Surface::Edge));
    painter.drawLine(QPointF(area.left(), bottom), QPointF(area.right(), bottom));
    for (double at = std::ceil(m_from / step) * step; at <= m_from + m_span * (1 + 1e-9);
         at += step)
    {
        const qreal x = xOf(at);
        painter.setPen(theme.color(Surface::Edge));
        painter.drawLine(QPointF(x, bottom), QPointF(x, bottom + 3));
        const QString text = at == 0 ? QStringLiteral("0") : axisText(at, step);
        const qreal half = fontMetrics().horizontalAdvance(text) / 2.0 + 1;
        const qreal left = std::clamp(x - half, area.left(), area.right() - 2 * half);
        painter.setPen(theme.color(Surface::FaintText));
        painter.drawText(QRectF(left, bottom + 3, 2 * half, fontMetrics().height()),
                         Qt::AlignCenter, text);
    }
}

// Those that took any, the longest first: seconds and number.
static std::vector<std::pair<double, std::size_t>> kindsByTime(const TimelineStage& stage,
                                                               std::size_t count)
{
    std::vector<std::pair<double, std::size_t>> kinds(count);
    for (std::size_t i = 0; i < count; ++i)
        kinds[i] = {0, i};
    for (const TimelineNode& node : stage.nodes)
        if (node.kind < count)
            kinds[node.kind].first += node.seconds;
    std::erase_if(kinds, [](const auto& kind) { return kind.first <= 0; });
    std::ranges::stable_sort(kinds, std::ranges::greater{},
                             [](const auto& kind) { return kind.first; });
    return kinds;
}

// Of the lane that keys walk along. Kinds that find no room are counted.
void TimelineChart::paintLegend(QPainter& painter, const Theme& theme) const
{
    constexpr qreal kGap = 14;
    const TimelineStage& stage = m_timeline->stages[m_lane];
    const auto kinds = kindsByTime(stage, static_cast<std::size_t>(m_timeline->kinds.size()));
    const QFontMetrics metrics = fontMetrics();
    const int height = metrics.height();
    QPointF at(kMargin, laneRect(m_timeline->stages.size() - 1).bottom() + 6 + height);
    painter.setPen(theme.color(Surface::FaintText));
    for (std::size_t i = 0; i < kinds.size(); ++i)
    {
        const auto& [seconds, kind] = kinds[i];
        const QString text = QStringLiteral("%1 %2 %")
                                 .arg(m_timeline->kinds[static_cast<qsizetype>(kind)])
                                 .arg(seconds / stage.seconds * 100, 0, 'f', 0);
        const QString more = tr("and %L1 more").arg(kinds.size() - i);
        const qreal needed = height + metrics.horizontalAdvance(text);
        const auto hasRowBelow = [&] { return at.y() + 2 * height <= rect().bottom(); };
        const auto room = [&] {
            const bool isLast = i + 1 == kinds.size() || hasRowBelow();
            return width() - kMargin - at.x()
                - (isLast ? 0 : metrics.horizontalAdvance(more) + kGap);
        };
        if (at.x() > kMargin && needed > room() && hasRowBelow())
            at = {kMargin, at.y() + height};
        if (at.x() > kMargin && needed > room())
            return painter.drawText(at + QPointF(0, metrics.ascent()), more);
        painter.fillRect(QRectF(at.x(), at.y() + 2, height - 4, height - 4),
                         colorOf(theme, kind).strong);
        painter.drawText(
            at + QPointF(height, metrics.ascent()),
            metrics.elidedText(text, Qt::ElideMiddle, static_cast<int>(room()) - height + 1));
        at.rx() += std::min(needed, room()) + kGap;
    }
}

void TimelineChart::paintMarks(QPainter& painter, const Theme& theme) const
{
    for (std::size_t lane = 0; lane < m_timeline->stages.size(); ++lane)
        for (const auto& [name, role] :
             {std::pair(&m_current, Role::Current), std::pair(&m_chosen, Role::Selected)})
        {
            const auto& places = m_timeline->stages[lane].placeOf;
            const auto at = places.find(*name);
            if (at == places.end())
                continue;
            const QRectF rect = rectOf({lane, at->second});
            const qreal middle = rect.center().x();
            const QColor color = theme.style(role).border;
            painter.setPen(QPen(color, 2, role == Role::Current ? Qt::DashLine : Qt::SolidLine));
            painter.setBrush(Qt::NoBrush);
            if (rect.width() >= 4)
                painter.drawRect(rect.adjusted(0, -1, 0, 1));
            else // a hair is not seen: a line that stands out over the lane
                painter.drawLine(QPointF(middle, rect.top() - 3),
                                 QPointF(middle, rect.bottom() + 3));
        }
}

void TimelineChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = Theme::matching(palette());
    painter.fillRect(rect(), theme.color(Surface::Panel));
    if (!m_timeline || m_timeline->stages.empty() || plot().width() < 20 || plot().height() < 20)
        return;
    for (std::size_t lane = 0; lane < m_timeline->stages.size(); ++lane)
        paintLabel(painter, theme, lane);
    paintAxis(painter, theme);
    paintLegend(painter, theme);
    painter.setClipRect(plot().adjusted(-3, -3, 3, 3));
    for (std::size_t lane = 0; lane < m_timeline->stages.size(); ++lane)
        paintLane(painter, theme, lane);
    paintMarks(painter, theme);
    painter.setClipping(false);
    if (hasFocus())
    {
        painter.setPen(QPen(theme.color(Surface::Focus), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

} // namespace reinspect
