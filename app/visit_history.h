// SPDX-License-Identifier: MIT
// Where the reader has been: chosen node and event of the session, back and forward as in a web
// browser. A place is remembered when it was left; another trace begins anew.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QObject>

#include "core/base/ids.h"

#include <vector>

namespace reinspect
{

class Session;

class VisitHistory : public QObject
{
    Q_OBJECT

public:
    struct Place
    {
        EventIndex event;
        NodeId node;

        friend bool operator==(const Place&, const Place&) = default;
    };

    explicit VisitHistory(Session* session, QObject* parent = nullptr);

    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_places.size(); }
    void back();
    void forward();

signals:
    void changed();

private:
    void visit();
    void clear();
    void goTo(std::size_t place);

    Session* m_session;
    std::vector<Place> m_places;
    std::size_t m_at = 0;
    bool m_isMoving = false; // by back() or forward()
};

} // namespace reinspect
