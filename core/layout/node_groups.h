// SPDX-License-Identifier: MIT
// Runs of program order that a reader can fold into one box: by the modules that the capture names, one
// level of their paths inside the other, else where few edges cross.
#pragma once

#include "core/layout/visible_graph.h"

#include <functional>

namespace reinspect
{

constexpr std::uint32_t kNoGroup = 0xffffffff;

struct NodeGroup
{
    std::string name;                // "layers.3", "Part 4"
    std::uint32_t begin = 0;         // place in the union graph
    std::uint32_t end = 0;           // past the last place
    std::uint32_t parent = kNoGroup; // the group around it, which stands before it
    bool isFramed = true;            // of the level that is kept together and framed when unfolded

    bool contains(std::uint32_t place) const { return begin <= place && place < end; }
    bool contains(const NodeGroup& other) const { return begin <= other.begin && other.end <= end; }
    friend bool operator==(const NodeGroup&, const NodeGroup&) = default;
};

// Outer ones before those inside of them; the framed ones cover everything from the first node that is no
// input on. `moduleOf` gives a place's module path, or an empty text. None when there would be only one.
std::vector<NodeGroup> nodeGroups(const UnionGraph& graph,
                                  const std::function<std::string(std::uint32_t)>& moduleOf);

// The smallest group around a place, and the framed one; kNoGroup where there is none.
std::uint32_t innermostGroup(const std::vector<NodeGroup>& groups, std::uint32_t place);
std::uint32_t framedGroup(const std::vector<NodeGroup>& groups, std::uint32_t place);

} // namespace reinspect
