// SPDX-License-Identifier: MIT
#include "app/session_file.h"

#include "views/session/qt_text.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSaveFile>

#include <algorithm>

namespace reinspect
{

static const QString kFormat = QStringLiteral("reinspect-session");

static Error brokenSession(const QString& path, const QString& what)
{
    return {.message = "this is no session that can be read: " + toStdString(what),
            .hint = "The open documents stay as they are.",
            .file = toStdString(path)};
}

Result<SessionFile> readSessionFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{.message = toStdString(file.errorString()), .file = toStdString(path)};
    QJsonParseError problem{};
    const QJsonObject json = QJsonDocument::fromJson(file.readAll(), &problem).object();
    if (problem.error != QJsonParseError::NoError)
        return brokenSession(path, problem.errorString());
    if (json[QStringLiteral("format")].toString() != kFormat)
        return brokenSession(path, QStringLiteral("it does not say \"%1\"").arg(kFormat));
    SessionFile session;
    const QString folder = QFileInfo(path).absolutePath();
    for (const QJsonValue item : json[QStringLiteral("tabs")].toArray())
    {
        Result<TabState> tab = tabFromJson(item.toObject(), folder);
        if (!tab)
            return brokenSession(path, toQString(tab.error().message));
        session.tabs.push_back(std::move(*tab));
    }
    if (session.tabs.empty())
        return brokenSession(path, QStringLiteral("it names no document"));
    session.current = std::clamp(json[QStringLiteral("current")].toInt(), 0,
                                 static_cast<int>(session.tabs.size()) - 1);
    session.seed = static_cast<quint32>(
        std::max(json[QStringLiteral("run")].toObject()[QStringLiteral("seed")].toInt(), 0));
    const QJsonObject window = json[QStringLiteral("window")].toObject();
    session.geometry =
        QByteArray::fromBase64(window[QStringLiteral("geometry")].toString().toLatin1());
    session.state = QByteArray::fromBase64(window[QStringLiteral("state")].toString().toLatin1());
    return session;
}

Result<void> writeSessionFile(const QString& path, const SessionFile& session)
{
    QJsonArray tabs;
    for (const TabState& tab : session.tabs)
        tabs.append(toJson(tab, QFileInfo(path).absolutePath()));
    const QJsonObject json{
        {QStringLiteral("format"), kFormat},
        {QStringLiteral("version"), 1},
        {QStringLiteral("current"), session.current},
        {QStringLiteral("tabs"), tabs},
        {QStringLiteral("run"),
         QJsonObject{{QStringLiteral("seed"), static_cast<qint64>(session.seed)}}},
        {QStringLiteral("window"),
         QJsonObject{{QStringLiteral("geometry"), QString::fromLatin1(session.geometry.toBase64())},
                     {QStringLiteral("state"), QString::fromLatin1(session.state.toBase64())}}}};
    QSaveFile file(path);
    const QByteArray text = QJsonDocument(json).toJson();
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
        return Error{.message =
                         "the session could not be saved: " + toStdString(file.errorString()),
                     .hint = "Is the folder there, and may it be written to?",
                     .file = toStdString(path)};
    return {};
}

} // namespace reinspect
