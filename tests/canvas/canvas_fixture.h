// SPDX-License-Identifier: MIT
// Traces of small programs, for the canvas tests.
#pragma once

#include "core/passes/reinplace_pass.h"
#include "tests/support/graph_text.h"
#include "tests/support/small_programs.h"
#include "views/canvas/graph_scene.h"

namespace reinspect
{

inline std::shared_ptr<const PassTrace> traceOf(std::string_view code)
{
    return runReinplace({.graph = std::make_shared<const Graph>(graphFrom(code))}).value();
}

inline NodeId nodeNamed(const PassTrace& trace, std::string_view name)
{
    for (std::size_t slot = 0; slot < trace.result->slotCount(); ++slot)
    {
        if (trace.nameOf(NodeId(slot)) == name)
            return NodeId(slot);
    }
    return {};
}

inline EventIndex lastEvent(const PassTrace& trace)
{
    return EventIndex(trace.events.size() - 1);
}

} // namespace reinspect
