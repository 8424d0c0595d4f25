// SPDX-License-Identifier: MIT
#include "app/dock_tabs.h"

#include <QChildEvent>
#include <QMainWindow>
#include <QTabBar>

namespace reinspect
{

DockTabs::DockTabs(QMainWindow* window)
    : QObject(window)
{
    window->installEventFilter(this);
}

bool DockTabs::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ChildPolished && watched == parent())
        static_cast<QChildEvent*>(event)->child()->installEventFilter(this);
    // The main window turns the base on whenever it takes a bar into use.
    if (event->type() == QEvent::Show || event->type() == QEvent::LayoutRequest)
        if (auto* bar = qobject_cast<QTabBar*>(watched))
            bar->setDrawBase(false);
    return QObject::eventFilter(watched, event);
}

} // namespace reinspect
