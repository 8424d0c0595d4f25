// SPDX-License-Identifier: MIT
// The verdict table: one row a decision, filtered and sorted here, since a proxy would ask for the
// text of every cell. Texts are made when they are shown.
#pragma once

#include <QAbstractTableModel>

#include "views/models/decision_badges.h"
#include "views/models/verdict_rows.h"

#include <memory>

namespace reinspect
{

class VerdictTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum DataRole
    {
        DecisionRole = Qt::UserRole, // DecisionIndex
        BadgesRole,                  // QList<Badge>: what the cell shows as marks
        CurrentRole,                 // bool: the decision that is looked at
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setTrace(std::shared_ptr<const PassTrace> trace); // filter and order stay
    void setFilter(std::optional<Breakpoint> filter);      // nothing: all rows
    void setCurrent(DecisionIndex decision);

    const PassTrace* trace() const { return m_trace.get(); }
    const std::vector<DecisionIndex>& shown() const { return m_rows; }
    QModelIndex indexOf(DecisionIndex decision) const; // invalid when it is not shown
    DecisionIndex decisionAt(const QModelIndex& index) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override; // -1: program order

private:
    void fill();
    void number();

    std::shared_ptr<const PassTrace> m_trace;
    std::optional<Breakpoint> m_filter;
    std::vector<DecisionIndex> m_rows;
    std::vector<int> m_rowOf; // by decision; -1: not shown
    DecisionIndex m_current;
    int m_column = -1;
    Qt::SortOrder m_order = Qt::AscendingOrder;
};

QString verdictHeading(VerdictColumn column);
QString verdictCell(const PassTrace& trace, const Decision& decision, VerdictColumn column);

enum class TableText
{
    Tabs, // one row a line, for spreadsheets
    Markdown,
};
// The rows with a line of headings.
QString verdictTable(const PassTrace& trace, std::span<const DecisionIndex> rows, TableText form);

} // namespace reinspect

Q_DECLARE_METATYPE(reinspect::DecisionIndex)
