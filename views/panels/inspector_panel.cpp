// SPDX-License-Identifier: MIT
#include "views/panels/inspector_panel.h"

#include "views/models/node_facts_model.h"
#include "views/models/run_rows.h"
#include "views/panels/facts_delegate.h"
#include "views/panels/hint_stack.h"
#include "views/session/qt_text.h"
#include "views/session/session.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QTreeView>
#include <QVBoxLayout>

#include <utility>

namespace reinspect
{

InspectorPanel::InspectorPanel(Session* session, RunService* runs, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_runs(runs)
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
    connect(m_session, &Session::traceChanged, this, [this] {
        m_kernels.clear();
        m_asked = {};
    });
    for (const auto signal : {&Session::selectionChanged, &Session::eventChanged,
                              &Session::traceChanged, &Session::documentChanged})
        connect(m_session, signal, this, &InspectorPanel::showNode);
    if (!m_runs)
        return;
    for (const auto signal :
         {&RunService::resultChanged, &RunService::busyChanged, &RunService::inputsChanged})
        connect(m_runs, signal, this, &InspectorPanel::showNode);
}

// Reads a small file at the first look at a launch.
const proof::KernelEffects* InspectorPanel::kernelOf(NodeId node)
{
    const Graph& initial = *m_session->trace()->initial;
    if (!initial.contains(node))
        return nullptr;
    const auto [at, isNew] = m_kernels.try_emplace(node);
    if (isNew)
        at->second = proof::kernelEffects(initial, node, m_session->document()->facts);
    return at->second ? &*at->second : nullptr;
}

ProofState InspectorPanel::proofState(DecisionIndex decision) const
{
    if (m_runs->provingNow() == decision)
        return {tr("Running..."), {}, false};
    const proof::DecisionProof* proof = m_runs->proofOf(decision);
    if (!proof)
        return {tr("Run it: with this write alone, and without it"), {}, true};
    return {toQString(proof->explanation).replace(u'\'', u'"'), badgeOf(proof->effect), false};
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
    const bool isNewNode = std::exchange(m_shown, node) != node;
    const int scrolled = isNewNode ? 0 : m_tree->verticalScrollBar()->value();
    NodeQuestion question{*m_session->trace(), m_session->cursor()->graph(),
                          m_session->document()->facts, m_session->event(), node};
    question.kernel = kernelOf(node);
    if (m_runs)
        question.proof = [this](DecisionIndex decision) { return proofState(decision); };
    m_model->setFacts(nodeFacts(question));
    for (int row = 0; row < m_model->rowCount(); ++row)
        m_tree->setFirstColumnSpanned(row, {}, true);
    m_tree->expandAll();
    if (!showAsked(isNewNode))
        m_tree->verticalScrollBar()->setValue(scrolled);
}

// The decision that is being proved, or at which the steps are, once: then the reader may scroll.
bool InspectorPanel::showAsked(bool isNewNode)
{
    const DecisionIndex proving = m_runs ? m_runs->provingNow() : DecisionIndex();
    const DecisionIndex asked = proving ? proving : m_session->decision();
    const bool begins = std::exchange(m_proving, proving) != proving && proving;
    const bool isNew = std::exchange(m_asked, asked) != asked;
    const QModelIndex group = m_model->groupOf(asked);
    if (!group.isValid() || !(isNew || begins || isNewNode))
        return false;
    m_tree->scrollTo(group, QAbstractItemView::PositionAtTop);
    return true;
}

void InspectorPanel::choose(const QModelIndex& index)
{
    if (const QVariant decision = index.data(NodeFactsModel::ProvesRole); decision.isValid())
        m_runs->prove(DecisionIndex(decision.value<std::size_t>()));
    if (const NodeId node = index.data(NodeFactsModel::NodeRole).value<NodeId>())
        m_session->setSelection({.nodes = {node}, .storage = {}});
}

} // namespace reinspect
