// SPDX-License-Identifier: MIT
// Run > Remote Host: how another machine is reached, and the program that runs graphs there; a test asks it for
// its version.
#pragma once

#include <QDialog>

#include "views/session/remote_run.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace reinspect
{

class RemoteDialog : public QDialog
{
    Q_OBJECT

public:
    RemoteDialog(const RemoteHost& host, QWidget* parent);

    RemoteHost remoteHost() const; // as the fields say; no host: none is wanted
    QLineEdit* host() const { return m_host; }
    QLineEdit* connection() const { return m_connection; }
    QLineEdit* program() const { return m_program; }
    QComboBox* backend() const { return m_backend; }
    QPushButton* testButton() const { return m_test; }
    QLabel* answer() const { return m_answer; }

private:
    void buildFields(const RemoteHost& host);
    void buildTest();
    void buildLayout();
    void test();
    void showAnswer(const QString& text, bool isBusy);

    RemoteRun* m_run;
    QLineEdit* m_host = nullptr;
    QLineEdit* m_connection = nullptr;
    QLineEdit* m_program = nullptr;
    QComboBox* m_backend = nullptr;
    QPushButton* m_test = nullptr;
    QLabel* m_answer = nullptr;
};

} // namespace reinspect
