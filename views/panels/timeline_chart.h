// SPDX-License-Identifier: MIT
// Where the time went: a lane for each stage, its nodes side by side in program order, as wide as they took and
// coloured by operator kind. Copies are hatched and underlined. All lanes have one scale; wheel and keys zoom it.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

#include "views/canvas/theme.h"
#include "views/session/timeline.h"

namespace reinspect
{

class TimelineChart : public QWidget
{
    Q_OBJECT

public:
    explicit TimelineChart(QWidget* parent = nullptr);

    struct Place
    {
        std::size_t lane = 0;
        std::size_t node = 0; // of its stage
        bool operator==(const Place&) const = default;
    };

    void setTimeline(std::shared_ptr<const Timeline> timeline); // null: nothing to draw
    void setChosen(const std::string& node);  // in every lane that has it; empty: none
    void setCurrent(const std::string& node); // of the step
    void setLane(std::size_t lane);           // that keys walk along
    void setView(double from, double span);   // seconds; kept within what there is
    void reveal();                            // moves the view to the chosen node

    const Timeline* timeline() const { return m_timeline.get(); }
    std::size_t lane() const { return m_lane; }
    const std::string& chosen() const { return m_chosen; }
    double from() const { return m_from; }
    double span() const { return m_span; }
    double whole() const { return m_timeline ? m_timeline->seconds() : 0; }
    std::optional<Place> placeAt(const QPointF& point) const;
    QRectF rectOf(Place place) const; // may lie outside of the widget; at least a hair wide
    QString textAt(Place place) const;

    QSize sizeHint() const override { return {420, 180}; }
    QSize minimumSizeHint() const override { return {160, 90}; }

signals:
    void nodeChosen(std::size_t lane, const QString& node);
    void viewChanged();

protected:
    bool event(QEvent* event) override; // tool tips, and keys that the window has, too
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    struct Bin;

    QRectF plot() const;
    QRectF laneRect(std::size_t lane) const;
    double secondAt(qreal x) const;
    qreal xOf(double second) const;
    void zoom(double factor, qreal x);
    bool isOurs(int key) const;
    void walk(int key);
    void choose(Place place);
    std::optional<Place> chosenPlace(std::size_t lane) const;
    void paintLane(QPainter& painter, const Theme& theme, std::size_t lane) const;
    void paintNode(QPainter& painter, const Theme& theme, const QRectF& rect,
                   const TimelineNode& node) const;
    void paintBin(QPainter& painter, const Theme& theme, const QRectF& lane, const Bin& bin) const;
    void paintLabel(QPainter& painter, const Theme& theme, std::size_t lane) const;
    void paintAxis(QPainter& painter, const Theme& theme) const;
    void paintLegend(QPainter& painter, const Theme& theme) const;
    void paintMarks(QPainter& painter, const Theme& theme) const;

    std::shared_ptr<const Timeline> m_timeline;
    std::string m_chosen;
    std::string m_current;
    std::size_t m_lane = 0;
    double m_from = 0;
    double m_span = 0;
    std::optional<QPointF> m_pressed;
    double m_pressedFrom = 0;
    bool m_isDragged = false;
};

// Round steps for an axis of seconds: the distance of at most `count` lines.
double timeStep(double span, int count);

} // namespace reinspect
