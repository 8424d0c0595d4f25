// SPDX-License-Identifier: MIT
// How much memory when? Predicted and measured, before the pass, after it and without it; who is alive at the
// peak, and what each write in place saves.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

#include "views/session/memory_service.h"

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QTabWidget;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace reinspect
{

class HintStack;
class MemoryChart;
class RunService;
class Session;

class MemoryPanel : public QWidget
{
    Q_OBJECT

public:
    explicit MemoryPanel(RunService* runs, QWidget* parent = nullptr);

    // Whether somebody looks: only then are curves made. Whoever owns the dock has to tell.
    void setSeen(bool seen);

    MemoryService* service() const { return m_service; }
    MemoryChart* chart() const { return m_chart; }
    QComboBox* stage() const { return m_stage; }
    QCheckBox* stacked() const { return m_stacked; }
    QToolButton* button(std::size_t curve) const { return m_buttons[curve]; }
    QTreeWidget* atPeak() const { return m_atPeak; }
    QTreeWidget* saved() const { return m_saved; }
    QLabel* sentence() const { return m_sentence; }
    HintStack* stack() const { return m_stack; }

    // Narrow enough for a dock beside others; what is in a row is cut then.
    QSize minimumSizeHint() const override { return {240, 120}; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildHead();
    void buildLists();
    QWidget* makeSide(QWidget* parent);
    void buildLayout();
    void connectSources();
    void showCurves();
    void showButtons();
    void showStage();
    void showSaved();
    void showChosen();
    void choose(const QString& node);
    void goToDecision(const QTreeWidgetItem* item);
    QString emptyText() const;

    Session* m_session;
    MemoryService* m_service;
    MemoryChart* m_chart = nullptr;
    std::vector<QToolButton*> m_buttons; // by curve
    QComboBox* m_stage = nullptr;
    QCheckBox* m_stacked = nullptr;
    QTabWidget* m_lists = nullptr;
    QTreeWidget* m_atPeak = nullptr;
    QTreeWidget* m_saved = nullptr;
    QLabel* m_sentence = nullptr;
    HintStack* m_stack = nullptr;
};

} // namespace reinspect
