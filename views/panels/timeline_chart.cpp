// SPDX-License-Identifier: MIT
#include "views/panels/timeline_chart.h"

#include "views/models/timeline_words.h"
#include "views/session/qt_text.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace reinspect
{

static constexpr double kClosest = 1e-9; // seconds over the whole width
static constexpr double kZoomStep = 1.25;

TimelineChart::TimelineChart(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Times of nodes in program order"));
    setWhatsThis(
        tr("A lane for each graph that was run: its nodes side by side in program order, each as "
           "wide as the time that it took, coloured by operator kind. Copies are hatched and "
           "underlined. On the CPU the least of a few runs counts; on a GPU the first graph "
           "also pays for what is loaded. The wheel, + and - zoom, 0 shows all; dragging, or the "
           "wheel with Shift, "
           "moves. A click or the arrow keys choose a node, Up and Down another graph."));
}

void TimelineChart::setTimeline(std::shared_ptr<const Timeline> timeline)
{
    m_timeline = std::move(timeline);
    m_lane =
        m_timeline ? std::min(m_lane, std::max<std::size_t>(m_timeline->stages.size(), 1) - 1) : 0;
    m_span = 0;
    setView(0, whole());
    update();
}

void TimelineChart::setChosen(const std::string& node)
{
    if (std::exchange(m_chosen, node) == node)
        return;
    const auto place = chosenPlace(m_lane);
    setAccessibleDescription(place ? textAt(*place) : QString());
    update();
}

void TimelineChart::setCurrent(const std::string& node)
{
    if (std::exchange(m_current, node) != node)
        update();
}

void TimelineChart::setLane(std::size_t lane)
{
    if (m_timeline && lane < m_timeline->stages.size() && std::exchange(m_lane, lane) != lane)
        update();
}

void TimelineChart::setView(double from, double span)
{
    span = std::clamp(span, std::min(kClosest, whole()), whole());
    from = std::clamp(from, 0.0, std::max(whole() - span, 0.0));
    if (from == m_from && span == m_span)
        return;
    m_from = from;
    m_span = span;
    update();
    emit viewChanged();
}

std::optional<TimelineChart::Place> TimelineChart::chosenPlace(std::size_t lane) const
{
    if (!m_timeline || lane >= m_timeline->stages.size())
        return {};
    const auto& places = m_timeline->stages[lane].placeOf;
    const auto at = places.find(m_chosen);
    return at == places.end() ? std::nullopt : std::optional(Place{lane, at->second});
}

void TimelineChart::reveal()
{
    const auto place = chosenPlace(m_lane);
    if (!place)
        return;
    const TimelineNode& node = m_timeline->stages[place->lane].nodes[place->node];
    if (node.begin < m_from || node.begin + node.seconds > m_from + m_span)
        setView(node.begin + node.seconds / 2 - m_span / 2, m_span);
}

double TimelineChart::secondAt(qreal x) const
{
    const QRectF area = plot();
    return m_from + (x - area.left()) / std::max(area.width(), 1.0) * m_span;
}

qreal TimelineChart::xOf(double second) const
{
    const QRectF area = plot();
    return m_span > 0 ? area.left() + (second - m_from) / m_span * area.width() : area.left();
}

std::optional<TimelineChart::Place> TimelineChart::placeAt(const QPointF& point) const
{
    for (std::size_t lane = 0; m_timeline && lane < m_timeline->stages.size(); ++lane)
        if (laneRect(lane).contains(point))
            if (const auto node = m_timeline->stages[lane].placeAt(secondAt(point.x())))
                return Place{lane, *node};
    return {};
}

QRectF TimelineChart::rectOf(Place place) const
{
    const TimelineNode& node = m_timeline->stages[place.lane].nodes[place.node];
    const QRectF lane = laneRect(place.lane);
    const qreal left = xOf(node.begin);
    return {left, lane.top(), std::max(xOf(node.begin + node.seconds) - left, 0.5), lane.height()};
}

QString TimelineChart::textAt(Place place) const
{
    const TimelineStage& stage = m_timeline->stages[place.lane];
    return nodeTimeText(stage, stage.nodes[place.node]);
}

void TimelineChart::choose(Place place)
{
    setLane(place.lane);
    emit nodeChosen(place.lane, toQString(m_timeline->stages[place.lane].nodes[place.node].name));
}

void TimelineChart::zoom(double factor, qreal x)
{
    const double at = secondAt(x);
    const double span = std::clamp(m_span / factor, std::min(kClosest, whole()), whole());
    setView(m_span > 0 ? at - (at - m_from) / m_span * span : 0, span);
}

void TimelineChart::wheelEvent(QWheelEvent* event)
{
    const QPoint turn = event->angleDelta();
    const bool isSideways =
        (event->modifiers() & Qt::ShiftModifier) || std::abs(turn.x()) > std::abs(turn.y());
    const double steps = (turn.y() != 0 && !isSideways ? turn.y() : turn.x() + turn.y()) / 120.0;
    if (isSideways)
        setView(m_from - steps * m_span / 8, m_span);
    else
        zoom(std::pow(kZoomStep, steps), event->position().x());
    event->accept();
}

void TimelineChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    m_pressed = event->position();
    m_pressedFrom = m_from;
    m_isDragged = false;
}

