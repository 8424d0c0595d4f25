// SPDX-License-Identifier: MIT
#include "views/models/node_facts_model.h"

#include "views/session/qt_text.h"

namespace reinspect
{

// Facts hold the number of their group, counted from 1; groups hold 0.
static std::size_t groupNumber(const QModelIndex& index)
{
    return static_cast<std::size_t>(index.internalId() - 1);
}

void NodeFactsModel::setFacts(std::vector<NodeFactGroup> groups)
{
    beginResetModel();
    m_groups = std::move(groups);
    endResetModel();
}

QModelIndex NodeFactsModel::groupOf(DecisionIndex decision) const
{
    for (std::size_t i = 0; decision && i < m_groups.size(); ++i)
        if (m_groups[i].decision == decision)
            return index(static_cast<int>(i), 0);
    return {};
}

QModelIndex NodeFactsModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row() + 1) : 0);
}

QModelIndex NodeFactsModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || child.internalId() == 0)
        return {};
    return createIndex(static_cast<int>(groupNumber(child)), 0, quintptr{0});
}

int NodeFactsModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_groups.size());
    if (parent.internalId() != 0 || parent.column() > 0)
        return 0;
    return static_cast<int>(m_groups[static_cast<std::size_t>(parent.row())].facts.size());
}

int NodeFactsModel::columnCount(const QModelIndex&) const
{
    return 2;
}

QVariant NodeFactsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    if (index.internalId() == 0)
        return role == Qt::DisplayRole && index.column() == 0 ? m_groups[row].title : QVariant();
    const NodeFact& fact = m_groups[groupNumber(index)].facts[row];
    switch (role)
    {
    case Qt::DisplayRole: return index.column() == 0 ? fact.name : fact.value;
    case Qt::ToolTipRole: return QStringLiteral("<p>%1</p>").arg(fact.value.toHtmlEscaped());
    case NodeRole: return QVariant::fromValue(fact.link);
    case BadgesRole:
        return fact.badge && index.column() == 0 ? QVariant::fromValue(QList<Badge>{*fact.badge})
                                                 : QVariant();
    case ProvesRole: return fact.proves ? QVariant::fromValue(fact.proves.index()) : QVariant();
    default: return {};
    }
}

QVariant NodeFactsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == 0 ? tr("Fact") : tr("Value");
}

} // namespace reinspect
