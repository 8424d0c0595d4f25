// SPDX-License-Identifier: MIT
// The inspector's rows as a two-level table: groups > facts, name and value. Rows that name a node
// carry it, so that a click can choose it.
#pragma once

#include <QAbstractItemModel>

#include "views/models/node_facts.h"

namespace reinspect
{

class NodeFactsModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum DataRole
    {
        NodeRole = Qt::UserRole, // NodeId; invalid in plain rows
        BadgesRole,              // QList<Badge>, beside the name of the row
        ProvesRole, // number of the decision that the row has proved; invalid in others
    };

    using QAbstractItemModel::QAbstractItemModel;

    void setFacts(std::vector<NodeFactGroup> groups);
    QModelIndex groupOf(DecisionIndex decision) const; // invalid: none is about it

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<NodeFactGroup> m_groups;
};

} // namespace reinspect
