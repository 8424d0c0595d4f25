// SPDX-License-Identifier: MIT
// The window: wires session, picture and panels together, and owns menus, docks and the status
// line. It decides nothing about graphs, and keeps its preferences as a value that whoever made it
// may save.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QMainWindow>

#include "app/preferences.h"
#include "app/tab_state.h"
#include "views/session/node_classes.h"

class QComboBox;
class QDockWidget;
class QLabel;
class QToolButton;

namespace reinspect
{

class Actions;
class ComparePanel;
class DocumentTabs;
class FindBar;
class GraphView;
class LivePanel;
class LiveService;
class MemoryPanel;
class MessageStrip;
class PolicyPanel;
class RunPanel;
class RunService;
class ScopeBar;
class Session;
struct SessionFile;
class StartPage;
class StepPanel;
class TimelinePanel;
class Tour;
class UndoLog;
class ValuePanel;
class VerdictPanel;
class VisitHistory;

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(Preferences preferences = {}, QWidget* parent = nullptr);
    ~MainWindow() override;

    Session* session() const { return m_session; }
    GraphView* canvas() const { return m_canvas; }
    Actions* actions() const { return m_actions; }
    MessageStrip* strip() const { return m_strip; }
    StepPanel* steps() const { return m_steps; }
    StartPage* startPage() const { return m_startPage; }
    VerdictPanel* verdicts() const { return m_verdicts; }
    ComparePanel* compare() const { return m_compare; }
    PolicyPanel* policyPanel() const { return m_policyPanel; }
    QToolButton* policyButton() const { return m_policyButton; }
    RunService* runs() const { return m_runs; }
    RunPanel* runPanel() const { return m_runPanel; }
    MemoryPanel* memoryPanel() const { return m_memoryPanel; }
    ValuePanel* valuePanel() const { return m_valuePanel; }
    TimelinePanel* timelinePanel() const { return m_timelinePanel; }
    LiveService* live() const { return m_live; }
    LivePanel* livePanel() const { return m_livePanel; }
    DocumentTabs* tabs() const { return m_tabs; }
    UndoLog* undoLog() const { return m_undo; }
    FindBar* find() const { return m_find; }
    ScopeBar* scopeBar() const { return m_scopeBar; }
    QLabel* statusText() const { return m_status; }
    const Preferences& preferences() const { return m_preferences; }

    void open(const QString& path);
    void setTheme(ThemeChoice theme);
    void setReceiving(bool on); // captures of running programs; remembered
    void setColoring(ClassBy by);
    ClassBy coloring() const { return m_coloring; }
    // Of a run before this one; false, and nothing said, when there is none.
    bool openLastSession(const QString& path);
    void saveLastSession(const QString& path);
    bool saveReport(const QString& path);  // needs a trace; what went wrong is said
    bool saveSession(const QString& path); // "*.reinspect"; what went wrong is said
    void showStartPage();
    // "verdicts", "compare", "policy", "run", "timeline", "memory", "values" or "captures"
    bool showPanelNamed(const std::string& name);
    void startTour();
    Tour* tour() const { return m_tour; } // null: not running

signals:
    void preferencesChanged(const reinspect::Preferences& preferences);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void buildCentre();
    void buildDocks();
    void buildStartPage();
    void buildStatusLine();
    void buildMenus();
    void buildFileMenu();
    void buildViewMenu();
    void buildThemeMenu(QMenu* view);
    void buildDecisionDocks();
    void arrangeDecisionDocks();
    void buildLiveDock();
    void connectLive();
    void applyLive();
    void showLive();
    void showCaptureDialog();
    void buildRunDocks();
    void chooseResults();
    void arrangeRunDocks();
    void connectRuns();
    void applyRemote();
    void showRemoteDialog();
    void proveDecision();
    void buildRunMenu();
    void buildPassMenu();
    QToolButton* makePolicyButton();
    void connectDecisions(); // policies, overrides, breakpoints
    void applyDecisionPreferences();
    void showPanel(QDockWidget* dock);
    void showPolicy();
    void rememberPolicy();
    void keepView(); // scope and zoom, over a change of policy
    void rememberBreakpoints();
    void buildEditMenu();
    void buildNodeMenu();
    void buildFind();
    void connectActions();
    void connectExploring(); // find, palette, back and forward
    void connectScopes();
    void connectUndo();
    void connectColoring();
    void chooseColoring(ClassBy by);
    void applyColoring();
    NodeClasses timeClasses() const; // of the last run
    void buildColorMenu(QMenu* view);
    void showPalette();
    void buildTabs();
    void connectDocuments();
    void pasteGraph();
    void openSession(const QString& path);
    void takeSession(SessionFile session);
    SessionFile currentSession(); // without the panels
    void chooseSessionFile();
    void openEditor();
    void showCompare();
    void connectSession();
    void applyPreferences();
    QDockWidget* addPanel(const char* id, const QString& title, QWidget* panel,
                          Qt::DockWidgetArea area);
    void arrangePanels();
    void fillRecent();
    void rememberFile(const QString& path);
    void chooseFile();
    void connectExports();
    void exportPicture();
    void exportReport();
    void copyNode();
    void copyText(const QString& text, const QString& what);
    QString documentName() const;
    void showKeys();
    void showAbout();
    void connectHelp();
    void showSettings();
    void showDocument();
    void showStatus();
    void preferencesWereChanged();

    Preferences m_preferences;
    ClassBy m_coloring = ClassBy::Nothing;
    Session* m_session;
    RunService* m_runs;
    LiveService* m_live;
    GraphView* m_canvas;
    Actions* m_actions;
    MessageStrip* m_strip = nullptr;
    FindBar* m_find = nullptr;
    DocumentTabs* m_tabs = nullptr;
    ScopeBar* m_scopeBar = nullptr;
    VisitHistory* m_history;
    UndoLog* m_undo = nullptr;
    Tour* m_tour = nullptr; // while it runs
    StepPanel* m_steps = nullptr;
    VerdictPanel* m_verdicts = nullptr;
    ComparePanel* m_compare = nullptr;
    PolicyPanel* m_policyPanel = nullptr;
    RunPanel* m_runPanel = nullptr;
    MemoryPanel* m_memoryPanel = nullptr;
    TimelinePanel* m_timelinePanel = nullptr;
    ValuePanel* m_valuePanel = nullptr;
    LivePanel* m_livePanel = nullptr;
    QToolButton* m_liveButton = nullptr;
    QToolButton* m_policyButton = nullptr;
    QMenu* m_policyMenu = nullptr;
    QString m_fileName;
    std::optional<TabState::Place> m_viewBefore; // the policy changed, the new run is not there yet
    StartPage* m_startPage = nullptr;
    QLabel* m_status = nullptr;
    QLabel* m_totals = nullptr;
    QComboBox* m_graphs = nullptr;
    QMenu* m_recent = nullptr;
    QDockWidget* m_stepsDock = nullptr;
    QDockWidget* m_inspectorDock = nullptr;
    QDockWidget* m_startDock = nullptr;
    QDockWidget* m_aliasDock = nullptr;
    QDockWidget* m_sourceDock = nullptr;
    QDockWidget* m_verdictsDock = nullptr;
    QDockWidget* m_compareDock = nullptr;
    QDockWidget* m_policyDock = nullptr;
    QDockWidget* m_graphsDock = nullptr;
    QDockWidget* m_runDock = nullptr;
    QDockWidget* m_memoryDock = nullptr;
    QDockWidget* m_timelineDock = nullptr;
    QDockWidget* m_valuesDock = nullptr;
    QDockWidget* m_liveDock = nullptr;
};

} // namespace reinspect
