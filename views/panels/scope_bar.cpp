// SPDX-License-Identifier: MIT
#include "views/panels/scope_bar.h"

#include "views/canvas/graph_view.h"
#include "views/session/qt_text.h"
#include "views/session/scope_history.h"
#include "views/session/session.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QTextDocumentFragment>
#include <QToolButton>

namespace reinspect
{

static constexpr std::size_t kMostCrumbs = 4;

ScopeBar::ScopeBar(Session* session, GraphView* view, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_view(view)
    , m_row(new QHBoxLayout(this))
    , m_path(new QLabel(this))
    , m_count(new QLabel(this))
{
    setAccessibleName(tr("What is drawn"));
    setWhatsThis(tr("Which part of the graph is drawn, and how it came about. A click on an "
                    "earlier entry leads back to it."));
    m_path->setTextFormat(Qt::RichText);
    m_path->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_count->setForegroundRole(QPalette::PlaceholderText);
    m_row->setContentsMargins(8, 2, 6, 2);
    m_row->addWidget(m_path, 1);
    m_row->addWidget(m_count);
    connect(m_path, &QLabel::linkActivated, this, &ScopeBar::follow);
    connect(view->scopes(), &ScopeHistory::changed, this, &ScopeBar::showScope);
    connect(session, &Session::documentChanged, this, &ScopeBar::showScope);
    connect(session, &Session::traceChanged, this, &ScopeBar::showScope);
    showScope();
}

void ScopeBar::setActions(const QList<QAction*>& actions)
{
    for (QAction* action : actions)
    {
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        m_row->addWidget(button);
    }
}

static QString crumbName(const Scope& scope)
{
    if (!scope.name.empty())
        return toQString(scope.name);
    return scope.isWhole() ? ScopeBar::tr("Whole graph") : ScopeBar::tr("A part");
}

static std::size_t countShown(const PassTrace& trace, const Scope& scope)
{
    std::size_t count = 0;
    for (std::size_t slot = 0; slot < trace.result->slotCount(); ++slot)
        count += scope.shows(NodeId(slot)) ? 1 : 0;
    return count;
}

void ScopeBar::showScope()
{
    const auto& trace = m_session->trace();
    const ScopeHistory& history = *m_view->scopes();
    const Scope& scope = history.current();
    setVisible(trace && (!scope.isWhole() || !scope.folded.empty() || history.canUndo()));
    if (!trace)
        return;
    QStringList crumbs;
    for (std::size_t place = history.place() + 1; place-- > 0 && crumbs.size() < 8;)
    {
        const QString name = crumbName(history.scopes()[place]).toHtmlEscaped();
        const bool isSame = place < history.place()
            && crumbName(history.scopes()[place + 1]).toHtmlEscaped() == name;
        if (isSame)
            continue;
        if (static_cast<std::size_t>(crumbs.size()) == kMostCrumbs)
        {
            crumbs.prepend(QStringLiteral("\u2026"));
            break;
        }
        crumbs.prepend(place == history.place()
                           ? QStringLiteral("<b>%1</b>").arg(name)
                           : QStringLiteral("<a href='%1'>%2</a>").arg(place).arg(name));
    }
    m_path->setText(crumbs.join(QStringLiteral(" &nbsp;\u203a&nbsp; ")));
    m_count->setText(tr("%L1 of %L2")
                         .arg(countShown(*trace, scope))
                         .arg(trace->result->slotCount()));
}

QString ScopeBar::text() const
{
    return QTextDocumentFragment::fromHtml(m_path->text()).toPlainText();
}

QString ScopeBar::countText() const
{
    return m_count->text();
}

void ScopeBar::follow(const QString& link)
{
    m_view->scopes()->goTo(static_cast<std::size_t>(link.toULongLong()));
}

} // namespace reinspect
