// SPDX-License-Identifier: MIT
#include "views/models/timeline_model.h"

#include "core/layout/node_label.h"
#include "views/models/tensor_words.h"
#include "views/models/timeline_words.h"
#include "views/session/qt_text.h"
#include "views/session/time_classes.h"

namespace reinspect
{

namespace
{

QString heading(int column)
{
    switch (column)
    {
    case TimelineModel::Name: return TimelineModel::tr("Node");
    case TimelineModel::Time: return TimelineModel::tr("Time");
    case TimelineModel::Share: return TimelineModel::tr("Share");
    case TimelineModel::Bytes: return TimelineModel::tr("Bytes");
    case TimelineModel::Rate: return TimelineModel::tr("GB/s");
    case TimelineModel::Place: return TimelineModel::tr("On");
    case TimelineModel::Operator: return TimelineModel::tr("Operator");
    default: break;
    }
    return {};
}

bool isAmount(int column)
{
    return column >= TimelineModel::Time && column <= TimelineModel::Rate;
}

QString line(const QStringList& cells, TableText form)
{
    return form == TableText::Tabs
        ? cells.join(u'\t') + u'\n'
        : QStringLiteral("| %1 |\n").arg(cells.join(QStringLiteral(" | ")));
}

QVariant sortKey(const TimelineNode& node, int column, const QString& text)
{
    switch (column)
    {
    case TimelineModel::Time:
    case TimelineModel::Share: return node.seconds;
    case TimelineModel::Bytes: return static_cast<qlonglong>(node.bytes);
    case TimelineModel::Rate: return node.bytesPerSecond();
    default: break;
    }
    return text;
}

} // namespace

void TimelineModel::setStage(std::shared_ptr<const Timeline> timeline, std::size_t stage)
{
    beginResetModel();
    m_timeline = std::move(timeline);
    m_stage =
        m_timeline && stage < m_timeline->stages.size() ? &m_timeline->stages[stage] : nullptr;
    endResetModel();
}

const TimelineNode* TimelineModel::nodeAt(const QModelIndex& index) const
{
    return index.isValid() ? &m_stage->nodes[static_cast<std::size_t>(index.row())] : nullptr;
}

QModelIndex TimelineModel::indexOf(const std::string& node) const
{
    if (!m_stage)
        return {};
    const auto at = m_stage->placeOf.find(node);
    return at == m_stage->placeOf.end() ? QModelIndex() : index(static_cast<int>(at->second), 0);
}

int TimelineModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_stage ? 0 : static_cast<int>(m_stage->nodes.size());
}

int TimelineModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString TimelineModel::cell(const TimelineNode& node, int column) const
{
    switch (column)
    {
    case Name: return toQString(node.name);
    case Time: return timeText(node.seconds);
    case Share: return shareText(m_stage->shareOf(node));
    case Bytes: return node.bytes > 0 ? bytesText(node.bytes) : QString();
    case Rate: return node.bytes > 0 ? rateNumber(node) : QString();
    case Place: return placeText(*m_stage, node);
    case Operator: return toQString(shortOperator(node.target));
    default: break;
    }
    return {};
}

QVariant TimelineModel::data(const QModelIndex& index, int role) const
{
    const TimelineNode* node = nodeAt(index);
    if (!node)
        return {};
    const QString text = cell(*node, index.column());
    switch (role)
    {
    case Qt::DisplayRole: return text;
    case Qt::ToolTipRole: return nodeTimeText(*m_stage, *node);
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2").arg(heading(index.column()),
                                            text.isEmpty() ? QStringLiteral("-") : text);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter
                                   | (isAmount(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
    case SortRole: return sortKey(*node, index.column(), text);
    default: break;
    }
    return {};
}

QVariant TimelineModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    return orientation == Qt::Vertical ? QVariant(section + 1) : QVariant(heading(section));
}

QString TimelineModel::table(const std::vector<int>& rows, TableText form) const
{
    QStringList headings;
    QStringList rules;
    for (int column = 0; column < ColumnCount; ++column)
    {
        headings.append(heading(column));
        rules.append(isAmount(column) ? QStringLiteral("---:") : QStringLiteral("---"));
    }
    QString text = line(headings, form);
    if (form == TableText::Markdown)
        text += line(rules, form);
    for (const int row : rows)
    {
        QStringList cells;
        for (int column = 0; column < ColumnCount; ++column)
            cells.append(cell(m_stage->nodes[static_cast<std::size_t>(row)], column));
        text += line(cells, form);
    }
    return text;
}

} // namespace reinspect
