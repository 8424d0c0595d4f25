// SPDX-License-Identifier: MIT
// What a capture tool and an open window say to each other: lines of JSON, as
// resources/capture/reinspect_capture.py describes it. Both show that they know the token without saying it, so
// that nobody who took over the port of a window that is gone learns the token or receives a capture.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include "core/base/result.h"

namespace reinspect
{

inline constexpr int kLiveProtocol = 2;
inline constexpr qsizetype kLongestHello = 4096;     // bytes of a line of somebody unknown
inline constexpr qsizetype kLongestHeader = 1 << 20; // of the list of files
inline constexpr qsizetype kMostFiles = 4096;

struct LiveFile
{
    QString name; // plain: no folder
    qint64 bytes = 0;
};

// What a client announces before it sends the files.
struct LiveHeader
{
    QByteArray proof;
    QString capture; // "graph.0"
    QString folder;  // on the client's machine; only shown
    QList<LiveFile> files;

    qint64 bytes() const;
};

// The client's nonce. Anything but this protocol is an error that says so.
Result<QByteArray> parseHello(const QByteArray& line);
// Refuses names that could leave a folder, names given twice, and captures without before.json.
Result<LiveHeader> parseHeader(const QByteArray& line);

// HMAC-SHA256 of the token, as hexadecimal text, over "server:" or "client:" and both nonces.
enum class LiveSide
{
    Server,
    Client,
};
QByteArray liveProof(const QByteArray& token, LiveSide side, const QByteArray& clientNonce,
                     const QByteArray& serverNonce);
bool isSameProof(const QByteArray& a, const QByteArray& b); // in constant time

QByteArray randomHex(int bytes); // from the system's generator

QByteArray challengeLine(const QByteArray& nonce, const QByteArray& proof);
QByteArray acceptLine();
QByteArray refuseLine(const QString& why);

} // namespace reinspect
