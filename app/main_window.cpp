// SPDX-License-Identifier: MIT
#include "app/main_window.h"

#include "app/actions.h"
#include "app/dock_tabs.h"
#include "app/document_tabs.h"
#include "app/start_page.h"
#include "app/undo_log.h"
#include "app/visit_history.h"
#include "views/canvas/graph_view.h"
#include "views/models/tensor_words.h"
#include "views/panels/alias_panel.h"
#include "views/panels/find_bar.h"
#include "views/panels/graphs_panel.h"
#include "views/panels/inspector_panel.h"
#include "views/panels/message_strip.h"
#include "views/panels/scope_bar.h"
#include "views/panels/source_panel.h"
#include "views/panels/step_panel.h"
#include "views/session/live_service.h"
#include "views/session/qt_text.h"
#include "views/session/run_service.h"
#include "views/session/session.h"

#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QScreen>
#include <QStatusBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace reinspect
{

MainWindow::MainWindow(Preferences preferences, QWidget* parent)
    : QMainWindow(parent)
    , m_preferences(std::move(preferences))
    , m_session(new Session(this))
    , m_runs(new RunService(m_session, this))
    , m_live(new LiveService(this))
    , m_canvas(new GraphView(m_session, this))
    , m_actions(new Actions(m_session, m_canvas, this))
    , m_history(new VisitHistory(m_session, this))
{
    setWindowTitle(QStringLiteral("Reinspect"));
    setAcceptDrops(true);
    buildCentre();
    buildDocks();
    buildDecisionDocks();
    buildRunDocks();
    buildLiveDock();
    buildStartPage();
    buildStatusLine();
    buildMenus();
    connectActions();
    connectDecisions();
    connectRuns();
    connectLive();
    connectExploring();
    connectDocuments();
    connectExports();
    connectHelp();
    connectSession();
    applyPreferences();
    m_undo->clear(); // what was remembered is nothing that the reader did just now
}

MainWindow::~MainWindow() = default;

void MainWindow::buildCentre()
{
    auto* centre = new QWidget(this);
    m_strip = new MessageStrip(m_session, centre);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    buildTabs();
    buildFind();
    column->addWidget(m_tabs);
    column->addWidget(m_strip);
    column->addWidget(m_find);
    column->addWidget(m_scopeBar);
    column->addWidget(m_canvas, 1);
    setCentralWidget(centre);
}

QDockWidget* MainWindow::addPanel(const char* id, const QString& title, QWidget* panel,
                                  Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(QLatin1String(id));
    dock->setWidget(panel);
    addDockWidget(area, dock);
    return dock;
}

void MainWindow::buildDocks()
{
    m_steps = new StepPanel(m_session, this);
    m_steps->setStepActions(
        m_actions->actions({"step.start", "step.previousRefusal", "step.previousDecision",
                            "step.back", "", "step.into", "step.over", "step.out", "",
                            "step.nextDecision", "step.nextRefusal", "step.end"}));
    m_stepsDock = addPanel("dock.steps", tr("Steps"), m_steps, Qt::LeftDockWidgetArea);
    m_inspectorDock =
        addPanel("dock.inspector", tr("Inspector"), new InspectorPanel(m_session, m_runs, this),
                 Qt::RightDockWidgetArea);
    m_sourceDock = addPanel("dock.source", tr("Source"), new SourcePanel(m_session, this),
                            Qt::BottomDockWidgetArea);
    m_aliasDock = addPanel("dock.aliases", tr("Aliases"), new AliasPanel(m_session, this),
                           Qt::BottomDockWidgetArea);
    m_graphsDock = addPanel("dock.graphs", tr("Graphs"), new GraphsPanel(m_session, this),
                            Qt::RightDockWidgetArea);
    m_graphsDock->hide();
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
    new DockTabs(this);
}

void MainWindow::buildStartPage()
{
    m_startPage = new StartPage(this);
    m_startDock = addPanel("dock.start", tr("Start"), m_startPage, Qt::RightDockWidgetArea);
    connect(m_startPage, &StartPage::chosen, this, &MainWindow::open);
    connect(m_startPage, &StartPage::chosen, this, [this] { m_inspectorDock->raise(); });
    connect(m_startPage, &StartPage::openRequested, this, &MainWindow::chooseFile);
    m_startDock->hide();
}

void MainWindow::showStartPage()
{
    m_startDock->show();
    m_startDock->raise();
}

// Sizes for the window as it is now; the picture keeps what is left.
void MainWindow::arrangePanels()
{
    // Out of their places first: moved one by one they would stand side by side, and the window would grow.
    for (QDockWidget* dock : findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
        removeDockWidget(dock);
    addDockWidget(Qt::LeftDockWidgetArea, m_stepsDock);
    addDockWidget(Qt::RightDockWidgetArea, m_inspectorDock);
    tabifyDockWidget(m_inspectorDock, m_startDock);
    tabifyDockWidget(m_inspectorDock, m_graphsDock);
    tabifyDockWidget(m_inspectorDock, m_liveDock);
    m_liveDock->setVisible(m_live->isOn());
    addDockWidget(Qt::BottomDockWidgetArea, m_sourceDock);
    addDockWidget(Qt::BottomDockWidgetArea, m_aliasDock);
    for (QDockWidget* dock : {m_stepsDock, m_inspectorDock, m_sourceDock, m_aliasDock})
    {
        dock->setFloating(false);
        dock->show();
    }
    splitDockWidget(m_sourceDock, m_aliasDock, Qt::Horizontal);
    arrangeDecisionDocks();
    arrangeRunDocks();
    resizeDocks({m_stepsDock, m_inspectorDock}, {width() * 27 / 100, width() * 23 / 100},
                Qt::Horizontal);
    resizeDocks({m_sourceDock, m_aliasDock}, {width() * 38 / 100, width() * 35 / 100},
                Qt::Horizontal);
    resizeDocks({m_sourceDock, m_aliasDock}, {height() * 27 / 100, height() * 27 / 100},
                Qt::Vertical);
}

void MainWindow::buildStatusLine()
{
    m_status = new QLabel(this);
    m_totals = new QLabel(this);
    m_graphs = new QComboBox(this);
    m_graphs->setAccessibleName(tr("Graph of the file"));
    connect(m_graphs, &QComboBox::activated, this,
            [this](int index) { m_session->setGraphIndex(static_cast<std::size_t>(index)); });
    statusBar()->addWidget(m_graphs);
    statusBar()->addWidget(m_status, 1);
    statusBar()->addPermanentWidget(m_liveButton);
    statusBar()->addPermanentWidget(makePolicyButton());
    statusBar()->addPermanentWidget(m_totals);
}

void MainWindow::connectSession()
{
    connect(m_session, &Session::opened, this, &MainWindow::rememberFile);
    connect(m_session, &Session::documentChanged, this, &MainWindow::showDocument);
    for (const auto signal : {&Session::documentChanged, &Session::traceChanged,
                              &Session::eventChanged, &Session::busyChanged})
        connect(m_session, signal, this, &MainWindow::showStatus);
    showDocument();
    showStatus();
}

void MainWindow::applyPreferences()
{
    setTheme(m_preferences.theme);
    m_actions->action("view.legend")->setChecked(m_preferences.legend);
    m_canvas->setLayoutLimit(m_preferences.layoutSeconds);
    m_actions->applyChangedKeys(m_preferences.keys);
    fillRecent();
    applyDecisionPreferences();
    resize(QSize(1600, 1000).boundedTo(screen()->availableSize() * 0.95));
    const bool isRestored = restoreGeometry(m_preferences.geometry);
    if (!isRestored || !restoreState(m_preferences.state))
        arrangePanels();
    applyLive();
    applyRemote();
    m_canvas->setFocus();
}

void MainWindow::rememberFile(const QString& path)
{
    if (path.startsWith(QLatin1String(":/")))
        return;
    addRecentFile(m_preferences, path);
    fillRecent();
    preferencesWereChanged();
}

void MainWindow::chooseFile()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a Graph"), {},
        tr("Graphs (*.json *.txt *.fx *.py *.log *.reinspect);;All files (*)"));
    if (!path.isEmpty())
        open(path);
}

