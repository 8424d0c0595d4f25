// SPDX-License-Identifier: MIT
#include "views/panels/find_bar.h"

#include "views/models/found_model.h"
#include "views/models/node_search.h"
#include "views/panels/themed_icon.h"
#include "views/session/lane.h"
#include "views/session/qt_text.h"
#include "views/session/session.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace reinspect
{

static constexpr int kListRows = 6;

static QString helpText()
{
    QString rows;
    for (const QueryKeyWords& key : queryKeys())
        rows += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
                    .arg(QLatin1String(key.word) + (key.isNumber ? u'>' : u':'),
                         FindBar::tr(key.meaning).toHtmlEscaped());
    return FindBar::tr("<p>Finds nodes. All words must match: a plain word is part of a name or "
                       "operator, the others say what they look at. A comma parts alternatives, a "
                       "minus in front takes out.</p><p><b>verdict:kept bytes&gt;1M "
                       "op:index_put</b></p><table>%1</table>")
        .arg(rows);
}

FindBar::FindBar(Session* session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_lane(std::make_unique<Lane>())
    , m_model(new FoundModel(this))
{
    setAccessibleName(tr("Find"));
    setWhatsThis(helpText());
    buildList();
    buildRow();
    connectSession();
    hide();
}

FindBar::~FindBar() = default;

static QToolButton* makeButton(const QString& text, const QString& tip, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

void FindBar::buildRow()
{
    m_line = new QLineEdit(this);
    m_line->setAccessibleName(tr("What to find"));
    m_line->setPlaceholderText(tr("Name or operator; or verdict:kept bytes>1M op:index_put"));
    m_line->setToolTip(helpText());
    m_line->setClearButtonEnabled(true);
    m_line->installEventFilter(this);
    m_count = new QLabel(this);
    m_previous = makeButton(QStringLiteral("\u25b2"), tr("Previous match (Shift+F3)"), this);
    m_next = makeButton(QStringLiteral("\u25bc"), tr("Next match (F3)"), this);
    m_only = makeButton(tr("Show Only These"), tr("Show only what was found"), this);
    m_close = makeButton(QStringLiteral("\u2715"), tr("Close (Escape)"), this);
    connect(m_line, &QLineEdit::textChanged, this, &FindBar::search);
    connect(m_previous, &QToolButton::clicked, this, &FindBar::previous);
    connect(m_next, &QToolButton::clicked, this, &FindBar::next);
    connect(m_only, &QToolButton::clicked, this, &FindBar::showOnlyRequested);
    connect(m_close, &QToolButton::clicked, this, &FindBar::close);

    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 4, 6, 4);
    row->setSpacing(8);
    row->addWidget(new QLabel(tr("Find"), this));
    row->addWidget(m_line, 1);
    row->addWidget(m_count);
    for (QToolButton* button : {m_previous, m_next, m_only, m_close})
        row->addWidget(button);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_list);
}

void FindBar::buildList()
{
    m_list = new QTableView(this);
    m_list->setAccessibleName(tr("What was found"));
    m_list->setModel(m_model);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setShowGrid(false);
    m_list->setWordWrap(false);
    m_list->setTabKeyNavigation(false);
    m_list->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->verticalHeader()->hide();
    m_list->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    m_list->horizontalHeader()->setHighlightSections(false);
    m_list->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_list->horizontalHeader()->setStretchLastSection(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->hide();
    connect(m_list, &QTableView::clicked, this,
            [this](const QModelIndex& index) { choose(m_model->nodeAt(index)); });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (m_list->hasFocus())
                    choose(m_model->nodeAt(index));
            });
}

void FindBar::connectSession()
{
    const auto renew = [this] {
        m_lane->cancel();
        m_search.reset();
        if (isVisible())
            search();
    };
    connect(m_session, &Session::documentChanged, this, renew);
    connect(m_session, &Session::traceChanged, this, renew);
    connect(m_session, &Session::selectionChanged, this, &FindBar::showCount);
}

void FindBar::open()
{
    show();
    if (m_session->trace())
        makeSearch();
    m_line->setFocus(Qt::ShortcutFocusReason);
    m_line->selectAll();
    search();
}

