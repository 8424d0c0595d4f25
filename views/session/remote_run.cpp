// SPDX-License-Identifier: MIT
#include "views/session/remote_run.h"

#include "views/session/qt_text.h"

#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace reinspect
{

namespace
{

constexpr qint64 kAhead = 1 << 20;                    // bytes given to the process at a time
constexpr qsizetype kMostOutput = qsizetype(1) << 30; // of an answer
constexpr qsizetype kMostMessages = 1 << 16;
constexpr int kKillWait = 200;      // milliseconds
constexpr int kCannotConnect = 255; // ssh's own exit code
constexpr int kNoSuchCommand = 127; // a shell's
const QByteArray kProgress = "reinspect-progress ";
const QByteArray kReceived = "reinspect-received";

QString lastLines(const QByteArray& text, qsizetype count)
{
    QStringList lines = QString::fromUtf8(text).split(u'\n', Qt::SkipEmptyParts);
    lines = lines.mid(std::max<qsizetype>(lines.size() - count, 0));
    return lines.join(u' ').simplified();
}

// Where the files lay there is of no use here: "capture.json:3:1: ...".
QByteArray withoutFolder(const QByteArray& line)
{
    static const QRegularExpression kFolder(QStringLiteral(
        "^/.*/reinspect\\.[A-Za-z0-9]{6}/(?=(capture\\.json|inputs\\.safetensors):)"));
    return QString::fromUtf8(line).remove(kFolder).toUtf8();
}

} // namespace

QString RemoteHost::text() const
{
    return QStringLiteral("%1 (%2)").arg(host, backend.toUpper());
}

QString problemOf(const RemoteHost& host)
{
    if (!host.isSet())
        return RemoteRun::tr("No remote host is set.");
    // The command would take it for an option.
    if (host.host.startsWith(u'-') || host.host.contains(u' '))
        return RemoteRun::tr("\"%1\" is no name of a host.").arg(host.host);
    if (QProcess::splitCommand(host.connection).isEmpty())
        return RemoteRun::tr("No command is set that reaches the host, such as ssh.");
    if (host.program.trimmed().isEmpty())
        return RemoteRun::tr("No program is set that runs graphs on the host.");
    return {};
}

QString shellQuoted(const QString& text)
{
    return u'\'' + QString(text).replace(u'\'', QStringLiteral("'\\''")) + u'\'';
}

// The shell that a user logs in with may be of any kind: it is only asked to start a POSIX one.
static QString inShell(const QString& script)
{
    return QStringLiteral("exec sh -c ") + shellQuoted(script);
}

QString remoteScript(const RemoteHost& host, const proof::RunBundle& bundle)
{
    const auto inFolder = [](const std::string& name) {
        return QStringLiteral("\"$d\"/") + shellQuoted(toQString(name));
    };
    QString script = QStringLiteral("set -e; d=$(mktemp -d \"${TMPDIR:-/tmp}/reinspect.XXXXXX\"); "
                                    "trap 'rm -rf \"$d\"' EXIT; trap 'exit 143' HUP INT TERM PIPE; "
                                    "tar -xf - -C \"$d\"; echo %1 >&2; ")
                         .arg(QString::fromLatin1(kReceived));
    script += host.program.trimmed() + QStringLiteral(" run ") + inFolder(bundle.captureFile);
    if (!bundle.inputsFile.empty())
        script += QStringLiteral(" --inputs ") + inFolder(bundle.inputsFile);
    script += QStringLiteral(" --progress");
    for (const std::string& option : bundle.options)
        script += u' ' + shellQuoted(toQString(option));
    return inShell(script);
}

RemoteRun::RemoteRun(QObject* parent)
    : QObject(parent)
{}

RemoteRun::~RemoteRun()
{
    cancel();
}

void RemoteRun::start(const RemoteHost& host, proof::RunBundle bundle)
{
    cancel();
    const QString script = remoteScript(host, bundle);
    m_archive.emplace(std::move(bundle.files));
    m_total = m_archive->size();
    m_asksVersion = false;
    launch(host, script);
}

void RemoteRun::askVersion(const RemoteHost& host)
{
    cancel();
    m_archive.reset();
    m_total = 0;
    m_asksVersion = true;
    launch(host, inShell(host.program.trimmed() + QStringLiteral(" --version")));
}

void RemoteRun::launch(const RemoteHost& host, const QString& script)
{
    m_host = host;
    m_sent = 0;
    m_output.clear();
    m_line.clear();
    m_messages.clear();
    m_process = new QProcess(this);
    connect(m_process, &QProcess::bytesWritten, this, &RemoteRun::feed);
    connect(m_process, &QProcess::readyReadStandardError, this, &RemoteRun::readErrors);
    connect(m_process, &QProcess::readyReadStandardOutput, this, &RemoteRun::readOutput);
    connect(m_process, &QProcess::finished, this, &RemoteRun::finish);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            fail({.message = toStdString(tr("\"%1\" could not be started: %2")
                                             .arg(m_process->program(), m_process->errorString())),
                  .hint = "The command that reaches the host is set in Run, Remote Host.",
                  .kind = ErrorKind::CannotRunHere});
    });
    QStringList command = QProcess::splitCommand(host.connection);
    const QString program = command.takeFirst();
    // Queued: whoever called is told of a failure after this returned.
    QMetaObject::invokeMethod(
        m_process,
        [this, process = m_process, program, arguments = command << host.host << script] {
            process->start(program, arguments);
            if (process == m_process)
                feed();
        },
        Qt::QueuedConnection);
}

