// SPDX-License-Identifier: MIT
#include "views/session/live_protocol.h"

#include "views/session/qt_text.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMessageAuthenticationCode>
#include <QRandomGenerator>
#include <QSet>

#include <algorithm>
#include <vector>

namespace reinspect
{

namespace
{

constexpr qsizetype kNonceDigits = 32;
constexpr qsizetype kLongestNonce = 256;
constexpr qsizetype kLongestName = 200;
constexpr qint64 kLargestFile = qint64(1) << 50; // kMostFiles of them still add up

Error refusal(const QString& text)
{
    return Error{.message = toStdString(text)};
}

Result<QJsonObject> objectOf(const QByteArray& line)
{
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(line, &problem);
    if (problem.error != QJsonParseError::NoError)
        return refusal(QStringLiteral("not a line of JSON: %1").arg(problem.errorString()));
    if (!document.isObject())
        return refusal(QStringLiteral("the line is no JSON object"));
    return document.object();
}

QByteArray line(const QJsonObject& message)
{
    return QJsonDocument(message).toJson(QJsonDocument::Compact) + '\n';
}

// One that every file system takes, and that stays where it is put.
bool isPlainName(const QString& name)
{
    static const QString kForbidden = QStringLiteral("/\\:*?\"<>|");
    if (name.isEmpty() || name.size() > kLongestName || name.startsWith(u'.') || name.endsWith(u'.')
        || name.endsWith(u' '))
        return false;
    return std::ranges::all_of(
        name, [](QChar letter) { return letter.isPrint() && !kForbidden.contains(letter); });
}

Result<LiveFile> fileOf(const QJsonValue& value)
{
    const QString name = value[QLatin1String("name")].toString();
    const double bytes = value[QLatin1String("bytes")].toDouble(-1);
    if (!isPlainName(name))
        return refusal(QStringLiteral("\"%1\" is no plain file name").arg(name.left(kLongestName)));
    if (bytes < 0 || bytes > static_cast<double>(kLargestFile)
        || bytes != static_cast<double>(static_cast<qint64>(bytes)))
        return refusal(QStringLiteral("\"%1\" has no size in bytes").arg(name));
    return LiveFile{name, static_cast<qint64>(bytes)};
}

} // namespace

qint64 LiveHeader::bytes() const
{
    qint64 sum = 0;
    for (const LiveFile& file : files)
        sum += file.bytes;
    return sum;
}

Result<QByteArray> parseHello(const QByteArray& text)
{
    REINSPECT_TRY(const QJsonObject hello, objectOf(text));
    if (hello[QLatin1String("reinspect")] != QLatin1String("live"))
        return refusal(QStringLiteral("this port takes captures of reinspect_capture.py"));
    const int protocol = hello[QLatin1String("protocol")].toInt();
    if (protocol != kLiveProtocol)
        return refusal(QStringLiteral("the window speaks protocol %1, not %2: save "
                                      "reinspect_capture.py again from its Help menu")
                           .arg(kLiveProtocol)
                           .arg(protocol));
    const QByteArray nonce = hello[QLatin1String("nonce")].toString().toUtf8();
    if (nonce.size() < kNonceDigits || nonce.size() > kLongestNonce)
        return refusal(
            QStringLiteral("the greeting has no nonce of %1 digits or more").arg(kNonceDigits));
    return nonce;
}

Result<LiveHeader> parseHeader(const QByteArray& text)
{
    REINSPECT_TRY(const QJsonObject object, objectOf(text));
    LiveHeader header;
    header.proof = object[QLatin1String("proof")].toString().toUtf8();
    header.capture = object[QLatin1String("capture")].toString();
    header.folder = object[QLatin1String("folder")].toString().left(4096);
    if (!isPlainName(header.capture))
        return refusal(QStringLiteral("the capture has no plain name"));
    const QJsonArray files = object[QLatin1String("files")].toArray();
    if (files.size() > kMostFiles)
        return refusal(QStringLiteral("%1 files are more than the window takes (%2)")
                           .arg(files.size())
                           .arg(kMostFiles));
    QSet<QString> names;
    for (const QJsonValue& value : files)
    {
        REINSPECT_TRY(LiveFile file, fileOf(value));
        const QString folded = file.name.toCaseFolded();
        if (names.contains(folded))
            return refusal(QStringLiteral("\"%1\" is listed twice").arg(file.name));
        names.insert(folded);
        header.files.append(std::move(file));
    }
    if (!names.contains(QStringLiteral("before.json")))
        return refusal(QStringLiteral("the capture has no before.json"));
    return header;
}

QByteArray liveProof(const QByteArray& token, LiveSide side, const QByteArray& clientNonce,
                     const QByteArray& serverNonce)
{
    const QByteArray said =
        (side == LiveSide::Server ? "server:" : "client:") + clientNonce + ':' + serverNonce;
    return QMessageAuthenticationCode::hash(said, token, QCryptographicHash::Sha256).toHex();
}

bool isSameProof(const QByteArray& a, const QByteArray& b)
{
    if (a.size() != b.size() || a.isEmpty())
        return false;
    int different = 0;
    for (qsizetype i = 0; i < a.size(); ++i)
        different |= a[i] ^ b[i];
    return different == 0;
}

QByteArray randomHex(int bytes)
{
    std::vector<quint32> words((static_cast<std::size_t>(bytes) + 3) / 4);
    QRandomGenerator::system()->fillRange(words.data(), static_cast<qsizetype>(words.size()));
    return QByteArray(reinterpret_cast<const char*>(words.data()), bytes).toHex();
}

QByteArray challengeLine(const QByteArray& nonce, const QByteArray& proof)
{
    return line({{QStringLiteral("ok"), true},
                 {QStringLiteral("nonce"), QString::fromLatin1(nonce)},
                 {QStringLiteral("proof"), QString::fromLatin1(proof)}});
}

QByteArray acceptLine()
{
    return line({{QStringLiteral("ok"), true}});
}

QByteArray refuseLine(const QString& why)
{
    return line({{QStringLiteral("ok"), false}, {QStringLiteral("error"), why}});
}

} // namespace reinspect
