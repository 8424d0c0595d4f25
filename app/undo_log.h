// SPDX-License-Identifier: MIT
// What the reader did, in its order, so that it can be undone: changes of what is drawn and how it is coloured, of
// the policy (with what was forced and forbidden) and of breakpoints. What is drawn is remembered by its own
// history; it is forgotten with the trace it was of, and so are those steps here.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QObject>

#include "views/session/node_classes.h"
#include "views/session/session.h"

#include <variant>

namespace reinspect
{

class ScopeHistory;

class UndoLog : public QObject
{
    Q_OBJECT

public:
    UndoLog(Session* session, ScopeHistory* scopes, QObject* parent);

    bool canUndo() const { return m_at > 0; }
    bool canRedo() const { return m_at < m_changes.size(); }
    QString undoText() const; // "Undo Policy Change"; "Undo" when there is nothing
    QString redoText() const;
    void undo();
    void redo();
    void addColoring(ClassBy before, ClassBy after); // equal ones are no change
    void clear(); // a session was opened: what was before is another work

signals:
    void changed();
    void coloringAsked(reinspect::ClassBy by); // undone or done again

private:
    struct ViewChange
    {};
    struct PolicyChange
    {
        ReinplacePolicy before;
        ReinplacePolicy after;
    };
    struct BreakpointChange
    {
        std::vector<Breakpoint> before;
        std::vector<Breakpoint> after;
    };
    struct ColoringChange
    {
        ClassBy before;
        ClassBy after;
    };
    using Change = std::variant<ViewChange, PolicyChange, BreakpointChange, ColoringChange>;

    void noteScope();
    void notePolicy();
    void noteBreakpoints();
    void add(Change change);
    void dropViews();
    void apply(const Change& change, bool isUndo);
    static QString nameOf(const Change& change);

    Session* m_session;
    ScopeHistory* m_scopes;
    std::vector<Change> m_changes;
    std::size_t m_at = 0; // those before are done, the others undone
    std::size_t m_scopePlace = 0;
    ReinplacePolicy m_policy;
    std::vector<Breakpoint> m_breakpoints;
    bool m_isApplying = false;
};

} // namespace reinspect
