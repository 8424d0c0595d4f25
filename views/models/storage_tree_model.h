// SPDX-License-Identifier: MIT
// Who shares memory with whom: storages > the tensors in them > the nodes that read those. Readers
// that the current candidate's checks looked at say what was found; those that refuse are flagged.
#pragma once

#include <QAbstractItemModel>

#include "views/models/storage_rows.h"

#include <optional>

namespace reinspect
{

class StorageTreeModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column
    {
        Name,
        Readers,
        MadeBy,
        Region,
        Bytes,
        Used,
        ColumnCount,
    };
    enum DataRole
    {
        NodeRole = Qt::UserRole, // NodeId
        StorageRole,             // StorageId; only of storage rows
        FlaggedRole,             // bool: refuses the current candidate, or holds a reader that does
        SharedRole,              // bool: the storage has several members
    };

    using QAbstractItemModel::QAbstractItemModel;

    void setTrace(std::shared_ptr<const PassTrace> trace, const CaptureFacts& facts = {});
    void setDecision(DecisionIndex decision); // whose later readers are flagged
    DecisionIndex decision() const { return m_decision; }

    QModelIndex indexOfMember(NodeId node) const;
    QModelIndex indexOfStorage(StorageId storage) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const StorageRow& rowOf(const QModelIndex& index) const;
    QModelIndex indexOfRow(std::uint32_t row, int column) const;
    QString text(const StorageRow& row, int column) const;
    QString tipText(const StorageRow& row) const;
    QString nameText(const StorageRow& row) const;
    QString madeByText(const StorageRow& row) const;
    QString bytesOf(const StorageRow& row) const;
    QString usedText(const StorageRow& row) const;
    QString readersText(const StorageRow& row) const;
    QString verdictText(const StorageRow& reader) const;
    bool isFlagged(const StorageRow& row) const;

    std::optional<StorageRows> m_rows;
    DecisionIndex m_decision;
    ReaderVerdicts m_verdicts;
};

} // namespace reinspect
