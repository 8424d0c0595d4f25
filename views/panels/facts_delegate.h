// SPDX-License-Identifier: MIT
// Draws the inspector's rows: headings in bold, values wrapped at any letter so that nothing is
// cut, rows that name a node as links.
#pragma once

#include <QStyledItemDelegate>

namespace reinspect
{

class FactsDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace reinspect
