// SPDX-License-Identifier: MIT
// What would another policy decide? The session's run beside a run with a second policy: one row a
// decision, and the sentence that says where the two part.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QModelIndex;
class QPushButton;
class QTreeView;

namespace reinspect
{

class Comparison;
class HintStack;
class PolicyDiffModel;
class Session;

class ComparePanel : public QWidget
{
    Q_OBJECT

public:
    explicit ComparePanel(Session* session, QWidget* parent = nullptr);

    // Whether somebody looks: only then does the second run happen. A dock behind another tab is not
    // hidden to its widget, so whoever owns the dock has to tell.
    void setSeen(bool seen);

    Comparison* comparison() const { return m_comparison; }
    QComboBox* second() const { return m_second; }
    QPushButton* swapButton() const { return m_swap; }
    QCheckBox* differencesOnly() const { return m_only; }
    QTreeView* table() const { return m_table; }
    QLabel* sentence() const { return m_sentence; }
    QLabel* totals() const { return m_totals; }
    HintStack* stack() const { return m_stack; }

private:
    void buildHead();
    void buildTable();
    void buildLayout();
    void connectSources();
    void fillSecond();
    void chooseSecond(int index);
    void showPolicies();
    void showResult();
    void showState();
    void showDecision();
    void showSentence();
    void goToRow(const QModelIndex& index);
    QString emptyText() const;

    Session* m_session;
    Comparison* m_comparison;
    PolicyDiffModel* m_model;
    QLabel* m_first = nullptr;
    QComboBox* m_second = nullptr;
    QPushButton* m_swap = nullptr;
    QCheckBox* m_only = nullptr;
    QTreeView* m_table = nullptr;
    QLabel* m_sentence = nullptr;
    QLabel* m_totals = nullptr;
    HintStack* m_rows = nullptr;
    HintStack* m_stack = nullptr;
};

} // namespace reinspect
