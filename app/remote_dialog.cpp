// SPDX-License-Identifier: MIT
#include "app/remote_dialog.h"

#include "views/session/qt_text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace reinspect
{

RemoteDialog::RemoteDialog(const RemoteHost& host, QWidget* parent)
    : QDialog(parent)
    , m_run(new RemoteRun(this))
{
    setWindowTitle(tr("Remote Host"));
    buildFields(host);
    buildTest();
    buildLayout();
    resize(600, sizeHint().height());
}

void RemoteDialog::buildFields(const RemoteHost& host)
{
    m_host = new QLineEdit(host.host, this);
    m_host->setPlaceholderText(QStringLiteral("me@gpu1.example.org"));
    m_host->setToolTip(tr("As ssh knows it; a name of ~/.ssh/config will do. Empty: none"));
    m_connection = new QLineEdit(host.connection, this);
    m_connection->setToolTip(
        tr("A command that takes the host and what to run there. BatchMode: it must not ask for a "
           "password, since nobody could answer."));
    m_program = new QLineEdit(host.program, this);
    m_program->setPlaceholderText(QStringLiteral("~/reinspect/build/bin/reinspect-cli"));
    m_program->setToolTip(tr("reinspect-cli as a shell on the host finds it; variables may stand "
                             "before it, as in CUDA_VISIBLE_DEVICES=1 reinspect-cli"));
    m_backend = new QComboBox(this);
    m_backend->addItem(tr("CUDA"), QStringLiteral("cuda"));
    m_backend->addItem(tr("CPU"), QStringLiteral("cpu"));
    m_backend->setCurrentIndex(std::max(m_backend->findData(host.backend), 0));
}

void RemoteDialog::buildTest()
{
    m_test = new QPushButton(tr("&Test"), this);
    m_test->setAutoDefault(false);
    m_test->setToolTip(tr("Ask the program on the host for its version"));
    m_answer = new QLabel(this);
    m_answer->setWordWrap(true);
    m_answer->setTextFormat(Qt::PlainText);
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_answer->setAccessibleName(tr("What the host answered"));
    m_answer->setMinimumHeight(fontMetrics().lineSpacing() * 3);
    m_answer->setAlignment(Qt::AlignTop);
    connect(m_test, &QPushButton::clicked, this, &RemoteDialog::test);
    connect(m_run, &RemoteRun::versionReady, this, [this](const QString& text) {
        const QString ours = QStringLiteral("reinspect " REINSPECT_VERSION);
        showAnswer(text.endsWith(QStringLiteral(REINSPECT_VERSION))
                       ? tr("It answers: %1.").arg(text)
                       : tr("It answers: %1. This window is %2; results are taken only where both "
                            "decide alike.")
                             .arg(text, ours),
                   false);
    });
    connect(m_run, &RemoteRun::failed, this,
            [this](const Error& error) { showAnswer(stripText(error), false); });
}

void RemoteDialog::buildLayout()
{
    auto* note = new QLabel(tr("The capture, its kernels and its inputs are sent to a folder of "
                               "their own on the host, run there by reinspect-cli, and removed."),
                            this);
    note->setWordWrap(true);
    auto* form = new QFormLayout;
    form->addRow(tr("&Host"), m_host);
    form->addRow(tr("&Command"), m_connection);
    form->addRow(tr("&Program there"), m_program);
    form->addRow(tr("Runs &on"), m_backend);
    auto* test = new QHBoxLayout;
    test->addWidget(m_test, 0, Qt::AlignTop);
    test->addWidget(m_answer, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(note);
    column->addLayout(form);
    column->addLayout(test);
    column->addStretch(1);
    column->addWidget(buttons);
}

RemoteHost RemoteDialog::remoteHost() const
{
    RemoteHost host;
    host.host = m_host->text().trimmed();
    host.connection = m_connection->text().trimmed();
    host.program = m_program->text().trimmed();
    host.backend = m_backend->currentData().toString();
    return host;
}

void RemoteDialog::showAnswer(const QString& text, bool isBusy)
{
    m_answer->setText(text);
    m_test->setText(isBusy ? tr("&Stop") : tr("&Test"));
}

void RemoteDialog::test()
{
    if (m_run->isBusy())
    {
        m_run->cancel();
        return showAnswer(tr("Stopped."), false);
    }
    const RemoteHost host = remoteHost();
    const QString problem = problemOf(host);
    if (!problem.isEmpty())
        return showAnswer(problem, false);
    showAnswer(tr("Asking %1...").arg(host.host), true);
    m_run->askVersion(host);
}

} // namespace reinspect
