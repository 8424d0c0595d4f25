// SPDX-License-Identifier: MIT
// The storages of a trace as the core phase saw them: storages > members > readers, flattened so
// that the children of a row stand side by side. Fixed for a trace; only what a decision says of a
// reader changes while stepping.
#pragma once

#include "core/alias/view_geometry.h"
#include "core/passes/pass_trace.h"

#include <map>

namespace reinspect
{

struct StorageRow
{
    enum class Kind : std::uint8_t
    {
        Storage,
        Member,
        Reader,
    };
    Kind kind = Kind::Storage;
    StorageId storage;
    NodeId node; // a storage's first member; a reader is a user of the member above it
    std::uint32_t parent = 0;
    std::uint32_t rowInParent = 0;
    std::uint32_t firstChild = 0;
    std::uint32_t childCount = 0;
};

struct StorageRows
{
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    std::shared_ptr<const PassTrace> trace;
    CaptureFacts facts;
    Graph graph; // at the beginning of the core phase
    std::vector<std::uint32_t> positions;
    std::unique_ptr<ViewGeometry> geometry;
    std::vector<StorageRow> rows; // storages first
    std::uint32_t storageCount = 0;
    std::vector<std::uint32_t> rowOfMember; // by slot; kNone: no member of a storage

    // First and last position at which the storage is made or read.
    std::pair<std::uint32_t, std::uint32_t> lifetime(const StorageRow& row) const;
    std::vector<NodeId> chainOf(NodeId member) const; // from its base
};

StorageRows makeStorageRows(std::shared_ptr<const PassTrace> trace, const CaptureFacts& facts);

// What the checks of one decision found about (member, reader).
using ReaderVerdicts = std::map<std::pair<NodeId, NodeId>, UseVerdict>;
ReaderVerdicts readerVerdicts(const PassTrace& trace, DecisionIndex decision);

} // namespace reinspect
