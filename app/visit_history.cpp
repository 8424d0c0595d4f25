// SPDX-License-Identifier: MIT
#include "app/visit_history.h"

#include "views/session/session.h"

namespace reinspect
{

static constexpr std::size_t kMostPlaces = 200;

VisitHistory::VisitHistory(Session* session, QObject* parent)
    : QObject(parent)
    , m_session(session)
{
    connect(session, &Session::documentChanged, this, &VisitHistory::clear);
    connect(session, &Session::traceChanged, this, &VisitHistory::clear);
    connect(session, &Session::eventChanged, this, &VisitHistory::visit);
    connect(session, &Session::selectionChanged, this, &VisitHistory::visit);
}

void VisitHistory::clear()
{
    m_places.clear();
    m_at = 0;
    visit();
    emit changed();
}

// A step also chooses a node: two signals, one place.
void VisitHistory::visit()
{
    if (m_isMoving || !m_session->trace())
        return;
    const Place place{m_session->event(), m_session->selection().primary()};
    if (!place.node)
        return;
    if (!m_places.empty() && m_places[m_at] == place)
        return;
    m_places.resize(m_places.empty() ? 0 : m_at + 1);
    m_places.push_back(place);
    if (m_places.size() > kMostPlaces)
        m_places.erase(m_places.begin());
    m_at = m_places.size() - 1;
    emit changed();
}

void VisitHistory::goTo(std::size_t index)
{
    m_at = index;
    const Place place = m_places[index];
    m_isMoving = true;
    m_session->goTo(place.event);
    m_session->setSelection({.nodes = {place.node}, .storage = {}});
    m_isMoving = false;
    emit changed();
}

void VisitHistory::back()
{
    if (canGoBack())
        goTo(m_at - 1);
}

void VisitHistory::forward()
{
    if (canGoForward())
        goTo(m_at + 1);
}

} // namespace reinspect
