// SPDX-License-Identifier: MIT
#include "views/panels/event_delegate.h"

#include "views/models/event_tree_model.h"
#include "views/panels/themed_icon.h"

namespace reinspect
{

void EventDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const Theme& theme = Theme::matching(option->palette);
    const auto mark = index.data(EventTreeModel::MarkRole).value<EventMark>();
    const bool isCurrent = index.data(EventTreeModel::CurrentRole).toBool();
    if (mark != EventMark::Phase)
    {
        constexpr int kExtent = 14;
        const qreal ratio = option->widget ? option->widget->devicePixelRatioF() : 1;
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->decorationSize = {kExtent, kExtent};
        const bool isSelected = option->state.testFlag(QStyle::State_Selected);
        const QColor color =
            isSelected ? option->palette.color(QPalette::HighlightedText) : QColor();
        option->icon = QIcon(markPixmap(theme, roleOf(mark), kExtent, ratio, color));
    }
    option->font.setBold(isCurrent || mark == EventMark::Phase);
    if (!index.data(EventTreeModel::PastRole).toBool())
        option->palette.setColor(QPalette::Text, theme.color(Surface::FaintText));
}

} // namespace reinspect
