// SPDX-License-Identifier: MIT
// Where are we in the pass? The sentence of the current event in full, with the nodes it names as
// links, the tree of all events, and the breakpoints. The step buttons are actions of the window, handed in.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

class QLabel;
class QTextBrowser;
class QToolBar;
class QTreeView;

namespace reinspect
{

class BreakpointBox;
class EventTreeModel;
class HintStack;
class Session;

class StepPanel : public QWidget
{
    Q_OBJECT

public:
    explicit StepPanel(Session* session, QWidget* parent = nullptr);

    // Null actions are separators.
    void setStepActions(const QList<QAction*>& actions);
    BreakpointBox* breakpoints() const { return m_breakpoints; }

    QString sentence() const;     // plain text of the current event
    QString positionText() const; // "Step 3 of 41"
    QTreeView* tree() const { return m_tree; }
    HintStack* stack() const { return m_stack; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildToolBar();
    void buildSentence();
    void buildTree();
    void buildLayout();
    void connectSession();
    void showTrace();
    void showEvent();
    void fillSentence();
    void goToClicked(const QModelIndex& index);
    void followLink(const QUrl& link);
    QString emptyText() const;

    Session* m_session;
    EventTreeModel* m_model;
    QToolBar* m_toolBar = nullptr;
    QLabel* m_position = nullptr;
    QTextBrowser* m_sentence = nullptr;
    QTreeView* m_tree = nullptr;
    BreakpointBox* m_breakpoints = nullptr;
    HintStack* m_stack = nullptr;
};

} // namespace reinspect
