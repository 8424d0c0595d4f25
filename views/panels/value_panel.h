// SPDX-License-Identifier: MIT
// What does this node compute? The values of one node before the pass and after it: in numbers, as a histogram,
// plane by plane as a table, and where the two differ as a picture. The graphs are run up to the node when it is
// asked for; nothing of other nodes is kept.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

#include "views/models/value_table_model.h"

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSpinBox;
class QTableView;
class QTreeWidget;

namespace reinspect
{

class HeatMap;
class HintStack;
class HistogramView;
class RunService;
class Session;

class ValuePanel : public QWidget
{
    Q_OBJECT

public:
    explicit ValuePanel(RunService* runs, QWidget* parent = nullptr);

    void askForChosen(); // the values of the chosen node
    // Whether somebody looks: only then is the choice followed. Whoever owns the dock has to tell.
    void setSeen(bool seen);

    QPushButton* askButton() const { return m_ask; }
    QCheckBox* follow() const { return m_follow; }
    QComboBox* place() const { return m_place; }
    QComboBox* shown() const { return m_shown; }
    QLabel* title() const { return m_title; }
    QTreeWidget* facts() const { return m_facts; }
    QTableView* table() const { return m_table; }
    HeatMap* heatMap() const { return m_heat; }
    ValueTableModel* model() const { return m_model; }
    HintStack* stack() const { return m_stack; }

    // Narrow enough for a dock beside others; what is in a row is cut then.
    QSize minimumSizeHint() const override { return {240, 120}; }

private:
    void buildHead();
    void buildFacts();
    void buildTable();
    void buildLayout();
    void connectSources();
    void showChosen();
    void showValues();
    void showPlace();
    void showFacts();
    void buildSlices();
    void takePlane();
    void showHeat();
    QString chosenName() const;
    QString emptyText() const;

    RunService* m_runs;
    Session* m_session;
    ValueTableModel* m_model;
    bool m_isSeen = false;
    QLabel* m_title = nullptr;
    QPushButton* m_ask = nullptr;
    QCheckBox* m_follow = nullptr;
    QComboBox* m_place = nullptr;
    QComboBox* m_shown = nullptr;
    QHBoxLayout* m_slices = nullptr;
    QComboBox* m_rows = nullptr; // null for fewer than two dimensions
    QComboBox* m_columns = nullptr;
    std::vector<QSpinBox*> m_indices; // by dimension
    QTreeWidget* m_facts = nullptr;
    HistogramView* m_histogram = nullptr;
    QTableView* m_table = nullptr;
    HeatMap* m_heat = nullptr;
    HintStack* m_stack = nullptr;
};

} // namespace reinspect
