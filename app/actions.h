// SPDX-License-Identifier: MIT
// Every command of the window in one table: id, text, keys, icon, and when it is enabled. What a
// command does is connected where its object is: steps to the session and zoom to the picture here,
// the rest by the window.
#pragma once

#include <QAction>
#include <QHash>

#include <functional>

namespace reinspect
{

class GraphView;
class Session;

class Actions : public QObject
{
    Q_OBJECT

public:
    Actions(Session* session, GraphView* view, QObject* parent);

    // The command with this id; asserts that there is one.
    QAction* action(const char* id) const;
    // Commands by id; an empty id is a separator and gives null.
    QList<QAction*> actions(std::initializer_list<const char*> ids) const;
    void on(const char* id, std::function<void()> run);
    // All commands that have keys, as rows of a table.
    QString keyTable() const;

private:
    void makeActions();
    void connectSteps();
    void connectView();
    void updateEnabled();
    bool isEnabled(std::size_t row) const;

    Session* m_session;
    GraphView* m_view;
    QList<QAction*> m_actions; // as the table
};

} // namespace reinspect
