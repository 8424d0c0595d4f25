// SPDX-License-Identifier: MIT
// Copying rows of a table as text: two entries of its menu, and their keys while the table has the focus. The
// window has commands on the same keys; in the table they mean its rows.
#pragma once

#include <QObject>

#include "views/models/verdict_table_model.h"

#include <functional>

class QMenu;
class QWidget;

namespace reinspect
{

class CopyKeys : public QObject
{
    Q_OBJECT

public:
    // Lives as long as the table. `copy` takes the rows that are chosen.
    CopyKeys(QWidget* table, QMenu* menu, std::function<void(TableText)> copy);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::function<void(TableText)> m_copy;
};

} // namespace reinspect
