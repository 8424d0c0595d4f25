// SPDX-License-Identifier: MIT
#include "views/panels/facts_delegate.h"

#include "views/models/node_facts_model.h"
#include "views/panels/themed_icon.h"
#include "views/session/qt_text.h"

#include <QApplication>
#include <QPainter>
#include <QTextLayout>
#include <QTreeView>

#include <cmath>

namespace reinspect
{

static constexpr int kMargin = 3;

static QTextOption wrapAnywhere()
{
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    return option;
}

static int wrappedHeight(const QString& text, const QFont& font, int width)
{
    QTextLayout layout(text, font);
    layout.setTextOption(wrapAnywhere());
    layout.beginLayout();
    qreal height = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine())
    {
        line.setLineWidth(width);
        height += line.height();
    }
    layout.endLayout();
    return static_cast<int>(std::ceil(height));
}

static constexpr int kBadge = 13;

static void showBadges(QStyleOptionViewItem* option, const QList<Badge>& badges)
{
    const bool isSelected = option->state.testFlag(QStyle::State_Selected);
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = badgeSize(badges.size(), kBadge);
    option->decorationAlignment = Qt::AlignLeft | Qt::AlignTop;
    option->icon = QIcon(
        badgePixmap(Theme::matching(option->palette), badges, kBadge,
                    option->widget ? option->widget->devicePixelRatioF() : 1,
                    isSelected ? option->palette.color(QPalette::HighlightedText) : QColor()));
}

// How far the text stands to the right of the marks.
static int badgeIndent(const QStyleOptionViewItem& option)
{
    return option.icon.isNull() ? 0 : option.decorationSize.width() + 2 * kMargin;
}

void FactsDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const bool isHeading = !index.parent().isValid();
    const bool isLink = index.data(NodeFactsModel::NodeRole).value<NodeId>().isValid()
        || index.data(NodeFactsModel::ProvesRole).isValid();
    option->font.setBold(isHeading);
    if (index.column() == 0 && !isHeading)
        option->palette.setColor(QPalette::Text, option->palette.color(QPalette::PlaceholderText));
    if (const auto badges = index.data(NodeFactsModel::BadgesRole).value<QList<Badge>>();
        !badges.isEmpty())
        showBadges(option, badges);
    if (index.column() == 1 && isLink)
    {
        option->font.setUnderline(true);
        option->palette.setColor(QPalette::Text, option->palette.color(QPalette::Link));
    }
}

void FactsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const
{
    QStyleOptionViewItem styled = option;
    initStyleOption(&styled, index);
    const QString text = std::exchange(styled.text, QString());
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &styled, painter, option.widget);
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setFont(styled.font);
    painter->setPen(styled.palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text));
    painter->drawText(
        QRectF(option.rect.adjusted(kMargin + badgeIndent(styled), kMargin - 1, -kMargin, 0)), text,
        wrapAnywhere());
    painter->restore();
}

QSize FactsDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem styled = option;
    initStyleOption(&styled, index);
    const auto* view = qobject_cast<const QTreeView*>(option.widget);
    const int line = QFontMetrics(styled.font).height() + 2 * kMargin;
    const int natural = QFontMetrics(styled.font).horizontalAdvance(styled.text) + 2 * kMargin + 2;
    if (!view || index.column() == 0)
        return {natural + badgeIndent(styled), line};
    const int width = std::max(40, view->columnWidth(1));
    return {
        width,
        std::max(line, wrappedHeight(styled.text, styled.font, width - 2 * kMargin) + 2 * kMargin)};
}

} // namespace reinspect
