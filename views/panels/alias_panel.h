// SPDX-License-Identifier: MIT
// Who shares this memory, and who reads it later? Storages, their members, and the readers of each.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

class QModelIndex;
class QTreeView;

namespace reinspect
{

class HintStack;
class Session;
class StorageTreeModel;

class AliasPanel : public QWidget
{
    Q_OBJECT

public:
    explicit AliasPanel(Session* session, QWidget* parent = nullptr);

    QTreeView* tree() const { return m_tree; }
    HintStack* stack() const { return m_stack; }

private:
    void showTrace();
    void showEvent();
    void showSelection();
    void choose(const QModelIndex& index);

    Session* m_session;
    StorageTreeModel* m_model;
    QTreeView* m_tree;
    HintStack* m_stack;
};

} // namespace reinspect
