// SPDX-License-Identifier: MIT
// One client of the live port: greeting, proof of the token, list of files, the files. They go to a folder of
// their own, which is gone again unless all arrived and the capture was accepted. Whatever is wrong is answered
// in words and ends the connection. Lives on the GUI thread; never holds more than a piece of a file in memory.
#pragma once

#include <QFile>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTimer>

#include "views/session/live_protocol.h"

#include <memory>

namespace reinspect
{

struct LiveLimits
{
    qint64 bytes = qint64(512) << 20; // of one capture
    int quietMilliseconds = 15'000;   // a client that says nothing for so long is sent away
    int clients = 16;                 // at once
};

class LiveConnection : public QObject
{
    Q_OBJECT

public:
    // Takes the socket. Captures are stored in folders under `store`.
    LiveConnection(QTcpSocket* socket, QByteArray token, QString store, const LiveLimits& limits,
                   QObject* parent);

    const LiveHeader& header() const { return m_header; }
    QString folder() const; // of the files
    qint64 received() const { return m_received; }

    // The answers to complete().
    void accept(); // the folder stays
    void refuse(const QString& why);

signals:
    void complete();                  // all files are there
    void refused(const QString& why); // told to the client, too
    void ended();                     // the last signal

private:
    enum class Awaits
    {
        Hello,
        Header,
        Files,
        Verdict,
        Nothing,
    };

    void read();
    void readLine(qsizetype longest);
    void takeHello(const QByteArray& line);
    void takeHeader(const QByteArray& line);
    void takeFiles();
    bool beginFile();
    void answerAndEnd(const QByteArray& answer);
    void endSocket();

    QTcpSocket* m_socket;
    QByteArray m_token;
    QString m_store;
    LiveLimits m_limits;
    Awaits m_awaits = Awaits::Hello;
    QByteArray m_clientNonce;
    QByteArray m_serverNonce;
    LiveHeader m_header;
    std::unique_ptr<QTemporaryDir> m_folder;
    QFile m_file;
    qsizetype m_next = 0; // of the files: the one after m_file
    qint64 m_left = 0;    // bytes of m_file
    qint64 m_received = 0;
    QTimer m_quiet;
};

} // namespace reinspect
