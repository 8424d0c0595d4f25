// SPDX-License-Identifier: MIT
#include "views/models/storage_tree_model.h"

#include "core/layout/node_label.h"
#include "views/models/tensor_words.h"
#include "views/session/qt_text.h"

namespace reinspect
{

using Kind = StorageRow::Kind;

void StorageTreeModel::setTrace(std::shared_ptr<const PassTrace> trace, const CaptureFacts& facts)
{
    beginResetModel();
    m_decision = {};
    m_verdicts.clear();
    m_rows.reset();
    if (trace)
        m_rows = makeStorageRows(std::move(trace), facts);
    endResetModel();
}

void StorageTreeModel::setDecision(DecisionIndex decision)
{
    if (!m_rows || decision == m_decision)
        return;
    m_decision = decision;
    m_verdicts = readerVerdicts(*m_rows->trace, decision);
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

const StorageRow& StorageTreeModel::rowOf(const QModelIndex& index) const
{
    return m_rows->rows[index.internalId()];
}

QModelIndex StorageTreeModel::indexOfRow(std::uint32_t row, int column) const
{
    return createIndex(static_cast<int>(m_rows->rows[row].rowInParent), column,
                       static_cast<quintptr>(row));
}

QModelIndex StorageTreeModel::indexOfMember(NodeId node) const
{
    if (!m_rows || !node || node.index() >= m_rows->rowOfMember.size())
        return {};
    const std::uint32_t row = m_rows->rowOfMember[node.index()];
    return row == StorageRows::kNone ? QModelIndex() : indexOfRow(row, 0);
}

QModelIndex StorageTreeModel::indexOfStorage(StorageId storage) const
{
    if (!m_rows || !storage || storage.index() >= m_rows->trace->storages.storageCount())
        return {};
    const std::span<const NodeId> members = m_rows->trace->storages.nodesOf(storage);
    return members.empty() ? QModelIndex() : parent(indexOfMember(members.front()));
}

QModelIndex StorageTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    const auto offset = static_cast<std::uint32_t>(row);
    return indexOfRow(parent.isValid() ? rowOf(parent).firstChild + offset : offset, column);
}

QModelIndex StorageTreeModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || rowOf(child).kind == Kind::Storage)
        return {};
    return indexOfRow(rowOf(child).parent, 0);
}

int StorageTreeModel::rowCount(const QModelIndex& parent) const
{
    if (!m_rows || parent.column() > 0)
        return 0;
    return static_cast<int>(parent.isValid() ? rowOf(parent).childCount : m_rows->storageCount);
}

int StorageTreeModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QVariant StorageTreeModel::data(const QModelIndex& index, int role) const
{
    if (!m_rows || !index.isValid())
        return {};
    const StorageRow& row = rowOf(index);
    switch (role)
    {
    case Qt::DisplayRole: return text(row, index.column());
    case Qt::ToolTipRole: return index.column() == Name ? tipText(row) : text(row, index.column());
    case NodeRole: return QVariant::fromValue(row.node);
    case StorageRole:
        return row.kind == Kind::Storage ? QVariant::fromValue(row.storage) : QVariant();
    case FlaggedRole: return isFlagged(row);
    case SharedRole: return m_rows->trace->storages.nodesOf(row.storage).size() > 1;
    default: return {};
    }
}

QVariant StorageTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section)
    {
    case Name: return tr("Memory");
    case MadeBy: return tr("Made by");
    case Region: return tr("Region");
    case Bytes: return tr("Bytes");
    case Used: return tr("Used");
    case Readers: return tr("Readers");
    default: return {};
    }
}

QString StorageTreeModel::text(const StorageRow& row, int column) const
{
    switch (column)
    {
    case Name: return nameText(row);
    case MadeBy: return madeByText(row);
    case Region:
    {
        const ResolvedMeta* meta =
            row.kind == Kind::Member ? m_rows->geometry->of(row.node) : nullptr;
        return meta ? regionText(meta->meta) : QString();
    }
    case Bytes: return bytesOf(row);
    case Used: return usedText(row);
    case Readers: return row.kind == Kind::Reader ? verdictText(row) : readersText(row);
    default: return {};
    }
}

