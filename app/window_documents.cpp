// SPDX-License-Identifier: MIT
// MainWindow: documents and their tabs, sessions, the clipboard, the editor.
#include "app/main_window.h"

#include "app/actions.h"
#include "app/compare_window.h"
#include "app/document_tabs.h"
#include "app/editor_command.h"
#include "app/session_file.h"
#include "app/undo_log.h"
#include "views/canvas/graph_view.h"
#include "views/panels/find_bar.h"
#include "views/panels/graphs_panel.h"
#include "views/session/qt_text.h"
#include "views/session/run_service.h"
#include "views/session/session.h"

#include <QClipboard>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>

namespace reinspect
{

void MainWindow::buildTabs()
{
    m_tabs = new DocumentTabs(m_session, m_canvas, this);
    connect(m_tabs, &DocumentTabs::aboutToLeave, this, [this](TabState& state) {
        state.coloring = classByKey(m_coloring);
        state.query = m_find->isVisible() ? m_find->query() : QString();
    });
    connect(m_tabs, &DocumentTabs::shown, this, [this](const TabState& state) {
        m_fileName = state.title();
        showPolicy();
        setColoring(classByNamed(state.coloring));
        m_find->setQuery(state.query);
    });
    connect(m_session, &Session::documentChanged, this, [this] {
        if (m_session->document())
            return;
        m_fileName.clear();
        setWindowTitle(QStringLiteral("Reinspect"));
    });
}

void MainWindow::connectDocuments()
{
    m_actions->on("file.paste", [this] { pasteGraph(); });
    m_actions->on("file.saveSession", [this] { chooseSessionFile(); });
    m_actions->on("file.stop", [this] { m_session->stopWork(); });
    connect(m_session, &Session::busyChanged, this,
            [this] { m_actions->action("file.stop")->setEnabled(m_session->isBusy()); });
    m_actions->action("file.stop")->setEnabled(false);
    m_actions->on("file.reload", [this] { m_tabs->reload(); });
    m_actions->on("file.closeTab", [this] { m_tabs->closeTab(m_tabs->currentIndex()); });
    m_actions->on("file.reopenTab", [this] { m_tabs->reopen(); });
    m_actions->action("file.reopenTab")->setEnabled(false);
    connect(m_tabs, &DocumentTabs::closedChanged, this,
            [this] { m_actions->action("file.reopenTab")->setEnabled(m_tabs->canReopen()); });
    const auto turn = [this](int by) {
        const int count = m_tabs->count();
        if (count > 1)
            m_tabs->setCurrentIndex((m_tabs->currentIndex() + by + count) % count);
    };
    m_actions->on("file.nextTab", [turn] { turn(1); });
    m_actions->on("file.previousTab", [turn] { turn(-1); });
    m_actions->on("view.compare", [this] { showCompare(); });
    m_actions->on("node.editor", [this] { openEditor(); });
}

void MainWindow::open(const QString& path)
{
    if (path.endsWith(QLatin1String(".reinspect")))
        openSession(path);
    else
        m_tabs->open(path);
}

void MainWindow::pasteGraph()
{
    const QString text = QGuiApplication::clipboard()->text();
    if (text.trimmed().isEmpty())
        return m_session->setMessage(
            tr("The clipboard holds no text. Copy a graph as text first, then paste it here."));
    m_tabs->openText(tr("pasted text"), text);
}

void MainWindow::openSession(const QString& path)
{
    Result<SessionFile> session = readSessionFile(path);
    if (!session)
        return m_session->setMessage(stripText(session.error()));
    if (!session->state.isEmpty())
        restoreState(session->state);
    takeSession(std::move(*session));
    addRecentFile(m_preferences, path);
    fillRecent();
    preferencesWereChanged();
}

// The policy comes before the documents: a place in a trace is one of the run with it.
void MainWindow::takeSession(SessionFile session)
{
    m_runs->setSeed(session.seed);
    if (session.policy)
    {
        m_preferences.breakpoints = session.breakpoints;
        m_session->setBreakpoints(breakpointsFrom(session.breakpoints));
        m_session->setPolicy(std::move(*session.policy));
        if (session.followsCapture)
            m_session->followCapture();
        rememberPolicy();
    }
    m_undo->clear();
    m_tabs->restore(std::move(session.tabs), session.current);
}

bool MainWindow::openLastSession(const QString& path)
{
    Result<SessionFile> session = readSessionFile(path);
    if (!session)
        return false;
    takeSession(std::move(*session));
    return true;
}

SessionFile MainWindow::currentSession()
{
    return {.tabs = m_tabs->savedStates(),
            .current = std::max(m_tabs->currentIndex(), 0),
            .geometry = {},
            .state = {},
            .seed = static_cast<quint32>(m_runs->seed()),
            .policy = m_session->policy(),
            .followsCapture = m_session->followsCapture(),
            .breakpoints = breakpointTexts(m_session->breakpoints())};
}

void MainWindow::saveLastSession(const QString& path)
{
    const SessionFile session = currentSession();
    if (!session.tabs.empty() && QDir().mkpath(QFileInfo(path).absolutePath()))
        (void)writeSessionFile(path, session);
}

bool MainWindow::saveSession(const QString& path)
{
    SessionFile session = currentSession();
    session.geometry = saveGeometry();
    session.state = saveState();
    const Result<void> saved = writeSessionFile(path, session);
    m_session->setMessage(saved.ok() ? tr("The session was saved to \"%1\".").arg(path)
                                     : stripText(saved.error()));
    return saved.ok();
}

void MainWindow::chooseSessionFile()
{
    QString path =
        QFileDialog::getSaveFileName(this, tr("Save Session"), QStringLiteral("session.reinspect"),
                                     tr("Sessions (*.reinspect)"));
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".reinspect");
    if (saveSession(path))
    {
        addRecentFile(m_preferences, path);
        fillRecent();
        preferencesWereChanged();
    }
}

// The stages of what is open first, then its other graphs, then the other documents.
void MainWindow::showCompare()
{
    const auto& document = m_session->document();
    if (!document)
        return;
    const TabState* tab = m_tabs->current();
    std::vector<CompareSource> sources =
        stagesOf(document, m_session->graphIndex(), tab ? tab->title() : tr("This graph"),
                 m_session->policy());
    for (std::size_t graph = 0; graph < document->graphs.size(); ++graph)
    {
        if (graph != m_session->graphIndex())
            sources.push_back({tr("Graph %1: %2, as loaded")
                                   .arg(graph + 1)
                                   .arg(toQString(document->graphs[graph].graph->name)),
                               document, graph});
    }
    for (const TabState& state : m_tabs->states())
    {
        if (!state.document || state.document == document)
            continue;
        const std::vector<CompareSource> stages = stagesOf(state.document, 0, state.title());
        sources.push_back(stages.front());
        sources.push_back(stages[kFinishedStage]);
    }
    auto* window = new CompareWindow(std::move(sources), 0, kFinishedStage, this);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->setTheme(m_canvas->theme());
    window->show();
}

void MainWindow::openEditor()
{
    const NodeId node = m_session->selection().primary();
    if (!node || !m_session->trace())
        return;
    const TabState* tab = m_tabs->current();
    const SourcePlace place =
        sourcePlaceOf(m_session->trace()->result->node(node), tab ? tab->path : QString());
    const Result<void> started = openInEditor(m_preferences.editorCommand, place);
    if (!started)
        m_session->setMessage(stripText(started.error()));
}

} // namespace reinspect
