// SPDX-License-Identifier: MIT
// The whole picture at a glance, in a corner of the view, with a frame around what is seen. Shown
// only while something lies outside. A click or a drag in it moves the view.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

#include "views/canvas/far_picture.h"
#include "views/canvas/viewport.h"

#include <QImage>

class QTimer;

namespace reinspect
{

class MinimapItem : public QWidget
{
    Q_OBJECT

public:
    MinimapItem(const GraphScene* scene, QWidget* parent);

    void setTheme(const Theme& theme);
    void setViewport(const Viewport& viewport);
    // The marks changed: drawn anew a moment later, once for many changes.
    void refreshSoon();
    // Boxes moved: the size may change too.
    void rebuild();
    bool isNeeded() const; // not all of the scene is seen
    bool isDrawn() const { return !m_picture.isNull() && !m_lane.isBusy(); }

signals:
    void centerRequested(QPointF scenePoint);
    void drawn();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void draw();
    void take(QImage picture);
    double scale() const;
    void request(QPointF position);

    const GraphScene* m_scene;
    Theme m_theme;
    Viewport m_viewport;
    QImage m_picture;
    Lane m_lane;
    QTimer* m_timer;
};

} // namespace reinspect
