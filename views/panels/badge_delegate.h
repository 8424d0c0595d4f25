// SPDX-License-Identifier: MIT
// A cell of a table with marks in front of its text; the name of the row that is looked at is
// bold.
#pragma once

#include <QStyledItemDelegate>

namespace reinspect
{

class BadgeDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    // The roles under which the model gives QList<Badge>, and whether the row is looked at.
    BadgeDelegate(int badgesRole, int currentRole, QObject* parent);

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    int m_badgesRole;
    int m_currentRole;
};

} // namespace reinspect
