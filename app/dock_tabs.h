// SPDX-License-Identifier: MIT
// The tab bars that a main window makes for docks that share a place. Qt 6.4 draws their base line where
// the bar lay before the docks were laid out, across a neighbour; without the base there is no such line.
#pragma once

#include <QObject>

class QMainWindow;

namespace reinspect
{

class DockTabs : public QObject
{
public:
    explicit DockTabs(QMainWindow* window); // the window owns it

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace reinspect
