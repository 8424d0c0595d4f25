// SPDX-License-Identifier: MIT
// What the command palette offers for what was typed: commands first, then nodes, the best match
// first. Letters of the typed text must appear in order; runs and beginnings of words count more.
#pragma once

#include <QAbstractListModel>

#include "core/passes/pass_trace.h"

#include <memory>

class QAction;

namespace reinspect
{

class PaletteModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum DataRole
    {
        DetailRole = Qt::UserRole, // keys of a command, operator of a node
        IsEnabledRole,
    };

    PaletteModel(QList<QAction*> commands, std::shared_ptr<const PassTrace> trace,
                 QObject* parent = nullptr);

    void setText(const QString& text);
    // One of both, for a row: the command, or the node.
    QAction* commandAt(int row) const;
    NodeId nodeAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Row
    {
        QAction* command = nullptr;
        NodeId node;
        int score = 0;
    };
    std::vector<Row> matchingCommands(const QString& text) const;
    std::vector<Row> matchingNodes(const QString& text) const;

    QList<QAction*> m_commands;
    std::shared_ptr<const PassTrace> m_trace;
    std::vector<Row> m_rows;
};

// How well `text` fits `candidate`; -1: not at all. Without case.
int matchScore(QStringView text, QStringView candidate);

} // namespace reinspect
