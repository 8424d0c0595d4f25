// SPDX-License-Identifier: MIT
// Draws a row of the alias tree: readers that refuse the current candidate with their mark and
// colour.
#pragma once

#include <QStyledItemDelegate>

namespace reinspect
{

class StorageDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace reinspect
