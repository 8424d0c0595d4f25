// SPDX-License-Identifier: MIT
// Live bytes over program order: a line for each stage, solid where measured, dotted where predicted; on demand
// the allocations of one stage stacked under them. The chosen node is a line down the chart; a click or the
// arrow keys choose another.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

#include "views/canvas/theme.h"
#include "views/session/memory_curves.h"

#include <set>

namespace reinspect
{

class MemoryChart : public QWidget
{
    Q_OBJECT

public:
    explicit MemoryChart(QWidget* parent = nullptr);

    void setCurves(std::shared_ptr<const MemoryCurves> curves); // null: nothing to draw
    void setShown(std::size_t curve, bool shown);
    void setStacked(std::optional<std::size_t> curve); // nothing: lines only
    void setChosen(const std::string& node);           // empty, or on no axis: no line
    void setCurrent(const std::string& node);          // of the step

    bool isShown(std::size_t curve) const { return m_hidden.count(curve) == 0; }
    const MemoryCurves* curves() const { return m_curves.get(); }
    std::optional<std::size_t> chosenPlace() const { return m_chosen; }
    std::optional<std::size_t> placeAt(const QPointF& point) const;
    QPointF pointAt(std::size_t place, std::int64_t bytes) const;
    // "mul: 1.5 MiB before, 1.0 MiB after": what the lines say at a place.
    QString textAt(std::size_t place) const;

    QSize sizeHint() const override { return {420, 180}; }
    QSize minimumSizeHint() const override { return {160, 90}; }

signals:
    void nodeChosen(const QString& node);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override; // tool tips

private:
    QRectF plot() const;
    std::int64_t topBytes() const;
    void paintAxes(QPainter& painter, const Theme& theme) const;
    void paintStack(QPainter& painter, const Theme& theme) const;
    void paintCurve(QPainter& painter, const Theme& theme, std::size_t curve) const;
    void paintPeak(QPainter& painter, const Theme& theme, std::size_t curve) const;
    void paintCursor(QPainter& painter, const Theme& theme) const;
    QPolygonF polyline(const MemoryCurve& curve, const MemoryLine& line) const;
    void choose(std::size_t place);

    std::shared_ptr<const MemoryCurves> m_curves;
    std::set<std::size_t> m_hidden;
    std::optional<std::size_t> m_stacked;
    std::optional<std::size_t> m_chosen;
    std::optional<std::size_t> m_current;
};

// What tells the stages apart: a colour and a mark.
QColor memoryColor(const Theme& theme, std::size_t curve);
Mark memoryMark(std::size_t curve);
// Round steps for an axis of bytes: the distance of at most `count` lines.
std::int64_t byteStep(std::int64_t most, int count);

} // namespace reinspect
