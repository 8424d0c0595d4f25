// SPDX-License-Identifier: MIT
#include "views/models/change_list_model.h"

#include "views/session/qt_text.h"

#include <algorithm>

namespace reinspect
{

void ChangeListModel::setChanges(std::vector<NodeChange> changes)
{
    beginResetModel();
    m_changes = std::move(changes);
    endResetModel();
}

int ChangeListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_changes.size());
}

int ChangeListModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ChangeListModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const NodeChange& change = m_changes[static_cast<std::size_t>(index.row())];
    switch (index.column())
    {
    case Kind:
        return toQString(std::string(changeKindMark(change.kind)) + "  "
                         + std::string(changeKindName(change.kind)));
    case Name: return toQString(change.name);
    case Before: return toQString(change.beforeText);
    case After: return toQString(change.afterText);
    default: return {};
    }
}

QVariant ChangeListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section)
    {
    case Kind: return tr("Change");
    case Name: return tr("Node");
    case Before: return tr("Left");
    case After: return tr("Right");
    default: return {};
    }
}

QString changeSummary(const std::vector<NodeChange>& changes)
{
    QStringList parts;
    for (const ChangeKind kind : {ChangeKind::Added, ChangeKind::Removed, ChangeKind::Retargeted,
                                  ChangeKind::Rewired, ChangeKind::MetadataOnly})
    {
        const auto count = std::ranges::count(changes, kind, &NodeChange::kind);
        if (count > 0)
            parts.append(QStringLiteral("%L1 %2").arg(count).arg(toQString(changeKindName(kind))));
    }
    return parts.isEmpty() ? ChangeListModel::tr("No difference")
                           : parts.join(QStringLiteral(", "));
}

} // namespace reinspect
