// SPDX-License-Identifier: MIT
// The open documents, one tab each. The session looks at one of them; the others are kept as values
// with the place the reader left. A document is read when its tab is first shown, and read again when
// its file changes, at the same place.
#pragma once

#include <QTabBar>

#include "app/tab_state.h"

class QFileSystemWatcher;
class QTimer;

namespace reinspect
{

class DocumentTabs : public QTabBar
{
    Q_OBJECT

public:
    DocumentTabs(Session* session, GraphView* view, QWidget* parent = nullptr);

    // A tab for the file, or the one that it has already; read anew in both cases.
    void open(const QString& path);
    void openText(const QString& name, const QString& text);
    void closeTab(int index);
    void reopen(); // what was closed last
    bool canReopen() const { return !m_closed.empty(); }
    void reload(); // the current one

    const std::vector<TabState>& states() const { return m_states; }
    // As they are now, the place of the current one included.
    std::vector<TabState> savedStates();
    void restore(std::vector<TabState> states, int current);
    const TabState* current() const;

signals:
    // The current document is at its place: what else belongs to the tab can be set.
    void shown(const reinspect::TabState& state);
    // What else belongs to the tab is asked for: colouring, query.
    void aboutToLeave(reinspect::TabState& state);
    void closedChanged();

private:
    void leave();
    void load(int index);
    void show(int index);
    void takeOpened(const QString& path);
    void takeTrace();
    void watch();
    void fileChanged(const QString& path);
    int indexOf(const QString& path) const;
    void updateBar();

    Session* m_session;
    GraphView* m_view;
    std::vector<TabState> m_states;
    std::vector<TabState> m_closed; // the last ones, without their documents
    int m_shown = -1;               // the tab whose document the session has
    int m_loading = -1;             // the tab that is being read
    bool m_isRestoring = false;     // the place is yet to be restored
    QString m_pastedPath;           // of the text that is being read
    QString m_pastedText;
    QFileSystemWatcher* m_watcher;
    QTimer* m_reloading;
};

} // namespace reinspect
