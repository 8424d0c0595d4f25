// SPDX-License-Identifier: MIT
// MainWindow: policies, overrides, breakpoints, and the panels about all decisions.
#include "app/actions.h"
#include "app/main_window.h"
#include "views/canvas/graph_view.h"
#include "views/panels/breakpoint_box.h"
#include "views/panels/compare_panel.h"
#include "views/panels/policy_panel.h"
#include "views/panels/step_panel.h"
#include "views/panels/term_edit.h"
#include "views/panels/verdict_panel.h"
#include "views/session/qt_text.h"
#include "views/session/session.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QMenuBar>
#include <QToolButton>

#include <utility>

namespace reinspect
{

void MainWindow::buildDecisionDocks()
{
    m_verdicts = new VerdictPanel(m_session, this);
    m_compare = new ComparePanel(m_session, this);
    m_policyPanel = new PolicyPanel(m_session, this);
    m_verdictsDock =
        addPanel("dock.verdicts", tr("Verdicts"), m_verdicts, Qt::BottomDockWidgetArea);
    m_compareDock = addPanel("dock.compare", tr("Policies"), m_compare, Qt::BottomDockWidgetArea);
    m_policyDock = addPanel("dock.policy", tr("Policy"), m_policyPanel, Qt::RightDockWidgetArea);
    m_steps->breakpoints()->setActions(
        m_actions->actions({"break.previous", "break.next", "break.toggle"}));
    connect(m_compareDock, &QDockWidget::visibilityChanged, m_compare, &ComparePanel::setSeen);
    connect(m_verdicts, &VerdictPanel::graphRequested, m_canvas, &GraphView::centerOnSelection);
}

void MainWindow::arrangeDecisionDocks()
{
    addDockWidget(Qt::BottomDockWidgetArea, m_verdictsDock);
    addDockWidget(Qt::BottomDockWidgetArea, m_compareDock);
    addDockWidget(Qt::RightDockWidgetArea, m_policyDock);
    for (QDockWidget* dock : {m_verdictsDock, m_compareDock, m_policyDock})
    {
        dock->setFloating(false);
        dock->show();
    }
    tabifyDockWidget(m_sourceDock, m_verdictsDock);
    tabifyDockWidget(m_verdictsDock, m_compareDock);
    tabifyDockWidget(m_inspectorDock, m_policyDock);
    m_sourceDock->raise();
    m_inspectorDock->raise();
}

static QAction* presetAction(const Actions& actions, std::string_view preset)
{
    return actions.action(("policy." + std::string(preset)).c_str());
}

void MainWindow::buildPassMenu()
{
    m_policyMenu = new QMenu(tr("&Policy"), this);
    m_policyMenu->setToolTipsVisible(true);
    auto* group = new QActionGroup(this);
    for (const PolicyPreset& preset : policyPresets())
    {
        QAction* action = presetAction(*m_actions, preset.name);
        action->setCheckable(true);
        action->setToolTip(toQString(preset.meaning));
        action->setWhatsThis(toQString(preset.meaning));
        group->addAction(action);
        m_policyMenu->addAction(action);
        connect(action, &QAction::triggered, this, [this, name = preset.name] {
            ReinplacePolicy policy = policyNamed(name).value();
            policy.overrides = m_session->policy().overrides;
            m_session->setPolicy(std::move(policy));
        });
    }
    m_policyMenu->addSeparator();
    QAction* captured = m_actions->action("policy.captured");
    captured->setCheckable(true);
    captured->setToolTip(tr(
        "Graphs are decided by the rules of the PyTorch that made their file, where it says so."));
    captured->setWhatsThis(captured->toolTip());
    connect(captured, &QAction::triggered, this, [this] {
        m_session->followCapture();
        rememberPolicy();
    });
    m_policyMenu->addAction(captured);
    m_policyMenu->addAction(m_actions->action("view.policy"));
    QMenu* pass = menuBar()->addMenu(tr("&Pass"));
    pass->addMenu(m_policyMenu);
    for (QAction* action : m_actions->actions(
             {"view.verdicts", "view.policies", "", "decision.force", "decision.forbid",
              "decision.release", "", "break.next", "break.previous", "break.toggle", "break.add"}))
        action ? pass->addAction(action) : static_cast<void>(pass->addSeparator());
}

QToolButton* MainWindow::makePolicyButton()
{
    m_policyButton = new QToolButton(this);
    m_policyButton->setAutoRaise(true);
    m_policyButton->setPopupMode(QToolButton::InstantPopup);
    m_policyButton->setAccessibleName(tr("Policy"));
    m_policyButton->setWhatsThis(
        tr("The rules by which the pass decides. A change runs it again."));
    return m_policyButton;
}

void MainWindow::connectDecisions()
{
    m_policyButton->setMenu(m_policyMenu);
    m_actions->on("view.verdicts", [this] { showPanel(m_verdictsDock); });
    m_actions->on("view.policies", [this] { showPanel(m_compareDock); });
    m_actions->on("view.policy", [this] { showPanel(m_policyDock); });
    for (const auto& [id, word] : {std::pair{"decision.force", Overrule::Force},
                                   {"decision.forbid", Overrule::Forbid},
                                   {"decision.release", Overrule::None}})
        m_actions->on(id,
                      [this, word = word] { m_session->overrule(m_session->decision(), word); });
    m_actions->on("break.next", [this] { m_session->runToBreakpoint(); });
    m_actions->on("break.previous", [this] { m_session->runToBreakpoint(true); });
    m_actions->on("break.toggle",
                  [this] { m_session->toggleBreakpoint(m_session->selection().primary()); });
    m_actions->on("break.add", [this] {
        showPanel(m_stepsDock);
        m_steps->breakpoints()->setFolded(false);
        m_steps->breakpoints()->edit()->setFocus();
    });
    connect(m_session, &Session::policyChanged, this, &MainWindow::rememberPolicy);
    connect(m_session, &Session::policyChanged, this,
            [this] { m_viewBefore = placeOf(*m_session, *m_canvas); });
    connect(m_session, &Session::documentChanged, this, [this] { m_viewBefore.reset(); });
    connect(m_session, &Session::traceChanged, this, &MainWindow::keepView);
    connect(m_session, &Session::traceChanged, this, &MainWindow::showPolicy);
    connect(m_session, &Session::breakpointsChanged, this, &MainWindow::rememberBreakpoints);
}

// A table needs more room than what it opens over; by the reader's own command it may take it.
void MainWindow::showPanel(QDockWidget* dock)
{
    dock->show();
    dock->raise();
    const bool isTable = dock == m_verdictsDock || dock == m_compareDock || dock == m_runDock
        || dock == m_timelineDock || dock == m_memoryDock || dock == m_valuesDock;
    if (isTable && !dock->isFloating() && dockWidgetArea(dock) == Qt::BottomDockWidgetArea)
    {
        // By their shares: widths may be those from before the window was resized.
        if (m_aliasDock->isVisible() && dock->width() < 2 * m_aliasDock->width())
            resizeDocks({dock, m_aliasDock}, {width() * 52 / 100, width() * 21 / 100},
                        Qt::Horizontal);
        if (dock->height() < height() / 3)
            resizeDocks({dock}, {height() * 38 / 100}, Qt::Vertical);
    }
    dock->widget()->setFocus();
}

// The button speaks of the run that is shown, which a moment after a choice is still the one before.
void MainWindow::showPolicy()
{
    const auto& trace = m_session->trace();
    const ReinplacePolicy& policy = trace ? trace->policy : m_session->policy();
    const QString text = toQString(describe(policy));
    m_policyButton->setText(
        tr("Policy %1").arg(fontMetrics().elidedText(text, Qt::ElideRight, width() / 4)));
    m_policyButton->setToolTip(text);
    presetAction(*m_actions, m_session->policy().name)->setChecked(true);
    m_actions->action("policy.captured")->setChecked(m_session->followsCapture());
    if (m_fileName.isEmpty())
        return;
    const bool isDefault = policy == ReinplacePolicy{};
    setWindowTitle(isDefault ? tr("%1 - Reinspect").arg(m_fileName)
                             : tr("%1 (%2) - Reinspect").arg(m_fileName, text));
}

// Event and selection the session keeps itself, by name.
void MainWindow::keepView()
{
    if (!m_viewBefore)
        return;
    TabState::Place place = *std::exchange(m_viewBefore, {});
    place.event = m_session->event() ? static_cast<int>(m_session->event().index()) : 0;
    place.nodes.clear();
    restorePlace(*m_session, *m_canvas, place);
}

void MainWindow::rememberPolicy()
{
    showPolicy();
    const QString name =
        m_session->followsCapture() ? QString() : toQString(m_session->policy().name);
    if (m_preferences.policy == name)
        return;
    m_preferences.policy = name;
    preferencesWereChanged();
}

void MainWindow::rememberBreakpoints()
{
    const QStringList texts = breakpointTexts(m_session->breakpoints());
    if (m_preferences.breakpoints == texts)
        return;
    m_preferences.breakpoints = texts;
    preferencesWereChanged();
}

void MainWindow::applyDecisionPreferences()
{
    if (m_preferences.policy.isEmpty())
        m_session->followCapture();
    else if (Result<ReinplacePolicy> policy = policyNamed(toStdString(m_preferences.policy)))
        m_session->setPolicy(std::move(*policy));
    m_session->setBreakpoints(breakpointsFrom(m_preferences.breakpoints));
    showPolicy();
}

bool MainWindow::showPanelNamed(const std::string& name)
{
    const std::pair<const char*, QDockWidget*> panels[] = {
        {"verdicts", m_verdictsDock}, {"compare", m_compareDock},  {"policy", m_policyDock},
        {"run", m_runDock},           {"memory", m_memoryDock},    {"values", m_valuesDock},
        {"captures", m_liveDock},     {"timeline", m_timelineDock}};
    for (const auto& [known, dock] : panels)
        if (name == known)
        {
            showPanel(dock);
            return true;
        }
    return false;
}

} // namespace reinspect
