// SPDX-License-Identifier: MIT
// The window: wires session, picture and panels together, and owns menus, docks and the status
// line. It decides nothing about graphs, and keeps its preferences as a value that whoever made it
// may save.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QMainWindow>

#include "app/preferences.h"

class QComboBox;
class QDockWidget;
class QLabel;

namespace reinspect
{

class Actions;
class FindBar;
class GraphView;
class MessageStrip;
class ScopeBar;
class Session;
class StartPage;
class StepPanel;
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
    FindBar* find() const { return m_find; }
    ScopeBar* scopeBar() const { return m_scopeBar; }
    QLabel* statusText() const { return m_status; }
    const Preferences& preferences() const { return m_preferences; }

    void open(const QString& path);
    void setTheme(ThemeChoice theme);
    void showStartPage();

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
    void buildEditMenu();
    void buildNodeMenu();
    void buildFind();
    void connectActions();
    void connectExploring(); // find, palette, back and forward
    void connectScopes();
    void showPalette();
    void connectSession();
    void applyPreferences();
    QDockWidget* addPanel(const char* id, const QString& title, QWidget* panel,
                          Qt::DockWidgetArea area);
    void arrangePanels();
    void fillRecent();
    void rememberFile(const QString& path);
    void chooseFile();
    void exportPicture();
    void showKeys();
    void showAbout();
    void showDocument();
    void showStatus();
    void preferencesWereChanged();

    Preferences m_preferences;
    Session* m_session;
    GraphView* m_canvas;
    Actions* m_actions;
    MessageStrip* m_strip = nullptr;
    FindBar* m_find = nullptr;
    ScopeBar* m_scopeBar = nullptr;
    VisitHistory* m_history;
    StepPanel* m_steps = nullptr;
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
};

} // namespace reinspect
