// SPDX-License-Identifier: MIT
// What differs between two graphs, a row each: kind, node, before, after.
#pragma once

#include <QAbstractTableModel>

#include "core/ir/graph_diff.h"

namespace reinspect
{

class ChangeListModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        Kind,
        Name,
        Before,
        After,
        ColumnCount,
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setChanges(std::vector<NodeChange> changes);
    const std::vector<NodeChange>& changes() const { return m_changes; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<NodeChange> m_changes;
};

// "2 added, 1 removed, 3 retargeted"; "no difference".
QString changeSummary(const std::vector<NodeChange>& changes);

} // namespace reinspect
