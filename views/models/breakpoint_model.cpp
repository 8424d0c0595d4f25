// SPDX-License-Identifier: MIT
#include "views/models/breakpoint_model.h"

#include "views/session/qt_text.h"

#include <algorithm>

namespace reinspect
{

BreakpointModel::BreakpointModel(Session* session, QObject* parent)
    : QAbstractListModel(parent)
    , m_session(session)
    , m_breakpoints(session->breakpoints())
{
    connect(session, &Session::breakpointsChanged, this, &BreakpointModel::take);
}

static bool sameTexts(const std::vector<Breakpoint>& one, const std::vector<Breakpoint>& other)
{
    return std::ranges::equal(one, other, {}, &Breakpoint::text, &Breakpoint::text);
}

// A checked box must not lose the place in the list.
void BreakpointModel::take()
{
    if (sameTexts(m_breakpoints, m_session->breakpoints()))
    {
        m_breakpoints = m_session->breakpoints();
        if (!m_breakpoints.empty())
            emit dataChanged(index(0), index(rowCount() - 1), {Qt::CheckStateRole});
        return;
    }
    beginResetModel();
    m_breakpoints = m_session->breakpoints();
    endResetModel();
}

int BreakpointModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_breakpoints.size());
}

QVariant BreakpointModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Breakpoint& breakpoint = m_breakpoints[static_cast<std::size_t>(index.row())];
    switch (role)
    {
    case Qt::DisplayRole: return toQString(breakpoint.text);
    case Qt::CheckStateRole: return breakpoint.enabled ? Qt::Checked : Qt::Unchecked;
    case Qt::AccessibleTextRole:
        return breakpoint.enabled ? toQString(breakpoint.text)
                                  : tr("%1, switched off").arg(toQString(breakpoint.text));
    default: return {};
    }
}

bool BreakpointModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || role != Qt::CheckStateRole)
        return false;
    std::vector<Breakpoint> changed = m_breakpoints;
    changed[static_cast<std::size_t>(index.row())].enabled = value.toInt() == Qt::Checked;
    m_session->setBreakpoints(std::move(changed));
    return true;
}

Qt::ItemFlags BreakpointModel::flags(const QModelIndex& index) const
{
    return QAbstractListModel::flags(index)
        | (index.isValid() ? Qt::ItemIsUserCheckable : Qt::NoItemFlags);
}

bool BreakpointModel::removeRows(int row, int count, const QModelIndex& parent)
{
    if (parent.isValid() || row < 0 || count < 1 || row + count > rowCount())
        return false;
    std::vector<Breakpoint> left = m_breakpoints;
    left.erase(left.begin() + row, left.begin() + row + count);
    m_session->setBreakpoints(std::move(left));
    return true;
}

} // namespace reinspect
