// SPDX-License-Identifier: MIT
// GraphView: mouse, wheel, keyboard and tool tips.
#include "views/canvas/graph_view.h"

#include "views/canvas/edge_walk.h"
#include "views/canvas/far_picture.h"
#include "views/session/layout_service.h"
#include "views/session/session.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace reinspect
{

static std::optional<WalkDirection> walkKey(const QKeyEvent& event)
{
    if (event.modifiers() & ~Qt::KeypadModifier)
        return std::nullopt;
    switch (event.key())
    {
    case Qt::Key_Up: return WalkDirection::Up;
    case Qt::Key_Down: return WalkDirection::Down;
    case Qt::Key_Left: return WalkDirection::Left;
    case Qt::Key_Right: return WalkDirection::Right;
    default: return std::nullopt;
    }
}

bool GraphView::event(QEvent* event)
{
    // Arrow keys walk here, whatever they are shortcuts for elsewhere.
    if (event->type() == QEvent::ShortcutOverride && walkKey(*static_cast<QKeyEvent*>(event)))
    {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::ToolTip)
    {
        showToolTip(*static_cast<QHelpEvent*>(event));
        return true;
    }
    if (event->type() == QEvent::NativeGesture)
    {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture)
        {
            zoomTo(zoom() * (1 + gesture->value()), gesture->position());
            return true;
        }
    }
    return QWidget::event(event);
}

void GraphView::showToolTip(const QHelpEvent& help)
{
    const NodeId node = m_scene->nodeAt(m_viewport.toScene(QPointF(help.pos())));
    const std::uint32_t group = m_scene->groupAt(m_viewport.toScene(QPointF(help.pos())));
    const QString text = group != kNoGroup ? groupToolTip(group)
        : node                             ? toolTipFor(node)
                                           : edgeToolTip(m_scene->hoveredEdge());
    if (text.isEmpty())
        return QToolTip::hideText();
    QToolTip::showText(
        help.globalPos(),
        QStringLiteral("<p style='white-space:pre-wrap'>%1</p>").arg(text.toHtmlEscaped()), this);
}

static QString shortened(const QString& text)
{
    constexpr qsizetype kLongest = 1500;
    return text.size() <= kLongest ? text : text.left(kLongest) + QStringLiteral("\u2026");
}

QString GraphView::toolTipFor(NodeId node) const
{
    const PassTrace* trace = m_scene->trace();
    if (!trace)
        return {};
    const TraceCursor* cursor = m_session->cursor();
    const bool isNow = cursor && cursor->graph().contains(node);
    const Graph& graph = isNow ? cursor->graph() : *trace->result;
    QStringList lines{
        shortened(QString::fromStdString(graph[node].name + " = " + toText(graph, node)))};
    if (graph[node].meta.value.isKnown())
        lines.append(shortened(QString::fromStdString(toText(graph[node].meta.value))));
    if (!graph[node].meta.source.empty())
        lines.append(shortened(QString::fromStdString(graph[node].meta.source.str())));
    for (Role role : allRoles())
    {
        const bool isPlain = role == Role::Plain || role == Role::Selected;
        if (!isPlain && m_scene->marks().of(node).roles.has(role))
            lines.append(roleWord(role) + QStringLiteral(": ") + roleMeaning(role));
    }
    return lines.join(u'\n');
}

void GraphView::select(NodeId node, bool add)
{
    Selection selection;
    if (add)
        selection.nodes = m_session->selection().nodes;
    const auto found = std::find(selection.nodes.begin(), selection.nodes.end(), node);
    if (found != selection.nodes.end())
        selection.nodes.erase(found); // a second click takes it out again
    else if (node)
        selection.nodes.insert(selection.nodes.begin(), node);
    m_session->setSelection(selection);
}

QString GraphView::groupToolTip(std::uint32_t group) const
{
    const GroupFacts& facts = m_scene->groupFacts(group);
    return tr("%1: %2 nodes, %6 inputs of its own\n%3 candidates not decided yet, %4 in place, %5 "
              "kept\n"
              "Double click unfolds it.")
        .arg(QString::fromStdString(m_scene->groupName(group)))
        .arg(facts.nodes)
        .arg(facts.undecided)
        .arg(facts.inPlace)
        .arg(facts.kept)
        .arg(facts.inputs);
}

QString GraphView::edgeToolTip(std::uint32_t edge) const
{
    if (edge == kNoBox || !m_scene->trace())
        return {};
    const SceneEdge& ends = m_scene->edges()[edge];
    return tr("%1 is used by %2\nClick to go to %2, and again for %1.")
        .arg(QString::fromStdString(m_scene->trace()->nameOf(ends.from)),
             QString::fromStdString(m_scene->trace()->nameOf(ends.to)));
}

void GraphView::walkFrom(NodeId from, NodeId to)
{
    if (!to)
        return;
    m_cameFrom = from;
    select(to, false);
}

