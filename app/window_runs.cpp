// SPDX-License-Identifier: MIT
// MainWindow: runs of the graph, and the panels that show them.
#include "app/actions.h"
#include "app/main_window.h"
#include "app/remote_dialog.h"
#include "views/panels/memory_panel.h"
#include "views/panels/run_head.h"
#include "views/panels/run_panel.h"
#include "views/panels/timeline_panel.h"
#include "views/panels/value_panel.h"
#include "views/panels/verdict_panel.h"
#include "views/panels/where_box.h"
#include "views/session/run_service.h"
#include "views/session/session.h"

#include <QDockWidget>
#include <QFileDialog>
#include <QMenuBar>

namespace reinspect
{

void MainWindow::buildRunDocks()
{
    m_runPanel = new RunPanel(m_runs, this);
    m_memoryPanel = new MemoryPanel(m_runs, this);
    m_valuePanel = new ValuePanel(m_runs, this);
    m_timelinePanel = new TimelinePanel(m_runs, this);
    m_runDock = addPanel("dock.run", tr("Run"), m_runPanel, Qt::BottomDockWidgetArea);
    m_timelineDock =
        addPanel("dock.timeline", tr("Timeline"), m_timelinePanel, Qt::BottomDockWidgetArea);
    m_memoryDock = addPanel("dock.memory", tr("Memory"), m_memoryPanel, Qt::BottomDockWidgetArea);
    m_valuesDock = addPanel("dock.values", tr("Values"), m_valuePanel, Qt::BottomDockWidgetArea);
    connect(m_memoryDock, &QDockWidget::visibilityChanged, m_memoryPanel, &MemoryPanel::setSeen);
    connect(m_timelineDock, &QDockWidget::visibilityChanged, m_timelinePanel,
            &TimelinePanel::setSeen);
    connect(m_valuesDock, &QDockWidget::visibilityChanged, m_valuePanel, &ValuePanel::setSeen);
}

void MainWindow::arrangeRunDocks()
{
    QDockWidget* before = m_compareDock;
    for (QDockWidget* dock : {m_runDock, m_timelineDock, m_memoryDock, m_valuesDock})
    {
        dock->setFloating(false);
        tabifyDockWidget(before, dock);
        dock->show();
        before = dock;
    }
    m_sourceDock->raise();
}

void MainWindow::buildRunMenu()
{
    QMenu* run = menuBar()->addMenu(tr("&Run"));
    for (QAction* action : m_actions->actions(
             {"run.compare", "run.prove", "run.bisect", "run.values", "", "run.cancel", "",
              "run.remote", "run.results", "", "view.run", "view.timeline", "view.memory"}))
        action ? run->addAction(action) : static_cast<void>(run->addSeparator());
}

void MainWindow::connectRuns()
{
    m_actions->on("view.run", [this] { showPanel(m_runDock); });
    m_actions->on("view.timeline", [this] { showPanel(m_timelineDock); });
    m_actions->on("run.results", [this] { chooseResults(); });
    m_actions->on("view.memory", [this] { showPanel(m_memoryDock); });
    m_actions->on("run.cancel", [this] { m_runs->cancel(); });
    m_actions->on("run.compare", [this] {
        showPanel(m_runDock);
        m_runs->run();
    });
    m_actions->on("run.prove", [this] { proveDecision(); });
    m_actions->on("run.bisect", [this] {
        showPanel(m_runDock);
        m_runs->findDecision();
    });
    m_actions->on("run.values", [this] {
        showPanel(m_valuesDock);
        m_valuePanel->askForChosen();
    });
    m_actions->on("run.remote", [this] { showRemoteDialog(); });
    connect(m_runPanel->head()->where(), &WhereBox::setupAsked, this,
            &MainWindow::showRemoteDialog);
    connect(m_runs, &RunService::placeChanged, this, [this] {
        m_preferences.remote = m_runs->remoteHost();
        m_preferences.runsRemotely = m_runs->place() == RunPlace::Remote;
        m_preferences.tf32 = m_runs->allowsTf32();
        preferencesWereChanged();
    });
    connect(m_verdicts, &VerdictPanel::proofRequested, this, &MainWindow::proveDecision);
    const auto enable = [this] {
        m_actions->action("run.cancel")->setEnabled(m_runs->isBusy());
        m_actions->action("run.bisect")->setEnabled(m_runs->canFindDecision());
    };
    connect(m_runs, &RunService::busyChanged, this, enable);
    connect(m_runs, &RunService::resultChanged, this, enable);
    enable();
}

void MainWindow::applyRemote()
{
    const bool isRemote = m_preferences.runsRemotely && m_preferences.remote.isSet();
    const RemoteHost remote = m_preferences.remote;
    const bool tf32 = m_preferences.tf32; // what is set below is remembered, with all the rest
    m_runs->setRemoteHost(remote);
    m_runs->setTf32(tf32);
    m_runs->setPlace(isRemote ? RunPlace::Remote : RunPlace::Cpu);
}

// A host that was just set is where the next run is meant to be.
void MainWindow::showRemoteDialog()
{
    RemoteDialog dialog(m_preferences.remote, this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    m_preferences.remote = dialog.remoteHost();
    m_preferences.runsRemotely = m_preferences.remote.isSet();
    applyRemote();
}

void MainWindow::chooseResults()
{
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Results of a Run"), {},
                                     tr("Results of reinspect-cli run (*.json);;All files (*)"));
    if (path.isEmpty())
        return;
    showPanel(m_runDock);
    m_runs->openResults(path);
}

void MainWindow::proveDecision()
{
    const DecisionIndex decision = m_session->decision();
    if (!decision)
        return;
    // The inspector shows the verdict beside the hazard, the run panel how far it is.
    showPanel(m_runDock);
    m_session->setSelection(
        {.nodes = {m_session->trace()->decision(decision).node}, .storage = {}});
    m_runs->prove(decision);
}

} // namespace reinspect
