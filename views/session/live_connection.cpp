// SPDX-License-Identifier: MIT
#include "views/session/live_connection.h"

#include "views/session/qt_text.h"

#include <QDir>

namespace reinspect
{

static constexpr qint64 kPiece = 1 << 18;
static constexpr int kLinger = 2'000; // milliseconds for a client to read the last answer

LiveConnection::LiveConnection(QTcpSocket* socket, QByteArray token, QString store,
                               const LiveLimits& limits, QObject* parent)
    : QObject(parent)
    , m_socket(socket)
    , m_token(std::move(token))
    , m_store(std::move(store))
    , m_limits(limits)
    , m_serverNonce(randomHex(32))
{
    m_socket->setParent(this);
    m_socket->setReadBufferSize(kLongestHello + 1);
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(m_limits.quietMilliseconds);
    connect(&m_quiet, &QTimer::timeout, this, [this] {
        m_awaits == Awaits::Nothing ? m_socket->abort() : refuse(tr("nothing more arrived"));
    });
    connect(m_socket, &QTcpSocket::readyRead, this, &LiveConnection::read);
    connect(m_socket, &QTcpSocket::disconnected, this, &LiveConnection::endSocket);
    m_quiet.start();
}

QString LiveConnection::folder() const
{
    return m_folder ? m_folder->filePath(m_header.capture) : QString();
}

// Each step may end the connection or find that more is there already. Who is not known yet has one span of
// time for all that comes before the files.
void LiveConnection::read()
{
    if (m_awaits == Awaits::Files)
        m_quiet.start();
    Awaits before;
    do
    {
        before = m_awaits;
        switch (m_awaits)
        {
        case Awaits::Hello: readLine(kLongestHello); break;
        case Awaits::Header: readLine(kLongestHeader); break;
        case Awaits::Files: takeFiles(); break;
        case Awaits::Verdict:
        case Awaits::Nothing: m_socket->readAll(); break;
        }
    } while (m_awaits != before && m_awaits != Awaits::Nothing);
}

void LiveConnection::readLine(qsizetype longest)
{
    if (!m_socket->canReadLine())
    {
        if (m_socket->bytesAvailable() > longest)
            refuse(tr("a line of more than %1 bytes").arg(longest));
        return;
    }
    const QByteArray line = m_socket->readLine();
    m_awaits == Awaits::Hello ? takeHello(line) : takeHeader(line);
}

void LiveConnection::takeHello(const QByteArray& line)
{
    const Result<QByteArray> nonce = parseHello(line);
    if (!nonce)
        return refuse(toQString(nonce.error().message));
    m_clientNonce = *nonce;
    m_awaits = Awaits::Header;
    m_socket->setReadBufferSize(kLongestHeader + 1);
    m_socket->write(challengeLine(
        m_serverNonce, liveProof(m_token, LiveSide::Server, m_clientNonce, m_serverNonce)));
}

void LiveConnection::takeHeader(const QByteArray& line)
{
    Result<LiveHeader> header = parseHeader(line);
    const QByteArray proof = liveProof(m_token, LiveSide::Client, m_clientNonce, m_serverNonce);
    // Of a stranger only the proof is judged.
    if (!header || !isSameProof(header->proof, proof))
        return refuse(header ? tr("wrong token") : toQString(header.error().message));
    m_header = std::move(*header);
    if (m_header.bytes() > m_limits.bytes)
        return refuse(tr("the capture has %1 bytes, the window takes %2 (see its settings)")
                          .arg(m_header.bytes())
                          .arg(m_limits.bytes));
    m_folder = std::make_unique<QTemporaryDir>(m_store + QStringLiteral("/capture-XXXXXX"));
    if (!m_folder->isValid() || !QDir().mkpath(folder()))
        return refuse(tr("no folder can be made in \"%1\"").arg(m_store));
    m_awaits = Awaits::Files;
    m_quiet.start();
    m_socket->write(acceptLine());
}

bool LiveConnection::beginFile()
{
    const LiveFile& file = m_header.files[m_next++];
    m_file.setFileName(QDir(folder()).filePath(file.name));
    m_left = file.bytes;
    if (m_file.open(QIODevice::WriteOnly | QIODevice::NewOnly))
        return true;
    refuse(tr("\"%1\" cannot be written: %2").arg(file.name, m_file.errorString()));
    return false;
}

void LiveConnection::takeFiles()
{
    for (;;)
    {
        if (m_left == 0)
        {
            m_file.close(); // what it still held may not fit on the disk
            if (m_file.error() != QFileDevice::NoError)
                return refuse(tr("\"%1\" cannot be written: %2")
                                  .arg(m_file.fileName(), m_file.errorString()));
            if (m_next == m_header.files.size())
                break;
            if (!beginFile())
                return;
            continue;
        }
        const QByteArray piece = m_socket->read(std::min(m_left, kPiece));
        if (piece.isEmpty())
            return;
        if (m_file.write(piece) != piece.size())
            return refuse(
                tr("\"%1\" cannot be written: %2").arg(m_file.fileName(), m_file.errorString()));
        m_left -= piece.size();
        m_received += piece.size();
    }
    if (m_socket->bytesAvailable() > 0)
        return refuse(tr("more bytes arrived than were announced"));
    m_awaits = Awaits::Verdict;
    m_quiet.stop();
    emit complete();
}

void LiveConnection::accept()
{
    m_folder->setAutoRemove(false);
    answerAndEnd(acceptLine());
}

// The client hangs up once it has read the answer: closing first could throw the answer away.
void LiveConnection::answerAndEnd(const QByteArray& answer)
{
    m_awaits = Awaits::Nothing;
    if (m_socket->state() != QAbstractSocket::ConnectedState)
        return endSocket();
    m_socket->write(answer);
    m_quiet.start(kLinger);
}

void LiveConnection::refuse(const QString& why)
{
    if (m_awaits == Awaits::Nothing)
        return;
    m_file.close();
    m_folder.reset();
    emit refused(why);
    answerAndEnd(refuseLine(why));
}

// Also of the client's doing, in the middle of something. A capture that is complete may still be accepted.
void LiveConnection::endSocket()
{
    if (m_awaits == Awaits::Verdict)
        return;
    m_quiet.stop();
    if (m_awaits != Awaits::Nothing)
    {
        const bool isKnown = m_awaits == Awaits::Files;
        m_awaits = Awaits::Nothing;
        m_file.close();
        m_folder.reset();
        emit refused(isKnown ? tr("the client went away after %1 of %2 bytes")
                                   .arg(m_received)
                                   .arg(m_header.bytes())
                             : tr("the client went away"));
    }
    emit ended();
}

} // namespace reinspect