void FindBar::close()
{
    if (!isVisible())
        return;
    hide();
    emit foundChanged({});
    emit closed();
}

QString FindBar::query() const
{
    return m_line->text();
}

void FindBar::setQuery(const QString& query)
{
    m_line->setText(query);
}

const std::vector<NodeId>& FindBar::found() const
{
    return m_model->nodes();
}

QString FindBar::countText() const
{
    return m_count->text();
}

// In a large graph, what is compared takes a moment to prepare; typing goes on meanwhile.
bool FindBar::makeSearch()
{
    constexpr std::size_t kLarge = 20'000;
    if (m_search)
        return true;
    const auto& trace = m_session->trace();
    if (trace->result->slotCount() <= kLarge)
    {
        m_search = std::make_shared<const NodeSearch>(trace);
        return true;
    }
    if (!m_lane->isBusy())
        m_lane->run(
            [trace](std::stop_token) -> std::shared_ptr<const NodeSearch> {
                auto search = std::make_shared<const NodeSearch>(trace);
                search->prepare();
                return search;
            },
            [this](std::shared_ptr<const NodeSearch> search) {
                m_search = std::move(search);
                this->search();
            });
    return false;
}

void FindBar::search()
{
    const auto& trace = m_session->trace();
    const Result<std::vector<QueryTerm>> terms = parseQuery(toStdString(query()));
    m_problem = terms ? QString() : stripText(terms.error());
    std::vector<NodeId> nodes;
    if (trace && terms && !terms->empty())
    {
        if (makeSearch())
            nodes = m_search->find(*terms);
        else
            m_problem = tr("Searching...");
    }
    m_model->setNodes(trace, std::move(nodes));
    arrangeList();
    showCount();
    emit foundChanged(found());
}

void FindBar::showCount()
{
    const auto count = static_cast<qsizetype>(found().size());
    const int row = m_model->rowOf(m_session->selection().primary());
    if (row >= 0 && m_list->currentIndex().row() != row)
        m_list->selectRow(row);
    QString text = m_problem;
    if (text.isEmpty() && !query().trimmed().isEmpty())
        text = count == 0 ? tr("Nothing found")
            : row >= 0    ? tr("%L1 of %L2").arg(row + 1).arg(count)
                          : tr("%L1 found").arg(count);
    m_count->setText(text);
    for (QToolButton* button : {m_previous, m_next, m_only})
        button->setEnabled(count > 0);
}

void FindBar::arrangeList()
{
    constexpr std::pair<FoundModel::Column, int> kShares[] = {{FoundModel::Name, 28},
                                                              {FoundModel::Operator, 24},
                                                              {FoundModel::Shape, 22},
                                                              {FoundModel::Bytes, 12}};
    for (const auto& [column, share] : kShares)
        m_list->setColumnWidth(column, width() * share / 100);
    const int rows = std::min(m_model->rowCount(), kListRows);
    m_list->setFixedHeight(m_list->horizontalHeader()->sizeHint().height()
                           + rows * m_list->verticalHeader()->defaultSectionSize() + 2);
    m_list->setVisible(rows > 0);
}

void FindBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrangeList();
}

// From the chosen node on, round the end.
void FindBar::move(int by)
{
    const int count = m_model->rowCount();
    if (count == 0)
        return;
    const int row = m_model->rowOf(m_session->selection().primary());
    const int start = row >= 0 ? row + by : by > 0 ? 0 : count - 1;
    choose(found()[static_cast<std::size_t>((start + count) % count)]);
}

void FindBar::next()
{
    move(1);
}

void FindBar::previous()
{
    move(-1);
}

void FindBar::choose(NodeId node)
{
    if (node)
        m_session->setSelection({.nodes = {node}, .storage = {}});
}

bool FindBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_line || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    switch (key->key())
    {
    case Qt::Key_Escape: close(); return true;
    case Qt::Key_Up: previous(); return true;
    case Qt::Key_Down: next(); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        key->modifiers().testFlag(Qt::ShiftModifier) ? previous() : next();
        return true;
    default: return QWidget::eventFilter(watched, event);
    }
}

} // namespace reinspect
