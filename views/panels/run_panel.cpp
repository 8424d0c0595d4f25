// SPDX-License-Identifier: MIT
#include "views/panels/run_panel.h"

#include "core/proof/verdict_sentence.h"
#include "views/panels/badge_delegate.h"
#include "views/panels/copy_keys.h"
#include "views/panels/hint_stack.h"
#include "views/panels/run_head.h"
#include "views/panels/themed_icon.h"
#include "views/session/place.h"
#include "views/session/qt_text.h"
#include "views/session/session.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QTextBrowser>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace reinspect
{

static const QString kBisectLink = QStringLiteral("decision");
static const QString kProofLink = QStringLiteral("proof");

RunPanel::RunPanel(RunService* service, QWidget* parent)
    : QWidget(parent)
    , m_service(service)
    , m_model(new RunResultModel(this))
    , m_head(new RunHead(service, this))
{
    buildVerdict();
    buildTable();
    buildMenu();
    buildLayout();
    connectSources();
    showResult();
}

void RunPanel::buildVerdict()
{
    m_mark = new QLabel(this);
    for (QLabel** label : {&m_verdict, &m_stale})
    {
        *label = new QLabel(this);
        (*label)->setWordWrap(true);
        (*label)->setTextInteractionFlags(Qt::TextBrowserInteraction);
        connect(*label, &QLabel::linkActivated, this, &RunPanel::goToLink);
    }
    m_verdict->setTextFormat(Qt::RichText);
    m_verdict->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_verdict->setAccessibleName(tr("Verdict of the run"));
    m_stale->setTextFormat(Qt::PlainText);
    m_stale->setAccessibleName(tr("Why the results are old"));
    m_notes = new QTextBrowser(this);
    m_notes->setOpenLinks(false);
    m_notes->setFrameShape(QFrame::NoFrame);
    m_notes->setAccessibleName(tr("Notes and assumptions"));
    m_notes->setTabChangesFocus(true);
    connect(m_notes, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& url) { goToLink(url.toString()); });
}

void RunPanel::buildTable()
{
    m_table = new QTreeView(this);
    m_table->setModel(m_model);
    m_table->setItemDelegate(new BadgeDelegate(RunResultModel::BadgesRole, -1, m_table));
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setAllColumnsShowFocus(true);
    m_table->setAlternatingRowColors(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setAccessibleName(tr("Results of the run"));
    m_table->setWhatsThis(
        tr("One row for each output and each input that was written: the graph before the pass "
           "against the one after it, the one with clones and copies as nodes (final), and the one "
           "without the pass (baseline). A click or Enter chooses the node."));
    m_table->header()->setStretchLastSection(false);
    const int letter = fontMetrics().averageCharWidth();
    constexpr int kLetters[RunResultModel::ColumnCount] = {20, 13, 22, 18, 14, 14, 11, 13};
    for (int column = 0; column < RunResultModel::ColumnCount; ++column)
        m_table->header()->resizeSection(column, letter * kLetters[column]);
    connect(m_table, &QTreeView::clicked, this, &RunPanel::goToRow);
    connect(m_table, &QTreeView::activated, this, &RunPanel::goToRow);
    connect(m_table, &QTreeView::customContextMenuRequested, this,
            [this](QPoint point) { m_menu->popup(m_table->viewport()->mapToGlobal(point)); });
}

void RunPanel::buildMenu()
{
    m_menu = new QMenu(this);
    m_menu->addAction(tr("&Choose Node"), this, [this] { goToRow(m_table->currentIndex()); });
    m_menu->addSeparator();
    new CopyKeys(m_table, m_menu, [this](TableText form) { copyChosen(form); });
}

void RunPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        showVerdict();
    QWidget::changeEvent(event);
}

void RunPanel::buildLayout()
{
    auto* sentence = new QHBoxLayout;
    sentence->addWidget(m_mark, 0, Qt::AlignTop);
    sentence->addWidget(m_verdict, 1);
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_stale);
    column->addLayout(sentence);
    column->addWidget(m_table, 1);
    column->addWidget(m_notes);
    m_stack = new HintStack(content, emptyText(), this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    layout->addWidget(m_head);
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_head->runButton());
}

void RunPanel::connectSources()
{
    connect(m_service, &RunService::busyChanged, this, &RunPanel::showHint);
    connect(m_service, &RunService::progressChanged, this, &RunPanel::showHint);
    connect(m_service, &RunService::resultChanged, this, &RunPanel::showResult);
    connect(m_service->session(), &Session::selectionChanged, this, &RunPanel::showNode);
}

QString RunPanel::emptyText() const
{
    if (m_service->isBusy())
        return QStringLiteral("%1...").arg(m_service->activity());
    if (!m_service->session()->document())
        return tr("Open a graph to run it before and after the pass.");
    if (!m_service->canRun())
        return tr("The pass is running...");
    return tr("Run shows whether the graph computes the same after the pass, bit for bit.");
}

void RunPanel::showResult()
{
    const auto& result = m_service->result();
    m_model->setResult(result);
    m_stack->setEmpty(!result && !m_service->lastProven());
    m_stale->setText(m_service->staleText().isEmpty()
                         ? QString()
                         : tr("Old. %1 Run again.").arg(m_service->staleText()));
    m_stale->setVisible(!m_stale->text().isEmpty());
    m_table->setVisible(m_model->rowCount() > 0);
    showVerdict();
    showNotes();
    showHint();
    showNode();
}

