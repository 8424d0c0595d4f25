// SPDX-License-Identifier: MIT
// What of a trace is drawn and how large it is: all that does not change while stepping, and all
// that a layout needs to know.
#pragma once

#include "core/layout/stub_room.h"
#include "core/passes/pass_trace.h"
#include "views/canvas/box_metrics.h"

#include <memory>
#include <unordered_map>

namespace reinspect
{

struct GraphPicture
{
    std::shared_ptr<const PassTrace> trace;
    UnionGraph all;
    VisibleGraph visible;
    Rooms rooms;
    std::vector<std::uint32_t> placeOf;              // by slot
    std::unordered_map<NodeId, std::string> kernels; // of Triton wrappers
    std::vector<bool> hasTagRow; // by slot: an event or a decision marks the node at some time

    NodeId nodeOfBox(std::uint32_t box) const { return all.nodes[visible.boxes[box]].id; }
    NodeId valueOfStub(std::uint32_t stub) const { return all.nodes[visible.stubs[stub].value].id; }
    std::uint32_t boxOfNode(NodeId node) const; // kNoBox when it is drawn as stubs only
    // "add_kernel (triton)" for a Triton wrapper, else as operationOf.
    std::string operation(NodeId node, std::string_view target) const;
    LayoutRequest request() const { return requestFor(visible, rooms); }
};

GraphPicture makePicture(std::shared_ptr<const PassTrace> trace, const BoxMetrics& metrics);

// What a node whose operator was replaced says: "index_put \u2192 index_put_".
std::string retargetedText(std::string_view before, std::string_view after);

} // namespace reinspect
