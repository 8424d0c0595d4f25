// SPDX-License-Identifier: MIT
// The head of the run panel: inputs, backend, the buttons, and how far the run is.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace reinspect
{

class RunService;

class RunHead : public QWidget
{
    Q_OBJECT

public:
    explicit RunHead(RunService* service, QWidget* parent = nullptr);

    QComboBox* inputs() const { return m_inputs; }
    QSpinBox* seed() const { return m_seed; }
    QLineEdit* symbols() const { return m_symbols; } // hidden where every symbol has a number
    QComboBox* backend() const { return m_backend; }
    QPushButton* runButton() const { return m_run; }
    QPushButton* cancelButton() const { return m_cancel; }
    QPushButton* findButton() const { return m_find; }
    QProgressBar* progress() const { return m_progress; }

private:
    void buildInputs();
    void buildSeed();
    void buildSymbols();
    void buildBackend();
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
    QComboBox* m_backend = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_cancel = nullptr;
    QPushButton* m_find = nullptr;
    QProgressBar* m_progress = nullptr;
};

} // namespace reinspect
