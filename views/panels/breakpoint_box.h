// SPDX-License-Identifier: MIT
// Where the walk shall stop: a line to add a breakpoint, and the list of them. Folds to its heading.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

class QAction;
class QListView;
class QToolButton;

namespace reinspect
{

class BreakpointModel;
class HintStack;
class Session;
class TermEdit;

class BreakpointBox : public QWidget
{
    Q_OBJECT

public:
    explicit BreakpointBox(Session* session, QWidget* parent = nullptr);

    // Run to the next or previous one, toggle: beside the heading.
    void setActions(const QList<QAction*>& actions);
    void setFolded(bool folded);
    bool isFolded() const;

    TermEdit* edit() const { return m_edit; }
    QToolButton* addButton() const { return m_add; }
    QToolButton* heading() const { return m_heading; }
    QListView* list() const { return m_list; }
    HintStack* stack() const { return m_stack; }

private:
    void buildHeading();
    void buildBody();
    void add();
    void remove();
    void showCount();

    Session* m_session;
    BreakpointModel* m_model;
    QToolButton* m_heading = nullptr;
    QWidget* m_head = nullptr;
    QWidget* m_body = nullptr;
    TermEdit* m_edit = nullptr;
    QToolButton* m_add = nullptr;
    QListView* m_list = nullptr;
    HintStack* m_stack = nullptr;
};

} // namespace reinspect
