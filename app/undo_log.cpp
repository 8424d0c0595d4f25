// SPDX-License-Identifier: MIT
#include "app/undo_log.h"

#include "views/session/scope_history.h"

namespace reinspect
{

static constexpr std::size_t kMost = 200;

UndoLog::UndoLog(Session* session, ScopeHistory* scopes, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_scopes(scopes)
    , m_policy(session->policy())
    , m_breakpoints(session->breakpoints())
{
    connect(scopes, &ScopeHistory::changed, this, &UndoLog::noteScope);
    connect(session, &Session::policyChanged, this, &UndoLog::notePolicy);
    connect(session, &Session::breakpointsChanged, this, &UndoLog::noteBreakpoints);
    // A trace opens with a history of its own, of which the picture says nothing.
    connect(session, &Session::traceChanged, this, &UndoLog::dropViews);
    connect(session, &Session::documentChanged, this, &UndoLog::dropViews);
}

QString UndoLog::nameOf(const Change& change)
{
    if (std::holds_alternative<ViewChange>(change))
        return tr("View Change");
    if (std::holds_alternative<ColoringChange>(change))
        return tr("Coloring");
    return std::holds_alternative<PolicyChange>(change) ? tr("Policy Change")
                                                        : tr("Breakpoint Change");
}

QString UndoLog::undoText() const
{
    return canUndo() ? tr("&Undo %1").arg(nameOf(m_changes[m_at - 1])) : tr("&Undo");
}

QString UndoLog::redoText() const
{
    return canRedo() ? tr("&Redo %1").arg(nameOf(m_changes[m_at])) : tr("&Redo");
}

void UndoLog::add(Change change)
{
    m_changes.resize(m_at);
    m_changes.push_back(std::move(change));
    if (m_changes.size() > kMost)
        m_changes.erase(m_changes.begin());
    m_at = m_changes.size();
    emit changed();
}

// A history that is reset forgets its scopes; one that grew has a scope to go back from. A click on a
// breadcrumb goes back by itself.
void UndoLog::noteScope()
{
    const std::size_t before = std::exchange(m_scopePlace, m_scopes->place());
    if (m_isApplying)
        return;
    if (!m_scopes->canUndo() && !m_scopes->canRedo())
        return dropViews();
    if (m_scopePlace > before && !m_scopes->canRedo())
        add(ViewChange{});
}

void UndoLog::dropViews()
{
    m_scopePlace = m_scopes->place();
    if (m_scopes->canUndo() || m_scopes->canRedo())
        return;
    std::vector<Change> kept;
    std::size_t at = 0;
    for (std::size_t i = 0; i < m_changes.size(); ++i)
    {
        if (std::holds_alternative<ViewChange>(m_changes[i]))
            continue;
        kept.push_back(std::move(m_changes[i]));
        at += i < m_at ? 1 : 0;
    }
    m_changes = std::move(kept);
    m_at = at;
    emit changed();
}

void UndoLog::notePolicy()
{
    ReinplacePolicy before = std::exchange(m_policy, m_session->policy());
    const bool isOfCapture = m_session->followsCapture() && before.name != m_policy.name;
    if (!m_isApplying && !isOfCapture)
        add(PolicyChange{std::move(before), m_policy});
}

void UndoLog::noteBreakpoints()
{
    std::vector<Breakpoint> before = std::exchange(m_breakpoints, m_session->breakpoints());
    if (!m_isApplying)
        add(BreakpointChange{std::move(before), m_breakpoints});
}

void UndoLog::addColoring(ClassBy before, ClassBy after)
{
    if (before != after && !m_isApplying)
        add(ColoringChange{before, after});
}

void UndoLog::apply(const Change& change, bool isUndo)
{
    m_isApplying = true;
    if (const PolicyChange* policy = std::get_if<PolicyChange>(&change))
        m_session->setPolicy(isUndo ? policy->before : policy->after);
    else if (const BreakpointChange* stops = std::get_if<BreakpointChange>(&change))
        m_session->setBreakpoints(isUndo ? stops->before : stops->after);
    else if (const ColoringChange* coloring = std::get_if<ColoringChange>(&change))
        emit coloringAsked(isUndo ? coloring->before : coloring->after);
    else if (isUndo)
        m_scopes->undo();
    else
        m_scopes->redo();
    m_isApplying = false;
    emit changed();
}

void UndoLog::undo()
{
    if (canUndo())
        apply(Change(m_changes[--m_at]), true);
}

void UndoLog::redo()
{
    if (canRedo())
        apply(Change(m_changes[m_at++]), false);
}

void UndoLog::clear()
{
    m_changes.clear();
    m_at = 0;
    m_scopePlace = m_scopes->place();
    emit changed();
}

} // namespace reinspect
