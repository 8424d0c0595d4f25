// SPDX-License-Identifier: MIT
#include "views/panels/alias_panel.h"

#include "views/models/storage_tree_model.h"
#include "views/panels/folding_columns.h"
#include "views/panels/hint_stack.h"
#include "views/panels/storage_delegate.h"
#include "views/session/qt_text.h"
#include "views/session/session.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

namespace reinspect
{

AliasPanel::AliasPanel(Session* session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_model(new StorageTreeModel(this))
    , m_filter(new QSortFilterProxyModel(this))
{
    buildTree();
    buildLayout();
    connectSession();
    showTrace();
}

void AliasPanel::buildTree()
{
    m_filter->setSourceModel(m_model);
    m_filter->setFilterRole(StorageTreeModel::SharedRole);
    m_tree = new QTreeView(this);
    m_tree->setModel(m_filter);
    m_tree->setItemDelegate(new StorageDelegate(m_tree));
    m_tree->setUniformRowHeights(true);
    m_tree->setIndentation(14);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setAccessibleName(tr("Storages and the tensors in them"));
    m_tree->header()->setMinimumSectionSize(fontMetrics().averageCharWidth() * 6);
    new FoldingColumns(m_tree, {StorageTreeModel::Name, 26},
                       {{StorageTreeModel::Readers, 16},
                        {StorageTreeModel::Bytes, 11},
                        {StorageTreeModel::MadeBy, 24},
                        {StorageTreeModel::Used, 9},
                        {StorageTreeModel::Region, 32}});
    connect(m_tree, &QTreeView::clicked, this, &AliasPanel::choose);
    connect(m_tree, &QTreeView::activated, this, &AliasPanel::choose);
}

void AliasPanel::buildLayout()
{
    m_summary = new QLabel(this);
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    m_filterBox = new QComboBox(this);
    m_filterBox->addItems({tr("All memory"), tr("Shared memory only")});
    m_filterBox->setToolTip(tr("Shared memory is used by more than one tensor."));
    m_filterBox->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_filterBox->setMinimumContentsLength(9);
    m_filterBox->setAccessibleName(tr("Which memory is listed"));
    connect(m_filterBox, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_filter->setFilterFixedString(index == 1 ? QStringLiteral("true") : QString());
        showSelection();
        showCandidate();
    });
    auto* head = new QHBoxLayout;
    head->setContentsMargins(6, 2, 6, 2);
    head->addWidget(m_summary, 1);
    head->addWidget(m_filterBox, 0, Qt::AlignTop);
    auto* content = new QWidget(this);
    auto* inner = new QVBoxLayout(content);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(0);
    inner->addLayout(head);
    inner->addWidget(m_tree, 1);
    m_stack = new HintStack(content, emptyText(), this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
}

void AliasPanel::connectSession()
{
    connect(m_session, &Session::documentChanged, this, &AliasPanel::showTrace);
    connect(m_session, &Session::traceChanged, this, &AliasPanel::showTrace);
    connect(m_session, &Session::eventChanged, this, &AliasPanel::showEvent);
    connect(m_session, &Session::selectionChanged, this, &AliasPanel::showSelection);
}

QString AliasPanel::emptyText() const
{
    if (!m_session->document())
        return tr("Open a graph to see which tensors share memory.");
    return m_session->trace() ? tr("No tensor of this graph has memory that is known.")
                              : tr("The pass is running...");
}

void AliasPanel::showTrace()
{
    const auto& document = m_session->document();
    m_model->setTrace(m_session->trace(), document ? document->facts : CaptureFacts{});
    m_stack->setHint(emptyText());
    m_stack->setEmpty(m_model->rowCount() == 0);
    showEvent();
    showSelection();
}

void AliasPanel::showEvent()
{
    if (m_session->event())
        m_model->setDecision(m_session->trace()->decisionAt(m_session->event()));
    m_summary->setText(summaryText());
    showCandidate();
}

bool AliasPanel::isCandidateChosen() const
{
    const DecisionIndex decision = m_model->decision();
    return decision && m_session->trace()
        && m_session->selection().primary() == m_session->trace()->decision(decision).node;
}

// Opens the memory that the candidate would write, down to its readers.
void AliasPanel::showCandidate()
{
    const DecisionIndex decision = m_model->decision();
    if (!decision || !m_session->trace())
        return;
    for (const NodeId written : m_session->trace()->decision(decision).mutated)
    {
        const QModelIndex storage =
            m_filter->mapFromSource(m_model->indexOfMember(written).parent());
        if (!storage.isValid())
            continue;
        m_tree->expandRecursively(storage);
        if (isCandidateChosen())
            m_tree->scrollTo(storage, QAbstractItemView::PositionAtTop);
    }
}

QString AliasPanel::summaryText() const
{
    const auto& trace = m_session->trace();
    const DecisionIndex index = m_model->decision();
    if (!trace || !index)
        return tr("Readers are judged when the steps reach a candidate.");
    const Decision& decision = trace->decision(index);
    const QString candidate = toQString(trace->nameOf(decision.node));
    return decision.mutated.empty()
        ? candidate
        : tr("Candidate: %1 would write %2")
              .arg(candidate, toQString(trace->nameOf(decision.mutated.front())));
}

void AliasPanel::showSelection()
{
    const Selection& selection = m_session->selection();
    const QModelIndex chosen = selection.storage ? m_model->indexOfStorage(selection.storage)
                                                 : m_model->indexOfMember(selection.primary());
    const QModelIndex index = m_filter->mapFromSource(chosen);
    if (!index.isValid())
        return m_tree->clearSelection();
    m_tree->expand(index.parent());
    m_tree->expand(index);
    m_tree->setCurrentIndex(index);
    m_tree->scrollTo(index);
    if (isCandidateChosen())
        showCandidate();
}

// A storage stands for all tensors in it.
void AliasPanel::choose(const QModelIndex& index)
{
    const StorageId storage = index.data(StorageTreeModel::StorageRole).value<StorageId>();
    const NodeId node = index.data(StorageTreeModel::NodeRole).value<NodeId>();
    if (storage)
    {
        const std::span<const NodeId> members = m_session->trace()->storages.nodesOf(storage);
        m_session->setSelection({.nodes = {members.begin(), members.end()}, .storage = storage});
    }
    else if (node)
        m_session->setSelection({.nodes = {node}, .storage = {}});
}

} // namespace reinspect
