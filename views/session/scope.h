// SPDX-License-Identifier: MIT
// Which part of a graph is drawn: all of it, or some nodes, less those that were hidden, with some
// groups folded into one box each. A value; every change makes a new one, so that it can be undone.
#pragma once

#include "core/passes/pass_trace.h"

#include <set>
#include <string>
#include <vector>

namespace reinspect
{

struct Scope
{
    std::string name;               // "Around index_put_3": what the breadcrumb says
    std::vector<NodeId> only;       // ascending; empty: every node
    std::vector<NodeId> hidden;     // ascending
    std::set<std::uint32_t> folded; // groups, by number

    bool isWhole() const { return only.empty() && hidden.empty(); }
    bool shows(NodeId node) const;

    friend bool operator==(const Scope&, const Scope&) = default;
};

enum class Growth
{
    Inputs,
    Users,
    Both,
};

// What `event` is about, the memory it is about, and what is next to them, `most` nodes at most:
// the alias neighbourhood of a candidate. Empty when the event names no node.
Scope scopeAround(const PassTrace& trace, EventIndex event, std::size_t most);
// The same around a node of the reader's choice.
Scope scopeAround(const PassTrace& trace, NodeId node, std::size_t most);
// One step further along edges; inputs with very many users are passed over.
Scope grown(const PassTrace& trace, Scope scope, Growth growth);
Scope showingOnly(Scope scope, std::vector<NodeId> nodes, std::string name);
Scope hiding(Scope scope, const std::vector<NodeId>& nodes, std::string name);
Scope foldingToggled(Scope scope, std::uint32_t group, std::string name);

} // namespace reinspect
