// SPDX-License-Identifier: MIT
// One run of a graph on another machine: the files go through a command such as ssh into a folder that the other
// side makes and removes, reinspect-cli runs there, and its JSON comes back. Whatever goes wrong is told in the
// words of whoever it went wrong for. Knows nothing of sessions; lives on the GUI thread.
#pragma once

#include <QProcess>

#include "views/session/tar_archive.h"

#include <memory>
#include <optional>

namespace reinspect
{

struct RemoteHost
{
    QString host = {}; // "gpu1", "me@gpu1.example.org"; empty: none is set
    // A command that takes a host and a command line for a shell there.
    QString connection = QStringLiteral("ssh -o BatchMode=yes -o ConnectTimeout=10");
    QString program = QStringLiteral("reinspect-cli"); // as a shell there finds it
    QString backend = QStringLiteral("cuda");          // or "cpu"

    bool isSet() const { return !host.isEmpty(); }
    QString text() const; // "gpu1 (CUDA)"
    bool operator==(const RemoteHost&) const = default;
};

// Why nothing can be started with it; empty: it can.
QString problemOf(const RemoteHost& host);

// What a shell on the host is given. `options` are quoted here, the program is not: it may be a path with "~", or
// have variables before it.
QString remoteScript(const RemoteHost& host, const proof::RunBundle& bundle);
QString shellQuoted(const QString& text);

class RemoteRun : public QObject
{
    Q_OBJECT

public:
    explicit RemoteRun(QObject* parent = nullptr);
    ~RemoteRun() override; // cancels

    bool isBusy() const { return m_process != nullptr; }
    void start(const RemoteHost& host, proof::RunBundle bundle);
    // Asks the program there for its version, nothing else; answered by versionReady() or failed().
    void askVersion(const RemoteHost& host);
    void cancel(); // nothing more is told

signals:
    // `done` is from 0 to 1; `stage` is empty while files are sent, else "before", "after", ...
    void progressed(const QString& stage, double done);
    void answered(const QByteArray& json);
    void versionReady(const QString& text);
    void failed(const reinspect::Error& error);

private:
    void launch(const RemoteHost& host, const QString& script);
    void feed();
    void tellSent();
    void readErrors();
    void readOutput();
    void takeLine(const QByteArray& line);
    void finish(int code, QProcess::ExitStatus status);
    void fail(Error error);
    void drop();
    Error errorOf(int code, QProcess::ExitStatus status) const;

    QProcess* m_process = nullptr;
    RemoteHost m_host;
    std::optional<TarArchive> m_archive; // nothing: all is sent
    qint64 m_sent = 0;                   // to the process
    qint64 m_total = 0;                  // of the archive
    bool m_asksVersion = false;
    QByteArray m_output;
    QByteArray m_line;     // of stderr, not ended yet
    QByteArray m_messages; // stderr but for progress
};

} // namespace reinspect