// A little ahead of what the other side has taken, so that progress is told as it is.
void RemoteRun::feed()
{
    if (!m_process || m_process->state() == QProcess::NotRunning)
        return;
    while (m_archive && m_process->bytesToWrite() < kAhead)
    {
        const Result<QByteArray> piece = m_archive->read(kAhead);
        if (!piece)
            return fail(piece.error());
        if (piece->isEmpty())
        {
            m_archive.reset();
            break;
        }
        m_process->write(*piece);
        m_sent += piece->size();
    }
    if (!m_archive)
        m_process->closeWriteChannel(); // once all is written
    tellSent();
}

void RemoteRun::tellSent()
{
    if (m_total > 0)
        emit progressed({},
                        static_cast<double>(m_sent - m_process->bytesToWrite())
                            / static_cast<double>(m_total));
}

void RemoteRun::readOutput()
{
    m_output += m_process->readAllStandardOutput();
    if (m_output.size() > kMostOutput)
        fail({.message = "the answer is too large to be a result of a run",
              .kind = ErrorKind::CannotRunHere});
}

void RemoteRun::readErrors()
{
    m_line += m_process->readAllStandardError();
    for (qsizetype end = m_line.indexOf('\n'); end >= 0; end = m_line.indexOf('\n'))
    {
        const QByteArray line = m_line.left(end);
        m_line.remove(0, end + 1);
        takeLine(line);
        if (!m_process)
            return;
    }
    if (m_line.size() > kMostMessages)
        m_line.clear();
}

void RemoteRun::takeLine(const QByteArray& line)
{
    if (line == kReceived)
        return emit progressed(QStringLiteral("start"), 0);
    if (line.startsWith(kProgress))
    {
        const QByteArray rest = line.mid(kProgress.size());
        const qsizetype blank = rest.indexOf(' ');
        bool isNumber = false;
        const int percent = rest.left(blank).toInt(&isNumber);
        if (blank > 0 && isNumber)
            return emit progressed(QString::fromUtf8(rest.mid(blank + 1)), percent / 100.0);
    }
    if (m_messages.size() < kMostMessages)
        m_messages += withoutFolder(line) + '\n';
}

Error RemoteRun::errorOf(int code, QProcess::ExitStatus status) const
{
    constexpr qsizetype kShown = 6;
    const QString said = lastLines(m_messages + m_line, kShown);
    const QString who = m_process->program().section(u'/', -1);
    Error error{.message = {}, .hint = {}, .kind = ErrorKind::CannotRunHere};
    QString message;
    if (status == QProcess::CrashExit)
        message = tr("\"%1\" ended in the middle of the run on \"%2\"").arg(who, m_host.host);
    else if (code == kCannotConnect)
        message = tr("\"%1\" could not reach \"%2\"").arg(who, m_host.host);
    else
        message = tr("the run on \"%1\" failed (exit code %2)").arg(m_host.host).arg(code);
    if (!said.isEmpty())
        message += QStringLiteral(": ") + said;
    error.message = toStdString(message);
    if (code == kNoSuchCommand)
        error.hint = "reinspect-cli must be there too; its place is set in Run, Remote Host.";
    return error;
}

// A run that found a difference, or that could not go on, has an answer as well.
void RemoteRun::finish(int code, QProcess::ExitStatus status)
{
    readErrors();
    readOutput();
    if (!m_process)
        return;
    const QByteArray answer = m_output.trimmed();
    const bool isWhole = status == QProcess::NormalExit && answer.startsWith('{');
    if (m_asksVersion && status == QProcess::NormalExit && code == 0 && !answer.isEmpty())
    {
        drop();
        emit versionReady(QString::fromUtf8(answer.left(200)).simplified());
    }
    else if (!m_asksVersion && isWhole)
    {
        drop();
        emit answered(answer);
    }
    else if (status == QProcess::NormalExit && code == 0)
        fail({.message = toStdString(
                  tr("\"%1\" answered something else than a result of a run: %2")
                      .arg(m_host.host,
                           answer.isEmpty() ? tr("nothing")
                                            : QString::fromUtf8(answer.left(200)).simplified())),
              .hint = "Is the program on the host reinspect-cli?",
              .kind = ErrorKind::CannotRunHere});
    else
        fail(errorOf(code, status));
}

void RemoteRun::fail(Error error)
{
    drop();
    emit failed(error);
}

void RemoteRun::cancel()
{
    drop();
}

// Killed, the connection ends, and with it whoever writes to it on the other side.
void RemoteRun::drop()
{
    QProcess* process = std::exchange(m_process, nullptr);
    m_archive.reset();
    if (!process)
        return;
    process->disconnect(this);
    if (process->state() != QProcess::NotRunning)
    {
        process->kill();
        process->waitForFinished(kKillWait);
    }
    process->deleteLater();
}

} // namespace reinspect
