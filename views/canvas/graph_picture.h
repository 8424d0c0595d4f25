// SPDX-License-Identifier: MIT
// What of a trace is drawn and how large it is: all that does not change while stepping, and all
// that a layout needs to know.
#pragma once

#include "core/layout/stub_room.h"
#include "core/passes/pass_trace.h"
#include "views/canvas/box_metrics.h"
#include "views/canvas/scoped_graph.h"

#include <memory>
#include <unordered_map>

namespace reinspect
{

// What is worked out once for a trace, whatever part of it is drawn.
struct PictureSource
{
    std::shared_ptr<const PassTrace> trace;
    UnionGraph all;
    std::vector<std::uint32_t> placeOf;                 // by slot, in `all`
    std::vector<NodeGroup> groups;                      // of `all`
    std::unordered_map<NodeId, std::string> kernels;    // of Triton wrappers
    std::unordered_map<NodeId, std::string> retargeted; // what such a node says when it was
    std::vector<bool> hasTagRow; // by slot: an event or a decision marks the node at some time

    // "add_kernel (triton)" for a Triton wrapper, else as operationOf.
    std::string operation(NodeId node, std::string_view target) const;
};

struct GraphPicture
{
    std::shared_ptr<const PictureSource> source;
    UnionGraph all; // of the scope
    VisibleGraph visible;
    Rooms rooms;
    std::vector<std::uint32_t> placeOf; // by slot, in `all`; kNoBox: not in the scope
    std::vector<std::uint32_t> groupOf; // by place: the folded group that it is, or kNoGroup
    std::unordered_map<std::uint32_t, std::vector<NodeId>> members; // of folded groups

    const PassTrace& trace() const { return *source->trace; }
    // Of a folded group: the first of its nodes.
    NodeId nodeOfBox(std::uint32_t box) const { return all.nodes[visible.boxes[box]].id; }
    std::uint32_t groupOfBox(std::uint32_t box) const { return groupOf[visible.boxes[box]]; }
    NodeId valueOfStub(std::uint32_t stub) const { return all.nodes[visible.stubs[stub].value].id; }
    // kNoBox when it is drawn as stubs only, or not at all. In a folded group: the group's.
    std::uint32_t boxOfNode(NodeId node) const;
    std::uint32_t placeOfNode(NodeId node) const;
    LayoutRequest request() const { return requestFor(visible, rooms); }
};

std::shared_ptr<const PictureSource> pictureSource(std::shared_ptr<const PassTrace> trace);
GraphPicture makePicture(std::shared_ptr<const PictureSource> source, const Scope& scope,
                         const BoxMetrics& metrics);

// What a node whose operator was replaced says: "index_put \u2192 index_put_".
std::string retargetedText(std::string_view before, std::string_view after);

} // namespace reinspect
