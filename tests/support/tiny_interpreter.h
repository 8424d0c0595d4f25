// SPDX-License-Identifier: MIT
// Runs a small graph on whole numbers, element by element, in buffers that really alias. Every
// element that is read or written is mixed into the values, and made-up kernels read and write their
// operands in turns, so that a write that lands too early or too late shows. Knows the operators that
// random_graph.h draws.
#pragma once

#include "core/ir/capture_facts.h"

#include <set>
#include <string>
#include <vector>

namespace reinspect
{

// What a run of the core phase would change, without changing the graph.
struct InPlaceChoices
{
    std::set<std::pair<NodeId, std::string>> written; // node and argument label
    std::set<NodeId> droppedCopies;
};

struct TinyResult
{
    std::string failure; // a view that does not exist, a read outside a buffer; empty: it ran
    std::vector<std::vector<std::uint64_t>> outputs; // elements in index order
    std::vector<std::vector<std::uint64_t>> inputs;  // afterwards
    // Pairs (i, j) that share an element, outputs counted first, then inputs.
    std::set<std::pair<std::size_t, std::size_t>> aliases;

    bool sameValues(const TinyResult& other) const
    {
        return failure == other.failure && outputs == other.outputs && inputs == other.inputs;
    }
};

TinyResult runTiny(const Graph& graph, const CaptureFacts& facts,
                   const InPlaceChoices& choices = {});

} // namespace reinspect
