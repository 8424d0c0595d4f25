// SPDX-License-Identifier: MIT
#include "views/panels/event_delegate.h"

#include "views/models/event_tree_model.h"
#include "views/panels/themed_icon.h"

#include <QPainter>
#include <QRegularExpression>

namespace reinspect
{

// The mark of the event, then the badges of its decision.
static void showMarks(QStyleOptionViewItem* option, const Theme& theme, EventMark mark,
                      const QList<Badge>& badges)
{
    constexpr int kExtent = 14;
    const qreal ratio = option->widget ? option->widget->devicePixelRatioF() : 1;
    const bool isSelected = option->state.testFlag(QStyle::State_Selected);
    const QColor color = isSelected ? option->palette.color(QPalette::HighlightedText) : QColor();
    const QSize size = badgeSize(badges.size() + 1, kExtent);
    QPixmap row(size * ratio);
    row.setDevicePixelRatio(ratio);
    row.fill(Qt::transparent);
    QPainter painter(&row);
    painter.drawPixmap(0, 0, markPixmap(theme, roleOf(mark), kExtent, ratio, color));
    if (!badges.isEmpty())
        painter.drawPixmap(size.width() - badgeSize(badges.size(), kExtent).width(), 0,
                           badgePixmap(theme, badges, kExtent, ratio, color));
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = size;
    option->icon = QIcon(row);
}

// A row has room for a sentence, not for a name as long as one: of long names their two ends, which tell
// them apart. The headline and the tool tip have them whole.
static QString withShortNames(QString text)
{
    constexpr qsizetype kLongest = 20;
    static const QRegularExpression kName(QStringLiteral("\"([^\"\\s]{%1,})\"").arg(kLongest + 1));
    qsizetype at = 0;
    for (QRegularExpressionMatch match = kName.match(text); match.hasMatch();
         match = kName.match(text, at))
    {
        const QString name = match.captured(1);
        const QString shortened = name.left(9) + u'\u2026' + name.right(9);
        text.replace(match.capturedStart(1), name.size(), shortened);
        at = match.capturedStart(1) + shortened.size() + 1;
    }
    return text;
}

void EventDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->text = withShortNames(option->text);
    const Theme& theme = Theme::matching(option->palette);
    const auto mark = index.data(EventTreeModel::MarkRole).value<EventMark>();
    const bool isCurrent = index.data(EventTreeModel::CurrentRole).toBool();
    if (mark != EventMark::Phase)
        showMarks(option, theme, mark,
                  index.data(EventTreeModel::BadgesRole).value<QList<Badge>>());
    option->font.setBold(isCurrent || mark == EventMark::Phase);
    if (!index.data(EventTreeModel::PastRole).toBool())
        option->palette.setColor(QPalette::Text, theme.color(Surface::FaintText));
}

} // namespace reinspect
