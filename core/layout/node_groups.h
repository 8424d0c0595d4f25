// SPDX-License-Identifier: MIT
// Runs of program order that a reader can fold into one box: by the module that the capture names,
// else where few edges cross.
#pragma once

#include "core/layout/visible_graph.h"

#include <functional>

namespace reinspect
{

struct NodeGroup
{
    std::string name;        // "layers.3", "Part 4"
    std::uint32_t begin = 0; // place in the union graph
    std::uint32_t end = 0;   // past the last place

    friend bool operator==(const NodeGroup&, const NodeGroup&) = default;
};

// In order, covering everything from the first node that is no input on. `moduleOf` gives a place's
// module path, or an empty text. None when there would be only one.
std::vector<NodeGroup> nodeGroups(const UnionGraph& graph,
                                  const std::function<std::string(std::uint32_t)>& moduleOf);

} // namespace reinspect
