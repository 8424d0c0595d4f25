// SPDX-License-Identifier: MIT
#include "views/canvas/graph_view.h"

#include "core/passes/explain.h"
#include "views/canvas/graph_painter.h"
#include "views/canvas/graph_scene.h"
#include "views/canvas/legend.h"
#include "views/canvas/minimap.h"
#include "views/canvas/picture_file.h"
#include "views/session/layout_service.h"
#include "views/session/session.h"

#include <QPainter>
#include <QResizeEvent>

#include <algorithm>

namespace reinspect
{

static constexpr double kReadable = 0.6; // the least zoom at which text is easily read
static constexpr double kZoomStep = 1.25;
static constexpr double kMargin = 24; // between what must be seen and the border of the widget

GraphView::GraphView(Session* session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_layout(new LayoutService(this))
    , m_scene(std::make_unique<GraphScene>())
    , m_legend(new LegendItem(this))
    , m_minimap(new MinimapItem(m_scene.get(), this))
    , m_painter(std::make_unique<GraphPainter>())
    , m_theme(Theme::matching(palette()))
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
    connect(m_layout, &LayoutService::resultReady, this, &GraphView::takeLayout);
    connect(m_layout, &LayoutService::failed, m_session, &Session::setMessage);
    connect(m_layout, &LayoutService::busyChanged, this, [this](bool busy) {
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
    m_scene->setTrace(trace);
    if (!trace)
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

void GraphView::cancelLayout()
{
    m_layout->cancel();
}

void GraphView::takeLayout(const LayoutResult& result)
{
    const NodeId anchor = anchorNode();
    const QPointF before = screenRect(anchor).center();
    m_scene->setLayout(result);
    updateMarks();
    m_minimap->rebuild();
    const QRectF after = screenRect(anchor);
    if (!m_isOpened || (m_isFitted && !m_isMoved))
        openView();
    else if (!after.isEmpty())
        m_viewport.pan(before - after.center());
    viewportMoved();
}

void GraphView::updateMarks()
{
    if (const TraceCursor* cursor = m_session->cursor())
    {
        const std::shared_ptr<const Document>& document = m_session->document();
        m_scene->update(*cursor, m_session->selection(),
                        document ? document->facts : CaptureFacts());
    }
    m_minimap->refreshSoon();
    placeOverlays();
    update();
}

void GraphView::showCurrentEvent()
{
    if (m_scene->isEmpty())
        return;
    updateMarks();
    if (const TraceCursor* cursor = m_session->cursor())
    {
        const std::vector<Witness> named = witnesses(cursor->trace(), cursor->event());
        if (!named.empty())
            revealNode(named.front().node);
    }
}

void GraphView::showSelection()
{
    if (m_scene->isEmpty())
        return;
    updateMarks();
    const NodeId node = m_session->selection().primary();
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

// All of it when that can be read, else what the opening event speaks of.
void GraphView::openView()
{
    m_isOpened = true;
    if (m_isLegendFoldedByView)
        m_legend->setFolded(false);
    m_isLegendFoldedByView = false;
    m_viewport.fit(m_scene->bounds(), 1, kMargin / 2);
    m_isFitted = m_viewport.scale() >= kReadable;
    if (m_isFitted)
        return;
    const NodeId anchor = anchorNode();
    QRectF wanted = m_scene->rectOf(anchor);
    const QRectF first = wanted;
    if (const TraceCursor* cursor = m_session->cursor(); cursor && cursor->event())
    {
        for (const Witness& witness : witnesses(cursor->trace(), cursor->event()))
            wanted = wanted.united(m_scene->rectOf(witness.node, anchor));
    }
    if (wanted.isEmpty())
        wanted = QRectF(m_scene->bounds().topLeft(), QSizeF(1, 1));
    m_viewport.fit(wanted.adjusted(-120, -160, 120, 160), 0.9, kMargin);
    if (m_viewport.scale() < kReadable)
    {
        m_viewport.zoomTo(kReadable + 0.1, {0, 0});
        m_viewport.center((first.isEmpty() ? wanted : first).center());
    }
    m_viewport.keepInside(m_scene->bounds(), kMargin);
}

QRectF GraphView::screenRect(NodeId node) const
{
    const QRectF rect = m_scene->rectOf(node, m_cameFrom);
    return rect.isEmpty() ? QRectF() : m_viewport.toScreen(rect);
}

void GraphView::revealNode(NodeId node)
{
    const QRectF rect = m_scene->rectOf(node, m_cameFrom);
    if (rect.isEmpty())
        return;
    const QRectF inside = QRectF(QPointF(0, 0), m_viewport.size()).adjusted(4, 4, -4, -4);
    if (inside.contains(m_viewport.toScreen(rect)))
        return;
    // From far away, the neighbourhood should be seen too.
    if (inside.intersects(m_viewport.toScreen(rect)))
        m_viewport.reveal(rect, 2 * kMargin);
    else
        m_viewport.center(rect.center());
    viewportMoved();
}

void GraphView::setTheme(const Theme& theme)
{
    m_theme = theme;
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

// Folds the legend once for an opening view in which it hides a box that the event is about. The
// reader may unfold it, and it stays so.
void GraphView::foldLegendInTheWay()
{
    const TraceCursor* cursor = m_session->cursor();
    if (!m_isOpened || m_isMoved || m_isLegendFoldedByView || !m_legend->isVisibleTo(this)
        || !cursor || !cursor->event())
        return;
    for (const Witness& witness : witnesses(cursor->trace(), cursor->event()))
    {
        if (!screenRect(witness.node).intersects(m_legend->geometry()))
            continue;
        m_isLegendFoldedByView = true;
        m_legend->setFolded(true);
        m_legend->move(10, height() - m_legend->height() - 10);
        return;
    }
}

void GraphView::fit()
{
    m_viewport.fit(m_scene->bounds(), 1, kMargin / 2);
    m_isMoved = true;
    viewportMoved();
}

void GraphView::zoomIn()
{
    zoomTo(zoom() * kZoomStep, QRectF(rect()).center());
}

void GraphView::zoomOut()
{
    zoomTo(zoom() / kZoomStep, QRectF(rect()).center());
}

void GraphView::resetZoom()
{
    zoomTo(1, QRectF(rect()).center());
}

void GraphView::centerOnSelection()
{
    centerOn(anchorNode());
}

void GraphView::centerOn(NodeId node)
{
    const QRectF rect = m_scene->rectOf(node, m_cameFrom);
    if (rect.isEmpty())
        return;
    m_viewport.center(rect.center());
    m_isMoved = true;
    viewportMoved();
}

void GraphView::zoomTo(double scale, QPointF anchor)
{
    m_viewport.zoomTo(scale, anchor);
    m_isMoved = true;
    viewportMoved();
}

void GraphView::panBy(QPointF delta)
{
    m_viewport.pan(delta);
    m_viewport.keepNear(m_scene->bounds());
    m_isMoved = true;
    viewportMoved();
}

void GraphView::viewportMoved()
{
    if (m_shownZoom != zoom())
    {
        m_shownZoom = zoom();
        emit zoomChanged(zoom());
    }
    placeOverlays();
    update();
}

QImage GraphView::renderWhole(double scale) const
{
    return pictureImage(*m_scene, m_theme, scale);
}

Result<void> GraphView::savePicture(const QString& path) const
{
    return writePicture(*m_scene, m_theme, path);
}

void GraphView::resizeEvent(QResizeEvent* event)
{
    m_viewport.resize(event->size());
    // Until the user takes over, the opening view is that of the size the window settles on.
    if (m_isOpened && !m_isMoved)
        openView();
    placeOverlays();
    viewportMoved();
}

QString GraphView::hintText() const
{
    if (!m_session->document())
        return tr("Open a file to see its graph.");
    return m_session->trace() ? tr("The graph is empty.") : tr("Running the pass...");
}

void GraphView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(Surface::Background));
    painter.setPen(m_theme.color(Surface::FaintText));
    if (m_scene->isEmpty())
    {
        painter.drawText(rect(), Qt::AlignCenter, hintText());
        return;
    }
    if (!m_isSettled)
        painter.drawText(rect().adjusted(10, 8, -10, -8), Qt::AlignTop | Qt::AlignRight,
                         tr("Improving the layout... (Esc keeps this one)"));
    painter.setTransform(m_viewport.transform(), true);
    m_painter->paint(painter, *m_scene, m_theme, {.area = m_viewport.sceneRect(), .scale = zoom()});
    painter.resetTransform();
    if (hasFocus())
    {
        painter.setPen(QPen(m_theme.color(Surface::Focus), 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

} // namespace reinspect
