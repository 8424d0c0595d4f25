// SPDX-License-Identifier: MIT
// Columns of a table in a narrow panel: those that do not fit are folded, the least needed first, so that nothing
// scrolls sideways. One column takes what the others leave. What is folded should be in the row's tool tip.
#pragma once

#include <QObject>

#include <vector>

class QTreeView;

namespace reinspect
{

class FoldingColumns : public QObject
{
    Q_OBJECT

public:
    struct Column
    {
        int column = 0;
        int letters = 0; // its width
    };

    // `columns`: the most needed first; the first is never folded. Lives as long as the table.
    FoldingColumns(QTreeView* table, Column stretched, std::vector<Column> columns);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();

    QTreeView* m_table;
    Column m_stretched; // at least so wide, if it can be
    std::vector<Column> m_columns;
};

} // namespace reinspect
