// SPDX-License-Identifier: MIT
// The trace while it is being written: the working graph, and events and edits in step with it.
// A plain copyable value, so that a half-done pass can be copied.
#pragma once

#include "core/passes/pass_trace.h"

namespace reinspect
{

class TraceBuilder
{
public:
    TraceBuilder(std::shared_ptr<const Graph> initial, ReinplacePolicy policy)
        : m_graph(*initial)
    {
        trace.initial = std::move(initial);
        trace.policy = std::move(policy);
    }

    PassTrace trace;

    const Graph& graph() const { return m_graph; }
    std::size_t editCount() const { return trace.edits.size(); }

    template<typename Body>
    EventIndex event(std::uint8_t depth, Body body)
    {
        trace.events.push_back(
            {EventBody(body), static_cast<std::uint32_t>(trace.edits.size()), depth});
        return EventIndex(trace.events.size() - 1);
    }

    // Runs `change` on an EditRecorder and records its edits, if any, as one event about `node`.
    template<typename Change>
    void edit(std::uint8_t depth, NodeId node, EditReason reason, Change change)
    {
        const std::size_t first = trace.edits.size();
        EditRecorder recorder(m_graph, trace.edits);
        change(recorder);
        const std::size_t count = trace.edits.size() - first;
        if (count > 0)
            event(depth,
                  Edited{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count), node,
                         reason});
    }

    PassTrace take()
    {
        m_graph.shrinkToFit();
        trace.events.shrink_to_fit();
        trace.result = std::make_shared<const Graph>(std::move(m_graph));
        return std::move(trace);
    }

private:
    Graph m_graph;
};

} // namespace reinspect
