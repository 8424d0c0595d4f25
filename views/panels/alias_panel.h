// SPDX-License-Identifier: MIT
// Who shares this memory, and who reads it later? Storages, the tensors in them, and the readers of
// each; those that refuse the current candidate are flagged.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

class QComboBox;
class QLabel;
class QModelIndex;
class QSortFilterProxyModel;
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
    QComboBox* filterBox() const { return m_filterBox; } // all memory, or shared memory only
    QLabel* summary() const { return m_summary; }
    HintStack* stack() const { return m_stack; }

private:
    void buildTree();
    void buildLayout();
    void connectSession();
    void showTrace();
    void showEvent();
    void showSelection();
    void showCandidate();
    bool isCandidateChosen() const;
    void choose(const QModelIndex& index);
    QString summaryText() const;
    QString emptyText() const;

    Session* m_session;
    StorageTreeModel* m_model;
    QSortFilterProxyModel* m_filter;
    QTreeView* m_tree = nullptr;
    QComboBox* m_filterBox = nullptr;
    QLabel* m_summary = nullptr;
    HintStack* m_stack = nullptr;
};

} // namespace reinspect
