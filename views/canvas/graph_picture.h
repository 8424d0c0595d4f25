// SPDX-License-Identifier: MIT
// What of a trace is drawn and how large it is: all that does not change while stepping, and all that
// a layout needs to know.
#pragma once

#include "core/layout/stub_room.h"
#include "core/passes/pass_trace.h"
#include "views/canvas/box_metrics.h"

#include <memory>

namespace reinspect
{

struct GraphPicture
{
    std::shared_ptr<const PassTrace> trace;
    UnionGraph all;
    VisibleGraph visible;
    Rooms rooms;
    std::vector<std::uint32_t> placeOf; // by slot
    std::vector<bool> hasTagRow;        // by slot: an event or a decision marks the node at some time

    NodeId nodeOfBox(std::uint32_t box) const { return all.nodes[visible.boxes[box]].id; }
    NodeId valueOfStub(std::uint32_t stub) const { return all.nodes[visible.stubs[stub].value].id; }
    std::uint32_t boxOfNode(NodeId node) const; // kNoBox when it is drawn as stubs only
    LayoutRequest request() const { return requestFor(visible, rooms); }
};

GraphPicture makePicture(std::shared_ptr<const PassTrace> trace, const BoxMetrics& metrics);

// The node's second line when its operator was replaced: "index_put \u2192 index_put_".
std::string retargetedText(const Node& before, std::string_view after);

} // namespace reinspect
