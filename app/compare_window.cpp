// SPDX-License-Identifier: MIT
#include "app/compare_window.h"

#include "core/io/graph_code.h"
#include "core/passes/trace_cursor.h"
#include "views/canvas/graph_view.h"
#include "views/models/change_list_model.h"
#include "views/panels/diff_view.h"
#include "views/session/lane.h"
#include "views/session/qt_text.h"
#include "views/session/session.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QShortcut>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

namespace reinspect
{

CompareWindow::CompareWindow(std::vector<CompareSource> sources, std::size_t left,
                             std::size_t right, QWidget* parent)
    : QMainWindow(parent, Qt::Window)
    , m_sources(std::move(sources))
    , m_model(new ChangeListModel(this))
{
    setWindowTitle(tr("Compare - Reinspect"));
    buildSide(m_left, tr("Left graph"));
    buildSide(m_right, tr("Right graph"));
    buildLists();
    connect(new QShortcut(QKeySequence(Qt::Key_Escape), this), &QShortcut::activated, this,
            &QWidget::close);
    load(m_left, left);
    load(m_right, right);
    resize(1280, 860);
}

CompareWindow::~CompareWindow() = default;

void CompareWindow::buildSide(Side& side, const QString& name)
{
    side.session = new Session(this);
    side.lane = std::make_unique<Lane>();
    side.view = new GraphView(side.session, this);
    side.view->setAccessibleName(name);
    side.view->setLegendVisible(false);
    side.choice = new QComboBox(this);
    side.choice->setAccessibleName(name);
    side.choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const CompareSource& source : m_sources)
        side.choice->addItem(source.title);
    Side& other = &side == &m_left ? m_right : m_left;
    connect(side.choice, &QComboBox::activated, this,
            [this, &side](int index) { load(side, static_cast<std::size_t>(index)); });
    connect(side.session, &Session::traceChanged, this, [this, &side] { takeTrace(side); });
    connect(side.session, &Session::selectionChanged, this,
            [this, &side, &other] { followSelection(side, other); });
    connect(side.view, &GraphView::viewMoved, this,
            [this, &side, &other] { followView(side, other); });
    connect(side.view, &GraphView::layoutSettled, this, [this, &side, &other] {
        followView(&side == &m_left ? side : other, &side == &m_left ? other : side);
    });
}

static QWidget* column(QWidget* top, QWidget* bottom)
{
    auto* widget = new QWidget;
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins(2, 2, 2, 2);
    layout->setSpacing(2);
    layout->addWidget(top);
    layout->addWidget(bottom, 1);
    return widget;
}

void CompareWindow::buildNotes()
{
    m_notes = new QLabel(this);
    m_notes->setContentsMargins(6, 0, 6, 2);
    m_notes->setTextFormat(Qt::PlainText);
    m_notes->setWordWrap(true);
    m_notes->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_notes->setAccessibleName(tr("What was assumed"));
    m_notes->hide();
}

void CompareWindow::buildLists()
{
    m_summary = new QLabel(this);
    m_summary->setContentsMargins(6, 2, 6, 2);
    buildNotes();
    m_list = new QTableView(this);
    m_list->setAccessibleName(tr("What differs"));
    m_list->setWhatsThis(tr("The nodes that differ. A click shows one in both pictures."));
    m_list->setModel(m_model);
    m_list->setShowGrid(false);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setWordWrap(false);
    m_list->setTabKeyNavigation(false);
    m_list->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->verticalHeader()->hide();
    m_list->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    m_list->horizontalHeader()->setStretchLastSection(true);
    m_list->horizontalHeader()->setHighlightSections(false);
    m_list->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) { chooseChange(index.row()); });
    m_text = new DiffView(this);

    auto* pictures = new QSplitter(Qt::Horizontal, this);
    pictures->addWidget(column(m_left.choice, m_left.view));
    pictures->addWidget(column(m_right.choice, m_right.view));
    pictures->setSizes({1000, 1000});
    auto* texts = new QSplitter(Qt::Horizontal, this);
    texts->addWidget(column(m_summary, column(m_notes, m_list)));
    texts->addWidget(m_text);
    texts->setSizes({1000, 1000});
    auto* rows = new QSplitter(Qt::Vertical, this);
    rows->addWidget(pictures);
    rows->addWidget(texts);
    rows->setSizes({560, 300});
    setCentralWidget(rows);
}

void CompareWindow::setTheme(const Theme& theme)
{
    m_left.view->setTheme(theme);
    m_right.view->setTheme(theme);
}

QString CompareWindow::summary() const
{
    return m_summary->text();
}

void CompareWindow::load(Side& side, std::size_t index)
{
    side.source = index;
    side.isThere = m_isReady = false;
    side.assumptions.clear();
    side.choice->setCurrentIndex(static_cast<int>(index));
    side.lane->cancel();
    const CompareSource& source = m_sources[index];
    if (source.isLowered())
        lower(side);
    else
        put(side, source.document, source.graph);
}

void CompareWindow::lower(Side& side)
{
    m_summary->setText(tr("Working out the graph..."));
    side.lane->run(
        [source = m_sources[side.source]](std::stop_token stop) {
            return loweredDocument(source, {.stop = std::move(stop)});
        },
        [this, &side](Result<LoweredDocument> lowered) {
            if (!lowered)
                return m_summary->setText(stripText(lowered.error()));
            side.assumptions = lowered->assumptions;
            put(side, lowered->document, 0);
        });
}

