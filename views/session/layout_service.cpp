// SPDX-License-Identifier: MIT
#include "views/session/layout_service.h"

#include "core/layout/row_layout.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QSaveFile>
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
    const std::string json = toJson(m_request);
    m_cachePath = cacheFile(json);
    if (!takeCached(m_cachePath))
    {
        emit resultReady(rowLayout(m_request));
        if (!m_request.boxes.empty())
            startHelper(json);
    }
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

// The version is that of what a helper answers: a newer one must not show older answers.
QString LayoutService::cacheFile(const std::string& json) const
{
    if (m_cacheFolder.isEmpty())
        return {};
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QByteArrayView("layout 2 "));
    hash.addData(QByteArrayView(json.data(), static_cast<qsizetype>(json.size())));
    return m_cacheFolder + u'/' + QString::fromLatin1(hash.result().toHex())
        + QStringLiteral(".json");
}

bool LayoutService::takeCached(const QString& path)
{
    QFile file(path);
    if (path.isEmpty() || !file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray text = file.readAll();
    const Result<LayoutResult> result =
        layoutResultFromJson({text.data(), static_cast<std::size_t>(text.size())});
    if (!result || !checkAnswers(*result, m_request))
        return false; // somebody else wrote there; it is placed and written anew
    emit resultReady(*result);
    return true;
}

// Failing costs time only, so nothing is said. The oldest go when there are many.
void LayoutService::keep(const QString& path, const QByteArray& output) const
{
    constexpr qsizetype kMost = 300;
    if (path.isEmpty() || !QDir().mkpath(m_cacheFolder))
        return;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(output) != output.size() || !file.commit())
        return;
    const QFileInfoList files =
        QDir(m_cacheFolder).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Time);
    for (qsizetype i = kMost; i < files.size(); ++i)
        QFile::remove(files[i].filePath());
}

int LayoutService::elapsed() const
{
    return isBusy() ? static_cast<int>(m_started.elapsed()) : 0;
}

void LayoutService::startHelper(const std::string& json)
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
    connect(m_process, &QProcess::readyReadStandardError, this, &LayoutService::readErrors);
    m_percent.reset();
    m_errors.clear();
    m_process->start(path, QStringList());
    m_process->write(json.data(), static_cast<qint64>(json.size()));
    m_process->closeWriteChannel();
    m_timer->start(m_timeLimit);
    m_started.start();
}

void LayoutService::readErrors()
{
    static constexpr QByteArrayView kProgress = "progress ";
    m_process->setReadChannel(QProcess::StandardError);
    while (m_process->canReadLine())
    {
        const QByteArray line = m_process->readLine();
        bool isNumber = false;
        const int percent =
            line.startsWith(kProgress) ? line.mid(kProgress.size()).trimmed().toInt(&isNumber) : 0;
        if (isNumber)
            m_percent = percent;
        else
            m_errors += line;
    }
    m_process->setReadChannel(QProcess::StandardOutput);
}

void LayoutService::helperFinished(int exitCode, bool crashed)
{
    if (crashed)
        return giveUp(tr("The graph is placed in simple rows, because the layout helper crashed."));
    if (exitCode != 0)
    {
        readErrors();
        m_errors += m_process->readAllStandardError(); // a line without an end
        const QString reason = QString::fromUtf8(m_errors).trimmed();
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
    keep(m_cachePath, output);
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
    m_percent.reset();
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
