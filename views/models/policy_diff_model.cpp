// SPDX-License-Identifier: MIT
#include "views/models/policy_diff_model.h"

#include "core/passes/explain.h"
#include "views/models/tensor_words.h"
#include "views/session/qt_text.h"

namespace reinspect
{

void PolicyDiffModel::setResult(std::shared_ptr<const ComparedTraces> result)
{
    beginResetModel();
    m_result = std::move(result);
    fill();
    endResetModel();
}

void PolicyDiffModel::setDifferencesOnly(bool only)
{
    if (only == m_differencesOnly)
        return;
    beginResetModel();
    m_differencesOnly = only;
    fill();
    endResetModel();
}

void PolicyDiffModel::fill()
{
    m_rows.clear();
    const std::size_t count = m_result ? m_result->diff.rows.size() : 0;
    for (std::size_t i = 0; i < count; ++i)
        if (!m_differencesOnly || m_result->diff.rows[i].kind != DiffKind::Same)
            m_rows.push_back(static_cast<std::uint32_t>(i));
}

const DecisionDiff* PolicyDiffModel::diffAt(const QModelIndex& index) const
{
    return index.isValid() ? &m_result->diff.rows[m_rows[static_cast<std::size_t>(index.row())]]
                           : nullptr;
}

QModelIndex PolicyDiffModel::indexOf(DecisionIndex ofFirst) const
{
    for (std::size_t i = 0; ofFirst && i < m_rows.size(); ++i)
        if (m_result->diff.rows[m_rows[i]].first == ofFirst)
            return createIndex(static_cast<int>(i), 0);
    return {};
}

// For a row that is the same, what both say.
QString PolicyDiffModel::sentence(const QModelIndex& index) const
{
    const DecisionDiff* row = diffAt(index);
    if (!row)
        return {};
    if (row->kind == DiffKind::Same)
        return tr("Both: %1")
            .arg(toQString(
                explain(*m_result->first, m_result->first->decision(row->first).decided)));
    return toQString(explainDiff(*m_result->first, *m_result->second, *row));
}

int PolicyDiffModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int PolicyDiffModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

static QString sideText(const PassTrace& trace, DecisionIndex index)
{
    if (!index)
        return PolicyDiffModel::tr("not tried");
    const Decision& decision = trace.decision(index);
    const QString word = toQString(verdictName(decision.verdict));
    return decision.reason
        ? QStringLiteral("%1 (%2)").arg(word, toQString(reasonName(*decision.reason)))
        : word;
}

static QString differenceText(const ComparedTraces& traces, const DecisionDiff& row)
{
    switch (row.kind)
    {
    case DiffKind::Same: return PolicyDiffModel::tr("same");
    case DiffKind::Differs:
        return row.verdictDiffers ? PolicyDiffModel::tr("other verdict")
                                  : PolicyDiffModel::tr("other reason");
    case DiffKind::OnlyFirst:
        return PolicyDiffModel::tr("only %1").arg(toQString(traces.first->policy.name));
    case DiffKind::OnlySecond:
        return PolicyDiffModel::tr("only %1").arg(toQString(traces.second->policy.name));
    }
    return {};
}

QString PolicyDiffModel::text(const DecisionDiff& row, Column column) const
{
    switch (column)
    {
    case Node: return toQString(row.node);
    case Argument: return toQString(row.argument);
    case Difference: return differenceText(*m_result, row);
    case First: return sideText(*m_result->first, row.first);
    case Second: return sideText(*m_result->second, row.second);
    case Bytes:
        return bytesText(row.first ? m_result->first->decision(row.first).bytes
                                   : m_result->second->decision(row.second).bytes);
    case ColumnCount: break;
    }
    return {};
}

QList<Badge> PolicyDiffModel::badges(const DecisionDiff& row, Column column) const
{
    const auto ofSide = [](const PassTrace& trace, DecisionIndex index) {
        return index
            ? QList<Badge>{badgeOf(trace.decision(index).verdict)} + badgesOf(trace.decision(index))
            : QList<Badge>{};
    };
    switch (column)
    {
    case Difference: return {badgeOf(row.kind)};
    case First: return ofSide(*m_result->first, row.first);
    case Second: return ofSide(*m_result->second, row.second);
    case Node:
    case Argument:
    case Bytes:
    case ColumnCount: break;
    }
    return {};
}

QVariant PolicyDiffModel::data(const QModelIndex& index, int role) const
{
    const DecisionDiff* row = diffAt(index);
    if (!row)
        return {};
    const auto column = static_cast<Column>(index.column());
    switch (role)
    {
    case Qt::DisplayRole: return text(*row, column);
    case Qt::ToolTipRole: return QStringLiteral("<p>%1</p>").arg(sentence(index).toHtmlEscaped());
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2").arg(
            headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), text(*row, column));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter
                                   | (column == Bytes ? Qt::AlignRight : Qt::AlignLeft));
    case BadgesRole: return QVariant::fromValue(badges(*row, column));
    default: return {};
    }
}

QVariant PolicyDiffModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || section < 0)
        return {};
    if (orientation == Qt::Vertical)
        return section + 1;
    const auto policy = [this](bool first) {
        if (!m_result)
            return first ? tr("First") : tr("Second");
        return toQString((first ? m_result->first : m_result->second)->policy.name);
    };
    switch (static_cast<Column>(section))
    {
    case Node: return tr("Node");
    case Argument: return tr("Argument");
    case Difference: return tr("Difference");
    case First: return policy(true);
    case Second: return policy(false);
    case Bytes: return tr("Bytes");
    case ColumnCount: break;
    }
    return {};
}

} // namespace reinspect
