// SPDX-License-Identifier: MIT
// Which row each box stands in, from all edges: a user is always below what it uses.
#pragma once

#include "core/layout/graph_layout.h"

#include <span>

namespace reinspect
{

// Longest path from the top; then values that nothing holds up there sink towards their users.
// Edges must go forward (from < to). Linear.
std::vector<std::uint32_t> ranksOf(std::size_t boxCount, std::span<const LayoutEdge> edges);

} // namespace reinspect
