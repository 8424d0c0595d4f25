// SPDX-License-Identifier: MIT
// MainWindow: finding, the command palette, back and forward.
#include "app/main_window.h"

#include "app/actions.h"
#include "app/command_palette.h"
#include "app/undo_log.h"
#include "app/visit_history.h"
#include "views/canvas/graph_view.h"
#include "views/models/rule_classes.h"
#include "views/panels/find_bar.h"
#include "views/panels/scope_bar.h"
#include "views/session/run_service.h"
#include "views/session/scope_history.h"
#include "views/session/session.h"
#include "views/session/time_classes.h"

namespace reinspect
{

void MainWindow::buildFind()
{
    m_find = new FindBar(m_session, this);
    connect(m_find, &FindBar::foundChanged, m_canvas, &GraphView::setFound);
    connect(m_find, &FindBar::showOnlyRequested, this,
            [this] { m_canvas->showOnly(m_find->found(), tr("Found: %1").arg(m_find->query())); });
    m_scopeBar = new ScopeBar(m_session, m_canvas, this);
    m_actions->action("scope.grow")->setIconText(tr("Grow"));
    m_actions->action("scope.whole")->setIconText(tr("Whole"));
    m_scopeBar->setActions(m_actions->actions({"scope.grow", "scope.whole"}));
    connect(m_find, &FindBar::closed, m_canvas, [this] { m_canvas->setFocus(); });
}

void MainWindow::connectExploring()
{
    m_actions->on("edit.find", [this] { m_find->open(); });
    m_actions->on("edit.findNext", [this] { m_find->next(); });
    m_actions->on("edit.findPrevious", [this] { m_find->previous(); });
    m_actions->on("edit.palette", [this] { showPalette(); });
    m_actions->on("node.back", [this] { m_history->back(); });
    m_actions->on("node.forward", [this] { m_history->forward(); });
    connectScopes();
    connectColoring();
    const auto enable = [this] {
        m_actions->action("node.back")->setEnabled(m_history->canGoBack());
        m_actions->action("node.forward")->setEnabled(m_history->canGoForward());
    };
    connect(m_history, &VisitHistory::changed, this, enable);
    connect(m_session, &Session::selectionChanged, this, enable);
    enable();
}

void MainWindow::connectScopes()
{
    m_actions->on("scope.whole", [this] { m_canvas->showWhole(); });
    m_actions->on("scope.focus", [this] { m_canvas->focusOnSelection(); });
    m_actions->on("scope.grow", [this] { m_canvas->grow(Growth::Both); });
    m_actions->on("scope.growInputs", [this] { m_canvas->grow(Growth::Inputs); });
    m_actions->on("scope.growUsers", [this] { m_canvas->grow(Growth::Users); });
    m_actions->on("scope.hide", [this] { m_canvas->hideSelection(); });
    m_actions->on("scope.only",
                  [this] { m_canvas->showOnly(m_session->selection().nodes, tr("Chosen")); });
    m_actions->on("scope.fold", [this] { m_canvas->toggleFoldOfSelection(); });
    m_actions->on("scope.foldInner", [this] { m_canvas->foldInnerGroup(); });
    m_actions->on("scope.foldOuter", [this] { m_canvas->foldOuterGroup(); });
    m_actions->on("scope.foldAll", [this] { m_canvas->setAllFolded(true); });
    m_actions->on("scope.unfoldAll", [this] { m_canvas->setAllFolded(false); });
    connectUndo();
}

void MainWindow::connectUndo()
{
    m_undo = new UndoLog(m_session, m_canvas->scopes(), this);
    connect(m_undo, &UndoLog::coloringAsked, this, &MainWindow::setColoring);
    m_actions->on("edit.undo", [this] { m_undo->undo(); });
    m_actions->on("edit.redo", [this] { m_undo->redo(); });
    const auto show = [this] {
        QAction* undo = m_actions->action("edit.undo");
        QAction* redo = m_actions->action("edit.redo");
        undo->setEnabled(m_undo->canUndo());
        undo->setText(m_undo->undoText());
        redo->setEnabled(m_undo->canRedo());
        redo->setText(m_undo->redoText());
    };
    connect(m_undo, &UndoLog::changed, this, show);
    show();
}

void MainWindow::connectColoring()
{
    for (const ClassBy by : allClassBys())
        m_actions->on(qPrintable(QStringLiteral("color.") + classByKey(by)),
                      [this, by] { chooseColoring(by); });
    m_actions->on("color.next", [this] {
        const std::span<const ClassBy> all = allClassBys();
        chooseColoring(all[(static_cast<std::size_t>(m_coloring) + 1) % all.size()]);
    });
    connect(m_session, &Session::traceChanged, this, &MainWindow::applyColoring);
    connect(m_runs, &RunService::resultChanged, this, [this] {
        if (m_coloring == ClassBy::Time)
            applyColoring();
    });
    setColoring(m_coloring);
}

// By the reader: it can be undone.
void MainWindow::chooseColoring(ClassBy by)
{
    m_undo->addColoring(m_coloring, by);
    setColoring(by);
}

void MainWindow::setColoring(ClassBy by)
{
    m_coloring = by;
    m_actions->action(qPrintable(QStringLiteral("color.") + classByKey(by)))->setChecked(true);
    applyColoring();
}

void MainWindow::applyColoring()
{
    const auto& trace = m_session->trace();
    if (!trace)
        return;
    NodeClasses classes = m_coloring == ClassBy::Rules
        ? classifyByRules(trace, m_preferences.colorRules)
        : m_coloring == ClassBy::Time ? timeClasses()
                                      : classify(*trace, m_coloring);
    if (classes.isEmpty() && m_coloring != ClassBy::Nothing)
        m_session->setMessage(
            m_coloring == ClassBy::Rules
                ? tr("There are no rules yet. Settings has a place for them.")
                : m_coloring == ClassBy::Time
                ? tr("No times are known. A run measures each node.")
                : tr("This graph says nothing about \"%1\".").arg(classByName(m_coloring)));
    m_canvas->setClasses(std::move(classes));
}

NodeClasses MainWindow::timeClasses() const
{
    const auto& result = m_runs->result();
    const auto& trace = m_session->trace();
    return result && !result->failure && result->trace == trace
        ? classifyTimes(*trace, result->proof)
        : NodeClasses();
}

void MainWindow::showPalette()
{
    auto* palette =
        new CommandPalette(new PaletteModel(m_actions->all(), m_session->trace()), this);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    connect(palette, &CommandPalette::nodeChosen, this, [this](NodeId node) {
        m_session->setSelection({.nodes = {node}, .storage = {}});
        m_canvas->setFocus();
    });
    palette->move(mapToGlobal(QPoint((width() - palette->width()) / 2, 60)));
    palette->show();
}

} // namespace reinspect
