// SPDX-License-Identifier: MIT
// The graphs of a document, a row each: name, where in the compilation it stands, how many nodes.
#pragma once

#include <QAbstractTableModel>

#include "core/io/document.h"

#include <memory>

namespace reinspect
{

class GraphListModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        Name,
        Stage,
        Nodes,
        Calls, // nodes that are neither inputs nor the output
        ColumnCount,
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setDocument(std::shared_ptr<const Document> document);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant cell(const DocumentGraph& graph, int row, int column) const;

    std::shared_ptr<const Document> m_document;
};

QString stageText(Stage stage); // "before the pass"

} // namespace reinspect
