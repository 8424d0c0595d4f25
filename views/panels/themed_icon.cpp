// SPDX-License-Identifier: MIT
#include "views/panels/themed_icon.h"

#include "views/canvas/mark_shapes.h"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

namespace reinspect
{

namespace
{

class ThemedEngine : public QIconEngine
{
public:
    explicit ThemedEngine(QByteArray svg)
        : m_svg(std::move(svg))
    {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Normal;
        QColor color = QApplication::palette().color(group, QPalette::WindowText);
        if (mode == QIcon::Disabled)
            color.setAlphaF(0.45f);
        QByteArray svg = m_svg;
        svg.replace("currentColor", color.name().toLatin1());
        painter->save();
        painter->setOpacity(painter->opacity() * color.alphaF());
        QSvgRenderer(svg).render(painter, rect);
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new ThemedEngine(m_svg); }

private:
    QByteArray m_svg;
};

} // namespace

QIcon themedIcon(const QString& name)
{
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new ThemedEngine(file.readAll()));
}

Role roleOf(EventMark mark)
{
    switch (mark)
    {
    case EventMark::Phase: return Role::Plain;
    case EventMark::Note: return Role::CopyBack;
    case EventMark::Edit: return Role::Retargeted;
    case EventMark::Candidate: return Role::Candidate;
    case EventMark::Reinplaced:
    case EventMark::Passed: return Role::Reinplaced;
    case EventMark::Kept: return Role::Kept;
    case EventMark::Failed:
    case EventMark::Blocking: return Role::Blocking;
    case EventMark::Harmless:
    case EventMark::Disjoint: return Role::Harmless;
    case EventMark::Overlaps: return Role::SameMemory;
    }
    return Role::Plain;
}

QPixmap markPixmap(const Theme& theme, Role role, int extent, qreal devicePixelRatio,
                   const QColor& color)
{
    QPixmap pixmap(QSize(extent, extent) * devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const RoleStyle& style = theme.style(role);
    drawMark(painter, style.mark, QRectF(0, 0, extent, extent).adjusted(1.5, 1.5, -1.5, -1.5),
             color.isValid() ? color : style.border);
    return pixmap;
}

namespace
{
struct BadgeStyle
{
    Mark mark;
    Role color;
};

BadgeStyle styleOf(Badge badge)
{
    switch (badge)
    {
    case Badge::InPlace: return {Mark::Check, Role::Reinplaced};
    case Badge::Kept: return {Mark::Bars, Role::Kept};
    case Badge::Hazard: return {Mark::Warning, Role::Current};
    case Badge::Missed: return {Mark::Slashed, Role::Blocking};
    case Badge::Opportunity: return {Mark::Star, Role::View};
    case Badge::Overruled: return {Mark::Pin, Role::Selected};
    case Badge::Assumed: return {Mark::Ring, Role::Candidate};
    case Badge::Same: return {Mark::Dash, Role::NotYet};
    case Badge::Differs: return {Mark::Swap, Role::Candidate};
    case Badge::OnlyHere: return {Mark::Plus, Role::Created};
    }
    return {Mark::None, Role::Plain};
}

constexpr int kBadgeGap = 3;
} // namespace

QSize badgeSize(qsizetype count, int extent)
{
    const int marks = static_cast<int>(count);
    return {marks * extent + std::max(0, marks - 1) * kBadgeGap, extent};
}

QPixmap badgePixmap(const Theme& theme, const QList<Badge>& badges, int extent,
                    qreal devicePixelRatio, const QColor& color)
{
    QPixmap pixmap(badgeSize(badges.size(), extent) * devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    QRectF square(0, 0, extent, extent);
    for (const Badge badge : badges)
    {
        const BadgeStyle style = styleOf(badge);
        drawMark(painter, style.mark, square.adjusted(1.5, 1.5, -1.5, -1.5),
                 color.isValid() ? color : theme.style(style.color).border);
        square.translate(extent + kBadgeGap, 0);
    }
    return pixmap;
}

} // namespace reinspect
