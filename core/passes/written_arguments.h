// SPDX-License-Identifier: MIT
// What an operator writes when its schema is not known: a printed auto_functionalized (v1) names its
// arguments, not which of them are mutable. The graph holds the traces of it: result i is the i-th
// written argument in schema order, so its shape fits; a written input is copied back; a buffer that
// was just allocated is there to be written; what was written is not read again under its old name.
// All calls of the operator in the graph are looked at together. An answer is always an assumption.
#pragma once

#include "core/ir/graph.h"

namespace reinspect
{

// One answer for all calls of an operator with the same keyword arguments, worked out when the first of
// them is asked about.
class WrittenArguments
{
public:
    // Names of keyword arguments of `call`, in their order; those that are None in this call included.
    const std::vector<std::string>& of(const Graph& graph, NodeId call);

private:
    std::unordered_map<std::string, std::vector<std::string>> m_known; // by operator and keywords
};

} // namespace reinspect
