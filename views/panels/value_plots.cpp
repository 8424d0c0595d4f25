// SPDX-License-Identifier: MIT
#include "views/panels/value_plots.h"

#include "views/canvas/class_colors.h"
#include "views/models/value_table_model.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace reinspect
{

HistogramView::HistogramView(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Histogram"));
    setWhatsThis(
        tr("How the finite values are spread from the least to the greatest: filled before "
           "the pass, a line after it."));
}

void HistogramView::setSummaries(std::vector<std::pair<QString, exec::ValueSummary>> summaries)
{
    m_summaries = std::move(summaries);
    update();
}

void HistogramView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = Theme::matching(palette());
    painter.fillRect(rect(), theme.color(Surface::Panel));
    const int line = fontMetrics().height();
    const QRectF area = QRectF(rect()).adjusted(6, line + 6, -6, -(line + 4));
    std::int64_t most = 0;
    double least = std::numeric_limits<double>::infinity();
    double greatest = -least;
    for (const auto& [stage, summary] : m_summaries)
        if (!summary.histogram.empty() && summary.count > summary.nans + summary.infinities)
        {
            most = std::max(most, *std::ranges::max_element(summary.histogram));
            least = std::min(least, summary.least);
            greatest = std::max(greatest, summary.greatest);
        }
    painter.setPen(theme.color(Surface::Edge));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    if (most == 0 || area.height() < 4)
        return;
    const double range = greatest > least ? greatest - least : 1;
    const auto x = [&](double value) {
        return area.left() + (value - least) / range * area.width();
    };
    for (std::size_t i = 0; i < m_summaries.size(); ++i)
    {
        const exec::ValueSummary& summary = m_summaries[i].second;
        const auto bins = static_cast<double>(summary.histogram.size());
        const double width = summary.greatest > summary.least
            ? (summary.greatest - summary.least) / bins
            : range / bins;
        QPolygonF outline{QPointF(x(summary.least), area.bottom())};
        for (std::size_t bin = 0; bin < summary.histogram.size(); ++bin)
        {
            const double y = area.bottom()
                - static_cast<double>(summary.histogram[bin]) / static_cast<double>(most)
                    * area.height();
            const double from = summary.least + width * static_cast<double>(bin);
            outline << QPointF(x(from), y) << QPointF(x(from + width), y);
        }
        outline << QPointF(outline.last().x(), area.bottom());
        const RoleStyle& style = theme.style(i == 0 ? Role::Kept : Role::Reinplaced);
        painter.setPen(QPen(style.border, i == 0 ? 1 : 1.6, i == 0 ? Qt::SolidLine : Qt::DashLine));
        painter.setBrush(i == 0 ? QBrush(style.fill) : QBrush(Qt::NoBrush));
        painter.drawPolygon(outline);
    }
    painter.setPen(theme.color(Surface::FaintText));
    const QRectF below(area.left(), area.bottom() + 3, area.width(), line);
    painter.drawText(below, Qt::AlignLeft, numberText(least, false));
    painter.drawText(below, Qt::AlignRight, numberText(greatest, false));
    if (m_summaries.size() == 2)
        painter.drawText(
            QRectF(area.left(), 3, area.width(), line), Qt::AlignLeft,
            tr("filled %1, dashed %2").arg(m_summaries[0].first, m_summaries[1].first));
}

HeatMap::HeatMap(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Where before and after differ"));
    setWhatsThis(tr("The plane of the table, coloured where before and after differ: the farther "
                    "apart, the more it stands out, as the scale below says. A click, or Enter "
                    "after the arrow keys, shows the cell in the table."));
}

void HeatMap::setPlane(std::int64_t rows, std::int64_t columns, const NumberAt& number)
{
    constexpr std::int64_t kMost = 256;
    m_rows = rows;
    m_columns = columns;
    m_gridRows = static_cast<int>(std::min(rows, kMost));
    m_gridColumns = static_cast<int>(std::min(columns, kMost));
    m_grid.assign(static_cast<std::size_t>(m_gridRows) * static_cast<std::size_t>(m_gridColumns),
                  0);
    m_most = 0;
    m_chosenRow = m_chosenColumn = 0;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
        {
            double value = std::abs(number(row, column).value_or(0));
            if (std::isnan(value))
                value = std::numeric_limits<double>::infinity();
            double& cell = m_grid[static_cast<std::size_t>(row * m_gridRows / rows * m_gridColumns
                                                           + column * m_gridColumns / columns)];
            cell = std::max(cell, value);
            m_most = std::max(m_most, value);
        }
    setAccessibleDescription(tr("At most %1 apart").arg(numberText(m_most, false)));
    update();
}