void GraphView::walkTo(WalkDirection direction)
{
    const TraceCursor* cursor = m_session->cursor();
    if (!cursor)
        return;
    const NodeId from = m_session->selection().primary();
    walkFrom(from, from ? walk(*m_scene, cursor->graph(), from, direction) : anchorNode());
}

void GraphView::walkToInput(std::size_t number)
{
    const TraceCursor* cursor = m_session->cursor();
    const NodeId from = m_session->selection().primary();
    if (cursor && from)
        walkFrom(from, inputOf(cursor->graph(), from, number));
}

void GraphView::walkInProgramOrder(bool isForward)
{
    const NodeId from = m_session->selection().primary();
    walkFrom(from, from ? m_scene->following(from, isForward) : anchorNode());
}

void GraphView::hover(QPointF position)
{
    constexpr double kTolerance = 5; // pixels
    const QPointF point = m_viewport.toScene(position);
    const bool isOverNode = m_scene->nodeAt(point).isValid();
    // From afar lines lie too close to be pointed at.
    const bool isNear = zoom() >= 0.15;
    const std::uint32_t edge =
        isOverNode || !isNear ? kNoBox : m_scene->edgeAt(point, kTolerance / zoom());
    setCursor(isOverNode || edge != kNoBox ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (m_scene->setHoveredEdge(edge))
    {
        m_far->invalidate();
        update();
    }
}

// The end that is not chosen, so that clicks go to and fro.
void GraphView::jumpAlong(std::uint32_t edge)
{
    const SceneEdge ends = m_scene->edges()[edge];
    const bool isAtUser = m_session->selection().primary() == ends.to;
    walkFrom(isAtUser ? ends.to : ends.from, isAtUser ? ends.from : ends.to);
}

void GraphView::keyPressEvent(QKeyEvent* event)
{
    if (const std::optional<WalkDirection> direction = walkKey(*event))
        return walkTo(*direction);
    switch (event->key())
    {
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoomIn();
    case Qt::Key_Minus: return zoomOut();
    case Qt::Key_0: return resetZoom();
    case Qt::Key_F:
    case Qt::Key_Home: return fit();
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: return centerOnSelection();
    case Qt::Key_PageUp: return panBy({0, height() * 0.8});
    case Qt::Key_PageDown: return panBy({0, -height() * 0.8});
    case Qt::Key_Escape:
        if (m_layout->isBusy())
            cancelLayout();
        else
            select({}, false);
        return;
    default: QWidget::keyPressEvent(event);
    }
}

void GraphView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return QWidget::mousePressEvent(event);
    m_pressedAt = m_draggedTo = event->position();
    m_isDragging = false;
    m_isBanding = event->button() == Qt::LeftButton && (event->modifiers() & Qt::ShiftModifier);
}

void GraphView::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF position = event->position();
    if (!(event->buttons() & (Qt::LeftButton | Qt::MiddleButton)))
        return hover(position);
    // A click with a shaky hand is still a click.
    if (!m_isDragging
        && (position - m_pressedAt).manhattanLength() < QApplication::startDragDistance())
        return;
    m_isDragging = true;
    const QPointF moved = position - m_draggedTo;
    m_draggedTo = position;
    if (m_isBanding)
        return update();
    setCursor(Qt::ClosedHandCursor);
    panBy(moved);
}

void GraphView::mouseReleaseEvent(QMouseEvent* event)
{
    setCursor(Qt::ArrowCursor);
    if (m_isDragging && m_isBanding)
        zoomToScreen(QRectF(m_pressedAt, m_draggedTo).normalized());
    if (m_isDragging || event->button() != Qt::LeftButton)
    {
        m_isDragging = m_isBanding = false;
        return;
    }
    const bool add = (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier)) != 0;
    const NodeId node = m_scene->nodeAt(m_viewport.toScene(event->position()));
    if (!node && !add && m_scene->hoveredEdge() != kNoBox)
        return jumpAlong(m_scene->hoveredEdge());
    if (node || !add)
        select(node, add);
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const QPointF point = m_viewport.toScene(event->position());
    const std::uint32_t group = m_scene->groupAt(point);
    if (group != kNoGroup)
        return toggleFold(group);
    const std::uint32_t named =
        m_scene->nodeAt(point) ? kNoGroup : m_scene->frameNameAt(point, zoom());
    if (named != kNoGroup)
        return toggleFold(named);
    if (const NodeId node = m_scene->nodeAt(point))
        return centerOn(node);
    m_viewport.center(point);
    panBy({0, 0});
}

void GraphView::wheelEvent(QWheelEvent* event)
{
    event->accept();
    const QPoint angle = event->angleDelta();
    if (event->modifiers() & Qt::ControlModifier)
        return zoomTo(zoom() * std::pow(1.0015, angle.y()), event->position());
    QPointF delta =
        event->pixelDelta().isNull() ? QPointF(angle) * 0.6 : QPointF(event->pixelDelta());
    if (event->modifiers() & Qt::ShiftModifier)
        delta = {delta.y(), delta.x()};
    panBy(delta);
}

} // namespace reinspect
