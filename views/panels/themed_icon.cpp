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

} // namespace reinspect
