// SPDX-License-Identifier: MIT
#include "views/models/event_tree_model.h"

#include "core/passes/explain.h"
#include "views/session/qt_text.h"

namespace reinspect
{

void EventTreeModel::setTrace(std::shared_ptr<const PassTrace> trace)
{
    beginResetModel();
    m_trace = std::move(trace);
    m_current = {};
    nest();
    endResetModel();
}

// The parent of an event is the last one before it that is shallower.
void EventTreeModel::nest()
{
    const std::size_t count = m_trace ? m_trace->events.size() : 0;
    const auto root = static_cast<std::uint32_t>(count);
    m_parent.assign(count, root);
    m_row.assign(count, 0);
    m_firstChild.assign(count + 2, 0);
    m_children.resize(count);
    std::vector<std::uint32_t> open;
    std::vector<std::uint32_t> childCount(count + 1, 0);
    for (std::uint32_t i = 0; i < count; ++i)
    {
        while (!open.empty() && m_trace->events[open.back()].depth >= m_trace->events[i].depth)
            open.pop_back();
        m_parent[i] = open.empty() ? root : open.back();
        m_row[i] = childCount[m_parent[i]]++;
        open.push_back(i);
    }
    for (std::size_t i = 0; i <= count; ++i)
        m_firstChild[i + 1] = m_firstChild[i] + childCount[i];
    for (std::uint32_t i = 0; i < count; ++i)
        m_children[m_firstChild[m_parent[i]] + m_row[i]] = i;
}

void EventTreeModel::setCurrentEvent(EventIndex event)
{
    if (event == m_current)
        return;
    const EventIndex before = std::exchange(m_current, event);
    const QList<int> roles{CurrentRole, PastRole, Qt::AccessibleTextRole};
    for (const EventIndex changed : {before, event})
    {
        if (const QModelIndex index = indexOf(changed); index.isValid())
            emit dataChanged(index, index, roles);
    }
}

QModelIndex EventTreeModel::indexOf(EventIndex event) const
{
    if (!m_trace || !event || event.index() >= m_trace->events.size())
        return {};
    return createIndex(static_cast<int>(m_row[event.index()]), 0, event.index());
}

EventIndex EventTreeModel::eventAt(const QModelIndex& index) const
{
    return index.isValid() ? EventIndex(static_cast<std::size_t>(index.internalId()))
                           : EventIndex{};
}

std::uint32_t EventTreeModel::slotOf(const QModelIndex& index) const
{
    return index.isValid() ? static_cast<std::uint32_t>(index.internalId())
                           : static_cast<std::uint32_t>(m_parent.size());
}

QModelIndex EventTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    const std::uint32_t child =
        m_children[m_firstChild[slotOf(parent)] + static_cast<std::uint32_t>(row)];
    return createIndex(row, column, static_cast<quintptr>(child));
}

QModelIndex EventTreeModel::parent(const QModelIndex& child) const
{
    if (!child.isValid())
        return {};
    const std::uint32_t above = m_parent[child.internalId()];
    return above == m_parent.size() ? QModelIndex() : indexOf(EventIndex(above));
}

int EventTreeModel::rowCount(const QModelIndex& parent) const
{
    if (!m_trace || parent.column() > 0)
        return 0;
    const std::uint32_t slot = slotOf(parent);
    return static_cast<int>(m_firstChild[slot + 1] - m_firstChild[slot]);
}

int EventTreeModel::columnCount(const QModelIndex&) const
{
    return 1;
}

// "kept, missed"
static QString words(const PassTrace& trace, EventIndex event)
{
    QStringList all{eventMarkWord(eventMark(trace, event))};
    for (const Badge badge : badgesAt(trace, event))
        all.append(badgeWord(badge));
    return all.join(QStringLiteral(", "));
}

QVariant EventTreeModel::data(const QModelIndex& index, int role) const
{
    if (!m_trace || !index.isValid())
        return {};
    const EventIndex event = eventAt(index);
    switch (role)
    {
    case Qt::DisplayRole: return toQString(explain(*m_trace, event));
    case Qt::ToolTipRole:
        return QStringLiteral("<p>%1</p>").arg(toQString(explain(*m_trace, event)).toHtmlEscaped());
    case Qt::AccessibleTextRole:
        return tr("%1: %2").arg(words(*m_trace, event), toQString(explain(*m_trace, event)));
    case EventRole: return QVariant::fromValue(event);
    case MarkRole: return QVariant::fromValue(eventMark(*m_trace, event));
    case CurrentRole: return event == m_current;
    case BadgesRole: return QVariant::fromValue(badgesAt(*m_trace, event));
    case PastRole: return m_current && event <= m_current;
    default: return {};
    }
}

QVariant EventTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (section == 0 && orientation == Qt::Horizontal && role == Qt::DisplayRole)
        return tr("Step");
    return {};
}

} // namespace reinspect
