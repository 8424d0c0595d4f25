// SPDX-License-Identifier: MIT
// What can be set, on one page: theme, start, editor, layout, own colours. It changes a copy; the
// window takes it when the dialog is accepted.
#pragma once

#include <QDialog>

#include "app/preferences.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QSpinBox;

namespace reinspect
{

class SettingsDialog : public QDialog
{
    Q_OBJECT

public:
    SettingsDialog(const Preferences& preferences, QWidget* parent);

    Preferences preferences() const; // as the fields say
    QComboBox* theme() const { return m_theme; }
    QLineEdit* editor() const { return m_editor; }
    QPlainTextEdit* rules() const { return m_rules; }
    QString problem() const; // with the colour rules; empty: none

signals:
    void keysRequested();

private:
    void buildFields();
    void buildLive();
    void buildLayout();
    void checkRules();

    Preferences m_preferences;
    QComboBox* m_theme = nullptr;
    QCheckBox* m_reopens = nullptr;
    QLineEdit* m_editor = nullptr;
    QSpinBox* m_layoutSeconds = nullptr;
    QCheckBox* m_live = nullptr;
    QSpinBox* m_liveMegabytes = nullptr;
    QPlainTextEdit* m_rules = nullptr;
    QLabel* m_problem = nullptr;
};

} // namespace reinspect
