// SPDX-License-Identifier: MIT
// Draws a row of the event tree: its mark, its sentence on one line, and where the cursor stands.
#pragma once

#include <QStyledItemDelegate>

namespace reinspect
{

class EventDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace reinspect
