// SPDX-License-Identifier: MIT
// Is it still right? The graph run before the pass and after it on equal inputs: what on, how far, and what
// came out, one row a result.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

#include "views/models/run_result_model.h"

class QLabel;
class QMenu;
class QTextBrowser;
class QTreeView;

namespace reinspect
{

class HintStack;
class RunHead;

class RunPanel : public QWidget
{
    Q_OBJECT

public:
    explicit RunPanel(RunService* service, QWidget* parent = nullptr);

    RunHead* head() const { return m_head; }
    QLabel* verdict() const { return m_verdict; }
    QLabel* stale() const { return m_stale; }
    QTextBrowser* notes() const { return m_notes; }
    QTreeView* table() const { return m_table; }
    RunResultModel* model() const { return m_model; }
    HintStack* stack() const { return m_stack; } // of what is below the head
    // The chosen rows, or all when none is.
    QString chosenText(TableText form) const;

    // Narrow enough for a dock beside others; what is in a row is cut then.
    QSize minimumSizeHint() const override { return {240, 120}; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildVerdict();
    void buildTable();
    void buildMenu();
    void buildLayout();
    void connectSources();
    void showHint();
    void showResult();
    void showVerdict();
    void showNotes();
    void showNode();
    void goToRow(const QModelIndex& index);
    void goToLink(const QString& link);
    void goToNode(const QString& name);
    void copyChosen(TableText form);
    QString emptyText() const;

    RunService* m_service;
    RunResultModel* m_model;
    RunHead* m_head;
    QLabel* m_mark = nullptr;
    QLabel* m_verdict = nullptr;
    QLabel* m_stale = nullptr;
    QTreeView* m_table = nullptr;
    QTextBrowser* m_notes = nullptr;
    QMenu* m_menu = nullptr;
    HintStack* m_stack = nullptr;
};

} // namespace reinspect
