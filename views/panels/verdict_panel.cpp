// SPDX-License-Identifier: MIT
#include "views/panels/verdict_panel.h"

#include "views/models/tensor_words.h"
#include "views/panels/badge_delegate.h"
#include "views/panels/copy_keys.h"
#include "views/panels/hint_stack.h"
#include "views/panels/term_edit.h"
#include "views/session/qt_text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace reinspect
{

VerdictPanel::VerdictPanel(Session* session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_model(new VerdictTableModel(this))
{
    buildFilter();
    buildTable();
    buildMenu();
    buildLayout();
    connectSession();
    showTrace();
}

void VerdictPanel::buildFilter()
{
    m_filter = new TermEdit(this);
    m_filter->line()->setPlaceholderText(tr("Filter: verdict:kept kind:triton bytes>1M is:missed"));
    m_filter->line()->setAccessibleName(tr("Filter of the verdict table"));
    connect(m_filter->line(), &QLineEdit::textChanged, this, &VerdictPanel::applyFilter);
}

void VerdictPanel::buildTable()
{
    m_table = new QTreeView(this);
    m_table->setModel(m_model);
    m_table->setItemDelegate(
        new BadgeDelegate(VerdictTableModel::BadgesRole, VerdictTableModel::CurrentRole, m_table));
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setAllColumnsShowFocus(true);
    m_table->setAlternatingRowColors(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setAccessibleName(tr("Verdict table"));
    m_table->setWhatsThis(
        tr("One row for each argument that a call could write in place. A click or Enter goes to "
           "its decision; a click on a heading sorts, a third one gives back the program's order. "
           "Marks: a check for in place, two sheets for a clone, a warning sign for a hazard, a "
           "struck ring for missed, a star for a missed opportunity, a pin for your word."));
    QHeaderView* header = m_table->header();
    header->setSortIndicatorClearable(true);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    m_table->setSortingEnabled(true);
    header->setStretchLastSection(false);
    const int letter = fontMetrics().averageCharWidth();
    constexpr int kLetters[kVerdictColumns] = {24, 11, 17, 20, 11, 12, 20, 16, 22, 22, 18, 13};
    for (int column = 0; column < kVerdictColumns; ++column)
        header->resizeSection(column, letter * kLetters[column]);
    connect(m_table, &QTreeView::clicked, this, &VerdictPanel::goToRow);
    connect(m_table, &QTreeView::activated, this, &VerdictPanel::goToRow);
    // The hazard badge asks for proof.
    connect(m_table, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
        if (index.column() == static_cast<int>(VerdictColumn::Hazards)
            && !index.data().toString().isEmpty())
            emit proofRequested();
    });
    connect(m_table, &QTreeView::customContextMenuRequested, this, [this](QPoint point) {
        if (m_table->indexAt(point).isValid())
            m_menu->popup(m_table->viewport()->mapToGlobal(point));
    });
}

void VerdictPanel::buildMenu()
{
    m_menu = new QMenu(this);
    m_menu->addAction(tr("&Go to Decision"), this, [this] { goToRow(m_table->currentIndex()); });
    m_menu->addAction(tr("Show in &Graph"), this, [this] {
        goToRow(m_table->currentIndex());
        emit graphRequested();
    });
    m_menu->addAction(tr("&Run It"), this, [this] {
        goToRow(m_table->currentIndex());
        emit proofRequested();
    });
    m_menu->addAction(tr("&Break Here"), this, &VerdictPanel::breakAtChosen);
    m_menu->addSeparator();
    for (const auto& [text, word] : {std::pair{tr("&Force in Place"), Overrule::Force},
                                     {tr("For&bid"), Overrule::Forbid},
                                     {tr("&No Override"), Overrule::None}})
        m_menu->addAction(text, this, [this, word = word] { overruleChosen(word); });
    m_menu->addSeparator();
    new CopyKeys(m_table, m_menu, [this](TableText form) { copyChosen(form); });
}

void VerdictPanel::buildLayout()
{
    m_totals = new QLabel(this);
    m_totals->setTextFormat(Qt::PlainText);
    m_totals->setWordWrap(true);
    m_totals->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_totals->setAccessibleName(tr("Totals"));
    auto* content = new QWidget(this);
    m_rows = new HintStack(m_table, {}, content);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(6, 4, 6, 4);
    column->setSpacing(4);
    column->addWidget(m_filter);
    column->addWidget(m_rows, 1);
    column->addWidget(m_totals);
    m_stack = new HintStack(content, emptyText(), this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
}

void VerdictPanel::connectSession()
{
    connect(m_session, &Session::documentChanged, this, &VerdictPanel::showTrace);
    connect(m_session, &Session::traceChanged, this, &VerdictPanel::showTrace);
    connect(m_session, &Session::eventChanged, this, &VerdictPanel::showDecision);
    connect(m_session, &Session::selectionChanged, this, &VerdictPanel::showDecision);
}

QString VerdictPanel::emptyText() const
{
    if (!m_session->document())
        return tr("Open a graph to see what the pass decides about each call.");
    if (!m_session->trace())
        return tr("The pass is running...");
    return tr("With %1, no call of this graph is a candidate for writing in place.")
        .arg(toQString(describe(m_session->trace()->policy)));
}

void VerdictPanel::showTrace()
{
    const auto& trace = m_session->trace();
    m_model->setTrace(trace);
    m_stack->setHint(emptyText());
    m_stack->setEmpty(!trace || trace->decisions.empty());
    showTotals();
    showDecision();
}

void VerdictPanel::showDecision()
{
    const DecisionIndex decision = m_session->decision();
    m_model->setCurrent(decision);
    const QModelIndex index = m_model->indexOf(decision);
    if (!index.isValid() || index.row() == m_table->currentIndex().row())
        return;
    // Not the view's own: that one would heed a held Ctrl, as of the key that made the step.
    m_table->selectionModel()->setCurrentIndex(
        index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_table->scrollTo(index);
}

// A line that is not understood leaves the table as it was: most are on their way to one that is.
void VerdictPanel::applyFilter()
{
    std::optional<Breakpoint> terms = m_filter->terms();
    if (!m_filter->problem().isEmpty())
        return;
    m_model->setFilter(std::move(terms));
    showTotals();
    showDecision();
}

static QString totalsText(const VerdictTotals& totals)
{
    QString bytes = bytesText(totals.keptBytes);
    if (totals.symbolicallyKept > 0)
        bytes += VerdictPanel::tr(" and %L1 of symbolic size").arg(totals.symbolicallyKept);
    const auto part = [](std::size_t count, const QString& one, const QString& many) {
        return counted(static_cast<qsizetype>(count), one, many);
    };
    return QStringList{
        part(totals.candidates, VerdictPanel::tr("candidate"), VerdictPanel::tr("candidates")),
        VerdictPanel::tr("%L1 reinplaced").arg(totals.reinplaced),
        VerdictPanel::tr("%L1 kept (%2)").arg(totals.kept).arg(bytes),
        VerdictPanel::tr("%L1 missed").arg(totals.missed),
        part(totals.opportunities, VerdictPanel::tr("missed opportunity"),
             VerdictPanel::tr("missed opportunities")),
        part(totals.hazards, VerdictPanel::tr("hazard"), VerdictPanel::tr("hazards"))}
        .join(QStringLiteral("  \u00b7  "));
}

void VerdictPanel::showTotals()
{
    const PassTrace* trace = m_model->trace();
    if (!trace)
        return m_totals->clear();
    const std::vector<DecisionIndex>& shown = m_model->shown();
    const bool isFiltered = shown.size() != trace->decisions.size();
    QString text = tr("All: %1").arg(totalsText(totalsOf(*trace, verdictRows(*trace, nullptr))));
    if (isFiltered)
        text = tr("Shown: %1").arg(totalsText(totalsOf(*trace, shown))) + u'\n' + text;
    m_totals->setText(text);
    m_rows->setHint(tr("No decision matches \"%1\".").arg(m_filter->line()->text().trimmed()));
    m_rows->setEmpty(shown.empty());
}

void VerdictPanel::goToRow(const QModelIndex& index)
{
    m_session->goToDecision(m_model->decisionAt(index));
}

std::vector<DecisionIndex> VerdictPanel::chosenRows() const
{
    std::vector<DecisionIndex> rows;
    QModelIndexList chosen = m_table->selectionModel()->selectedRows();
    std::ranges::sort(chosen, {}, &QModelIndex::row);
    for (const QModelIndex& index : chosen)
        rows.push_back(m_model->decisionAt(index));
    return rows;
}

// The runs that this asks for one after the other end in one, with all words in it.
void VerdictPanel::overruleChosen(Overrule word)
{
    for (const DecisionIndex row : chosenRows())
        m_session->overrule(row, word);
}

void VerdictPanel::breakAtChosen()
{
    const DecisionIndex row = m_model->decisionAt(m_table->currentIndex());
    if (!row)
        return;
    const std::string text =
        "node:" + m_model->trace()->nameOf(m_model->trace()->decision(row).node);
    std::vector<Breakpoint> all = m_session->breakpoints();
    std::erase_if(all, [&text](const Breakpoint& other) { return other.text == text; });
    all.push_back(parseBreakpoint(text).value());
    m_session->setBreakpoints(std::move(all));
}

QString VerdictPanel::chosenText(TableText form) const
{
    if (!m_model->trace())
        return {};
    const std::vector<DecisionIndex> chosen = chosenRows();
    return verdictTable(*m_model->trace(), chosen.empty() ? m_model->shown() : chosen, form);
}

void VerdictPanel::copyChosen(TableText form)
{
    QGuiApplication::clipboard()->setText(chosenText(form));
}

} // namespace reinspect
