// SPDX-License-Identifier: MIT
#include "views/session/scope_history.h"

namespace reinspect
{

static constexpr std::size_t kMost = 100;

void ScopeHistory::reset(Scope first)
{
    const bool isSame = m_scopes.size() == 1 && m_scopes[0] == first;
    m_scopes.assign(1, std::move(first));
    m_at = 0;
    if (!isSame)
        emit changed();
}

void ScopeHistory::push(Scope scope)
{
    if (scope == current())
        return;
    m_scopes.resize(m_at + 1);
    m_scopes.push_back(std::move(scope));
    if (m_scopes.size() > kMost)
        m_scopes.erase(m_scopes.begin());
    m_at = m_scopes.size() - 1;
    emit changed();
}

void ScopeHistory::goTo(std::size_t place)
{
    if (place >= m_scopes.size() || place == m_at)
        return;
    m_at = place;
    emit changed();
}

void ScopeHistory::undo()
{
    if (canUndo())
        goTo(m_at - 1);
}

void ScopeHistory::redo()
{
    if (canRedo())
        goTo(m_at + 1);
}

} // namespace reinspect
