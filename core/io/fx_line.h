// SPDX-License-Identifier: MIT
// One line of print(graph) text, taken apart: "%a : [num_users=1] = call_function[target=f](args = ...)".
#pragma once

#include "core/ir/graph.h"

namespace reinspect
{

// The parts of a node's line, each a part of the source.
struct NodeLine
{
    std::string_view name;
    std::string_view annotation; // "f32[4][1]cuda:0" of `Tensor "..."`; empty when there is none
    std::string_view op;
    std::string_view target;
    std::string_view call; // "(args = ...)" or "(default=3)"
};

std::string_view trimmedFxLine(std::string_view text);
// A node stands in the line.
bool isNodeLine(std::string_view text);
// Nothing when the line is no node. `line` begins with '%'.
std::optional<NodeLine> splitNode(std::string_view line);
// Also "PlaceHolder", as the comments of output_code spell it.
std::optional<NodeOp> opOf(std::string_view name);
std::string targetOf(const NodeLine& parts);
// Strings lost their quotes, and "0" looks like a number: where the operator's schema asks for a string,
// it was one.
void restoreStrings(Node& node);
// How many more brackets the text opens than it closes.
std::ptrdiff_t openBrackets(std::string_view text);

} // namespace reinspect
