// SPDX-License-Identifier: MIT
#include "core/passes/dead_code.h"

#include "core/alias/storage_map.h"

namespace reinspect
{

void removeUnusedAttributes(Graph& graph)
{
    std::vector<NodeId> unused;
    for (const NodeId id : graph.order())
        if (graph[id].op == NodeOp::GetAttr && graph.users(id).empty())
            unused.push_back(id);
    EditRecorder recorder(graph);
    for (const NodeId id : unused)
        recorder.erase(id);
}

void followStorages(Graph& graph, const CaptureFacts& facts)
{
    EditRecorder recorder(graph);
    for (const NodeId id : graph.order())
    {
        const NodeId base = aliasedInput(graph, id, facts);
        const TensorMeta* from = base ? graph[base].meta.value.tensor() : nullptr;
        const TensorMeta* own = graph[id].meta.value.tensor();
        if (!from || !own || !from->storage || own->storage == from->storage)
            continue;
        NodeMeta meta = graph[id].meta;
        meta.value.tensor()->storage = from->storage;
        meta.value.tensor()->storageBytes = from->storageBytes;
        recorder.setMeta(id, std::move(meta));
    }
}

} // namespace reinspect
