// SPDX-License-Identifier: MIT
// The calls of one stage of a timeline as a table; sorted by a proxy over SortRole.
#pragma once

#include <QAbstractTableModel>

#include "views/models/verdict_table_model.h"
#include "views/session/timeline.h"

namespace reinspect
{

class TimelineModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        Name,
        Time,
        Share,
        Bytes,
        Rate,
        Place,
        Operator,
        ColumnCount,
    };
    enum DataRole
    {
        SortRole = Qt::UserRole + 1, // a number, or a text
    };

    using QAbstractTableModel::QAbstractTableModel;

    // Null, or no such stage: no rows.
    void setStage(std::shared_ptr<const Timeline> timeline, std::size_t stage);
    const TimelineStage* stage() const { return m_stage; }
    const TimelineNode* nodeAt(const QModelIndex& index) const; // null when it is invalid
    QModelIndex indexOf(const std::string& node) const;
    QString table(const std::vector<int>& rows, TableText form) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString cell(const TimelineNode& node, int column) const;

    std::shared_ptr<const Timeline> m_timeline;
    const TimelineStage* m_stage = nullptr; // of it
};

} // namespace reinspect
