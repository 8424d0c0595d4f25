// SPDX-License-Identifier: MIT
// Which integers an input may hold: those that are valid places wherever the graph uses them as indices.
#pragma once

#include "core/ir/graph.h"

namespace reinspect::proof
{

class IndexRanges
{
public:
    using Number = std::function<std::optional<std::int64_t>(const SymExpr&)>;
    IndexRanges(const Graph& graph, Number number);

    // Values from 0 to below this are valid; nothing when no use tells.
    std::optional<std::int64_t> limitOf(NodeId placeholder) const;

private:
    void addUse(NodeId index, std::optional<std::int64_t> limit);
    void lookAt(const Node& node);
    std::optional<std::int64_t> sizeOf(const Argument* tensor, std::int64_t dim) const;

    const Graph& m_graph;
    Number m_number;
    std::vector<std::optional<std::int64_t>> m_limits; // by slot
};

} // namespace reinspect::proof
