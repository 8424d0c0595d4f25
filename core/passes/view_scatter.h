// SPDX-License-Identifier: MIT
// Phases 1 and 4: view scatters become one generalized scatter with a list of views, nested ones
// are fused, and what is left is taken apart again. Mirrors canonicalize_view_scatter_ops and
// decompose_generalized_scatter of torch/_inductor/fx_passes/reinplace.py.
//
//     v = slice(x, 0, 2, 5); s = slice_scatter(v, y, 1, 1, 3); r = slice_scatter(x, s, 0, 2, 5)
//     becomes   r = _generalized_scatter(x, y, [slice(0, 2, 5), slice(1, 1, 3)])
#pragma once

#include "core/passes/trace_builder.h"

namespace reinspect
{

// Phase 1, one node at a time. A plain copyable value.
class ScatterCanonicalizer
{
public:
    // Handles `node` of the builder's graph; nodes must come in program order.
    void visit(TraceBuilder& builder, NodeId node);

private:
    struct Views
    {
        NodeId base;
        std::vector<ViewArgument> views;
    };
    struct Scatter
    {
        NodeId node;
        NodeId input;
        NodeId source;
        ViewArgument view;
    };

    Views viewsOf(NodeId node) const;
    void noteView(const Graph& graph, NodeId node);
    bool canFuse(const Graph& graph, const Scatter& outer) const;
    void replaceScatter(TraceBuilder& builder, const Scatter& scatter);
    void fuseScatters(TraceBuilder& builder, const Scatter& outer);

    // View operators as they stood when visited, by slot: chains are read from these, since the graph changes.
    std::vector<NodePtr> m_views;
};

// Phase 4, one generalized scatter; and those of a graph in upstream's order, functional ones first.
void decomposeScatter(TraceBuilder& builder, NodeId scatter);
std::vector<NodeId> scattersToDecompose(const Graph& graph);

// as_strided and diagonal scatters are lowered with a mutation in any case. Mirrors scatter_always_uses_mutation.
bool alwaysUsesMutation(const Node& scatter);

} // namespace reinspect