void CompareWindow::put(Side& side, std::shared_ptr<const Document> document, std::size_t graph)
{
    side.document = std::move(document);
    side.graphIndex = graph;
    const ReinplacePolicy& policy = m_sources[side.source].policy;
    const bool isSame = side.session->document() == side.document
        && side.session->graphIndex() == graph && side.session->trace()
        && side.session->trace()->policy == policy;
    if (isSame)
        return takeTrace(side);
    side.session->setPolicy(policy);
    side.session->setDocument(side.document);
    side.session->setGraphIndex(graph);
}

void CompareWindow::takeTrace(Side& side)
{
    const CompareSource& source = m_sources[side.source];
    if (side.session->document() != side.document || side.session->graphIndex() != side.graphIndex
        || !side.session->trace() || side.session->trace()->policy != source.policy)
        return;
    const PassTrace& trace = *side.session->trace();
    m_isFollowing = true; // the steps below choose nodes, which says nothing here
    side.session->goTo(eventAt(trace, source.at));
    side.session->setSelection({});
    if (trace.result->slotCount() > 400)
        side.view->showWhole();
    m_isFollowing = false;
    side.graph = graphAfterEdits(trace, editsAt(trace, source.at));
    side.byName.clear();
    for (std::size_t slot = 0; slot < trace.result->slotCount(); ++slot)
        side.byName.try_emplace(trace.nameOf(NodeId(slot)), NodeId(slot));
    side.isThere = true;
    compare();
}

void CompareWindow::compare()
{
    if (!m_left.isThere || !m_right.isThere)
        return;
    m_model->setChanges(diffGraphs(m_left.graph, m_right.graph));
    m_list->setColumnWidth(ChangeListModel::Kind, 130);
    m_list->setColumnWidth(ChangeListModel::Name, 130);
    m_list->setColumnWidth(ChangeListModel::Before, 260);
    m_text->setTexts(toQString(graphCode(m_left.graph).text),
                     toQString(graphCode(m_right.graph).text));
    m_summary->setText(changeSummary(m_model->changes()));
    showNotes();
    markChanges();
    m_isReady = true;
    emit compared();
    if (m_model->rowCount() > 0)
        m_list->selectRow(0);
}

// A sentence that both lowerings say is said once. Few are shown, the tool tip has all.
void CompareWindow::showNotes()
{
    QStringList lines;
    for (const Side* side : {&m_left, &m_right})
        for (const QString& sentence : side->assumptions)
            lines.append(tr("Assumed: %1").arg(sentence));
    lines.removeDuplicates();
    m_notes->setToolTip(lines.join(u'\n'));
    constexpr qsizetype kMost = 3;
    const qsizetype more = lines.size() - kMost;
    if (more > 0)
        lines = lines.mid(0, kMost) << tr("and %1 more").arg(more);
    m_notes->setText(lines.join(u'\n'));
    m_notes->setVisible(!lines.isEmpty());
}

static Role roleOf(ChangeKind kind)
{
    switch (kind)
    {
    case ChangeKind::Added: return Role::DiffAdded;
    case ChangeKind::Removed: return Role::DiffRemoved;
    case ChangeKind::Retargeted: return Role::DiffRetargeted;
    case ChangeKind::Rewired: return Role::DiffRewired;
    case ChangeKind::MetadataOnly: return Role::DiffMetadata;
    }
    return Role::Plain;
}

void CompareWindow::markChanges()
{
    std::vector<std::pair<NodeId, Role>> left;
    std::vector<std::pair<NodeId, Role>> right;
    for (const NodeChange& change : m_model->changes())
    {
        if (change.before)
            left.emplace_back(change.before, roleOf(change.kind));
        if (change.after)
            right.emplace_back(change.after, roleOf(change.kind));
    }
    m_left.view->setDifferences(std::move(left));
    m_right.view->setDifferences(std::move(right));
}

void CompareWindow::followSelection(Side& from, Side& to)
{
    const NodeId node = from.session->selection().primary();
    if (m_isFollowing || !node || !from.session->trace() || !to.session->trace())
        return;
    m_isFollowing = true;
    const std::string& name = from.session->trace()->nameOf(node);
    if (const NodeId same = to.named(name))
        to.session->setSelection({.nodes = {same}, .storage = {}});
    m_text->reveal(toQString(name));
    m_isFollowing = false;
    followView(from, to);
}

// The node in the middle stands at the same place on both sides.
void CompareWindow::followView(Side& from, Side& to)
{
    if (m_isFollowing || !from.isThere || !to.isThere)
        return;
    m_isFollowing = true;
    const NodeId chosen = from.session->selection().primary();
    const bool isSeen =
        chosen && from.view->rect().intersects(from.view->screenRect(chosen).toRect());
    const NodeId middle = isSeen ? chosen : from.view->nodeInTheMiddle();
    const NodeId same = middle ? to.named(from.session->trace()->nameOf(middle)) : NodeId{};
    if (same)
        to.view->placeNode(same, from.view->screenRect(middle).center(), from.view->zoom());
    m_isFollowing = false;
}

void CompareWindow::chooseChange(int row)
{
    if (row < 0 || row >= m_model->rowCount())
        return;
    const NodeChange& change = m_model->changes()[static_cast<std::size_t>(row)];
    Side& side = change.after ? m_right : m_left;
    const NodeId node = change.after ? change.after : change.before;
    side.session->setSelection({});
    side.session->setSelection({.nodes = {node}, .storage = {}});
}

} // namespace reinspect
