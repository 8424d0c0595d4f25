// SPDX-License-Identifier: MIT
#include "views/models/run_result_model.h"

#include "views/session/qt_text.h"

#include <cmath>

namespace reinspect
{

namespace
{

QString numberText(double value)
{
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("inf") : QStringLiteral("-inf");
    return QString::number(value, 'g', 3);
}

QString heading(int column)
{
    switch (column)
    {
    case RunResultModel::Result: return RunResultModel::tr("Result");
    case RunResultModel::Node: return RunResultModel::tr("Node");
    case RunResultModel::Against: return RunResultModel::tr("Before Against");
    case RunResultModel::Finding: return RunResultModel::tr("Finding");
    case RunResultModel::MaxAbsolute: return RunResultModel::tr("Max Absolute");
    case RunResultModel::MaxRelative: return RunResultModel::tr("Max Relative");
    case RunResultModel::Differing: return RunResultModel::tr("Elements");
    case RunResultModel::FirstIndex: return RunResultModel::tr("First at");
    default: break;
    }
    return {};
}

bool isMeasure(int column)
{
    return column >= RunResultModel::MaxAbsolute && column <= RunResultModel::Differing;
}

QString measureText(const proof::Difference& difference, int column)
{
    if (!difference.mismatch.empty())
        return {};
    switch (column)
    {
    case RunResultModel::MaxAbsolute: return numberText(difference.maxAbsolute);
    case RunResultModel::MaxRelative: return numberText(difference.maxRelative);
    case RunResultModel::Differing: return QStringLiteral("%L1").arg(difference.differing);
    case RunResultModel::FirstIndex:
        return difference.firstIndex ? toQString(exec::sizesText(*difference.firstIndex))
                                     : QString();
    default: break;
    }
    return {};
}

QString cell(const RunRow& row, int column)
{
    switch (column)
    {
    case RunResultModel::Result: return row.result;
    case RunResultModel::Node: return row.node;
    case RunResultModel::Against: return row.against;
    case RunResultModel::Finding: return row.words;
    default: break;
    }
    return row.difference ? measureText(*row.difference, column) : QString();
}

QString line(const QStringList& cells, TableText form)
{
    return form == TableText::Tabs
        ? cells.join(u'\t') + u'\n'
        : QStringLiteral("| %1 |\n").arg(cells.join(QStringLiteral(" | ")));
}

QString escaped(QString text, TableText form)
{
    text.replace(u'\t', u' ').replace(u'\n', u' ');
    return form == TableText::Markdown ? text.replace(u'|', QStringLiteral("\\|")) : text;
}

} // namespace

void RunResultModel::setResult(std::shared_ptr<const RunResult> result)
{
    beginResetModel();
    m_rows = result ? runRows(*result) : std::vector<RunRow>();
    endResetModel();
}

const RunRow* RunResultModel::rowAt(const QModelIndex& index) const
{
    return index.isValid() ? &m_rows[static_cast<std::size_t>(index.row())] : nullptr;
}

QModelIndex RunResultModel::indexOfNode(const QString& node) const
{
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (!node.isEmpty() && m_rows[i].node == node)
            return index(static_cast<int>(i), 0);
    return {};
}

int RunResultModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunResultModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunResultModel::data(const QModelIndex& index, int role) const
{
    const RunRow* row = rowAt(index);
    if (!row)
        return {};
    const QString text = cell(*row, index.column());
    switch (role)
    {
    case Qt::DisplayRole: return text;
    case Qt::ToolTipRole:
        return QStringLiteral("<p>%1</p>")
            .arg(text.isEmpty() ? row->words.toHtmlEscaped() : text.toHtmlEscaped());
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2").arg(heading(index.column()),
                                            text.isEmpty() ? QStringLiteral("-") : text);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter
                                   | (isMeasure(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
    case BadgesRole:
        return QVariant::fromValue(index.column() == Finding ? QList<Badge>{badgeOf(row->finding)}
                                                             : QList<Badge>());
    default: break;
    }
    return {};
}

QVariant RunResultModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    return orientation == Qt::Vertical ? QVariant(section + 1) : QVariant(heading(section));
}

QString RunResultModel::table(const std::vector<int>& rows, TableText form) const
{
    QStringList headings;
    QStringList rules;
    for (int column = 0; column < ColumnCount; ++column)
    {
        headings.append(heading(column));
        rules.append(isMeasure(column) ? QStringLiteral("---:") : QStringLiteral("---"));
    }
    QString text = line(headings, form);
    if (form == TableText::Markdown)
        text += line(rules, form);
    const auto add = [&](const RunRow& row) {
        QStringList cells;
        for (int column = 0; column < ColumnCount; ++column)
            cells.append(escaped(cell(row, column), form));
        text += line(cells, form);
    };
    if (rows.empty())
        std::ranges::for_each(m_rows, add);
    for (const int row : rows)
        add(m_rows[static_cast<std::size_t>(row)]);
    return text;
}

} // namespace reinspect
