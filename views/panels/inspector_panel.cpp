// SPDX-License-Identifier: MIT
#include "views/panels/inspector_panel.h"

#include "views/models/node_facts_model.h"
#include "views/panels/hint_stack.h"
#include "views/session/session.h"

#include <QHeaderView>
#include <QTreeView>
#include <QVBoxLayout>

namespace reinspect
{

InspectorPanel::InspectorPanel(Session* session, QWidget* parent)
    : QWidget(parent), m_session(session), m_model(new NodeFactsModel(this)), m_tree(new QTreeView(this))
{
    m_tree->setModel(m_model);
    m_tree->setAccessibleName(tr("Facts about the chosen node"));
    m_tree->setWordWrap(true);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_stack = new HintStack(m_tree, tr("Choose a node to see what it is."), this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_stack);
    connect(m_tree, &QTreeView::clicked, this, &InspectorPanel::choose);
    for (const auto signal : {&Session::selectionChanged, &Session::eventChanged, &Session::traceChanged,
                              &Session::documentChanged})
        connect(session, signal, this, &InspectorPanel::showNode);
    showNode();
}

void InspectorPanel::showNode()
{
    const NodeId node = m_session->selection().primary();
    const bool canTell = node && m_session->trace() && m_session->cursor();
    m_stack->setEmpty(!canTell);
    if (!canTell)
        return;
    m_model->setFacts(nodeFacts({*m_session->trace(), m_session->cursor()->graph(), m_session->document()->facts,
                                 m_session->event(), node}));
    m_tree->expandAll();
}

void InspectorPanel::choose(const QModelIndex& index)
{
    const NodeId node = index.siblingAtColumn(0).data(NodeFactsModel::NodeRole).value<NodeId>();
    if (node)
        m_session->setSelection({{node}, {}});
}

} // namespace reinspect
