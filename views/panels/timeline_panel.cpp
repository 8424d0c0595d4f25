// SPDX-License-Identifier: MIT
#include "views/panels/timeline_panel.h"

#include "views/models/timeline_words.h"
#include "views/panels/copy_keys.h"
#include "views/panels/folding_columns.h"
#include "views/panels/hint_stack.h"
#include "views/panels/timeline_chart.h"
#include "views/session/place.h"
#include "views/session/qt_text.h"
#include "views/session/run_service.h"
#include "views/session/session.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace reinspect
{

static constexpr int kScrollSteps = 1'000'000; // of the whole time

TimelinePanel::TimelinePanel(RunService* runs, QWidget* parent)
    : QWidget(parent)
    , m_runs(runs)
    , m_session(runs->session())
    , m_model(new TimelineModel(this))
    , m_sorted(new QSortFilterProxyModel(this))
{
    buildChart();
    buildTable();
    buildMenu();
    buildLayout();
    connectSources();
    showResult();
}

void TimelinePanel::buildChart()
{
    m_chart = new TimelineChart(this);
    m_scroll = new QScrollBar(Qt::Horizontal, this);
    m_scroll->setAccessibleName(tr("Part of the time that is shown"));
    m_scroll->setFocusPolicy(Qt::NoFocus); // the chart has keys for it
    connect(m_scroll, &QScrollBar::valueChanged, this, [this](int value) {
        m_chart->setView(m_chart->whole() * value / kScrollSteps, m_chart->span());
    });
    connect(m_chart, &TimelineChart::viewChanged, this, &TimelinePanel::showScroll);
    connect(m_chart, &TimelineChart::nodeChosen, this, &TimelinePanel::choose);
    for (QLabel** label : {&m_saved, &m_sentence})
    {
        *label = new QLabel(this);
        (*label)->setTextFormat(Qt::PlainText);
        (*label)->setWordWrap(true);
        (*label)->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_saved->setAccessibleName(tr("Time and copies that the pass saves"));
    m_sentence->setAccessibleName(tr("Time of the chosen node"));
}

void TimelinePanel::buildTable()
{
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(TimelineModel::SortRole);
    m_table = new QTreeView(this);
    m_table->setModel(m_sorted);
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setAllColumnsShowFocus(true);
    m_table->setAlternatingRowColors(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(TimelineModel::Time, Qt::DescendingOrder);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setAccessibleName(tr("Nodes and their times"));
    m_table->setWhatsThis(
        tr("The nodes of one graph with the time that each took, its share of the whole, the bytes "
           "that it read and wrote, and the rate of that. A click on a heading sorts; a click on a "
           "row, or Enter, chooses the node."));
    new FoldingColumns(m_table, {TimelineModel::Name, 10},
                       {{TimelineModel::Time, 9},
                        {TimelineModel::Share, 8},
                        {TimelineModel::Rate, 8},
                        {TimelineModel::Bytes, 11},
                        {TimelineModel::Place, 6},
                        {TimelineModel::Operator, 14}});
    connect(m_table, &QTreeView::clicked, this, &TimelinePanel::chooseRow);
    connect(m_table, &QTreeView::activated, this, &TimelinePanel::chooseRow);
    connect(m_table, &QTreeView::customContextMenuRequested, this,
            [this](QPoint point) { m_menu->popup(m_table->viewport()->mapToGlobal(point)); });
}

void TimelinePanel::buildMenu()
{
    m_menu = new QMenu(this);
    m_menu->addAction(tr("&Choose Node"), this, [this] { chooseRow(m_table->currentIndex()); });
    m_menu->addSeparator();
    new CopyKeys(m_table, m_menu, [this](TableText form) {
        QGuiApplication::clipboard()->setText(chosenText(form));
    });
}

QWidget* TimelinePanel::makeTableSide(QWidget* parent)
{
    auto* side = new QWidget(parent);
    m_stage = new QComboBox(side);
    m_stage->setAccessibleName(tr("Graph whose nodes are listed"));
    m_stage->setToolTip(m_stage->accessibleName());
    connect(m_stage, &QComboBox::currentIndexChanged, this, &TimelinePanel::showStage);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_stage);
    column->addWidget(m_table, 1);
    return side;
}

void TimelinePanel::buildLayout()
{
    auto* content = new QWidget(this);
    auto* picture = new QWidget(content);
    auto* rows = new QVBoxLayout(picture);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(m_chart, 1);
    rows->addWidget(m_scroll);
    auto* split = new QSplitter(content);
    split->addWidget(picture);
    split->addWidget(makeTableSide(split));
    split->setSizes({560, 440}); // shares of what there is
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(6, 4, 6, 4);
    column->setSpacing(4);
    column->addWidget(m_saved);
    column->addWidget(split, 1);
    column->addWidget(m_sentence);
    m_stack = new HintStack(content, emptyText(), this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    setFocusProxy(m_chart);
}

void TimelinePanel::connectSources()
{
    connect(m_runs, &RunService::resultChanged, this, [this] {
        m_isDue = true;
        showResult();
    });
    connect(m_runs, &RunService::busyChanged, this, [this] { m_stack->setHint(emptyText()); });
    connect(m_session, &Session::documentChanged, this, [this] { m_stack->setHint(emptyText()); });
    connect(m_session, &Session::selectionChanged, this, &TimelinePanel::showChosen);
    connect(m_session, &Session::eventChanged, this, &TimelinePanel::showChosen);
}

void TimelinePanel::setSeen(bool seen)
{
    m_isSeen = seen;
    showResult();
}

QString TimelinePanel::emptyText() const
{
    if (!m_session->document())
        return tr("Open a graph and run it to see where the time goes.");
    if (m_runs->isBusy())
        return tr("The graph is running...");
    if (m_runs->result() && m_runs->result()->failure)
        return tr("Nothing was run: %1").arg(stripText(*m_runs->result()->failure));
    if (!m_runs->result())
        return tr("A run (F6) shows how long each node takes, before and after the pass.");
    return tr("This run has no times of single nodes. One that is made here has; on another "
              "machine, reinspect-cli run --times gives them.");
}

void TimelinePanel::showResult()
{
    m_stack->setHint(emptyText());
    if (!m_isSeen || !std::exchange(m_isDue, false))
        return;
    const auto& result = m_runs->result();
    m_timeline = result && !result->failure
        ? std::make_shared<const Timeline>(makeTimeline(result->trace, result->proof))
        : nullptr;
    if (m_timeline && m_timeline->stages.empty())
        m_timeline.reset();
    m_stack->setEmpty(!m_timeline);
    m_chart->setTimeline(m_timeline);
    showStages();
    QString text = m_timeline ? savedText(*m_timeline) : QString();
    if (!m_runs->staleText().isEmpty())
        text = tr("Old. %1 Run again. %2").arg(m_runs->staleText(), text);
    m_saved->setText(text);
    m_saved->setVisible(!text.isEmpty());
    showScroll();
    showChosen();
}

// The graph that was listed stays, if the new run has it; else the one after the pass.
void TimelinePanel::showStages()
{
    const QString now = m_stage->currentText();
    {
        const QSignalBlocker quiet(m_stage);
        m_stage->clear();
        for (std::size_t i = 0; m_timeline && i < m_timeline->stages.size(); ++i)
            m_stage->addItem(toQString(m_timeline->stages[i].stage));
        const int same = m_stage->findText(now);
        const int after = m_stage->findText(QStringLiteral("after"));
        m_stage->setCurrentIndex(same >= 0 ? same : std::max(after, 0));
    }
    showStage();
}

void TimelinePanel::showStage()
{
    const auto stage = static_cast<std::size_t>(std::max(m_stage->currentIndex(), 0));
    m_model->setStage(m_timeline, stage);
    m_chart->setLane(stage);
    showChosen();
}

void TimelinePanel::showScroll()
{
    const QSignalBlocker quiet(m_scroll);
    const double whole = m_chart->whole();
    const auto steps = [whole](double seconds) {
        return whole > 0 ? static_cast<int>(seconds / whole * kScrollSteps) : kScrollSteps;
    };
    const int page = steps(m_chart->span());
    m_scroll->setRange(0, std::max(kScrollSteps - page, 0));
    m_scroll->setPageStep(std::max(page, 1));
    m_scroll->setSingleStep(std::max(page / 20, 1));
    m_scroll->setValue(steps(m_chart->from()));
}

void TimelinePanel::showChosen()
{
    const auto& trace = m_session->trace();
    if (!m_timeline || !trace)
        return m_sentence->clear();
    const auto nameOf = [&](NodeId node) { return node ? trace->nameOf(node) : std::string(); };
    const DecisionIndex decision = trace->decisionAt(m_session->event());
    m_chart->setCurrent(decision ? nameOf(trace->decision(decision).node) : std::string());
    select(toQString(nameOf(m_session->selection().primary())));
}

// Marks it in the lanes, the table and the sentence.
void TimelinePanel::select(const QString& node)
{
    m_chart->setChosen(toStdString(node));
    m_chart->reveal();
    const QModelIndex index = m_sorted->mapFromSource(m_model->indexOf(toStdString(node)));
    if (!index.isValid())
    {
        m_table->clearSelection();
        m_sentence->setText(tr("Choose a node to read its time."));
        return;
    }
    m_sentence->setText(
        nodeTimeText(*m_model->stage(), *m_model->nodeAt(m_sorted->mapToSource(index))));
    if (m_table->selectionModel()->isRowSelected(index.row()))
        return;
    m_table->selectionModel()->setCurrentIndex(
        index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_table->scrollTo(index, QAbstractItemView::PositionAtCenter);
}

void TimelinePanel::choose(std::size_t lane, const QString& node)
{
    m_stage->setCurrentIndex(static_cast<int>(lane));
    const auto& trace = m_session->trace();
    if (!trace)
        return;
    if (const NodeId found = findNode(*trace, toStdString(node)))
        m_session->setSelection({.nodes = {found}, .storage = {}});
    // Made by the lowering: the picture has no such node, the lanes have.
    select(node);
}

void TimelinePanel::chooseRow(const QModelIndex& index)
{
    if (const TimelineNode* node = m_model->nodeAt(m_sorted->mapToSource(index)))
        choose(static_cast<std::size_t>(std::max(m_stage->currentIndex(), 0)),
               toQString(node->name));
}

QString TimelinePanel::chosenText(TableText form) const
{
    std::vector<int> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        rows.push_back(index.row());
    if (rows.size() < 2) // the chosen node is always one
    {
        rows.clear();
        for (int row = 0; row < m_sorted->rowCount(); ++row)
            rows.push_back(row);
    }
    std::ranges::sort(rows);
    for (int& row : rows)
        row = m_sorted->mapToSource(m_sorted->index(row, 0)).row();
    return m_model->table(rows, form);
}

} // namespace reinspect
