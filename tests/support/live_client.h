// SPDX-License-Identifier: MIT
// A program that sends a capture to a window, as resources/capture/reinspect_capture.py does.
#pragma once

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTcpSocket>
#include <QTest>

#include "views/session/live_protocol.h"

namespace reinspect
{

// The least that can be opened.
inline const QByteArray kCapture = R"({"format": "reinspect-graph", "version": 1,
    "producer": {"torch": "2.11.0"}, "case": "graph.0", "stage": "before",
    "graph": {"name": "g", "nodes": [
        {"name": "x", "op": "placeholder", "target": "x", "args": []},
        {"name": "output", "op": "output", "target": "output", "args": [[{"$node": "x"}]]}]}}
)";
inline const QString kBefore = QStringLiteral("before.json");

// Of an answer.
inline QString why(const QJsonObject& answer)
{
    return answer[QStringLiteral("ok")].toBool(true) ? QStringLiteral("accepted")
                                                     : answer[QStringLiteral("error")].toString();
}

inline QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(cannot be read)");
}

using SentFiles = QList<std::pair<QString, QByteArray>>;

class LiveClient
{
public:
    // Reads port and token where a program would.
    explicit LiveClient(const QString& file)
    {
        QFile told(file);
        if (!told.open(QIODevice::ReadOnly))
            return;
        const QJsonObject object = QJsonDocument::fromJson(told.readAll()).object();
        m_token = object[QStringLiteral("token")].toString().toLatin1();
        m_socket.connectToHost(QHostAddress::LocalHost,
                               static_cast<quint16>(object[QStringLiteral("port")].toInt()));
    }

    QTcpSocket& socket() { return m_socket; }
    void setToken(const QByteArray& token) { m_token = token; }

    static QByteArray line(const QJsonObject& object)
    {
        return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
    }

    void write(const QByteArray& bytes) { m_socket.write(bytes); }
    // The next line of the window; empty when none comes.
    QJsonObject answer()
    {
        (void)QTest::qWaitFor([&] { return m_socket.canReadLine(); }, 10'000);
        return QJsonDocument::fromJson(m_socket.readLine()).object();
    }

    static QByteArray hello(const QByteArray& nonce, int protocol = kLiveProtocol)
    {
        return line({{QStringLiteral("reinspect"), QStringLiteral("live")},
                     {QStringLiteral("protocol"), protocol},
                     {QStringLiteral("nonce"), QString::fromLatin1(nonce)}});
    }
    // True when the window has shown that it knows the token.
    bool greet()
    {
        write(hello(m_nonce));
        const QJsonObject challenge = answer();
        m_serverNonce = challenge[QStringLiteral("nonce")].toString().toLatin1();
        return challenge[QStringLiteral("proof")].toString().toLatin1()
            == liveProof(m_token, LiveSide::Server, m_nonce, m_serverNonce);
    }
    QByteArray header(const QString& name, const QJsonArray& files) const
    {
        const QByteArray proof = liveProof(m_token, LiveSide::Client, m_nonce, m_serverNonce);
        return line({{QStringLiteral("proof"), QString::fromLatin1(proof)},
                     {QStringLiteral("capture"), name},
                     {QStringLiteral("folder"), QStringLiteral("/home/user/captures/") + name},
                     {QStringLiteral("files"), files}});
    }
    static QJsonObject listed(const QString& name, double bytes)
    {
        return {{QStringLiteral("name"), name}, {QStringLiteral("bytes"), bytes}};
    }

    // The window's last word on a whole capture.
    QJsonObject send(const QString& name, const SentFiles& files)
    {
        greet();
        QJsonArray list;
        QByteArray bytes;
        for (const auto& [file, content] : files)
        {
            list.append(listed(file, static_cast<double>(content.size())));
            bytes += content;
        }
        write(header(name, list));
        const QJsonObject first = answer();
        if (!first[QStringLiteral("ok")].toBool())
            return first;
        write(bytes);
        return answer();
    }

private:
    QTcpSocket m_socket;
    QByteArray m_token;
    QByteArray m_nonce = QByteArray(64, 'a');
    QByteArray m_serverNonce;
};

} // namespace reinspect
