// SPDX-License-Identifier: MIT
#include "views/models/storage_rows.h"

#include "core/alias/view_chain.h"
#include "core/passes/trace_cursor.h"

#include <algorithm>

namespace reinspect
{

static void appendStorages(StorageRows& rows)
{
    const StorageMap& storages = rows.trace->storages;
    std::vector<StorageRow> found;
    for (std::size_t i = 0; i < storages.storageCount(); ++i)
    {
        const std::span<const NodeId> members = storages.nodesOf(StorageId(i));
        if (!members.empty())
            found.push_back({.kind = StorageRow::Kind::Storage,
                             .storage = StorageId(i),
                             .node = members.front()});
    }
    std::sort(found.begin(), found.end(), [&rows](const StorageRow& a, const StorageRow& b) {
        return rows.positions[a.node.index()] < rows.positions[b.node.index()];
    });
    for (std::uint32_t i = 0; i < found.size(); ++i)
        found[i].rowInParent = i;
    rows.rows = std::move(found);
    rows.storageCount = static_cast<std::uint32_t>(rows.rows.size());
}

static void appendChildren(StorageRows& rows, std::uint32_t parent, std::span<const NodeId> nodes,
                           StorageRow::Kind kind)
{
    rows.rows[parent].firstChild = static_cast<std::uint32_t>(rows.rows.size());
    rows.rows[parent].childCount = static_cast<std::uint32_t>(nodes.size());
    const StorageId storage = rows.rows[parent].storage;
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
        rows.rows.push_back({.kind = kind,
                             .storage = storage,
                             .node = nodes[i],
                             .parent = parent,
                             .rowInParent = i});
}

static std::vector<NodeId> readersInOrder(const StorageRows& rows, NodeId member)
{
    const std::span<const NodeId> users = rows.graph.users(member);
    std::vector<NodeId> readers(users.begin(), users.end());
    std::sort(readers.begin(), readers.end(), [&rows](NodeId a, NodeId b) {
        return rows.positions[a.index()] < rows.positions[b.index()];
    });
    return readers;
}

static void appendMembersAndReaders(StorageRows& rows)
{
    for (std::uint32_t i = 0; i < rows.storageCount; ++i)
        appendChildren(rows, i, rows.trace->storages.nodesOf(rows.rows[i].storage),
                       StorageRow::Kind::Member);
    const auto memberEnd = static_cast<std::uint32_t>(rows.rows.size());
    for (std::uint32_t i = rows.storageCount; i < memberEnd; ++i)
    {
        rows.rowOfMember[rows.rows[i].node.index()] = i;
        appendChildren(rows, i, readersInOrder(rows, rows.rows[i].node), StorageRow::Kind::Reader);
    }
}

StorageRows makeStorageRows(std::shared_ptr<const PassTrace> trace, const CaptureFacts& facts)
{
    StorageRows rows;
    rows.trace = std::move(trace);
    rows.facts = facts;
    rows.graph = graphAfterEdits(*rows.trace, rows.trace->canonicalEdits);
    rows.positions = rows.graph.positions();
    rows.geometry = std::make_unique<ViewGeometry>(rows.graph, rows.facts);
    rows.rowOfMember.assign(rows.graph.slotCount(), StorageRows::kNone);
    appendStorages(rows);
    appendMembersAndReaders(rows);
    return rows;
}

std::pair<std::uint32_t, std::uint32_t> StorageRows::lifetime(const StorageRow& row) const
{
    std::uint32_t first = positions[row.node.index()];
    std::uint32_t last = first;
    for (std::uint32_t i = row.firstChild; i < row.firstChild + row.childCount; ++i)
    {
        const auto [begin, end] = lifetime(rows[i]);
        first = std::min(first, begin);
        last = std::max(last, end);
    }
    return {first, last};
}

std::vector<NodeId> StorageRows::chainOf(NodeId member) const
{
    return viewChain(graph, member, facts);
}

ReaderVerdicts readerVerdicts(const PassTrace& trace, DecisionIndex decision)
{
    ReaderVerdicts verdicts;
    if (!decision)
        return verdicts;
    const Decision& asked = trace.decision(decision);
    for (std::size_t i = asked.tried.index(); i <= asked.decided.index() && i < trace.events.size();
         ++i)
    {
        if (const UseExamined* use = trace.events[i].as<UseExamined>())
            verdicts.emplace(std::pair(use->view, use->use), use->verdict);
    }
    return verdicts;
}

} // namespace reinspect
