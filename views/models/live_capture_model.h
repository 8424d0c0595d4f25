// SPDX-License-Identifier: MIT
// The captures that running programs have sent, a row each, the newest first.
#pragma once

#include <QAbstractTableModel>

#include "views/session/live_service.h"

namespace reinspect
{

class LiveCaptureModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        Name,
        Nodes,
        At,
        Bytes,
        Producer,
        ColumnCount,
    };

    explicit LiveCaptureModel(LiveService* service, QObject* parent = nullptr);

    const LiveCapture* captureAt(const QModelIndex& index) const; // null when it is invalid

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void add();

    LiveService* m_service;
    int m_rows = 0; // that the views know of
};

} // namespace reinspect
