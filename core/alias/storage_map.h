// SPDX-License-Identifier: MIT
// Which nodes share memory. Storages come from the capture where it has them, else they are derived
// from the operators: a view shares its base's, an in-place operator its target's, everything else
// makes a new one. A node whose value is a tuple, or is unknown, has none.
// Mirrors `get_node_storage` and `storage_to_nodes` of torch/_inductor/fx_passes/reinplace.py.
#pragma once

#include "core/base/grouped.h"
#include "core/ir/capture_facts.h"
#include "core/ir/graph.h"

#include <span>

namespace reinspect
{

class StorageMap
{
public:
    StorageId storageOf(NodeId node) const
    {
        return node.index() < m_storageOf.size() ? m_storageOf[node.index()] : StorageId{};
    }
    // Members in program order.
    std::span<const NodeId> nodesOf(StorageId storage) const;
    std::size_t storageCount() const { return m_nodesOf.size(); }
    // True when the storage was derived from operators rather than captured, so that aliasing the
    // text does not show (two inputs on one buffer) may be missing.
    bool isDerived() const { return m_derived; }
    // The first member that is a placeholder or get_attr; invalid when the storage is made inside the graph.
    NodeId inputOf(const Graph& graph, StorageId storage) const;

private:
    std::vector<StorageId> m_storageOf; // by slot
    Grouped<NodeId> m_nodesOf;          // by storage
    bool m_derived = false;
    friend StorageMap buildStorageMap(const Graph& graph, const CaptureFacts& facts);
};

StorageMap buildStorageMap(const Graph& graph, const CaptureFacts& facts = {});

// The argument that `node`'s value shares memory with (a view's base, an in-place operator's target,
// getitem of a tuple of views); invalid when the value is new memory.
NodeId aliasedInput(const Graph& graph, NodeId node, const CaptureFacts& facts = {});

// A target whose first argument is aliased and not written. Mirrors `_is_view_op`.
bool isViewTarget(const OpTarget& target);

// A placeholder or get_attr: memory that exists before the graph runs and after it.
bool isInput(const Graph& graph, NodeId node);

inline constexpr std::string_view kGeneralizedScatter =
    "torch._inductor.fx_passes.reinplace._generalized_scatter";
inline constexpr std::string_view kInplaceGeneralizedScatter =
    "torch._inductor.fx_passes.reinplace._inplace_generalized_scatter";

} // namespace reinspect
