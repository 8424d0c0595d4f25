// SPDX-License-Identifier: MIT
#include "views/panels/breakpoint_box.h"

#include "views/models/breakpoint_model.h"
#include "views/panels/hint_stack.h"
#include "views/panels/term_edit.h"

#include <QAction>
#include <QLineEdit>
#include <QListView>
#include <QToolButton>
#include <QVBoxLayout>

namespace reinspect
{

BreakpointBox::BreakpointBox(Session* session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_model(new BreakpointModel(session, this))
{
    buildHeading();
    buildBody();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_head);
    column->addWidget(m_body, 1);
    connect(session, &Session::breakpointsChanged, this, &BreakpointBox::showCount);
    setFolded(true);
    showCount();
}

void BreakpointBox::buildHeading()
{
    m_head = new QWidget(this);
    m_heading = new QToolButton(m_head);
    m_heading->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_heading->setAutoRaise(true);
    m_heading->setCheckable(true);
    m_heading->setToolTip(tr("Show or hide the breakpoints"));
    m_heading->setWhatsThis(
        tr("Breakpoints stop a run through the steps where a candidate's argument is tried, or at "
           "a check when one is among the conditions."));
    connect(m_heading, &QToolButton::toggled, this, [this](bool open) { setFolded(!open); });
    auto* row = new QHBoxLayout(m_head);
    row->setContentsMargins(2, 0, 2, 0);
    row->setSpacing(0);
    row->addWidget(m_heading);
    row->addStretch(1);
}

void BreakpointBox::setActions(const QList<QAction*>& actions)
{
    for (QAction* action : actions)
    {
        auto* button = new QToolButton(m_head);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setIconSize({18, 18});
        m_head->layout()->addWidget(button);
    }
}

void BreakpointBox::buildBody()
{
    m_body = new QWidget(this);
    m_edit = new TermEdit(m_body);
    m_edit->line()->setPlaceholderText(tr("verdict:kept bytes>1M"));
    m_edit->line()->setAccessibleName(tr("Conditions of a new breakpoint"));
    connect(m_edit->line(), &QLineEdit::returnPressed, this, &BreakpointBox::add);
    connect(m_edit->line(), &QLineEdit::textChanged, m_edit, [this] { m_edit->setProblem({}); });
    m_add = new QToolButton(m_body);
    m_add->setText(tr("Add"));
    m_add->setToolTip(tr("Add this breakpoint (Enter)"));
    connect(m_add, &QToolButton::clicked, this, &BreakpointBox::add);
    m_list = new QListView(m_body);
    m_list->setModel(m_model);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setAccessibleName(tr("Breakpoints"));
    m_list->setToolTip(tr("The box switches a breakpoint on and off; Delete removes it."));
    m_list->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* removal = new QAction(tr("&Remove Breakpoint"), m_list);
    removal->setShortcut(Qt::Key_Delete);
    removal->setShortcutContext(Qt::WidgetShortcut);
    connect(removal, &QAction::triggered, this, &BreakpointBox::remove);
    m_list->addAction(removal);
    m_stack = new HintStack(m_list, tr("No breakpoints. Add one above, or toggle one on a node."),
                            m_body);

    auto* line = new QHBoxLayout;
    line->addWidget(m_edit, 1);
    line->addWidget(m_add, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(m_body);
    column->setContentsMargins(6, 0, 6, 2);
    column->setSpacing(2);
    column->addLayout(line);
    column->addWidget(m_stack, 1);
}

void BreakpointBox::setFolded(bool folded)
{
    m_body->setVisible(!folded);
    m_heading->setChecked(!folded);
    m_heading->setArrowType(folded ? Qt::RightArrow : Qt::DownArrow);
    const int line = fontMetrics().lineSpacing();
    setMaximumHeight(folded ? m_head->sizeHint().height() : QWIDGETSIZE_MAX);
    setMinimumHeight(folded ? 0 : line * 8);
}

bool BreakpointBox::isFolded() const
{
    return !m_heading->isChecked();
}

void BreakpointBox::showCount()
{
    const int count = m_model->rowCount();
    m_stack->setEmpty(count == 0);
    m_heading->setText(count == 0 ? tr("Breakpoints") : tr("Breakpoints (%1)").arg(count));
}

void BreakpointBox::add()
{
    const std::optional<Breakpoint> breakpoint = m_edit->terms();
    if (!breakpoint)
    {
        if (m_edit->problem().isEmpty())
            m_edit->setProblem(tr("Write conditions first, such as verdict:kept bytes>1M."));
        return;
    }
    std::vector<Breakpoint> all = m_session->breakpoints();
    std::erase_if(all, [&](const Breakpoint& other) { return other.text == breakpoint->text; });
    all.push_back(*breakpoint);
    m_session->setBreakpoints(std::move(all));
    m_edit->line()->clear();
}

void BreakpointBox::remove()
{
    if (const QModelIndex index = m_list->currentIndex(); index.isValid())
        m_model->removeRow(index.row());
}

} // namespace reinspect
