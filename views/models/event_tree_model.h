// SPDX-License-Identifier: MIT
// The trace as a tree: phases > candidates > arguments > checks > uses, nested by the depth of the
// events. Only the nesting is computed when a trace is set; sentences are made when they are shown,
// so a trace of 100,000 events costs little more than one of ten.
#pragma once

#include <QAbstractItemModel>

#include "views/models/decision_badges.h"
#include "views/models/event_mark.h"

#include <memory>

namespace reinspect
{

class EventTreeModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum DataRole
    {
        EventRole = Qt::UserRole, // EventIndex
        MarkRole,                 // EventMark
        CurrentRole,              // bool: the cursor stands here
        PastRole,                 // bool: at or before the cursor
        BadgesRole,               // QList<Badge>
    };

    using QAbstractItemModel::QAbstractItemModel;

    void setTrace(std::shared_ptr<const PassTrace> trace);
    void setCurrentEvent(EventIndex event);
    EventIndex currentEvent() const { return m_current; }

    QModelIndex indexOf(EventIndex event) const;
    EventIndex eventAt(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void nest();
    std::uint32_t slotOf(const QModelIndex& index) const; // the slot after the last is the root

    std::shared_ptr<const PassTrace> m_trace;
    EventIndex m_current;
    // By event; one more slot at the end stands for the root.
    std::vector<std::uint32_t> m_parent;
    std::vector<std::uint32_t> m_row;
    std::vector<std::uint32_t> m_firstChild; // into m_children
    std::vector<std::uint32_t> m_children;
};

} // namespace reinspect
