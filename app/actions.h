// SPDX-License-Identifier: MIT
// Every command of the window in one table: id, text, keys, icon, and when it is enabled. What a
// command does is connected where its object is: steps to the session and zoom to the picture here,
// the rest by the window.
#pragma once

#include <QAction>
#include <QHash>
#include <QMap>

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
    const QList<QAction*>& all() const { return m_actions; }

    // Keys can be changed; the table's come back with resetKeys(). Those that differ from the
    // table's, by id, are what preferences keep.
    const QAction* ownerOf(const QKeySequence& key) const; // null: free
    void setKeys(QAction* action, const QList<QKeySequence>& keys);
    void resetKeys(QAction* action);
    QMap<QString, QString> changedKeys() const;
    void applyChangedKeys(const QMap<QString, QString>& keys); // unknown ids are passed over

    static QString keysText(const QAction& action);  // "Ctrl+F, /"
    static QString plainText(const QAction& action); // without "&" and "..."

private:
    void makeActions();
    void connectSteps();
    void connectView();
    void connectWalks();
    void showKeys(QAction* action);
    void updateEnabled();
    bool isEnabled(std::size_t row) const;

    Session* m_session;
    GraphView* m_view;
    QList<QAction*> m_actions; // as the table
};

} // namespace reinspect
