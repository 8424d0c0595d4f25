// SPDX-License-Identifier: MIT
// Pictures of a node's values: how they are spread, and where before and after differ.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

#include "core/exec/value_summary.h"

#include <functional>
#include <optional>

class QPainter;

namespace reinspect
{

class Theme;

// One or two histograms, each over its own range; outlines, so that both can be seen.
class HistogramView : public QWidget
{
    Q_OBJECT

public:
    explicit HistogramView(QWidget* parent = nullptr);

    void setSummaries(std::vector<std::pair<QString, exec::ValueSummary>> summaries);
    QSize sizeHint() const override { return {200, 110}; }
    QSize minimumSizeHint() const override { return {110, 60}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<std::pair<QString, exec::ValueSummary>> m_summaries;
};

// A plane of numbers as a picture: each pixel the largest absolute number of its cells. A click or the arrow
// keys and Enter choose a cell.
class HeatMap : public QWidget
{
    Q_OBJECT

public:
    using NumberAt = std::function<std::optional<double>(std::int64_t, std::int64_t)>;

    explicit HeatMap(QWidget* parent = nullptr);

    void setPlane(std::int64_t rows, std::int64_t columns, const NumberAt& number);
    double most() const { return m_most; } // the largest absolute number; infinite for NaN
    QSize sizeHint() const override { return {180, 160}; }
    QSize minimumSizeHint() const override { return {80, 60}; }

signals:
    void cellChosen(int row, int column);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void paintScale(QPainter& painter, const Theme& theme) const;
    QRectF area() const;

    std::int64_t m_rows = 0;
    std::int64_t m_columns = 0;
    int m_gridRows = 0; // at most 256 x 256 cells
    int m_gridColumns = 0;
    std::vector<double> m_grid;
    double m_most = 0;
    int m_chosenRow = 0; // of the grid
    int m_chosenColumn = 0;
};

} // namespace reinspect
