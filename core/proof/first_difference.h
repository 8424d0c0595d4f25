// SPDX-License-Identifier: MIT
// Where two graphs part: nodes of the same name compared one by one as they are computed.
#pragma once

#include "core/proof/graph_inputs.h"

namespace reinspect::proof
{

// The first node of the second graph, in its order, whose value differs from what the node of that name computed
// in the first; empty when none does, or when memory does not suffice to keep the values.
std::string firstDifferingNode(const std::shared_ptr<const Graph>& first,
                               const std::shared_ptr<const Graph>& second,
                               const CaptureFacts& facts, const ShapeEnv& shapes,
                               const InputSource& source, const RunControl& control);

} // namespace reinspect::proof
