// SPDX-License-Identifier: MIT
// GraphView: which part of the graph is drawn.
#include "views/canvas/graph_scene.h"
#include "views/canvas/graph_view.h"
#include "views/canvas/legend.h"
#include "views/session/qt_text.h"
#include "views/session/scope_history.h"
#include "views/session/session.h"

#include <algorithm>

namespace reinspect
{

static constexpr std::size_t kMostInFocus = 400;

// All of a graph that can be overlooked, else the neighbourhood of what the opening event is about.
void GraphView::openScope()
{
    const PassTrace& trace = *m_scene->trace();
    Scope scope;
    if (trace.result->slotCount() > kMostInFocus && m_session->event())
        scope = scopeAround(trace, m_session->event(), kMostInFocus);
    const QSignalBlocker blocker(m_scopes); // the layout is asked for afterwards
    m_scopes->reset(scope);
    m_scene->setScope(m_scopes->current());
}

void GraphView::showScope()
{
    if (!m_scene->trace())
        return;
    const QRectF before = screenRect(anchorNode());
    const QRectF seen(QPointF(0, 0), m_viewport.size());
    // A place outside of the widget is not worth keeping.
    if (seen.intersects(before))
        m_keptAt = before.center();
    m_isFitted = false;
    letLegendFold();
    m_scene->setScope(m_scopes->current());
    place();
    if (!seen.intersects(screenRect(anchorNode())))
        openView();
    viewportMoved();
}

// A chosen node outside of the focus joins it when it is next to it, else gets a focus of its own.
// Inputs are stubs everywhere and stay so.
void GraphView::keepInScope(NodeId node)
{
    const PassTrace* trace = m_scene->trace();
    if (!node || !trace || m_scopes->current().shows(node))
        return;
    const bool isNear = m_scene->isDrawn(node);
    const NodeOp op = trace->result->node(node).op;
    if (isNear && (op == NodeOp::Placeholder || op == NodeOp::GetAttr))
        return;
    if (!isNear)
        return m_scopes->push(scopeAround(*trace, node, kMostInFocus));
    Scope scope = m_scopes->current();
    std::erase(scope.hidden, node);
    if (!scope.only.empty())
    {
        scope.only.insert(std::ranges::lower_bound(scope.only, node), node);
        scope.only.erase(std::unique(scope.only.begin(), scope.only.end()), scope.only.end());
    }
    m_scopes->push(std::move(scope));
}

void GraphView::setClasses(NodeClasses classes)
{
    if (!classes.isEmpty())
    {
        m_legend->setFolded(false); // colours that nobody explains say nothing
        m_mayFoldLegend = m_isLegendFoldedByView = false;
    }
    m_legend->setClasses(classes);
    m_scene->setClasses(std::move(classes));
    if (!m_scene->isEmpty())
        updateMarks(true);
}

void GraphView::setDifferences(std::vector<std::pair<NodeId, Role>> differences)
{
    m_scene->setDifferences(std::move(differences));
    if (!m_scene->isEmpty())
        updateMarks();
}

void GraphView::showWhole()
{
    Scope scope;
    scope.folded = m_scopes->current().folded;
    m_scopes->push(std::move(scope));
}

void GraphView::focusOnSelection()
{
    const PassTrace* trace = m_scene->trace();
    if (!trace)
        return;
    const NodeId node = m_session->selection().primary();
    m_scopes->push(node ? scopeAround(*trace, node, kMostInFocus)
                        : scopeAround(*trace, m_session->event(), kMostInFocus));
}

void GraphView::grow(Growth growth)
{
    if (m_scene->trace())
        m_scopes->push(grown(*m_scene->trace(), m_scopes->current(), growth));
}

void GraphView::hideSelection()
{
    const std::vector<NodeId>& nodes = m_session->selection().nodes;
    if (!m_scene->trace() || nodes.empty())
        return;
    const std::string name = nodes.size() == 1
        ? "Without " + m_scene->trace()->nameOf(nodes.front())
        : "Without " + std::to_string(nodes.size()) + " nodes";
    Scope scope = hiding(m_scopes->current(), nodes, name);
    m_session->setSelection({}); // what cannot be seen is not chosen
    m_scopes->push(std::move(scope));
}

void GraphView::showOnly(const std::vector<NodeId>& nodes, const QString& name)
{
    if (m_scene->trace() && !nodes.empty())
        m_scopes->push(showingOnly(m_scopes->current(), nodes, toStdString(name)));
}

void GraphView::toggleFold(std::uint32_t group)
{
    if (group >= m_scene->groupCount())
        return;
    const bool isFolded = m_scopes->current().folded.contains(group);
    m_scopes->push(
        foldingToggled(m_scopes->current(), group,
                       (isFolded ? "Unfolded " : "Folded ") + m_scene->groupName(group)));
}

// What is folded opens; else the frame around the chosen node closes.
void GraphView::toggleFoldOfSelection()
{
    const NodeId node = m_session->selection().primary();
    const std::uint32_t folded = m_scene->foldedGroupOf(node);
    toggleFold(folded != kNoGroup ? folded : m_scene->groupOfNode(node));
}

// The smallest module around the chosen node, inside of the frame.
void GraphView::foldInnerGroup()
{
    const NodeId node = m_session->selection().primary();
    if (m_scene->foldedGroupOf(node) == kNoGroup)
        toggleFold(m_scene->smallestGroupOf(node));
}

// What is framed inside of it folds too, so that unfolding goes level by level.
static void foldWithFrames(Scope& scope, const GraphScene& scene, std::uint32_t group)
{
    scope.folded.insert(group);
    for (std::uint32_t inner = 0; inner < scene.groupCount(); ++inner)
    {
        if (scene.group(inner).isFramed && scene.group(group).contains(scene.group(inner)))
            scope.folded.insert(inner);
    }
}

// One level further out than what the chosen node is folded into, or framed by.
void GraphView::foldOuterGroup()
{
    const NodeId node = m_session->selection().primary();
    const std::uint32_t folded = m_scene->foldedGroupOf(node);
    const std::uint32_t group = folded == kNoGroup ? m_scene->groupOfNode(node) : folded;
    const std::uint32_t outer = group == kNoGroup ? kNoGroup : m_scene->group(group).parent;
    if (outer == kNoGroup)
        return m_session->setMessage(node ? tr("No larger group stands around this node.")
                                          : tr("Choose a node first."));
    Scope scope = m_scopes->current();
    foldWithFrames(scope, *m_scene, outer);
    scope.name = "Folded " + m_scene->groupName(outer);
    m_scopes->push(std::move(scope));
}

// The frames first; asked again, what is around them.
static Scope foldedFurther(Scope scope, const GraphScene& scene)
{
    std::set<std::uint32_t> further;
    bool areFramesFolded = true;
    for (std::uint32_t group = 0; group < scene.groupCount(); ++group)
    {
        if (!scene.group(group).isFramed)
            continue;
        std::uint32_t outermost = kNoGroup;
        for (std::uint32_t at = group; at != kNoGroup; at = scene.group(at).parent)
            outermost = scope.folded.contains(at) ? at : outermost;
        areFramesFolded = areFramesFolded && outermost != kNoGroup;
        further.insert(outermost == kNoGroup ? group : outermost);
    }
    for (const std::uint32_t group : further)
    {
        const std::uint32_t parent = scene.group(group).parent;
        scope.folded.insert(areFramesFolded && parent != kNoGroup ? parent : group);
    }
    return scope;
}

void GraphView::setAllFolded(bool folded)
{
    Scope scope = m_scopes->current();
    if (folded)
        scope = foldedFurther(std::move(scope), *m_scene);
    else
        scope.folded.clear();
    scope.name = folded ? "All folded" : "All unfolded";
    m_scopes->push(std::move(scope));
}

} // namespace reinspect
