// SPDX-License-Identifier: MIT
// By which rules does the pass decide? The preset, its switches one by one, and the decisions that
// the user took in the pass's place. Every change runs the pass again.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QVBoxLayout;

namespace reinspect
{

class HintStack;
class Session;

class PolicyPanel : public QWidget
{
    Q_OBJECT

public:
    explicit PolicyPanel(Session* session, QWidget* parent = nullptr);

    QComboBox* presets() const { return m_presets; }
    QCheckBox* switchBox(std::size_t index) const
    {
        return m_switches[index];
    } // as policySwitches()
    QPushButton* resetButton() const { return m_reset; }
    QListWidget* overrides() const { return m_overrides; }
    QPushButton* removeButton() const { return m_remove; }
    HintStack* overrideStack() const { return m_overrideStack; }

private:
    void buildPreset();
    QWidget* buildSwitches();
    void buildOverrides();
    void buildLayout();
    void showPolicy();
    void showOverrides();
    void choosePreset(int index);
    void removeOverride();

    Session* m_session;
    QComboBox* m_presets = nullptr;
    QLabel* m_meaning = nullptr;
    QPushButton* m_reset = nullptr;
    std::vector<QCheckBox*> m_switches;
    QListWidget* m_overrides = nullptr;
    QPushButton* m_remove = nullptr;
    HintStack* m_overrideStack = nullptr;
};

} // namespace reinspect
