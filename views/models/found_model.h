// SPDX-License-Identifier: MIT
// The nodes that were found, a row each: name, operator, shape, size, verdict.
#pragma once

#include <QAbstractTableModel>

#include "core/passes/pass_trace.h"

#include <memory>

namespace reinspect
{

class FoundModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        Name,
        Operator,
        Shape,
        Bytes,
        Verdict,
        ColumnCount,
    };
    enum DataRole
    {
        NodeRole = Qt::UserRole, // NodeId
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setNodes(std::shared_ptr<const PassTrace> trace, std::vector<NodeId> nodes);
    const std::vector<NodeId>& nodes() const { return m_nodes; }
    NodeId nodeAt(const QModelIndex& index) const;
    int rowOf(NodeId node) const; // -1: not found

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(NodeId node, int column) const;

    std::shared_ptr<const PassTrace> m_trace;
    std::vector<NodeId> m_nodes;
};

// "kept", "reinplaced", "2 kept, 1 reinplaced"; empty for a node that is no candidate.
QString verdictText(const PassTrace& trace, NodeId node);

} // namespace reinspect