QRectF HeatMap::area() const
{
    return QRectF(rect()).adjusted(4, 4, -4, -(fontMetrics().height() + 4));
}

static constexpr std::size_t kSteps = 64;

static QColor scaleColor(const Theme& theme, double share)
{
    return classColor(theme, static_cast<std::size_t>(share * (kSteps - 1)), kSteps, true).strong;
}

// "0 [from little to much] 3.7": how far apart.
void HeatMap::paintScale(QPainter& painter, const Theme& theme) const
{
    const QRectF area = this->area();
    const QRectF line(area.left(), area.bottom() + 2, area.width(), fontMetrics().height());
    const QString least = QStringLiteral("0");
    const QString most = numberText(m_most, false);
    painter.setPen(theme.color(Surface::FaintText));
    painter.drawText(line, Qt::AlignLeft, least);
    painter.drawText(line, Qt::AlignRight, most);
    const QRectF bar = line.adjusted(fontMetrics().horizontalAdvance(least) + 6, 3,
                                     -fontMetrics().horizontalAdvance(most) - 6, -3);
    for (std::size_t i = 0; bar.width() > 8 && m_most > 0 && i < kSteps; ++i)
    {
        const double share = static_cast<double>(i) / kSteps;
        painter.fillRect(QRectF(bar.left() + share * bar.width(), bar.top(),
                                bar.width() / kSteps + 0.5, bar.height()),
                         scaleColor(theme, share));
    }
}

void HeatMap::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = Theme::matching(palette());
    painter.fillRect(rect(), theme.color(Surface::Panel));
    if (m_gridRows == 0 || m_gridColumns == 0)
        return;
    const QRectF area = this->area();
    const QSizeF cell(area.width() / m_gridColumns, area.height() / m_gridRows);
    double finite = 0;
    for (const double value : m_grid)
        finite = std::isfinite(value) ? std::max(finite, value) : finite;
    for (int row = 0; row < m_gridRows; ++row)
        for (int column = 0; column < m_gridColumns; ++column)
        {
            const double value = m_grid[static_cast<std::size_t>(row * m_gridColumns + column)];
            const double share = !std::isfinite(value) ? 1 : finite > 0 ? value / finite : 0;
            const QColor color = value == 0 ? theme.color(Surface::Grid) : scaleColor(theme, share);
            painter.fillRect(QRectF(area.left() + column * cell.width(),
                                    area.top() + row * cell.height(), cell.width() + 0.5,
                                    cell.height() + 0.5),
                             color);
        }
    if (hasFocus())
    {
        painter.setPen(QPen(theme.color(Surface::Focus), 2));
        painter.drawRect(QRectF(area.left() + m_chosenColumn * cell.width(),
                                area.top() + m_chosenRow * cell.height(), cell.width(),
                                cell.height()));
    }
    paintScale(painter, theme);
}

void HeatMap::mousePressEvent(QMouseEvent* event)
{
    const QRectF area = this->area();
    if (m_gridRows == 0 || !area.contains(event->position()))
        return;
    m_chosenColumn =
        static_cast<int>((event->position().x() - area.left()) / area.width() * m_gridColumns);
    m_chosenRow =
        static_cast<int>((event->position().y() - area.top()) / area.height() * m_gridRows);
    emit cellChosen(static_cast<int>(m_chosenRow * m_rows / m_gridRows),
                    static_cast<int>(m_chosenColumn * m_columns / m_gridColumns));
    update();
}

void HeatMap::keyPressEvent(QKeyEvent* event)
{
    switch (event->key())
    {
    case Qt::Key_Left: --m_chosenColumn; break;
    case Qt::Key_Right: ++m_chosenColumn; break;
    case Qt::Key_Up: --m_chosenRow; break;
    case Qt::Key_Down: ++m_chosenRow; break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_gridRows > 0)
            emit cellChosen(static_cast<int>(m_chosenRow * m_rows / m_gridRows),
                            static_cast<int>(m_chosenColumn * m_columns / m_gridColumns));
        return;
    default: return QWidget::keyPressEvent(event);
    }
    m_chosenColumn = std::clamp(m_chosenColumn, 0, std::max(m_gridColumns - 1, 0));
    m_chosenRow = std::clamp(m_chosenRow, 0, std::max(m_gridRows - 1, 0));
    update();
}

} // namespace reinspect
