// SPDX-License-Identifier: MIT
#include "app/palette_model.h"

#include "core/layout/node_label.h"
#include "views/session/qt_text.h"

#include <QAction>

#include <algorithm>

namespace reinspect
{

static constexpr std::size_t kMostNodes = 60;

int matchScore(QStringView text, QStringView candidate)
{
    int score = 0;
    qsizetype at = 0;
    bool isRun = false;
    for (const QChar letter : text)
    {
        if (letter.isSpace())
        {
            isRun = false;
            continue;
        }
        qsizetype found = at;
        while (found < candidate.size() && candidate[found].toLower() != letter.toLower())
            ++found;
        if (found == candidate.size())
            return -1;
        const bool isStart = found == 0 || !candidate[found - 1].isLetterOrNumber();
        score += (isRun && found == at ? 8 : 1) + (isStart ? 6 : 0);
        isRun = true;
        at = found + 1;
    }
    // Of equal matches the shorter one is meant.
    return score * 16 + static_cast<int>(15 - std::min<qsizetype>(candidate.size() / 4, 15));
}

static QIcon emptyIcon()
{
    QPixmap pixmap(16, 16);
    pixmap.fill(Qt::transparent);
    return QIcon(pixmap);
}

static QString commandText(const QAction& action)
{
    return action.text().remove(u'&').remove(QStringLiteral("..."));
}

PaletteModel::PaletteModel(QList<QAction*> commands, std::shared_ptr<const PassTrace> trace,
                           QObject* parent)
    : QAbstractListModel(parent)
    , m_commands(std::move(commands))
    , m_trace(std::move(trace))
{
    setText({});
}

std::vector<PaletteModel::Row> PaletteModel::matchingCommands(const QString& text) const
{
    std::vector<Row> rows;
    for (QAction* command : m_commands)
    {
        const int score = matchScore(text, commandText(*command));
        if (score >= 0)
            rows.push_back({command, {}, score + (command->isEnabled() ? 1000000 : 0)});
    }
    return rows;
}

// Exact runs only: scattered letters would match half of a large graph.
std::vector<PaletteModel::Row> PaletteModel::matchingNodes(const QString& text) const
{
    std::vector<Row> rows;
    if (!m_trace || text.isEmpty())
        return rows;
    const std::string wanted = toStdString(text);
    for (std::size_t slot = 0; slot < m_trace->result->slotCount(); ++slot)
    {
        const std::string& name = m_trace->nameOf(NodeId(slot));
        const std::size_t at = name.find(wanted);
        if (at != std::string::npos)
            rows.push_back({nullptr, NodeId(slot),
                            (at == 0 ? 1000 : 500)
                                - static_cast<int>(std::min<std::size_t>(name.size(), 400))});
    }
    return rows;
}

void PaletteModel::setText(const QString& text)
{
    const QString wanted = text.trimmed();
    const auto better = [](const Row& a, const Row& b) { return a.score > b.score; };
    std::vector<Row> rows = matchingCommands(wanted);
    if (!wanted.isEmpty())
        std::stable_sort(rows.begin(), rows.end(), better);
    std::vector<Row> nodes = matchingNodes(wanted);
    std::stable_sort(nodes.begin(), nodes.end(), better);
    nodes.resize(std::min(nodes.size(), kMostNodes));
    rows.insert(rows.end(), nodes.begin(), nodes.end());
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

QAction* PaletteModel::commandAt(int row) const
{
    return m_rows[static_cast<std::size_t>(row)].command;
}

NodeId PaletteModel::nodeAt(int row) const
{
    return m_rows[static_cast<std::size_t>(row)].node;
}

int PaletteModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    if (row.command)
    {
        switch (role)
        {
        case Qt::DisplayRole: return commandText(*row.command);
        // Without one, an empty one, so that all texts begin at the same place.
        case Qt::DecorationRole:
            return row.command->icon().isNull() ? QVariant(emptyIcon()) : row.command->icon();
        case DetailRole: return row.command->shortcut().toString(QKeySequence::NativeText);
        case IsEnabledRole: return row.command->isEnabled();
        default: return {};
        }
    }
    const Node& node = m_trace->result->node(row.node);
    switch (role)
    {
    case Qt::DisplayRole: return toQString(node.name);
    case Qt::DecorationRole: return emptyIcon();
    case DetailRole: return toQString(operationOf(node, node.target));
    case IsEnabledRole: return true;
    default: return {};
    }
}

} // namespace reinspect
