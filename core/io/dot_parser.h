// SPDX-License-Identifier: MIT
// The grammar of DOT: statements, attributes, edges and clusters as plain lists. Knows nothing of what
// the graph means.
#pragma once

#include "core/io/problem_list.h"

#include <map>

namespace reinspect
{

struct DotNode
{
    std::string name;
    std::map<std::string, std::string, std::less<>> attributes;
    std::size_t offset = 0; // of its first mention
};

struct DotEdge
{
    std::size_t from = 0; // index into nodes
    std::size_t to = 0;
};

struct DotGraph
{
    std::string name;
    std::map<std::string, std::string, std::less<>> attributes; // of the whole graph
    std::vector<DotNode> nodes;                                 // in order of first mention
    std::vector<DotEdge> edges;
};

// Keeps what can be read; a statement that cannot is listed and passed over.
DotGraph parseDot(ProblemList& problems, const RunControl& control);

} // namespace reinspect
