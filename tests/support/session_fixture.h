// SPDX-License-Identifier: MIT
// A session that looks at a small program, for tests of models, panels and the window.
#pragma once

#include <QSignalSpy>
#include <QTest>

#include "core/passes/explain.h"
#include "tests/support/graph_text.h"
#include "tests/support/small_programs.h"
#include "views/session/qt_text.h"
#include "views/session/session.h"

namespace reinspect
{

// False when the pass did not finish within the time that QTest waits.
inline bool show(Session& session, std::shared_ptr<const Document> document)
{
    session.setDocument(std::move(document));
    return QTest::qWaitFor([&session] { return session.trace() != nullptr; }, 10'000);
}

inline bool show(Session& session, std::string_view code)
{
    return show(session, documentFrom(code));
}

inline NodeId nodeNamed(const Session& session, std::string_view name)
{
    const PassTrace& trace = *session.trace();
    for (std::size_t slot = 0; slot < trace.result->slotCount(); ++slot)
    {
        if (trace.nameOf(NodeId(slot)) == name)
            return NodeId(slot);
    }
    return {};
}

inline std::string chosenName(const Session& session)
{
    const NodeId node = session.selection().primary();
    return node ? session.trace()->nameOf(node) : std::string();
}

// The first event whose body is a T.
template<typename T>
EventIndex firstEvent(const PassTrace& trace)
{
    for (std::size_t i = 0; i < trace.events.size(); ++i)
    {
        if (trace.events[i].as<T>())
            return EventIndex(i);
    }
    return {};
}

} // namespace reinspect
