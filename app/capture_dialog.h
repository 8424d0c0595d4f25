// SPDX-License-Identifier: MIT
// Help > Capture from Python: saves the tool, and shows what to add to a program or to run, for the place where
// the tool lies.
#pragma once

#include <QDialog>

#include "app/capture_lines.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace reinspect
{

class CaptureDialog : public QDialog
{
    Q_OBJECT

public:
    // `toolPath`: where it was saved last; empty: nowhere yet.
    CaptureDialog(const QString& toolPath, bool isReceiving, QWidget* parent);

    QString toolPath() const;       // where it is now; empty: not saved
    void save(const QString& path); // what went wrong is shown
    void setReceiving(bool on, const QString& status);

    QPlainTextEdit* lines() const { return m_lines; }
    QLineEdit* command() const { return m_command; }
    QCheckBox* live() const { return m_live; }
    QLabel* toolLabel() const { return m_tool; }

signals:
    void saved(const QString& path);
    void receiveAsked(bool on);

private:
    void buildTool();
    void buildLines();
    void buildLive();
    void buildLayout();
    void chooseFile();
    void showTool();
    QPushButton* copyButton(const QString& text, QWidget* source);

    QString m_toolPath;
    QString m_problem;
    QLabel* m_tool = nullptr;
    QPushButton* m_save = nullptr;
    QPlainTextEdit* m_lines = nullptr;
    QPushButton* m_copyLines = nullptr;
    QLineEdit* m_command = nullptr;
    QPushButton* m_copyCommand = nullptr;
    QCheckBox* m_live = nullptr;
    QLabel* m_status = nullptr;
};

} // namespace reinspect
