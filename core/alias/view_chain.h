// SPDX-License-Identifier: MIT
// How a view came about: from its base, step by step.
#pragma once

#include "core/alias/storage_map.h"

namespace reinspect
{

// From the base (first) to `node` (last). A node that is no view is its own base.
std::vector<NodeId> viewChain(const Graph& graph, NodeId node, const CaptureFacts& facts = {});

} // namespace reinspect
