// SPDX-License-Identifier: MIT
#include "views/models/live_capture_model.h"

#include "views/models/tensor_words.h"

#include <QDir>
#include <QFont>
#include <QLocale>

namespace reinspect
{

LiveCaptureModel::LiveCaptureModel(LiveService* service, QObject* parent)
    : QAbstractTableModel(parent)
    , m_service(service)
    , m_rows(static_cast<int>(service->captures().size()))
{
    connect(service, &LiveService::captureArrived, this, &LiveCaptureModel::add);
    connect(service, &LiveService::capturesChanged, this, [this] {
        if (m_rows > 0)
            emit dataChanged(index(0, 0), index(m_rows - 1, ColumnCount - 1));
    });
}

void LiveCaptureModel::add()
{
    beginInsertRows({}, 0, 0);
    ++m_rows;
    endInsertRows();
}

const LiveCapture* LiveCaptureModel::captureAt(const QModelIndex& index) const
{
    if (!index.isValid())
        return nullptr;
    return &m_service->captures()[static_cast<std::size_t>(m_rows - 1 - index.row())];
}

int LiveCaptureModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

int LiveCaptureModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

static QVariant cell(const LiveCapture& capture, int column)
{
    switch (column)
    {
    case LiveCaptureModel::Name:
        return capture.isOpened ? capture.name : LiveCaptureModel::tr("%1 (new)").arg(capture.name);
    case LiveCaptureModel::Nodes: return QStringLiteral("%L1").arg(capture.nodes);
    case LiveCaptureModel::Bytes: return bytesText(capture.bytes);
    case LiveCaptureModel::Producer: return capture.producer;
    case LiveCaptureModel::At: return QLocale().toString(capture.at.time(), QLocale::ShortFormat);
    default: return {};
    }
}

QVariant LiveCaptureModel::data(const QModelIndex& index, int role) const
{
    const LiveCapture* capture = captureAt(index);
    if (!capture)
        return {};
    switch (role)
    {
    case Qt::DisplayRole: return cell(*capture, index.column());
    case Qt::ToolTipRole:
        return tr("Recorded in \"%1\".\nReceived %2.")
            .arg(QDir::toNativeSeparators(capture->origin),
                 QLocale().toString(capture->at, QLocale::LongFormat));
    case Qt::TextAlignmentRole:
        if (index.column() == Nodes || index.column() == Bytes)
            return QVariant(Qt::AlignRight | Qt::AlignVCenter);
        return {};
    case Qt::FontRole:
    {
        QFont font;
        font.setBold(!capture->isOpened && index.column() == Name);
        return font;
    }
    default: return {};
    }
}

QVariant LiveCaptureModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section)
    {
    case Name: return tr("Capture");
    case Nodes: return tr("Nodes");
    case Bytes: return tr("Size");
    case Producer: return tr("From");
    case At: return tr("Received");
    default: return {};
    }
}

} // namespace reinspect
