// SPDX-License-Identifier: MIT
#include "views/models/found_model.h"

#include "core/layout/node_label.h"
#include "views/models/tensor_words.h"
#include "views/session/qt_text.h"

#include <algorithm>

namespace reinspect
{

QString verdictText(const PassTrace& trace, NodeId node)
{
    int kept = 0;
    int reinplaced = 0;
    for (const Decision& decision : trace.decisions)
    {
        if (decision.node == node)
            ++(decision.verdict == Verdict::Kept ? kept : reinplaced);
    }
    const auto part = [](int count, const QString& word, bool isOnly) {
        return count == 1 && isOnly ? word : QStringLiteral("%1 %2").arg(count).arg(word);
    };
    QStringList parts;
    if (kept > 0)
        parts.append(part(kept, FoundModel::tr("kept"), reinplaced == 0));
    if (reinplaced > 0)
        parts.append(part(reinplaced, FoundModel::tr("reinplaced"), kept == 0));
    return parts.join(QStringLiteral(", "));
}

void FoundModel::setNodes(std::shared_ptr<const PassTrace> trace, std::vector<NodeId> nodes)
{
    beginResetModel();
    m_trace = std::move(trace);
    m_nodes = std::move(nodes);
    endResetModel();
}

NodeId FoundModel::nodeAt(const QModelIndex& index) const
{
    return index.isValid() ? m_nodes[static_cast<std::size_t>(index.row())] : NodeId{};
}

int FoundModel::rowOf(NodeId node) const
{
    const auto found = std::find(m_nodes.begin(), m_nodes.end(), node);
    return found == m_nodes.end() ? -1 : static_cast<int>(found - m_nodes.begin());
}

int FoundModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_nodes.size());
}

int FoundModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString FoundModel::text(NodeId node, int column) const
{
    const Node& content = m_trace->result->node(node);
    switch (column)
    {
    case Name: return toQString(content.name);
    case Operator: return toQString(operationOf(content, content.target));
    case Shape: return toQString(shapeText(content.meta.value));
    case Bytes:
        return content.meta.value.tensor() ? bytesText(byteCount(*content.meta.value.tensor()))
                                           : QString();
    case Verdict: return verdictText(*m_trace, node);
    default: return {};
    }
}

QVariant FoundModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const NodeId node = nodeAt(index);
    switch (role)
    {
    case Qt::DisplayRole: return text(node, index.column());
    case Qt::ToolTipRole: return toQString(toText(*m_trace->result, node));
    case NodeRole: return QVariant::fromValue(node);
    case Qt::TextAlignmentRole:
        return index.column() == Bytes ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    default: return {};
    }
}

QVariant FoundModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section)
    {
    case Name: return tr("Node");
    case Operator: return tr("Operator");
    case Shape: return tr("Shape");
    case Bytes: return tr("Size");
    case Verdict: return tr("Verdict");
    default: return {};
    }
}

} // namespace reinspect
