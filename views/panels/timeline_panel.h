// SPDX-License-Identifier: MIT
// Where did the time go? The nodes of the last run in lanes, one graph of them as a table that sorts, and what the
// pass saves in a sentence. A click in either chooses the node everywhere.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

#include "views/models/timeline_model.h"

class QComboBox;
class QLabel;
class QMenu;
class QScrollBar;
class QSortFilterProxyModel;
class QTreeView;

namespace reinspect
{

class HintStack;
class RunService;
class Session;
class TimelineChart;

class TimelinePanel : public QWidget
{
    Q_OBJECT

public:
    explicit TimelinePanel(RunService* runs, QWidget* parent = nullptr);

    // Whether somebody looks: only then is a result worked through. Whoever owns the dock has to tell.
    void setSeen(bool seen);

    TimelineChart* chart() const { return m_chart; }
    QScrollBar* scrollBar() const { return m_scroll; }
    QComboBox* stage() const { return m_stage; }
    QTreeView* table() const { return m_table; }
    QLabel* saved() const { return m_saved; }
    QLabel* sentence() const { return m_sentence; }
    HintStack* stack() const { return m_stack; }
    // The chosen rows as they are sorted, or all when none is.
    QString chosenText(TableText form) const;

    // Narrow enough for a dock beside others; what is in a row is cut then.
    QSize minimumSizeHint() const override { return {240, 120}; }

private:
    void buildChart();
    void buildTable();
    void buildMenu();
    QWidget* makeTableSide(QWidget* parent);
    void buildLayout();
    void connectSources();
    void showResult();
    void showStages();
    void showStage();
    void showScroll();
    void showChosen();
    void choose(std::size_t lane, const QString& node);
    void chooseRow(const QModelIndex& index);
    void select(const QString& node);
    QString emptyText() const;

    RunService* m_runs;
    Session* m_session;
    bool m_isSeen = false;
    bool m_isDue = true;
    std::shared_ptr<const Timeline> m_timeline;
    TimelineModel* m_model;
    QSortFilterProxyModel* m_sorted;
    TimelineChart* m_chart = nullptr;
    QScrollBar* m_scroll = nullptr;
    QComboBox* m_stage = nullptr;
    QTreeView* m_table = nullptr;
    QMenu* m_menu = nullptr;
    QLabel* m_saved = nullptr;
    QLabel* m_sentence = nullptr;
    HintStack* m_stack = nullptr;
};

} // namespace reinspect
