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
    showPath();
    m_count->setText(
        tr("%L1 of %L2").arg(countShown(*trace, scope)).arg(trace->result->slotCount()));
}

// The latest that fit; what came before is told by dots.
void ScopeBar::showPath()
{
    const ScopeHistory& history = *m_view->scopes();
    QStringList crumbs;
    int room = m_path->width() - fontMetrics().horizontalAdvance(QStringLiteral("...."));
    for (std::size_t place = history.place() + 1; place-- > 0;)
    {
        const QString name = crumbName(history.scopes()[place]);
        if (place < history.place() && crumbName(history.scopes()[place + 1]) == name)
            continue;
        room -= fontMetrics().horizontalAdvance(name) * 11 / 10
            + fontMetrics().horizontalAdvance(QStringLiteral("   >  "));
        if (!crumbs.isEmpty() && room < 0)
        {
            crumbs.prepend(QStringLiteral("\u2026"));
            break;
        }
        const QString shown = name.toHtmlEscaped();
        crumbs.prepend(place == history.place()
                           ? QStringLiteral("<b>%1</b>").arg(shown)
                           : QStringLiteral("<a href='%1'>%2</a>").arg(place).arg(shown));
    }
    m_path->setText(crumbs.join(QStringLiteral(" &nbsp;\u203a&nbsp; ")));
}

void ScopeBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_row->activate(); // the label has its new width now
    showPath();
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
