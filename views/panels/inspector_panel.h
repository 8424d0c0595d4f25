// SPDX-License-Identifier: MIT
// What is this node? Metadata, operator facts, users, and the decision about it with its evidence.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

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
    void showNode();
    void choose(const QModelIndex& index);

    Session* m_session;
    NodeFactsModel* m_model;
    QTreeView* m_tree;
    HintStack* m_stack;
};

} // namespace reinspect
