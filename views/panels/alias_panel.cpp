// SPDX-License-Identifier: MIT
#include "views/panels/alias_panel.h"

#include "views/models/storage_tree_model.h"
#include "views/panels/hint_stack.h"
#include "views/session/session.h"

#include <QHeaderView>
#include <QTreeView>
#include <QVBoxLayout>

namespace reinspect
{

AliasPanel::AliasPanel(Session* session, QWidget* parent)
    : QWidget(parent), m_session(session), m_model(new StorageTreeModel(this)), m_tree(new QTreeView(this))
{
    m_tree->setModel(m_model);
    m_tree->setAccessibleName(tr("Storages and the tensors in them"));
    m_tree->setUniformRowHeights(true);
    m_tree->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_stack = new HintStack(m_tree, tr("Open a graph to see which tensors share memory."), this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_stack);
    connect(m_tree, &QTreeView::clicked, this, &AliasPanel::choose);
    connect(session, &Session::traceChanged, this, &AliasPanel::showTrace);
    connect(session, &Session::documentChanged, this, &AliasPanel::showTrace);
    connect(session, &Session::eventChanged, this, &AliasPanel::showEvent);
    connect(session, &Session::selectionChanged, this, &AliasPanel::showSelection);
    showTrace();
}

void AliasPanel::showTrace()
{
    m_stack->setEmpty(!m_session->trace());
    m_model->setTrace(m_session->trace(), m_session->document() ? m_session->document()->facts : CaptureFacts{});
    showEvent();
    showSelection();
}

void AliasPanel::showEvent()
{
    if (m_session->trace() && m_session->event())
        m_model->setDecision(m_session->trace()->decisionAt(m_session->event()));
}

void AliasPanel::showSelection()
{
    const NodeId node = m_session->selection().primary();
    const QModelIndex member = node ? m_model->indexOfMember(node) : QModelIndex();
    if (!member.isValid())
        return;
    m_tree->expand(member.parent());
    m_tree->setCurrentIndex(member);
    m_tree->scrollTo(member);
}

void AliasPanel::choose(const QModelIndex& index)
{
    const QModelIndex first = index.siblingAtColumn(0);
    const NodeId node = first.data(StorageTreeModel::NodeRole).value<NodeId>();
    if (node)
        return m_session->setSelection({{node}, {}});
    const StorageId storage = first.data(StorageTreeModel::StorageRole).value<StorageId>();
    if (!storage)
        return;
    const auto members = m_session->trace()->storages.nodesOf(storage);
    m_session->setSelection({{members.begin(), members.end()}, storage});
}

} // namespace reinspect
