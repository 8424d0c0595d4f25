// SPDX-License-Identifier: MIT
#include "views/canvas/graph_view.h"

#include "core/passes/explain.h"
#include "views/canvas/far_picture.h"
#include "views/canvas/graph_painter.h"
#include "views/canvas/graph_scene.h"
#include "views/canvas/legend.h"
#include "views/canvas/minimap.h"
#include "views/canvas/picture_file.h"
#include "views/session/layout_service.h"
#include "views/session/scope_history.h"
#include "views/session/session.h"

#include <QPainter>
#include <QTimer>

#include <algorithm>

namespace reinspect
{

static constexpr std::size_t kMostInFocus = 400; // nodes; a larger graph opens on a part of it

GraphView::GraphView(Session* session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_layout(new LayoutService(this))
    , m_scopes(new ScopeHistory(this))
    , m_scene(std::make_unique<GraphScene>())
    , m_legend(new LegendItem(this))
    , m_minimap(new MinimapItem(m_scene.get(), this))
    , m_painter(std::make_unique<GraphPainter>())
    , m_far(std::make_unique<FarPicture>([this] { showFarPicture(); }))
    , m_theme(Theme::matching(palette()))
    , m_progress(new QTimer(this))
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    setAccessibleName(tr("Graph"));
    m_legend->setTheme(m_theme);
    m_minimap->setTheme(m_theme);
    m_viewport.resize(size());
    connectSession();
    connectLayout();
    showTrace();
}

GraphView::~GraphView() = default;

void GraphView::connectSession()
{
    connect(m_session, &Session::documentChanged, this, &GraphView::showTrace);
    connect(m_session, &Session::traceChanged, this, &GraphView::showTrace);
    connect(m_session, &Session::eventChanged, this, &GraphView::showCurrentEvent);
    connect(m_session, &Session::selectionChanged, this, &GraphView::showSelection);
}

void GraphView::connectLayout()
{
    connect(m_minimap, &MinimapItem::centerRequested, this, [this](QPointF point) {
        m_viewport.center(point);
        panBy({0, 0});
    });
    connect(m_minimap, &MinimapItem::drawn, this, &GraphView::tellSharp);
    connect(m_scopes, &ScopeHistory::changed, this, &GraphView::showScope);
    connect(m_layout, &LayoutService::resultReady, this, &GraphView::takeLayout);
    connect(m_layout, &LayoutService::failed, m_session, &Session::setMessage);
    m_progress->setInterval(500);
    connect(m_progress, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    connect(m_layout, &LayoutService::busyChanged, this, [this](bool busy) {
        if (busy)
            m_progress->start();
        else
            m_progress->stop();
        if (!busy)
            settle();
        update();
    });
}

void GraphView::showTrace()
{
    const std::shared_ptr<const PassTrace>& trace = m_session->trace();
    if (trace && trace.get() == m_scene->trace())
        return;
    m_isOpened = m_isFitted = m_isMoved = false;
    m_cameFrom = {};
    m_keptAt.reset();
    m_scene->setTrace(trace);
    m_far->clear();
    m_legend->setClasses({});
    if (trace)
        openScope();
    place();
}

void GraphView::place()
{
    if (!m_scene->trace())
    {
        m_layout->cancel();
        settle();
    }
    else
    {
        m_isSettled = false;
        m_layout->place(m_scene->layoutRequest());
        if (!m_layout->isBusy())
            settle();
    }
    placeOverlays();
    update();
}

void GraphView::settle()
{
    if (m_isSettled)
        return;
    m_isSettled = true;
    emit layoutSettled();
}

void GraphView::setLayoutLimit(int seconds)
{
    m_layout->setTimeLimit(seconds * 1000);
}

void GraphView::setLayoutCache(const QString& folder)
{
    m_layout->setCacheFolder(folder);
}

void GraphView::cancelLayout()
{
    m_layout->cancel();
}

void GraphView::takeLayout(const LayoutResult& result)
{
    const NodeId anchor = anchorNode();
    const QPointF before = m_keptAt.value_or(screenRect(anchor).center());
    const bool wasSeen = m_keptAt.has_value() || m_scene->isDrawn(anchor);
    m_keptAt.reset();
    m_scene->setLayout(result);
    m_far->clear();
    updateMarks(true);
    m_minimap->rebuild();
    const QRectF after = screenRect(anchor);
    if (!m_isOpened || (m_isFitted && !m_isMoved))
        openView();
    else if (!after.isEmpty() && wasSeen)
        m_viewport.pan(before - after.center());
    viewportMoved();
}

void GraphView::updateMarks(bool isAllNew)
{
    SceneChange change{{}, isAllNew};
    if (const TraceCursor* cursor = m_session->cursor())
    {
        const std::shared_ptr<const Document>& document = m_session->document();
        change = m_scene->update(*cursor, m_session->selection(),
                                 document ? document->facts : CaptureFacts());
        change.isAll = change.isAll || isAllNew;
    }
    if (!change.isAll && change.areas.empty())
        return;
    m_far->invalidate();
    m_minimap->refreshSoon();
    placeOverlays();
    repaint(change);
}

// Of a near view only what changed: a step marks a few boxes of some hundred.
void GraphView::repaint(const SceneChange& change)
{
    if (change.isAll || FarPicture::isUseful(*m_scene, zoom()))
        return update();
    QRegion parts;
    for (const QRectF& area : change.areas)
    {
        const QRect part = m_viewport.toScreen(area).toAlignedRect().adjusted(-2, -2, 2, 2);
        if (part.intersects(rect()))
            parts += part.intersected(rect());
    }
    update(parts);
}

void GraphView::showCurrentEvent()
{
    if (m_scene->isEmpty())
        return;
    updateMarks();
    const NodeId wanted = wantedByEvent();
    if (wanted && !m_scene->isDrawn(wanted))
        m_scopes->push(scopeAround(*m_scene->trace(), m_session->event(), kMostInFocus));
    revealNode(wanted);
}

NodeId GraphView::wantedByEvent() const
{
    const TraceCursor* cursor = m_session->cursor();
    if (!cursor || !cursor->event())
        return {};
    const std::vector<Witness> named = witnesses(cursor->trace(), cursor->event());
    return named.empty() ? NodeId{} : named.front().node;
}

void GraphView::showSelection()
{
    if (m_scene->isEmpty())
        return;
    updateMarks();
    const NodeId node = m_session->selection().primary();
    keepInScope(node);
    revealNode(node);
    setAccessibleDescription(node ? toolTipFor(node) : QString());
}

NodeId GraphView::anchorNode() const
{
    if (const NodeId chosen = m_session->selection().primary())
        return chosen;
    const TraceCursor* cursor = m_session->cursor();
    if (!cursor || cursor->trace().events.empty())
        return {};
    if (const DecisionIndex decision = cursor->trace().decisionAt(cursor->event()))
        return cursor->trace().decision(decision).node;
    const std::vector<Witness> named = witnesses(cursor->trace(), cursor->event());
    return named.empty() ? NodeId{} : named.front().node;
}

void GraphView::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_far->invalidate();
    m_legend->setTheme(theme);
    m_minimap->setTheme(theme);
    update();
}

void GraphView::setLegendVisible(bool visible)
{
    if (visible == m_isLegendVisible)
        return;
    m_isLegendVisible = visible;
    placeOverlays();
    emit legendVisibleChanged(visible);
}

void GraphView::placeOverlays()
{
    m_legend->setVisible(m_isLegendVisible && !m_scene->isEmpty());
    m_legend->setRoles(m_scene->occurringRoles());
    m_legend->move(10, height() - m_legend->height() - 10);
    foldLegendInTheWay();
    m_minimap->setViewport(m_viewport);
    m_minimap->setVisible(m_minimap->isNeeded());
    // Beside the legend, or above it in the other corner where both do not fit side by side.
    const bool fitsBeside =
        !m_legend->isVisibleTo(this) || m_legend->width() + m_minimap->width() + 30 <= width();
    m_minimap->move(width() - m_minimap->width() - 10,
                    fitsBeside ? height() - m_minimap->height() - 10 : 10);
}

// For a view that shows all of something: the legend must not hide a part of it. One that explains
// classes stays, since colours that nobody explains say nothing.
void GraphView::letLegendFold()
{
    if (std::exchange(m_isLegendFoldedByView, false))
        m_legend->setFolded(false);
    m_mayFoldLegend = m_scene->classes().isEmpty();
}

// Folds the legend once in a view in which it hides a box. The reader may unfold it, and it stays so.
void GraphView::foldLegendInTheWay()
{
    if (!m_isOpened || !m_mayFoldLegend || !m_legend->isVisibleTo(this))
        return;
    const QRectF hidden(m_viewport.toScene(m_legend->geometry().topLeft()),
                        m_viewport.toScene(m_legend->geometry().bottomRight()));
    if (m_scene->boxesIn(hidden).empty())
        return;
    m_mayFoldLegend = false;
    m_isLegendFoldedByView = true;
    m_legend->setFolded(true);
    m_legend->move(10, height() - m_legend->height() - 10);
}

void GraphView::setFound(std::vector<NodeId> nodes)
{
    if (nodes == m_scene->found())
        return;
    m_scene->setFound(std::move(nodes));
    if (!m_scene->isEmpty())
        updateMarks();
}

} // namespace reinspect
