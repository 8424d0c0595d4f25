// SPDX-License-Identifier: MIT
// The rows of a run (run_rows.h) as a table.
#pragma once

#include <QAbstractTableModel>

#include "views/models/run_rows.h"
#include "views/models/verdict_table_model.h"

namespace reinspect
{

class RunResultModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        Result,
        Node,
        Against,
        Finding,
        MaxAbsolute,
        MaxRelative,
        Differing,
        FirstIndex,
        ColumnCount,
    };
    enum DataRole
    {
        BadgesRole = Qt::UserRole + 1, // as VerdictTableModel's
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setResult(std::shared_ptr<const RunResult> result); // null: no rows
    const std::vector<RunRow>& rows() const { return m_rows; }
    const RunRow* rowAt(const QModelIndex& index) const; // null when it is invalid
    QModelIndex indexOfNode(const QString& node) const;  // its first row; invalid when none
    QString table(const std::vector<int>& rows, TableText form) const; // all when empty

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<RunRow> m_rows;
};

} // namespace reinspect
