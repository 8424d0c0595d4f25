// SPDX-License-Identifier: MIT
// Finds the nodes of a trace that a query asks for, in program order. What is compared is prepared
// once a key and kept, so that typing in a graph of 100,000 nodes stays quick.
#pragma once

#include "core/passes/pass_trace.h"
#include "views/models/node_query.h"

#include <array>
#include <memory>
#include <optional>

namespace reinspect
{

class NodeSearch
{
public:
    // Null finds nothing.
    explicit NodeSearch(std::shared_ptr<const PassTrace> trace = nullptr);

    // Every node that ever exists, when there are no terms.
    std::vector<NodeId> find(const std::vector<QueryTerm>& terms) const;
    void prepare() const; // makes every column now, for another thread than that of the reader
    const std::vector<NodeId>& order() const { return m_order; } // all nodes in program order

private:
    using Texts = std::vector<std::string>; // by slot, lower case
    using Numbers = std::vector<double>;    // by slot; NaN: not known

    const Texts& texts(QueryKey key) const;
    const Numbers& numbers(QueryKey key) const;
    void keepMatching(std::vector<NodeId>& nodes, const QueryTerm& term) const;

    std::shared_ptr<const PassTrace> m_trace;
    std::vector<NodeId> m_order;
    static constexpr std::size_t kKeyCount = static_cast<std::size_t>(QueryKey::Line) + 1;
    mutable std::array<std::optional<Texts>, kKeyCount> m_texts;
    mutable std::array<std::optional<Numbers>, kKeyCount> m_numbers;
};

} // namespace reinspect
