// SPDX-License-Identifier: MIT
// The window: wires session, canvas and panels together, and owns menus, docks, the message strip and
// the status line. It decides nothing about graphs.
#pragma once

#include <QMainWindow>

#include <memory>

class QLabel;
class QMenu;
class QFrame;

namespace reinspect
{

class Actions;
class GraphView;
class Session;

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    Session* session() const { return m_session; }
    GraphView* canvas() const { return m_canvas; }
    Actions* actions() const { return m_actions; }

    void open(const QString& path);
    void openSample(const QString& fileName);
    // "light", "dark"; anything else: as the desktop has it.
    void setThemeName(const QString& name);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void buildCentre();
    void buildDocks();
    void buildMenus();
    void buildStepBar();
    void connectSession();
    void restoreLayout();
    void fillSamples(QMenu* menu);
    void fillRecent();
    void rememberFile(const QString& path);
    void chooseFile();
    void exportPicture();
    void showKeys();
    void showMessage();
    void showStatus();

    Session* m_session;
    GraphView* m_canvas;
    Actions* m_actions;
    QFrame* m_strip = nullptr;
    QLabel* m_stripText = nullptr;
    QLabel* m_status = nullptr;
    QMenu* m_recent = nullptr;
    QMenu* m_viewMenu = nullptr;
};

// The folder of samples beside the program or in its source tree; empty when there is none.
QString samplesFolder();

} // namespace reinspect
