// SPDX-License-Identifier: MIT
// What is this node? The decision about it with its evidence, then metadata, operator facts, memory
// and users, at the current step. A click on a row that names a node chooses that node.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

#include "core/base/ids.h"

class QModelIndex;
class QTreeView;

namespace reinspect
{

class HintStack;
class NodeFactsModel;
class Session;

class InspectorPanel : public QWidget
{
    Q_OBJECT

public:
    explicit InspectorPanel(Session* session, QWidget* parent = nullptr);

    QTreeView* tree() const { return m_tree; }
    HintStack* stack() const { return m_stack; }

private:
    void buildTree();
    void buildLayout();
    void connectSession();
    void showNode();
    void choose(const QModelIndex& index);
    QString emptyText() const;

    Session* m_session;
    NodeFactsModel* m_model;
    QTreeView* m_tree = nullptr;
    HintStack* m_stack = nullptr;
    NodeId m_shown;
};

} // namespace reinspect
