// SPDX-License-Identifier: MIT
// Every command of the window in one table: id, text, shortcut, and when it is enabled.
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

    // The action with this id; asserts that there is one.
    QAction* action(const char* id) const;
    // "F11    Step Into" lines, for the list of keys.
    QString keyList() const;

private:
    void addSteps();
    void addView();
    void add(const char* id, const QString& text, const QList<QKeySequence>& keys, std::function<void()> run);
    void updateEnabled();

    Session* m_session;
    GraphView* m_view;
    QHash<QByteArray, QAction*> m_actions;
    QList<QAction*> m_order;
    QHash<QAction*, int> m_moves; // step actions and their Move
};

} // namespace reinspect