void RunPanel::showHint()
{
    m_stack->setHint(emptyText());
}

static Role roleOfRun(const RunResult& result)
{
    if (result.failure)
        return Role::Candidate;
    switch (proof::outcomeOf(result.proof))
    {
    case proof::Outcome::Equal: return Role::Reinplaced;
    case proof::Outcome::Different: return Role::Blocking;
    case proof::Outcome::CannotTell: break;
    }
    return Role::Candidate;
}

static Role roleOfProof(const proof::DecisionProof& proof)
{
    switch (badgeOf(proof.effect))
    {
    case Badge::Same: return Role::Reinplaced;
    case Badge::Differs: return Role::Blocking;
    default: return Role::Candidate;
    }
}

// A sentence about a decision, whose node is a link to it.
static QString decisionHtml(const std::string& explanation, const std::string& node,
                            std::size_t runs, const QString& link)
{
    QString sentence = toQString(explanation).toHtmlEscaped();
    const QString name = toQString(node).toHtmlEscaped();
    sentence.replace(QStringLiteral("&#39;%1&#39;").arg(name), QStringLiteral("'%1'").arg(name));
    sentence.replace(QStringLiteral("'%1'").arg(name),
                     QStringLiteral("<a href=\"%1\">%2</a>").arg(link, name));
    return QStringLiteral("%1 (%2)").arg(
        sentence, counted(static_cast<qsizetype>(runs), RunPanel::tr("run"), RunPanel::tr("runs")));
}

void RunPanel::showVerdict()
{
    const auto& result = m_service->result();
    const proof::DecisionProof* proof = m_service->proofOf(m_service->lastProven());
    if (!result && !proof)
        return;
    const int extent = fontMetrics().height();
    m_mark->setPixmap(markPixmap(Theme::matching(palette()),
                                 result ? roleOfRun(*result) : roleOfProof(*proof), extent,
                                 devicePixelRatioF()));
    QStringList lines;
    if (result)
        lines.append(
            QStringLiteral("<b>%1</b>").arg(withLinks(runVerdict(*result), runNodes(*result))));
    if (const auto& bisect = m_service->bisect())
        lines.append(decisionHtml(bisect->explanation, bisect->node, bisect->runs, kBisectLink));
    if (proof)
        lines.append(decisionHtml(proof->explanation, proof->node, proof->runs, kProofLink));
    m_verdict->setText(lines.join(QStringLiteral("<br>")));
}

void RunPanel::showNotes()
{
    const auto& result = m_service->result();
    QStringList lines;
    if (result)
    {
        const auto nodes = runNodes(*result);
        for (const QString& sentence : QStringList{runMemoryText(*result)} + runNotes(*result))
            if (!sentence.isEmpty())
                lines.append(withLinks(sentence, nodes));
    }
    m_notes->setHtml(lines.join(QStringLiteral("<br>")));
    m_notes->setVisible(!lines.isEmpty());
    constexpr qsizetype kMostLines = 4;
    const auto shown = static_cast<int>(std::min(lines.size(), kMostLines));
    m_notes->setFixedHeight(shown * fontMetrics().lineSpacing() + 10);
    // The first line first, once the new height holds.
    QMetaObject::invokeMethod(
        m_notes, [this] { m_notes->verticalScrollBar()->setValue(0); }, Qt::QueuedConnection);
}

void RunPanel::showNode()
{
    const auto& trace = m_service->session()->trace();
    const NodeId node = m_service->session()->selection().primary();
    const QModelIndex index =
        trace && node ? m_model->indexOfNode(toQString(trace->nameOf(node))) : QModelIndex();
    const RunRow* current = m_model->rowAt(m_table->currentIndex());
    if (!index.isValid() || (current && current->node == m_model->rowAt(index)->node))
        return;
    // Not the view's own: that one would heed a held Ctrl, as of the key that made the step.
    m_table->selectionModel()->setCurrentIndex(
        index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_table->scrollTo(index);
}

void RunPanel::goToNode(const QString& name)
{
    Session* session = m_service->session();
    const auto& trace = session->trace();
    if (!trace || name.isEmpty())
        return;
    if (const NodeId node = findNode(*trace, toStdString(name)))
        session->setSelection({.nodes = {node}, .storage = {}});
    else
        session->setMessage(
            tr("\"%1\" is made by the lowering after the pass: the picture has no such node.")
                .arg(name));
}

void RunPanel::goToRow(const QModelIndex& index)
{
    if (const RunRow* row = m_model->rowAt(index))
        goToNode(row->node);
}

void RunPanel::goToLink(const QString& link)
{
    Session* session = m_service->session();
    const auto& bisect = m_service->bisect();
    if (link == kBisectLink && bisect && session->trace())
        session->goToDecision(findDecision(*session->trace(), bisect->node, bisect->argument));
    else if (link == kProofLink)
        session->goToDecision(m_service->lastProven());
    else if (const NodeId node = nodeOfLink(link); node && m_service->result())
        goToNode(toQString(m_service->result()->trace->nameOf(node)));
}

QString RunPanel::chosenText(TableText form) const
{
    std::vector<int> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        rows.push_back(index.row());
    std::ranges::sort(rows);
    return m_model->table(rows, form);
}

void RunPanel::copyChosen(TableText form)
{
    QGuiApplication::clipboard()->setText(chosenText(form));
}

} // namespace reinspect
