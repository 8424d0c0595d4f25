// SPDX-License-Identifier: MIT
// The picture of the graph: one widget that paints a GraphScene through a Viewport. It follows the
// Session (trace, event, selection) and writes clicks and keyboard walks back to it.
// Boxes are placed once for a trace; stepping changes colours, marks and edges, never places. The
// row layout shows at once; when the helper's layout replaces it, the chosen node stays where it is
// on the screen.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

#include "core/base/ids.h"
#include "core/base/result.h"
#include "views/canvas/theme.h"
#include "views/canvas/viewport.h"

#include <QImage>

#include <memory>
#include <optional>

class QHelpEvent;
class QTimer;

namespace reinspect
{

class FarPicture;
class GraphPainter;
class GraphScene;
class LayoutService;
class LegendItem;
class MinimapItem;
class ScopeHistory;
class Session;
struct NodeClasses;
enum class Growth;
enum class WalkDirection;
struct LayoutResult;
struct SceneChange;

// Where the reader looks: how large, and where the anchor (the chosen node, else the candidate of the
// current event) stands on the widget. Unlike an origin it survives another layout.
struct ViewPlace
{
    double zoom = 1;
    QPointF anchorAt;
};

enum class PictureExtent
{
    Drawn, // what the scope shows, all of it
    Seen,  // what is on the screen
    Whole, // the whole graph, nothing folded
};

class GraphView : public QWidget
{
    Q_OBJECT

public:
    explicit GraphView(Session* session, QWidget* parent = nullptr);
    ~GraphView() override;

    const Theme& theme() const { return m_theme; }
    const Viewport& viewport() const { return m_viewport; }
    double zoom() const { return m_viewport.scale(); }
    const GraphScene& scene() const { return *m_scene; }
    bool isLegendVisible() const { return m_isLegendVisible; }
    // True when no placement is running: what is shown now is what will stay.
    bool isLayoutSettled() const { return m_isSettled; }
    // Likewise of the pixels of a far view, which are made in the background.
    bool isPictureSharp() const;
    // Where a node is on the widget: its box, else a stub of it. Empty when it is not drawn.
    QRectF screenRect(NodeId node) const;

    void setTheme(const Theme& theme);
    void setLegendVisible(bool visible);
    void fit();
    void zoomIn();
    void zoomOut();
    void resetZoom(); // one to one
    void centerOnSelection();
    void centerOn(NodeId node);
    void cancelLayout(); // the row layout stays
    void setFound(std::vector<NodeId> nodes);
    void setDifferences(std::vector<std::pair<NodeId, Role>> differences); // gone with the trace
    // The node whose box is nearest to the middle of what is seen; and a view that has a node there.
    NodeId nodeInTheMiddle() const;
    void placeNode(NodeId node, QPointF at, double zoom);
    void setClasses(NodeClasses classes); // gone with the trace

    // What is drawn; a change places it anew, and the chosen node stays where it is on the screen.
    void setLayoutLimit(int seconds);           // a layout that takes longer is given up
    void setLayoutCache(const QString& folder); // where layouts are kept; empty: nowhere
    ScopeHistory* scopes() const { return m_scopes; }
    ViewPlace viewPlace() const;
    void setViewPlace(const ViewPlace& place);
    void showWhole();
    void focusOnSelection();  // the neighbourhood of the chosen nodes' first
    void grow(Growth growth); // of what is in focus
    void hideSelection();
    void showOnly(const std::vector<NodeId>& nodes, const QString& name);
    void toggleFold(std::uint32_t group);
    void toggleFoldOfSelection();   // the group that holds the chosen node
    void foldInnerGroup();          // the smallest around it
    void foldOuterGroup();          // the next larger one
    void setAllFolded(bool folded); // asked again: the groups around those, too
    void walkTo(WalkDirection direction);
    void walkToInput(std::size_t number); // of the chosen node, from 1
    void walkInProgramOrder(bool isForward);

    // The whole picture, `scale` pixels a unit; smaller when it would not fit an image.
    QImage renderWhole(double scale) const;
    // By the ending of the name: .svg, .pdf, .png or .dot. `scale` is that of a .png.
    Result<void> savePicture(const QString& path, PictureExtent extent = PictureExtent::Drawn,
                             double scale = 1) const;
    QByteArray svg() const; // of what is drawn

    QSize sizeHint() const override { return {900, 700}; }
    QSize minimumSizeHint() const override { return {200, 150}; }

signals:
    void layoutSettled();
    void pictureSharpened(); // a far view has its pixels
    void viewMoved();        // another part of the picture is seen
    void zoomChanged(double zoom);
    void legendVisibleChanged(bool visible);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void connectSession();
    void connectLayout();
    void showTrace();
    void showCurrentEvent();
    void showSelection();
    void updateMarks(bool isAllNew = false);
    void repaint(const SceneChange& change);
    void showFarPicture();
    void tellSharp();
    void openScope();
    void showScope();
    void place();
    void keepInScope(NodeId node);
    NodeId wantedByEvent() const;
    void takeLayout(const LayoutResult& result);
    void settle();
    void openView();
    void placeOverlays();
    void letLegendFold();
    void foldLegendInTheWay();
    NodeId anchorNode() const; // the chosen node, else the current event's candidate
    void revealNode(NodeId node);
    void select(NodeId node, bool add);
    void walkFrom(NodeId from, NodeId to);
    void hover(QPointF position);
    void jumpAlong(std::uint32_t edge);
    void zoomToScreen(const QRectF& rect); // what lies there fills the widget
    void zoomTo(double scale, QPointF anchor);
    void panBy(QPointF delta);
    void viewportMoved();
    QString toolTipFor(NodeId node) const;
    QString groupToolTip(std::uint32_t group) const;
    QString edgeToolTip(std::uint32_t edge) const;
    void showToolTip(const QHelpEvent& help);
    void paintScene(QPainter& painter, const QRect& part);
    void paintProgress(QPainter& painter) const;
    void paintBand(QPainter& painter) const;
    QString hintText() const;

    Session* m_session;
    LayoutService* m_layout;
    ScopeHistory* m_scopes;
    std::optional<QPointF> m_keptAt; // on the screen: where the anchor stood before its box went
    std::unique_ptr<GraphScene> m_scene;
    LegendItem* m_legend;
    MinimapItem* m_minimap;
    std::unique_ptr<GraphPainter> m_painter;
    std::unique_ptr<FarPicture> m_far;
    Theme m_theme;
    Viewport m_viewport;
    double m_shownZoom = 0; // what zoomChanged() said last
    NodeId m_cameFrom;      // where the last walk began: its stubs are preferred
    QPointF m_pressedAt;
    QPointF m_draggedTo;
    bool m_isDragging = false;
    bool m_isBanding = false; // a rectangle to zoom to is being drawn
    bool m_isOpened = false;  // the trace was brought into view
    bool m_isFitted = false;  // by showing all of it
    bool m_isMoved = false;   // by the user since then
    bool m_isSettled = true;
    bool m_isLegendVisible = true;
    QTimer* m_progress;                  // repaints while a layout takes long
    bool m_mayFoldLegend = false;        // this view was not made by the reader's hand
    bool m_isLegendFoldedByView = false; // as it was in the way
};

} // namespace reinspect
