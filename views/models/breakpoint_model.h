// SPDX-License-Identifier: MIT
// The session's breakpoints as a list with check boxes; edits go to the session, and what the session
// says comes back.
#pragma once

#include <QAbstractListModel>

#include "views/session/session.h"

namespace reinspect
{

class BreakpointModel : public QAbstractListModel
{
    Q_OBJECT

public:
    explicit BreakpointModel(Session* session, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool removeRows(int row, int count, const QModelIndex& parent = {}) override;

private:
    void take();

    Session* m_session;
    std::vector<Breakpoint> m_breakpoints;
};

} // namespace reinspect
