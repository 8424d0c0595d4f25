// SPDX-License-Identifier: MIT
// Two runs side by side, one row a decision. Texts are made when they are shown.
#pragma once

#include <QAbstractTableModel>

#include "views/models/decision_badges.h"
#include "views/session/comparison.h"

namespace reinspect
{

class PolicyDiffModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        Node,
        Argument,
        Difference,
        First, // verdict and reason
        Second,
        Bytes,
        ColumnCount,
    };
    enum DataRole
    {
        BadgesRole = Qt::UserRole + 1, // as VerdictTableModel's
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setResult(std::shared_ptr<const ComparedTraces> result);
    void setDifferencesOnly(bool only);

    const ComparedTraces* result() const { return m_result.get(); }
    const DecisionDiff* diffAt(const QModelIndex& index) const; // null when it is invalid
    QModelIndex indexOf(DecisionIndex ofFirst) const;           // invalid when it is not shown
    QString sentence(const QModelIndex& index) const;           // where the two part

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void fill();
    QString text(const DecisionDiff& row, Column column) const;
    QList<Badge> badges(const DecisionDiff& row, Column column) const;

    std::shared_ptr<const ComparedTraces> m_result;
    std::vector<std::uint32_t> m_rows; // into the diff
    bool m_differencesOnly = false;
};

} // namespace reinspect
