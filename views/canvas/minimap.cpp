// SPDX-License-Identifier: MIT
#include "views/canvas/minimap.h"

#include <QMouseEvent>
#include <QPainter>
#include <QTimer>

#include <algorithm>

namespace reinspect
{

static constexpr QSizeF kLargest(230, 150);
static constexpr double kLargestPart = 0.24; // of the view's width and height, which it covers
static constexpr double kPadding = 5;
static constexpr int kDelay = 150; // milliseconds; stepping quickly draws it once

MinimapItem::MinimapItem(const GraphScene* scene, QWidget* parent)
    : QWidget(parent)
    , m_scene(scene)
    , m_theme(Theme::light())
    , m_timer(new QTimer(this))
{
    setAccessibleName(tr("Overview"));
    setToolTip(tr("The whole graph. Click or drag to move the view."));
    setCursor(Qt::ArrowCursor);
    setAttribute(Qt::WA_OpaquePaintEvent); // the view below need not be painted first
    m_timer->setSingleShot(true);
    m_timer->setInterval(kDelay);
    connect(m_timer, &QTimer::timeout, this, &MinimapItem::draw);
}

void MinimapItem::setTheme(const Theme& theme)
{
    m_theme = theme;
    draw();
}

void MinimapItem::setViewport(const Viewport& viewport)
{
    m_viewport = viewport;
    update();
}

void MinimapItem::refreshSoon()
{
    if (!m_timer->isActive())
        m_timer->start();
}

double MinimapItem::scale() const
{
    const QRectF& bounds = m_scene->bounds();
    const QSizeF room =
        kLargest.boundedTo(QSizeF(parentWidget()->size() * kLargestPart)).expandedTo({40, 30});
    return std::min(room.width() / bounds.width(), room.height() / bounds.height());
}

void MinimapItem::rebuild()
{
    if (!m_scene->isEmpty())
        resize((m_scene->bounds().size() * scale() + QSizeF(2 * kPadding, 2 * kPadding)).toSize());
    m_picture = {};
    draw();
}

// Much on a thread of its own, where the picture before stays until then; a little at once.
void MinimapItem::draw()
{
    constexpr std::size_t kFew = 800;
    m_timer->stop();
    m_lane.cancel();
    if (m_scene->isEmpty())
        return;
    const auto job = [scene = *m_scene, theme = m_theme, scale = scale(),
                      ratio = devicePixelRatioF()](std::stop_token) {
        GraphPainter painter;
        return scenePixels(painter, scene, theme, scene.bounds(), scale, ratio);
    };
    if (m_scene->boxCount() <= kFew)
        take(job({}));
    else
        m_lane.run(job, [this](QImage picture) { take(std::move(picture)); });
}

void MinimapItem::take(QImage picture)
{
    m_picture = std::move(picture);
    update();
    emit drawn();
}

bool MinimapItem::isNeeded() const
{
    return !m_scene->isEmpty() && !m_viewport.sceneRect().contains(m_scene->bounds());
}

void MinimapItem::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(Surface::Panel));
    painter.drawImage(QPointF(kPadding, kPadding), m_picture);
    const QRectF seen = m_viewport.sceneRect().translated(-m_scene->bounds().topLeft());
    QRectF frame(QPointF(kPadding, kPadding) + seen.topLeft() * scale(), seen.size() * scale());
    // A frame of a few pixels can still be found.
    const QPointF middle = frame.center();
    frame.setSize(frame.size().expandedTo({6, 6}));
    frame.moveCenter(middle);
    QColor accent = m_theme.color(Surface::Accent);
    painter.setPen(QPen(accent, 1.5));
    accent.setAlphaF(0.12f);
    painter.setBrush(accent);
    painter.drawRect(frame);
    painter.setPen(QPen(m_theme.color(Surface::Edge), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

void MinimapItem::request(QPointF position)
{
    if (!m_scene->isEmpty())
        emit centerRequested(m_scene->bounds().topLeft()
                             + (position - QPointF(kPadding, kPadding)) / scale());
}

void MinimapItem::mousePressEvent(QMouseEvent* event)
{
    event->accept(); // the view below must not start to pan
    request(event->position());
}

void MinimapItem::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & Qt::LeftButton)
        request(event->position());
}

} // namespace reinspect
