// SPDX-License-Identifier: MIT
// Captures that running programs send: a port of the loopback interface, the file that tells a program of the
// same user where it is, and what has arrived. A capture is read before it is accepted, so that the sender hears
// of one that cannot be opened. The captures lie in folders of our own; the oldest go when there are many.
// Lives on the GUI thread.
#pragma once

#include <QDateTime>
#include <QTcpServer>

#include "views/session/lane.h"
#include "views/session/live_connection.h"

#include <vector>

namespace reinspect
{

struct LiveCapture
{
    QString name;     // "graph.0"
    QString path;     // of before.json, in our own folder
    QString origin;   // the folder on the sender's side
    QString producer; // "torch 2.11.0+cu130"
    QDateTime at;
    qsizetype nodes = 0;
    qint64 bytes = 0;
    bool isOpened = false;
};

class LiveService : public QObject
{
    Q_OBJECT

public:
    explicit LiveService(QObject* parent = nullptr);
    ~LiveService() override;

    // As the capture tool finds it: REINSPECT_LIVE_FILE, or in the user's run or cache folder.
    static QString defaultFile();
    void setFile(const QString& path); // while it is off
    void setStore(const QString& folder);
    void setLimits(const LiveLimits& limits);
    const QString& file() const { return m_file; }
    const LiveLimits& limits() const { return m_limits; }

    bool start(); // false: see problem()
    void stop();  // what has arrived stays
    bool isOn() const { return m_server.isListening(); }
    quint16 port() const { return m_server.serverPort(); }
    const QString& problem() const { return m_problem; } // why it could not start
    // "Receiving captures (port 40123)", "Off", ..., with what was refused last
    QString statusText() const;

    const std::vector<LiveCapture>& captures() const { return m_captures; } // oldest first
    void markOpened(const QString& path);

signals:
    void statusChanged();
    void captureArrived(int index);
    void capturesChanged(); // one is opened now

private:
    void close();
    void greet();
    void check();
    void take(LiveConnection* connection, const Result<LiveCapture>& capture);
    bool fail(const QString& problem);
    bool writeFile();
    void removeFile();
    void dropOldest() const;

    QTcpServer m_server;
    QByteArray m_token;
    QString m_file;
    QString m_store;
    LiveLimits m_limits;
    QString m_problem;
    QString m_refusal; // the last one
    std::vector<LiveCapture> m_captures;
    QList<LiveConnection*> m_connections;
    QList<LiveConnection*> m_unchecked; // complete; the first is being read
    Lane m_lane;
};

} // namespace reinspect
