// SPDX-License-Identifier: MIT
#include "views/panels/compare_panel.h"

#include "views/models/policy_diff_model.h"
#include "views/models/tensor_words.h"
#include "views/panels/badge_delegate.h"
#include "views/panels/hint_stack.h"
#include "views/session/place.h"
#include "views/session/qt_text.h"
#include "views/session/session.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace reinspect
{

ComparePanel::ComparePanel(Session* session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_comparison(new Comparison(session, this))
    , m_model(new PolicyDiffModel(this))
{
    buildHead();
    buildTable();
    buildLayout();
    connectSources();
    showPolicies();
    showResult();
}

void ComparePanel::buildHead()
{
    m_first = new QLabel(this);
    m_first->setTextFormat(Qt::PlainText);
    m_first->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_second = new QComboBox(this);
    m_second->setAccessibleName(tr("Second policy"));
    m_second->setWhatsThis(tr("The policy that the pass is run with once more, to compare."));
    m_second->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_second->setMinimumContentsLength(11);
    connect(m_second, &QComboBox::activated, this, &ComparePanel::chooseSecond);
    m_swap = new QPushButton(tr("S&wap"), this);
    m_swap->setToolTip(tr("The second policy becomes the one that the window shows"));
    connect(m_swap, &QPushButton::clicked, m_comparison, &Comparison::swap);
    m_only = new QCheckBox(tr("&Differences only"), this);
    m_only->setToolTip(tr("Hide decisions on which both agree"));
    connect(m_only, &QCheckBox::toggled, this, [this](bool only) {
        m_model->setDifferencesOnly(only);
        showState();
        showDecision();
    });
}

void ComparePanel::buildTable()
{
    m_table = new QTreeView(this);
    m_table->setModel(m_model);
    m_table->setItemDelegate(new BadgeDelegate(PolicyDiffModel::BadgesRole, -1, m_table));
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setAllColumnsShowFocus(true);
    m_table->setAlternatingRowColors(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setAccessibleName(tr("Decisions of both policies"));
    m_table->setWhatsThis(tr("One row a decision. A click or Enter goes to it; below the table "
                             "stands where the two policies part."));
    m_table->header()->setStretchLastSection(false);
    const int letter = fontMetrics().averageCharWidth();
    constexpr int kLetters[PolicyDiffModel::ColumnCount] = {16, 12, 14, 25, 25, 10};
    for (int column = 0; column < PolicyDiffModel::ColumnCount; ++column)
        m_table->header()->resizeSection(column, letter * kLetters[column]);
    // These share what is left: nobody has to scroll sideways to see what the second policy says.
    for (const int column : {PolicyDiffModel::First, PolicyDiffModel::Second})
        m_table->header()->setSectionResizeMode(column, QHeaderView::Stretch);
    connect(m_table, &QTreeView::clicked, this, &ComparePanel::goToRow);
    connect(m_table, &QTreeView::activated, this, &ComparePanel::goToRow);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &ComparePanel::showSentence);
}

void ComparePanel::buildLayout()
{
    for (QLabel** label : {&m_sentence, &m_totals})
    {
        *label = new QLabel(this);
        (*label)->setWordWrap(true);
        (*label)->setTextFormat(Qt::PlainText);
        (*label)->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_sentence->setAccessibleName(tr("Where the policies part"));
    m_totals->setAccessibleName(tr("Totals of the comparison"));
    auto* head = new QHBoxLayout;
    head->addWidget(m_first, 1);
    head->addWidget(m_swap);
    head->addWidget(m_second);
    head->addWidget(m_only);
    auto* content = new QWidget(this);
    m_rows = new HintStack(m_table, {}, content);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(6, 4, 6, 4);
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(m_rows, 1);
    column->addWidget(m_sentence);
    column->addWidget(m_totals);
    m_stack = new HintStack(content, emptyText(), this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
}

void ComparePanel::connectSources()
{
    connect(m_comparison, &Comparison::resultChanged, this, &ComparePanel::showResult);
    connect(m_comparison, &Comparison::busyChanged, this, &ComparePanel::showState);
    connect(m_comparison, &Comparison::policyChanged, this, &ComparePanel::showPolicies);
    connect(m_session, &Session::policyChanged, this, &ComparePanel::showPolicies);
    connect(m_session, &Session::eventChanged, this, &ComparePanel::showDecision);
    connect(m_session, &Session::selectionChanged, this, &ComparePanel::showDecision);
}

void ComparePanel::setSeen(bool seen)
{
    m_comparison->setActive(seen);
}

// The presets; one with changed switches or overrides has an entry of its own.
void ComparePanel::fillSecond()
{
    m_second->clear();
    for (const PolicyPreset& preset : policyPresets())
        m_second->addItem(toQString(preset.name));
    const QString now = toQString(describe(m_comparison->policy()));
    if (m_second->findText(now) < 0)
        m_second->addItem(now);
    m_second->setCurrentIndex(m_second->findText(now));
    m_second->setToolTip(now);
}

void ComparePanel::chooseSecond(int index)
{
    // The last entry may be the changed one, which is what it is already.
    if (static_cast<std::size_t>(index) < policyPresets().size())
        m_comparison->setPolicy(
            policyNamed(policyPresets()[static_cast<std::size_t>(index)].name).value());
}

void ComparePanel::showPolicies()
{
    fillSecond();
    const QString first = toQString(describe(m_session->policy()));
    m_first->setText(first);
    m_first->setToolTip(first);
    m_swap->setEnabled(m_session->policy() != m_comparison->policy());
    showState();
}

QString ComparePanel::emptyText() const
{
    if (!m_session->document())
        return tr("Open a graph to compare what two policies decide about it.");
    if (!m_comparison->result())
        return tr("The pass is running with both policies...");
    return tr("Neither policy finds a candidate in this graph.");
}

void ComparePanel::showResult()
{
    m_model->setResult(m_comparison->result());
    showState();
    showDecision();
    showSentence();
}

static QString totalsText(const ComparedTraces& traces)
{
    const TraceDiff& diff = traces.diff;
    const QString first = toQString(traces.first->policy.name);
    const QString second = toQString(traces.second->policy.name);
    QStringList parts{ComparePanel::tr("%L1 the same").arg(diff.same),
                      ComparePanel::tr("%L1 differ").arg(diff.differing)};
    if (diff.onlyFirst > 0)
        parts.append(ComparePanel::tr("%L1 only with %2").arg(diff.onlyFirst).arg(first));
    if (diff.onlySecond > 0)
        parts.append(ComparePanel::tr("%L1 only with %2").arg(diff.onlySecond).arg(second));
    if (diff.firstBytes != 0 || diff.secondBytes != 0)
        parts.append(
            ComparePanel::tr("of the differing, %1 keeps %2 and %3 keeps %4")
                .arg(first, bytesText(diff.firstBytes), second, bytesText(diff.secondBytes)));
    return parts.join(QStringLiteral("  \u00b7  "));
}

void ComparePanel::showState()
{
    const ComparedTraces* result = m_model->result();
    m_stack->setHint(emptyText());
    m_stack->setEmpty(!result || result->diff.rows.empty());
    m_rows->setHint(tr("The two policies agree on every decision."));
    m_rows->setEmpty(m_model->rowCount() == 0);
    if (!result)
        return m_totals->clear();
    const QString totals = totalsText(*result);
    m_totals->setText(m_comparison->isBusy() ? tr("Comparing... Before: %1").arg(totals) : totals);
}

void ComparePanel::showDecision()
{
    // Until the comparison has caught up, its rows speak of another trace.
    if (!m_model->result() || m_model->result()->first != m_session->trace())
        return;
    const QModelIndex index = m_model->indexOf(m_session->decision());
    if (!index.isValid() || index.row() == m_table->currentIndex().row())
        return;
    // Not the view's own: that one would heed a held Ctrl, as of the key that made the step.
    m_table->selectionModel()->setCurrentIndex(
        index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_table->scrollTo(index);
}

void ComparePanel::showSentence()
{
    m_sentence->setText(m_model->sentence(m_table->currentIndex()));
    m_sentence->setVisible(!m_sentence->text().isEmpty());
}

void ComparePanel::goToRow(const QModelIndex& index)
{
    const DecisionDiff* row = m_model->diffAt(index);
    const auto& trace = m_session->trace();
    if (!row || !trace)
        return;
    // By name, since the comparison may still be of the trace before.
    if (const DecisionIndex decision = findDecision(*trace, row->node, row->argument))
        return m_session->goToDecision(decision);
    if (const NodeId node = findNode(*trace, row->node))
        m_session->setSelection({.nodes = {node}, .storage = {}});
    m_session->setMessage(tr("%1 does not try \"%2\".")
                              .arg(toQString(describe(trace->policy)), toQString(row->node)));
}

} // namespace reinspect
