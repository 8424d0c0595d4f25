// SPDX-License-Identifier: MIT
#include "views/panels/badge_delegate.h"

#include "views/panels/themed_icon.h"

namespace reinspect
{

BadgeDelegate::BadgeDelegate(int badgesRole, int currentRole, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_badgesRole(badgesRole)
    , m_currentRole(currentRole)
{}

void BadgeDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    // The first cell only: bold texts would be cut in columns that fit plain ones.
    option->font.setBold(index.column() == 0 && index.data(m_currentRole).toBool());
    const auto badges = index.data(m_badgesRole).value<QList<Badge>>();
    if (badges.isEmpty())
        return;
    constexpr int kExtent = 14;
    const bool isSelected = option->state.testFlag(QStyle::State_Selected);
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = badgeSize(badges.size(), kExtent);
    option->icon = QIcon(
        badgePixmap(Theme::matching(option->palette), badges, kExtent,
                    option->widget ? option->widget->devicePixelRatioF() : 1,
                    isSelected ? option->palette.color(QPalette::HighlightedText) : QColor()));
}

} // namespace reinspect
