// SPDX-License-Identifier: MIT
// What was decided, all of it: the verdict table with filter, totals and what can be done with a row.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

#include "views/models/verdict_table_model.h"
#include "views/session/session.h"

class QLabel;
class QMenu;
class QTreeView;

namespace reinspect
{

class HintStack;
class TermEdit;

class VerdictPanel : public QWidget
{
    Q_OBJECT

public:
    explicit VerdictPanel(Session* session, QWidget* parent = nullptr);

    TermEdit* filter() const { return m_filter; }
    QTreeView* table() const { return m_table; }
    VerdictTableModel* model() const { return m_model; }
    QLabel* totals() const { return m_totals; }
    HintStack* stack() const { return m_stack; } // the whole panel
    HintStack* rows() const { return m_rows; }   // the table alone
    QMenu* menu() const { return m_menu; }       // of the chosen rows
    // The chosen rows, or all that are shown when none is.
    QString chosenText(TableText form) const;

signals:
    void graphRequested(); // the chosen node should be seen in the picture
    void proofRequested(); // the chosen decision should be run, before and after

private:
    void buildFilter();
    void buildTable();
    void buildMenu();
    void buildLayout();
    void connectSession();
    void showTrace();
    void showDecision();
    void applyFilter();
    void showTotals();
    void goToRow(const QModelIndex& index);
    std::vector<DecisionIndex> chosenRows() const;
    void overruleChosen(Overrule word);
    void breakAtChosen();
    void copyChosen(TableText form);
    QString emptyText() const;

    Session* m_session;
    VerdictTableModel* m_model;
    TermEdit* m_filter = nullptr;
    QTreeView* m_table = nullptr;
    QMenu* m_menu = nullptr;
    QLabel* m_totals = nullptr;
    HintStack* m_rows = nullptr;
    HintStack* m_stack = nullptr;
};

} // namespace reinspect
