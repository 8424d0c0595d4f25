// SPDX-License-Identifier: MIT
#include "views/panels/storage_delegate.h"

#include "views/models/storage_tree_model.h"
#include "views/panels/themed_icon.h"

namespace reinspect
{

void StorageDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const Theme& theme = Theme::matching(option->palette);
    const bool isStorage = !index.parent().isValid();
    option->font.setBold(isStorage && index.column() == StorageTreeModel::Name);
    if (index.column() != StorageTreeModel::Readers
        || !index.data(StorageTreeModel::FlaggedRole).toBool())
        return;
    constexpr int kExtent = 14;
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = {kExtent, kExtent};
    const bool isSelected = option->state.testFlag(QStyle::State_Selected);
    option->icon = QIcon(markPixmap(
        theme, Role::Blocking, kExtent, option->widget ? option->widget->devicePixelRatioF() : 1,
        isSelected ? option->palette.color(QPalette::HighlightedText) : QColor()));
    option->font.setBold(true);
    option->palette.setColor(QPalette::Text, theme.style(Role::Blocking).border);
}

} // namespace reinspect
