// SPDX-License-Identifier: MIT
// The head of the run panel: inputs, where, the buttons, and how far the run is.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace reinspect
{

class RunService;
class WhereBox;

class RunHead : public QWidget
{
    Q_OBJECT

public:
    explicit RunHead(RunService* service, QWidget* parent = nullptr);

    QComboBox* inputs() const { return m_inputs; }
    QSpinBox* seed() const { return m_seed; }
    QLineEdit* symbols() const { return m_symbols; } // hidden where every symbol has a number
    WhereBox* where() const { return m_where; }
    QCheckBox* tf32() const { return m_tf32; } // hidden where the next run is on no GPU
    QPushButton* runButton() const { return m_run; }
    QPushButton* cancelButton() const { return m_cancel; }
    QPushButton* findButton() const { return m_find; }
    QProgressBar* progress() const { return m_progress; }

private:
    void buildInputs();
    void buildSeed();
    void buildSymbols();
    void buildWhere();
    void showPlace();
    void buildButtons();
    void buildProgress();
    void buildLayout();
    void connectService();
    void showInputs();
    void showSymbols();
    void showBusy();
    void showProgress();
    void chooseInputs(int index);

    RunService* m_service;
    QComboBox* m_inputs = nullptr;
    QLabel* m_seedLabel = nullptr;
    QSpinBox* m_seed = nullptr;
    QLabel* m_symbolsLabel = nullptr;
    QLineEdit* m_symbols = nullptr;
    WhereBox* m_where = nullptr;
    QCheckBox* m_tf32 = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_cancel = nullptr;
    QPushButton* m_find = nullptr;
    QProgressBar* m_progress = nullptr;
};

} // namespace reinspect
