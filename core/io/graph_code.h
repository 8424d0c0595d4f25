// SPDX-License-Identifier: MIT
// A graph as code for reading, with the line of each node: what a viewer shows for a capture, whose
// own text is JSON. It is writeReadableCode's text, but with one parameter a line.
#pragma once

#include "core/ir/graph.h"

namespace reinspect
{

struct GraphCode
{
    std::string text;
    std::vector<std::uint32_t> lineOf; // by slot, from 1; 0: the node has no line

    std::uint32_t line(NodeId node) const
    {
        return node.isValid() && node.index() < lineOf.size() ? lineOf[node.index()] : 0;
    }
};

GraphCode graphCode(const Graph& graph);

} // namespace reinspect