// Everything: columns may be folded.
QString StorageTreeModel::tipText(const StorageRow& row) const
{
    QStringList lines{nameText(row)};
    for (const int column : {Readers, MadeBy, Region, Bytes, Used})
        if (const QString cell = text(row, column); !cell.isEmpty())
            lines.append(QStringLiteral("%1: %2").arg(
                headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), cell));
    return lines.join(u'\n');
}

QString StorageTreeModel::nameText(const StorageRow& row) const
{
    const QString name = toQString(m_rows->graph[row.node].name);
    if (row.kind == Kind::Storage)
        return tr("Storage of %1").arg(name);
    return row.kind == Kind::Reader ? tr("read by %1").arg(name) : name;
}

QString StorageTreeModel::madeByText(const StorageRow& row) const
{
    const Node& node = m_rows->graph[row.node];
    if (row.kind == Kind::Reader)
        return toQString(operationOf(node, node.target));
    if (row.kind == Kind::Storage)
    {
        if (node.op == NodeOp::Placeholder)
            return tr("input");
        return node.op == NodeOp::GetAttr ? tr("constant") : tr("intermediate");
    }
    const std::vector<NodeId> chain = m_rows->chainOf(row.node);
    QString text = toQString(operationOf(node, node.target));
    if (chain.size() < 2)
        return text;
    QStringList names;
    for (const NodeId link : chain)
        names.append(toQString(m_rows->graph[link].name));
    return tr("%1: %2").arg(text, names.join(QStringLiteral(" \u2192 ")));
}

QString StorageTreeModel::bytesOf(const StorageRow& row) const
{
    if (row.kind == Kind::Reader)
        return {};
    const ResolvedMeta* meta = m_rows->geometry->of(row.node);
    if (!meta)
        return {};
    if (row.kind == Kind::Storage && meta->meta.storageBytes)
        return bytesText(*meta->meta.storageBytes);
    return bytesText(byteCount(meta->meta));
}

QString StorageTreeModel::usedText(const StorageRow& row) const
{
    const auto [first, last] = m_rows->lifetime(row);
    return first == last ? QString::number(first + 1)
                         : QStringLiteral("%1\u2013%2").arg(first + 1).arg(last + 1);
}

// "y blocks" where a reader refuses the current candidate, else how many there are.
QString StorageTreeModel::readersText(const StorageRow& row) const
{
    QStringList blocking;
    for (const auto& [pair, verdict] : m_verdicts)
    {
        const bool isMine = row.kind == Kind::Member
            ? pair.first == row.node
            : m_rows->trace->storages.storageOf(pair.first) == row.storage;
        if (isMine && verdict == UseVerdict::Blocks)
            blocking.append(toQString(m_rows->trace->nameOf(pair.second)));
    }
    blocking.removeDuplicates();
    if (!blocking.isEmpty())
        return tr("%1: blocks").arg(blocking.join(QStringLiteral(", ")));
    if (row.kind == Kind::Member)
        return counted(row.childCount, tr("reader"), tr("readers"));
    return counted(row.childCount, tr("tensor"), tr("tensors"));
}

QString StorageTreeModel::verdictText(const StorageRow& reader) const
{
    const NodeId member = m_rows->rows[reader.parent].node;
    const auto found = m_verdicts.find(std::pair(member, reader.node));
    if (found == m_verdicts.end())
        return {};
    switch (found->second)
    {
    case UseVerdict::BeforeNode: return tr("before the write");
    case UseVerdict::AfterCopyBack: return tr("after the copy back");
    case UseVerdict::ShapeOnly: return tr("reads the shape only");
    case UseVerdict::OverwrittenByCopy: return tr("overwrites it");
    case UseVerdict::OrderingOnly: return tr("only fixes an order");
    case UseVerdict::Disjoint: return tr("reads elsewhere");
    case UseVerdict::NotExamined: return tr("not examined");
    case UseVerdict::Blocks: return tr("blocks");
    }
    return {};
}

bool StorageTreeModel::isFlagged(const StorageRow& row) const
{
    for (const auto& [pair, verdict] : m_verdicts)
    {
        if (verdict != UseVerdict::Blocks
            || m_rows->trace->storages.storageOf(pair.first) != row.storage)
            continue;
        if (row.kind == Kind::Storage || (row.kind == Kind::Member && pair.first == row.node))
            return true;
        if (row.kind == Kind::Reader && pair.second == row.node
            && pair.first == m_rows->rows[row.parent].node)
            return true;
    }
    return false;
}

} // namespace reinspect
