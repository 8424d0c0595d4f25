// SPDX-License-Identifier: MIT
#include "views/panels/folding_columns.h"

#include <QEvent>
#include <QHeaderView>
#include <QTreeView>

#include <algorithm>

namespace reinspect
{

FoldingColumns::FoldingColumns(QTreeView* table, Column stretched, std::vector<Column> columns)
    : QObject(table)
    , m_table(table)
    , m_stretched(stretched)
    , m_columns(std::move(columns))
{
    table->header()->setStretchLastSection(false);
    table->viewport()->installEventFilter(this);
    fit();
}

bool FoldingColumns::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        fit();
    return QObject::eventFilter(watched, event);
}

void FoldingColumns::fit()
{
    const int letter = m_table->fontMetrics().averageCharWidth();
    int left = m_table->viewport()->width();
    bool isFolded = false;
    for (const Column& column : m_columns)
    {
        const int width = letter * column.letters;
        isFolded = isFolded
            || (&column != &m_columns.front() && left - width < letter * m_stretched.letters);
        m_table->setColumnHidden(column.column, isFolded);
        if (isFolded)
            continue;
        m_table->header()->resizeSection(column.column, width);
        left -= width;
    }
    m_table->header()->resizeSection(m_stretched.column, std::max(left, letter * 8));
}

} // namespace reinspect
