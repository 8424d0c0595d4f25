// SPDX-License-Identifier: MIT
#include "views/session/live_service.h"

#include "views/session/qt_text.h"
#include "views/session/read_document.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

#include <filesystem>

namespace reinspect
{

namespace
{

constexpr qsizetype kMostKept = 100; // folders of captures
constexpr auto kOwner = QFileDevice::ReadOwner | QFileDevice::WriteOwner;

QString storeFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::CacheLocation)
        + QStringLiteral("/live");
}

Result<LiveCapture> readCapture(LiveCapture capture)
{
    REINSPECT_TRY(const auto document, readDocument(capture.path));
    capture.producer = toQString(document->producer);
    capture.nodes = static_cast<qsizetype>(document->graphs.front().graph->size());
    return capture;
}

} // namespace

LiveService::LiveService(QObject* parent)
    : QObject(parent)
    , m_file(defaultFile())
    , m_store(storeFolder())
{
    connect(&m_server, &QTcpServer::newConnection, this, &LiveService::greet);
}

LiveService::~LiveService()
{
    close(); // without a word: who listens may be gone
}

QString LiveService::defaultFile()
{
    const QString named = qEnvironmentVariable("REINSPECT_LIVE_FILE");
    if (!named.isEmpty())
        return named;
#ifdef Q_OS_WIN
    const QString base = qEnvironmentVariable("LOCALAPPDATA", QDir::homePath());
#else
    const QString run = qEnvironmentVariable("XDG_RUNTIME_DIR");
    const QString base = run.isEmpty() ? QDir::homePath() + QStringLiteral("/.cache") : run;
#endif
    return base + QStringLiteral("/reinspect/live.json");
}

void LiveService::setFile(const QString& path)
{
    Q_ASSERT(!isOn());
    m_file = path;
}

void LiveService::setStore(const QString& folder)
{
    m_store = folder;
}

void LiveService::setLimits(const LiveLimits& limits)
{
    m_limits = limits;
}

bool LiveService::start()
{
    if (isOn())
        return true;
    m_problem.clear();
    m_refusal.clear();
    m_token = randomHex(32);
    if (!QDir().mkpath(m_store))
        return fail(tr("The folder \"%1\" cannot be made.").arg(m_store));
    QFile::setPermissions(m_store, kOwner | QFileDevice::ExeOwner);
    dropOldest();
    if (!m_server.listen(QHostAddress::LocalHost))
        return fail(tr("No port can be opened: %1.").arg(m_server.errorString()));
    if (!writeFile())
    {
        m_server.close();
        return fail(
            tr("\"%1\" cannot be written: programs could not find this window.").arg(m_file));
    }
    emit statusChanged();
    return true;
}

bool LiveService::fail(const QString& problem)
{
    m_problem = problem;
    emit statusChanged();
    return false;
}

void LiveService::stop()
{
    if (!isOn())
        return;
    close();
    emit statusChanged();
}

void LiveService::close()
{
    if (!isOn())
        return;
    m_server.close();
    removeFile();
    m_lane.cancel();
    m_unchecked.clear();
    qDeleteAll(std::exchange(m_connections, {})); // with what is not complete
}

// A new file under another name, never seen by others, then in the place of an older window's: of two windows
// the one that was opened last receives.
bool LiveService::writeFile()
{
    const QString folder = QFileInfo(m_file).absolutePath();
    const bool isNew = !QFileInfo::exists(folder);
    if (!QDir().mkpath(folder))
        return false;
    if (isNew)
        QFile::setPermissions(folder, kOwner | QFileDevice::ExeOwner);
    const QJsonObject told{{QStringLiteral("protocol"), kLiveProtocol},
                           {QStringLiteral("port"), m_server.serverPort()},
                           {QStringLiteral("token"), QString::fromLatin1(m_token)}};
    QFile made(m_file + u'.' + QString::fromLatin1(randomHex(8)));
    if (!made.open(QIODevice::WriteOnly | QIODevice::NewOnly, kOwner))
        return false;
    const QByteArray text = QJsonDocument(told).toJson(QJsonDocument::Compact) + '\n';
    const bool isWritten = made.write(text) == text.size() && made.flush();
    made.close();
    std::error_code failure;
    std::filesystem::rename(toStdString(made.fileName()), toStdString(m_file), failure);
    if (isWritten && !failure)
        return true;
    made.remove();
    return false;
}

// Unless another window has put its own there.
void LiveService::removeFile()
{
    QFile file(m_file);
    if (!file.open(QIODevice::ReadOnly))
        return;
    const QJsonObject told = QJsonDocument::fromJson(file.read(4096)).object();
    file.close();
    if (told[QLatin1String("token")].toString().toLatin1() == m_token)
        file.remove();
}

void LiveService::dropOldest() const
{
    const QFileInfoList folders = QDir(m_store).entryInfoList(
        {QStringLiteral("capture-*")}, QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time);
    for (qsizetype i = kMostKept; i < folders.size(); ++i)
        QDir(folders[i].filePath()).removeRecursively();
}

QString LiveService::statusText() const
{
    if (!isOn())
        return m_problem.isEmpty() ? tr("Off: no captures are received.") : m_problem;
    const QString on =
        tr("Receiving captures from programs on this machine (port %1).").arg(port());
    return m_refusal.isEmpty() ? on : on + u' ' + m_refusal;
}

void LiveService::greet()
{
    while (QTcpSocket* socket = m_server.nextPendingConnection())
    {
        if (m_connections.size() >= m_limits.clients || !socket->peerAddress().isLoopback())
        {
            socket->abort();
            socket->deleteLater();
            continue;
        }
        auto* connection = new LiveConnection(socket, m_token, m_store, m_limits, this);
        m_connections.append(connection);
        connect(connection, &LiveConnection::complete, this, [this, connection] {
            m_unchecked.append(connection);
            if (m_unchecked.size() == 1)
                check();
        });
        connect(connection, &LiveConnection::refused, this, [this, connection](const QString& why) {
            const QString name = connection->header().capture;
            m_refusal = name.isEmpty() ? tr("A client was refused: %1.").arg(why)
                                       : tr("\"%1\" was refused: %2.").arg(name, why);
            emit statusChanged();
        });
        connect(connection, &LiveConnection::ended, this, [this, connection] {
            m_connections.removeOne(connection);
            connection->deleteLater();
        });
    }
}

void LiveService::check()
{
    LiveConnection* connection = m_unchecked.first();
    LiveCapture capture;
    capture.name = connection->header().capture;
    capture.path = connection->folder() + QStringLiteral("/before.json");
    capture.origin = connection->header().folder;
    capture.at = QDateTime::currentDateTime();
    capture.bytes = connection->received();
    m_lane.run([capture](std::stop_token) { return readCapture(capture); },
               [this, connection](const Result<LiveCapture>& read) { take(connection, read); });
}

void LiveService::take(LiveConnection* connection, const Result<LiveCapture>& capture)
{
    m_unchecked.removeFirst();
    if (capture.ok())
    {
        connection->accept();
        m_captures.push_back(*capture);
        m_refusal.clear();
        emit captureArrived(static_cast<int>(m_captures.size()) - 1);
        emit statusChanged();
    }
    else
    {
        Error error = capture.error();
        error.file = QStringLiteral("before.json").toStdString();
        connection->refuse(stripText(error).chopped(1));
    }
    if (!m_unchecked.isEmpty())
        check();
}

void LiveService::markOpened(const QString& path)
{
    for (LiveCapture& capture : m_captures)
        if (capture.path == path && !std::exchange(capture.isOpened, true))
            emit capturesChanged();
}

} // namespace reinspect
