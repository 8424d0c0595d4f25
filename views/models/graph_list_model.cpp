// SPDX-License-Identifier: MIT
#include "views/models/graph_list_model.h"

#include "views/session/qt_text.h"

namespace reinspect
{

QString stageText(Stage stage)
{
    switch (stage)
    {
    case Stage::Unknown: return GraphListModel::tr("not said");
    case Stage::Dynamo: return GraphListModel::tr("Dynamo's graph");
    case Stage::PreGrad: return GraphListModel::tr("before autograd");
    case Stage::Joint: return GraphListModel::tr("forward and backward joined");
    case Stage::Fragment: return GraphListModel::tr("a fragment");
    case Stage::BeforePass: return GraphListModel::tr("before the pass");
    case Stage::Canonical: return GraphListModel::tr("canonical");
    case Stage::CoreAfter: return GraphListModel::tr("after the decisions");
    case Stage::AfterPass: return GraphListModel::tr("after the pass");
    case Stage::Final: return GraphListModel::tr("final");
    case Stage::Baseline: return GraphListModel::tr("baseline");
    }
    return {};
}

void GraphListModel::setDocument(std::shared_ptr<const Document> document)
{
    beginResetModel();
    m_document = std::move(document);
    endResetModel();
}

int GraphListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_document ? 0 : static_cast<int>(m_document->graphs.size());
}

int GraphListModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

static qsizetype callCount(const Graph& graph)
{
    qsizetype count = 0;
    for (const NodeId node : graph.order())
    {
        const NodeOp op = graph[node].op;
        if (op != NodeOp::Placeholder && op != NodeOp::GetAttr && op != NodeOp::Output)
            ++count;
    }
    return count;
}

QVariant GraphListModel::cell(const DocumentGraph& graph, int row, int column) const
{
    switch (column)
    {
    case Name:
        return graph.graph->name.empty() ? tr("Graph %1").arg(row + 1)
                                         : toQString(graph.graph->name);
    case Stage: return stageText(graph.stage);
    case Nodes: return QStringLiteral("%L1").arg(graph.graph->size());
    case Calls: return QStringLiteral("%L1").arg(callCount(*graph.graph));
    default: return {};
    }
}

QVariant GraphListModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole && index.column() >= Nodes)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return cell(m_document->graphs[static_cast<std::size_t>(index.row())], index.row(),
                index.column());
}

QVariant GraphListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section)
    {
    case Name: return tr("Graph");
    case Stage: return tr("Taken");
    case Nodes: return tr("Nodes");
    case Calls: return tr("Calls");
    default: return {};
    }
}

} // namespace reinspect
