// SPDX-License-Identifier: MIT
#include "views/panels/step_panel.h"

#include "core/passes/explain.h"
#include "views/models/event_tree_model.h"
#include "views/models/linked_text.h"
#include "views/panels/breakpoint_box.h"
#include "views/panels/event_delegate.h"
#include "views/panels/hint_stack.h"
#include "views/session/qt_text.h"
#include "views/session/session.h"

#include <QLabel>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolBar>
#include <QTreeView>
#include <QVBoxLayout>

namespace reinspect
{

StepPanel::StepPanel(Session* session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_model(new EventTreeModel(this))
{
    buildToolBar();
    buildSentence();
    buildTree();
    buildLayout();
    connectSession();
    showTrace();
}

void StepPanel::buildToolBar()
{
    m_toolBar = new QToolBar(tr("Steps"), this);
    m_toolBar->setIconSize({18, 18});
    m_toolBar->setToolButtonStyle(Qt::ToolButtonIconOnly);
    m_position = new QLabel(this);
    m_position->setContentsMargins(6, 2, 6, 0);
}

void StepPanel::setStepActions(const QList<QAction*>& actions)
{
    m_toolBar->clear();
    for (QAction* action : actions)
    {
        if (action)
            m_toolBar->addAction(action);
        else
            m_toolBar->addSeparator();
    }
}

void StepPanel::buildSentence()
{
    m_sentence = new QTextBrowser(this);
    m_sentence->setOpenLinks(false);
    m_sentence->setFrameShape(QFrame::NoFrame);
    m_sentence->setAccessibleName(tr("Current step"));
    m_sentence->setMinimumHeight(fontMetrics().lineSpacing() * 3);
    QFont font = m_sentence->font();
    font.setPointSizeF(font.pointSizeF() * 1.1);
    m_sentence->setFont(font);
    connect(m_sentence, &QTextBrowser::anchorClicked, this, &StepPanel::followLink);
}

void StepPanel::buildTree()
{
    m_tree = new QTreeView(this);
    m_tree->setModel(m_model);
    m_tree->setItemDelegate(new EventDelegate(m_tree));
    m_tree->setHeaderHidden(true);
    m_tree->setUniformRowHeights(true);
    m_tree->setIndentation(14);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setTextElideMode(Qt::ElideRight);
    m_tree->setAccessibleName(tr("Steps of the pass"));
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &StepPanel::goToClicked);
}

void StepPanel::buildLayout()
{
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(m_sentence);
    splitter->addWidget(m_tree);
    m_breakpoints = new BreakpointBox(m_session, splitter);
    splitter->addWidget(m_breakpoints);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(1, 1);
    const int line = fontMetrics().lineSpacing();
    splitter->setSizes({line * 9, line * 30, 0});

    auto* content = new QWidget(this);
    auto* inner = new QVBoxLayout(content);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(2);
    inner->addWidget(m_position);
    inner->addWidget(splitter, 1);

    m_stack = new HintStack(content, emptyText(), this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_toolBar);
    layout->addWidget(m_stack, 1);
}

void StepPanel::connectSession()
{
    connect(m_session, &Session::documentChanged, this, &StepPanel::showTrace);
    connect(m_session, &Session::traceChanged, this, &StepPanel::showTrace);
    connect(m_session, &Session::eventChanged, this, &StepPanel::showEvent);
}

QString StepPanel::emptyText() const
{
    if (!m_session->document())
        return tr("Open a graph to see the steps of the reinplacing pass here.");
    return m_session->trace() ? tr("The pass found nothing to do in this graph.")
                              : tr("The pass is running...");
}

void StepPanel::showTrace()
{
    const std::shared_ptr<const PassTrace>& trace = m_session->trace();
    m_model->setTrace(trace);
    m_stack->setHint(emptyText());
    m_stack->setEmpty(!trace || trace->events.empty());
    m_tree->expandToDepth(0);
    showEvent();
}

// The current event stays in sight when the panel becomes smaller.
void StepPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    QMetaObject::invokeMethod(
        m_tree, [this] { m_tree->scrollTo(m_tree->currentIndex()); }, Qt::QueuedConnection);
}

void StepPanel::showEvent()
{
    const EventIndex event = m_session->event();
    m_model->setCurrentEvent(event);
    const QModelIndex index = m_model->indexOf(event);
    m_tree->setCurrentIndex(index);
    m_tree->scrollTo(index);
    fillSentence();
}

void StepPanel::fillSentence()
{
    const EventIndex event = m_session->event();
    if (!event)
        return m_sentence->clear();
    const PassTrace& trace = *m_session->trace();
    m_position->setText(positionText());
    QString html = QStringLiteral("<p>%1</p>").arg(linkedSentence(trace, event));
    if (const Decided* decided = trace.event(event).as<Decided>())
    {
        std::vector<NamedNode> nodes;
        for (const NodeId node : trace.decision(decided->decision).witnesses)
            nodes.emplace_back(toQString(trace.nameOf(node)), node);
        const std::string hint = advice(trace, decided->decision);
        if (!hint.empty())
            html += QStringLiteral("<p><i>%1</i></p>").arg(linkedHtml(toQString(hint), nodes));
    }
    m_sentence->setHtml(html);
}

QString StepPanel::sentence() const
{
    const EventIndex event = m_session->event();
    return event ? toQString(explain(*m_session->trace(), event)) : QString();
}

QString StepPanel::positionText() const
{
    const EventIndex event = m_session->event();
    if (!event)
        return {};
    const PassTrace& trace = *m_session->trace();
    return tr("Step %L1 of %L2: %3")
        .arg(event.index() + 1)
        .arg(trace.events.size())
        .arg(eventMarkWord(eventMark(trace, event)));
}

void StepPanel::goToClicked(const QModelIndex& index)
{
    if (const EventIndex event = m_model->eventAt(index))
        m_session->goTo(event);
}

void StepPanel::followLink(const QUrl& link)
{
    if (const NodeId node = nodeOfLink(link.toString()))
        m_session->setSelection({.nodes = {node}, .storage = {}});
}

} // namespace reinspect
