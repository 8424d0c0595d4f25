// SPDX-License-Identifier: MIT
// MainWindow: its menus, and what their commands do.
#include "app/main_window.h"

#include "app/actions.h"
#include "app/sample_index.h"
#include "app/start_page.h"
#include "views/session/session.h"

#include <QActionGroup>
#include <QDir>
#include <QDockWidget>
#include <QMenuBar>

namespace reinspect
{

static void addAll(QMenu* menu, const QList<QAction*>& actions)
{
    for (QAction* action : actions)
    {
        if (action)
            menu->addAction(action);
        else
            menu->addSeparator();
    }
}

void MainWindow::buildMenus()
{
    buildFileMenu();
    buildEditMenu();
    buildViewMenu();
    buildPassMenu();
    buildRunMenu();
    buildNodeMenu();
    addAll(
        menuBar()->addMenu(tr("&Go")),
        m_actions->actions({"step.into", "step.over", "step.out", "", "step.back", "step.backOver",
                            "", "step.nextDecision", "step.previousDecision", "step.nextRefusal",
                            "step.previousRefusal", "", "step.start", "step.end"}));
    addAll(menuBar()->addMenu(tr("&Help")),
           m_actions->actions({"file.startPage", "help.tour", "help.keys", "help.whatsThis", "",
                               "help.capture", "", "help.about"}));
}

void MainWindow::buildFileMenu()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(m_actions->action("file.open"));
    m_recent = file->addMenu(tr("Open &Recent"));
    QMenu* samples = file->addMenu(tr("Open &Sample"));
    samples->setToolTipsVisible(true);
    for (const Sample& sample : sampleIndex())
    {
        QAction* action =
            samples->addAction(sample.title, this, [this, path = sample.path] { open(path); });
        action->setToolTip(sample.teaches);
    }
    addAll(file,
           m_actions->actions({"file.paste", "file.startPage", "", "live.receive", "view.captures",
                               "", "file.reload", "file.stop", "file.closeTab", "file.reopenTab",
                               "file.nextTab", "file.previousTab", "", "file.saveSession",
                               "file.export", "file.report", "", "file.quit"}));
}

void MainWindow::buildViewMenu()
{
    QMenu* view = menuBar()->addMenu(tr("&View"));
    addAll(view,
           m_actions->actions({"scope.whole", "scope.focus", "scope.grow", "scope.growInputs",
                               "scope.growUsers", "scope.hide", "scope.only", "", "scope.fold",
                               "scope.foldInner", "scope.foldOuter", "scope.foldAll",
                               "scope.unfoldAll", ""}));
    addAll(view,
           m_actions->actions({"view.compare", "", "view.fit", "view.zoomIn", "view.zoomOut",
                               "view.zoomReset", "view.center", "", "view.legend"}));
    buildColorMenu(view);
    buildThemeMenu(view);
    view->addSeparator();
    int number = 1;
    for (QDockWidget* dock : {m_stepsDock, m_inspectorDock, m_sourceDock, m_aliasDock, m_startDock,
                              m_graphsDock, m_verdictsDock, m_compareDock, m_policyDock, m_runDock,
                              m_timelineDock, m_memoryDock, m_valuesDock, m_liveDock})
    {
        if (number <= 9) // the last ones have keys of their own, see Run
            dock->toggleViewAction()->setShortcut(
                QKeySequence(QStringLiteral("Alt+%1").arg(number++)));
        view->addAction(dock->toggleViewAction());
    }
    view->addAction(m_actions->action("view.resetLayout"));
}

void MainWindow::buildEditMenu()
{
    addAll(menuBar()->addMenu(tr("&Edit")),
           m_actions->actions({"edit.undo", "edit.redo", "", "edit.copyNode", "edit.copySentence",
                               "edit.copyTable", "", "edit.find", "edit.findNext",
                               "edit.findPrevious", "", "edit.palette", "", "edit.settings"}));
}

void MainWindow::buildNodeMenu()
{
    QMenu* node = menuBar()->addMenu(tr("&Node"));
    addAll(
        node,
        m_actions->actions({"node.back", "node.forward", "", "node.input", "node.user", "node.left",
                            "node.right", "node.next", "node.previous", "", "node.editor"}));
    addAll(node->addMenu(tr("To an I&nput")),
           m_actions->actions({"node.input1", "node.input2", "node.input3", "node.input4",
                               "node.input5", "node.input6", "node.input7", "node.input8",
                               "node.input9"}));
}

void MainWindow::buildColorMenu(QMenu* view)
{
    QMenu* colors = view->addMenu(tr("&Color By"));
    auto* group = new QActionGroup(this);
    for (const ClassBy by : allClassBys())
    {
        QAction* action = m_actions->action(qPrintable(QStringLiteral("color.") + classByKey(by)));
        group->addAction(action);
        colors->addAction(action);
    }
    colors->addSeparator();
    colors->addAction(m_actions->action("color.next"));
}

void MainWindow::buildThemeMenu(QMenu* view)
{
    QMenu* themes = view->addMenu(tr("&Theme"));
    auto* group = new QActionGroup(this);
    for (const ThemeChoice theme : {ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark})
    {
        const QByteArray id = (QStringLiteral("theme.") + themeName(theme)).toLatin1();
        group->addAction(m_actions->action(id.constData()));
        themes->addAction(m_actions->action(id.constData()));
        m_actions->on(id.constData(), [this, theme] { setTheme(theme); });
    }
}

void MainWindow::connectActions()
{
    m_actions->on("file.open", [this] { chooseFile(); });
    m_actions->on("file.startPage", [this] { showStartPage(); });
    m_actions->on("file.quit", [this] { close(); });
    m_actions->on("view.resetLayout", [this] { arrangePanels(); });
    connect(m_actions->action("view.legend"), &QAction::toggled, this, [this](bool shown) {
        m_preferences.legend = shown;
        preferencesWereChanged();
    });
}

void MainWindow::fillRecent()
{
    m_recent->clear();
    for (const QString& path : m_preferences.recentFiles)
        m_recent->addAction(QDir::toNativeSeparators(path), this, [this, path] { open(path); });
    m_recent->setEnabled(!m_preferences.recentFiles.isEmpty());
    m_startPage->setRecentFiles(m_preferences.recentFiles);
}

} // namespace reinspect