void MainWindow::showDocument()
{
    const auto& document = m_session->document();
    const std::size_t count = document ? document->graphs.size() : 0;
    m_graphs->clear();
    m_graphs->setVisible(count > 1);
    if (count > 1 && m_graphsDock->isHidden())
        m_graphsDock->show(); // behind the inspector
    for (std::size_t i = 0; i < count; ++i)
    {
        const DocumentGraph& graph = document->graphs[i];
        m_graphs->addItem(tr("Graph %1: %2").arg(i + 1).arg(toQString(graph.graph->name)));
    }
    m_graphs->setCurrentIndex(static_cast<int>(m_session->graphIndex()));
}

void MainWindow::showStatus()
{
    m_totals->clear();
    if (!m_session->document())
        return m_status->setText(
            m_session->isBusy() ? tr("Reading...") : tr("Open a file, or drop one on the window."));
    const Document& document = *m_session->document();
    const Graph& graph = *document.graphs[m_session->graphIndex()].graph;
    const QString name =
        toQString(document.caseName.empty() ? document.fileName() : document.caseName);
    QStringList parts{QFileInfo(name).fileName(),
                      counted(static_cast<qsizetype>(graph.size()), tr("node"), tr("nodes"))};
    if (m_session->isBusy())
        parts.append(tr("working..."));
    if (m_session->event())
        parts.append(m_steps->positionText());
    m_status->setText(parts.join(QStringLiteral("   \u00b7   ")));
    if (!m_session->trace())
        return;
    const PassSummary& summary = m_session->trace()->summary;
    m_totals->setText(tr("%1 in place, %2 kept, %3 missed")
                          .arg(summary.reinplaced)
                          .arg(summary.kept)
                          .arg(bytesText(summary.missedBytes)));
}

void MainWindow::setTheme(ThemeChoice theme)
{
    static const QPalette desktop = QApplication::palette();
    const Theme& colors = theme == ThemeChoice::Light ? Theme::light()
        : theme == ThemeChoice::Dark                  ? Theme::dark()
                                                      : Theme::matching(desktop);
    QApplication::setPalette(colors.palette());
    m_canvas->setTheme(colors);
    m_actions->action(qPrintable(QStringLiteral("theme.") + themeName(theme)))->setChecked(true);
    if (m_preferences.theme == theme)
        return;
    m_preferences.theme = theme;
    preferencesWereChanged();
}

void MainWindow::preferencesWereChanged()
{
    emit preferencesChanged(m_preferences);
}

static QStringList droppedFiles(const QMimeData& data)
{
    QStringList files;
    for (const QUrl& url : data.urls())
    {
        if (!url.toLocalFile().isEmpty())
            files.append(url.toLocalFile());
    }
    return files;
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!droppedFiles(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QStringList paths = droppedFiles(*event->mimeData());
    if (paths.isEmpty())
        return;
    event->acceptProposedAction();
    open(paths.first());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    m_preferences.geometry = saveGeometry();
    m_preferences.state = saveState();
    preferencesWereChanged();
    QMainWindow::closeEvent(event);
}

} // namespace reinspect
