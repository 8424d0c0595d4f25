// SPDX-License-Identifier: MIT
// Cuts a large graph into runs of program order, each small enough to be placed by itself, where
// few edges cross the cut: between the layers of a model, as a rule.
#pragma once

#include "core/layout/graph_layout.h"

#include <span>

namespace reinspect
{

// First box of each group; empty for no boxes. Up to `groupSize` boxes are one group.
std::vector<std::uint32_t> groupStarts(std::size_t boxCount, std::span<const LayoutEdge> edges,
                                       std::size_t groupSize);

} // namespace reinspect
