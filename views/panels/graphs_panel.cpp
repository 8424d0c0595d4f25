// SPDX-License-Identifier: MIT
#include "views/panels/graphs_panel.h"

#include "views/models/graph_list_model.h"
#include "views/panels/hint_stack.h"
#include "views/session/session.h"

#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

namespace reinspect
{

GraphsPanel::GraphsPanel(Session* session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_model(new GraphListModel(this))
    , m_list(new QTableView(this))
    , m_stack(new HintStack(m_list, tr("Open a file to see which graphs it holds."), this))
{
    setWhatsThis(
        tr("The graphs of the file, with the number of their nodes. A file can hold several: "
           "one for each compiled piece of a program, or one piece at several stages."));
    m_list->setAccessibleName(tr("Graphs of the file"));
    m_list->setModel(m_model);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setShowGrid(false);
    m_list->setTabKeyNavigation(false);
    m_list->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->verticalHeader()->hide();
    m_list->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    m_list->horizontalHeader()->setHighlightSections(false);
    m_list->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_list->horizontalHeader()->setSectionResizeMode(GraphListModel::Name, QHeaderView::Stretch);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    const auto choose = [this](const QModelIndex& index) {
        if (index.isValid())
            m_session->setGraphIndex(static_cast<std::size_t>(index.row()));
    };
    connect(m_list, &QTableView::clicked, this, choose);
    connect(m_list, &QTableView::activated, this, choose);
    connect(m_session, &Session::documentChanged, this, &GraphsPanel::showDocument);
    showDocument();
}

void GraphsPanel::showDocument()
{
    m_model->setDocument(m_session->document());
    m_stack->setEmpty(!m_session->document());
    if (m_session->document())
        m_list->selectRow(static_cast<int>(m_session->graphIndex()));
}

} // namespace reinspect
