// SPDX-License-Identifier: MIT
#include "views/models/verdict_table_model.h"

#include "core/passes/explain.h"
#include "views/session/qt_text.h"

#include <utility>

namespace reinspect
{

void VerdictTableModel::setTrace(std::shared_ptr<const PassTrace> trace)
{
    beginResetModel();
    m_trace = std::move(trace);
    m_current = {};
    fill();
    endResetModel();
}

void VerdictTableModel::setFilter(std::optional<Breakpoint> filter)
{
    beginResetModel();
    m_filter = std::move(filter);
    fill();
    endResetModel();
}

void VerdictTableModel::fill()
{
    m_rows.clear();
    if (m_trace)
        m_rows = verdictRows(*m_trace, m_filter ? &*m_filter : nullptr);
    if (m_trace && m_column >= 0)
        sortVerdicts(*m_trace, m_rows, static_cast<VerdictColumn>(m_column),
                     m_order == Qt::DescendingOrder);
    number();
}

void VerdictTableModel::number()
{
    m_rowOf.assign(m_trace ? m_trace->decisions.size() : 0, -1);
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_rowOf[m_rows[i].index()] = static_cast<int>(i);
}

void VerdictTableModel::sort(int column, Qt::SortOrder order)
{
    if (column == m_column && order == m_order)
        return;
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<DecisionIndex> decisions;
    for (const QModelIndex& index : before)
        decisions.push_back(decisionAt(index));
    m_column = column;
    m_order = order;
    fill();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
        after.append(
            indexOf(decisions[static_cast<std::size_t>(i)]).siblingAtColumn(before[i].column()));
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void VerdictTableModel::setCurrent(DecisionIndex decision)
{
    if (decision == m_current)
        return;
    const DecisionIndex before = std::exchange(m_current, decision);
    for (const DecisionIndex changed : {before, decision})
        if (const QModelIndex first = indexOf(changed); first.isValid())
            emit dataChanged(first, first.siblingAtColumn(kVerdictColumns - 1),
                             {CurrentRole, Qt::FontRole});
}

QModelIndex VerdictTableModel::indexOf(DecisionIndex decision) const
{
    if (!decision || decision.index() >= m_rowOf.size() || m_rowOf[decision.index()] < 0)
        return {};
    return createIndex(m_rowOf[decision.index()], 0);
}

DecisionIndex VerdictTableModel::decisionAt(const QModelIndex& index) const
{
    return index.isValid() ? m_rows[static_cast<std::size_t>(index.row())] : DecisionIndex{};
}

int VerdictTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int VerdictTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kVerdictColumns;
}

static QList<Badge> cellBadges(const Decision& decision, VerdictColumn column)
{
    const auto when = [](bool holds, Badge badge) {
        return holds ? QList<Badge>{badge} : QList<Badge>{};
    };
    switch (column)
    {
    case VerdictColumn::Verdict:
        return QList<Badge>{badgeOf(decision.verdict)}
        + when(badgesOf(decision).contains(Badge::Overruled), Badge::Overruled);
    case VerdictColumn::Missed: return when(decision.missed, Badge::Missed);
    case VerdictColumn::Hazards: return when(!decision.hazards.empty(), Badge::Hazard);
    case VerdictColumn::Opportunity: return when(decision.safe, Badge::Opportunity);
    case VerdictColumn::Certainty:
        return when(decision.certainty == Certainty::Assumed, Badge::Assumed);
    case VerdictColumn::Node:
    case VerdictColumn::Argument:
    case VerdictColumn::Reason:
    case VerdictColumn::Bytes:
    case VerdictColumn::Kind:
    case VerdictColumn::Operator:
    case VerdictColumn::Written: break;
    }
    return {};
}

static QString toolTip(const PassTrace& trace, const Decision& decision)
{
    return QStringLiteral("<p>%1</p>")
        .arg(toQString(explain(trace, decision.decided)).toHtmlEscaped());
}

// Screen readers say what the column is about, which an empty or short cell does not.
static QString spoken(const PassTrace& trace, const Decision& decision, VerdictColumn column)
{
    const QString text = verdictCell(trace, decision, column);
    return QStringLiteral("%1: %2").arg(verdictHeading(column),
                                        text.isEmpty() ? QStringLiteral("-") : text);
}

QVariant VerdictTableModel::data(const QModelIndex& index, int role) const
{
    if (!m_trace || !index.isValid())
        return {};
    const DecisionIndex row = decisionAt(index);
    const Decision& decision = m_trace->decision(row);
    const auto column = static_cast<VerdictColumn>(index.column());
    switch (role)
    {
    case Qt::DisplayRole: return verdictCell(*m_trace, decision, column);
    case Qt::ToolTipRole: return toolTip(*m_trace, decision);
    case Qt::AccessibleTextRole: return spoken(*m_trace, decision, column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::AlignVCenter | (column == VerdictColumn::Bytes ? Qt::AlignRight : Qt::AlignLeft));
    case DecisionRole: return QVariant::fromValue(row);
    case BadgesRole: return QVariant::fromValue(cellBadges(decision, column));
    case CurrentRole: return row == m_current;
    default: return {};
    }
}

QVariant VerdictTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || section < 0)
        return {};
    if (orientation == Qt::Vertical)
        return section + 1;
    return section < kVerdictColumns ? verdictHeading(static_cast<VerdictColumn>(section))
                                     : QString();
}

} // namespace reinspect