void TimelineChart::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_pressed)
        return QWidget::mouseMoveEvent(event);
    const qreal moved = event->position().x() - m_pressed->x();
    m_isDragged = m_isDragged || std::abs(moved) >= QApplication::startDragDistance();
    if (m_isDragged)
        setView(m_pressedFrom - moved / std::max(plot().width(), 1.0) * m_span, m_span);
}

void TimelineChart::mouseReleaseEvent(QMouseEvent* event)
{
    const bool isClick = m_pressed && !m_isDragged && event->button() == Qt::LeftButton;
    m_pressed.reset();
    if (const auto place = placeAt(event->position()); place && isClick)
        choose(*place);
}

bool TimelineChart::isOurs(int key) const
{
    constexpr int kKeys[] = {Qt::Key_Left,  Qt::Key_Right, Qt::Key_Up,     Qt::Key_Down,
                             Qt::Key_Home,  Qt::Key_End,   Qt::Key_Plus,   Qt::Key_Equal,
                             Qt::Key_Minus, Qt::Key_0,     Qt::Key_PageUp, Qt::Key_PageDown};
    return m_timeline && !m_timeline->stages.empty()
        && std::ranges::find(kKeys, key) != std::end(kKeys);
}

bool TimelineChart::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride)
    {
        auto* press = static_cast<QKeyEvent*>(event);
        if (!(press->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier))
            && isOurs(press->key()))
            event->accept();
    }
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const auto place = placeAt(help->pos());
    QToolTip::showText(help->globalPos(), place ? textAt(*place) : QString(), this);
    return true;
}

void TimelineChart::keyPressEvent(QKeyEvent* event)
{
    if (!isOurs(event->key()))
        return QWidget::keyPressEvent(event);
    const auto chosen = chosenPlace(m_lane);
    const qreal middle = plot().center().x();
    const qreal centre =
        chosen ? std::clamp(rectOf(*chosen).center().x(), plot().left(), plot().right()) : middle;
    switch (event->key())
    {
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoom(kZoomStep, centre);
    case Qt::Key_Minus: return zoom(1 / kZoomStep, centre);
    case Qt::Key_0: return setView(0, whole());
    case Qt::Key_PageUp: return setView(m_from - m_span, m_span);
    case Qt::Key_PageDown: return setView(m_from + m_span, m_span);
    default: walk(event->key());
    }
}

// Along the lane, or to the same time in the next one.
void TimelineChart::walk(int key)
{
    const auto chosen = chosenPlace(m_lane);
    const std::vector<TimelineNode>& nodes = m_timeline->stages[m_lane].nodes;
    const std::size_t last = nodes.size() - 1;
    switch (key)
    {
    case Qt::Key_Left: return choose({m_lane, chosen && chosen->node > 0 ? chosen->node - 1 : 0});
    case Qt::Key_Right: return choose({m_lane, chosen ? std::min(chosen->node + 1, last) : 0});
    case Qt::Key_Home: return choose({m_lane, 0});
    case Qt::Key_End: return choose({m_lane, last});
    default: break;
    }
    const bool isUp = key == Qt::Key_Up;
    if (isUp ? m_lane == 0 : m_lane + 1 >= m_timeline->stages.size())
        return;
    const std::size_t lane = isUp ? m_lane - 1 : m_lane + 1;
    const TimelineStage& stage = m_timeline->stages[lane];
    const double second = chosen ? nodes[chosen->node].begin : 0;
    const std::size_t there = stage.placeAt(std::min(second, stage.seconds)).value_or(0);
    choose(chosenPlace(lane).value_or(Place{lane, there}));
}

} // namespace reinspect
