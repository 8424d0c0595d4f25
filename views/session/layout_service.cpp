// SPDX-License-Identifier: MIT
#include "views/session/layout_service.h"

#include "core/layout/row_layout.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QTimer>

namespace reinspect
{

static constexpr int kKillWait = 100; // milliseconds; a killed process is gone in about 15

LayoutService::LayoutService(QObject* parent)
    : QObject(parent)
    , m_timer(new QTimer(this))
{
    m_timer->setSingleShot(true);
    connect(m_timer, &QTimer::timeout, this, &LayoutService::timeOver);
}

LayoutService::~LayoutService()
{
    dropHelper();
}

QString LayoutService::helperPath()
{
    const QString chosen = qEnvironmentVariable("REINSPECT_LAYOUT");
    if (!chosen.isEmpty())
        return chosen;
    return QDir(QCoreApplication::applicationDirPath())
        .filePath(QStringLiteral("reinspect-layout"));
}

void LayoutService::place(LayoutRequest request)
{
    const bool wasBusy = isBusy();
    dropHelper();
    m_request = std::move(request);
    emit resultReady(rowLayout(m_request));
    if (!m_request.boxes.empty())
        startHelper();
    if (wasBusy != isBusy())
        emit busyChanged(isBusy());
}

void LayoutService::cancel()
{
    if (!isBusy())
        return;
    dropHelper();
    emit busyChanged(false);
}

void LayoutService::startHelper()
{
    const QString path = helperPath();
    if (!QFileInfo(path).isExecutable())
    {
        emit failed(tr("The graph is placed in simple rows, because \"%1\" is missing.").arg(path));
        return;
    }
    m_process = new QProcess(this);
    connect(m_process, &QProcess::finished, this,
            [this](int exitCode, QProcess::ExitStatus status) {
                helperFinished(exitCode, status == QProcess::CrashExit);
            });
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            giveUp(
                tr("The graph is placed in simple rows, because the layout helper did not start."));
    });
    m_process->start(path, QStringList());
    const std::string json = toJson(m_request);
    m_process->write(json.data(), static_cast<qint64>(json.size()));
    m_process->closeWriteChannel();
    m_timer->start(m_timeLimit);
}

void LayoutService::helperFinished(int exitCode, bool crashed)
{
    if (crashed)
        return giveUp(tr("The graph is placed in simple rows, because the layout helper crashed."));
    if (exitCode != 0)
    {
        const QString reason = QString::fromUtf8(m_process->readAllStandardError()).trimmed();
        return giveUp(tr("The graph is placed in simple rows: %1.")
                          .arg(reason.isEmpty() ? tr("the layout helper failed")
                                                : reason.section(u'\n', -1)));
    }
    const QByteArray output = m_process->readAllStandardOutput();
    const Result<LayoutResult> result =
        layoutResultFromJson({output.data(), static_cast<std::size_t>(output.size())});
    if (!result || !checkAnswers(*result, m_request))
        return giveUp(tr("The graph is placed in simple rows, because the layout helper gave no "
                         "usable answer."));
    dropHelper();
    emit resultReady(*result);
    emit busyChanged(false);
}

void LayoutService::timeOver()
{
    giveUp(tr("The graph is placed in simple rows, because a better layout took longer than %n "
              "second(s).",
              nullptr, m_timeLimit / 1000));
}

void LayoutService::giveUp(const QString& message)
{
    dropHelper();
    emit failed(message);
    emit busyChanged(false);
}

void LayoutService::dropHelper()
{
    m_timer->stop();
    if (!m_process)
        return;
    QProcess* process = m_process;
    m_process = nullptr;
    process->disconnect(this);
    if (process->state() != QProcess::NotRunning)
    {
        process->kill();
        process->waitForFinished(kKillWait);
    }
    // It may be the sender of the signal that is being handled.
    process->deleteLater();
}

} // namespace reinspect
