// SPDX-License-Identifier: MIT
// The scopes a reader went through in one trace: what is drawn now, and what undo and redo, or a
// click on a breadcrumb, bring back. The first is where the trace opened.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QObject>

#include "views/session/scope.h"

namespace reinspect
{

class ScopeHistory : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    const Scope& current() const { return m_scopes[m_at]; }
    const std::vector<Scope>& scopes() const { return m_scopes; }
    std::size_t place() const { return m_at; } // of the current one
    bool canUndo() const { return m_at > 0; }
    bool canRedo() const { return m_at + 1 < m_scopes.size(); }

    void reset(Scope first); // forgets the others
    void push(Scope scope);  // what could be redone is gone; the current one again is no change
    void undo();
    void redo();
    void goTo(std::size_t place);

signals:
    void changed();

private:
    std::vector<Scope> m_scopes = std::vector<Scope>(1);
    std::size_t m_at = 0;
};

} // namespace reinspect
