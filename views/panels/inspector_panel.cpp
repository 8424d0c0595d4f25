// SPDX-License-Identifier: MIT
#include "views/panels/inspector_panel.h"

#include "views/models/node_facts_model.h"
#include "views/panels/facts_delegate.h"
#include "views/panels/hint_stack.h"
#include "views/session/session.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QTreeView>
#include <QVBoxLayout>

namespace reinspect
{

InspectorPanel::InspectorPanel(Session* session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_model(new NodeFactsModel(this))
{
    buildTree();
    buildLayout();
    connectSession();
    showNode();
}

void InspectorPanel::buildTree()
{
    m_tree = new QTreeView(this);
    m_tree->setModel(m_model);
    m_tree->setItemDelegate(new FactsDelegate(m_tree));
    m_tree->setHeaderHidden(true);
    m_tree->setIndentation(12);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_tree->setAccessibleName(tr("Facts about the chosen node"));
    m_tree->header()->setStretchLastSection(true);
    m_tree->header()->resizeSection(
        0,
        fontMetrics().horizontalAdvance(QStringLiteral("Written argument"))
            + 3 * m_tree->indentation());
    // Rows are as high as their text wrapped to the column.
    connect(m_tree->header(), &QHeaderView::sectionResized, m_tree, &QTreeView::doItemsLayout,
            Qt::QueuedConnection);
    connect(m_tree, &QTreeView::clicked, this, &InspectorPanel::choose);
    connect(m_tree, &QTreeView::activated, this, &InspectorPanel::choose);
}

void InspectorPanel::buildLayout()
{
    m_stack = new HintStack(m_tree, emptyText(), this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
}

void InspectorPanel::connectSession()
{
    for (const auto signal : {&Session::selectionChanged, &Session::eventChanged,
                              &Session::traceChanged, &Session::documentChanged})
        connect(m_session, signal, this, &InspectorPanel::showNode);
}

QString InspectorPanel::emptyText() const
{
    if (!m_session->document())
        return tr("Open a graph and choose a node to see what is known of it.");
    return m_session->trace()
        ? tr("Choose a node in the picture, the steps or the text to see what is known of it.")
        : tr("The pass is running...");
}

void InspectorPanel::showNode()
{
    const NodeId node = m_session->selection().primary();
    const bool canTell =
        node && m_session->cursor() && node.index() < m_session->trace()->result->slotCount();
    m_stack->setHint(emptyText());
    m_stack->setEmpty(!canTell);
    if (!canTell)
        return;
    // The same node at another step stays where it was scrolled to.
    const int scrolled = node == m_shown ? m_tree->verticalScrollBar()->value() : 0;
    m_shown = node;
    m_model->setFacts(nodeFacts({*m_session->trace(), m_session->cursor()->graph(),
                                 m_session->document()->facts, m_session->event(), node}));
    for (int row = 0; row < m_model->rowCount(); ++row)
        m_tree->setFirstColumnSpanned(row, {}, true);
    m_tree->expandAll();
    m_tree->verticalScrollBar()->setValue(scrolled);
}

void InspectorPanel::choose(const QModelIndex& index)
{
    if (const NodeId node = index.data(NodeFactsModel::NodeRole).value<NodeId>())
        m_session->setSelection({.nodes = {node}, .storage = {}});
}

} // namespace reinspect
