// SPDX-License-Identifier: MIT
#include "core/alias/view_chain.h"

#include <algorithm>

namespace reinspect
{

std::vector<NodeId> viewChain(const Graph& graph, NodeId node, const CaptureFacts& facts)
{
    std::vector<NodeId> chain{node};
    while (const NodeId base = aliasedInput(graph, chain.back(), facts))
        chain.push_back(base);
    std::reverse(chain.begin(), chain.end());
    return chain;
}

} // namespace reinspect
