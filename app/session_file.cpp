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

static QJsonArray overridesJson(const ReinplacePolicy& policy, bool force)
{
    QJsonArray array;
    for (const DecisionOverride& override : policy.overrides)
    {
        if (override.force == force)
            array.append(QJsonObject{{QStringLiteral("node"), toQString(override.node)},
                                     {QStringLiteral("argument"), toQString(override.argument)}});
    }
    return array;
}

// The preset and what differs from it, so that a later version's presets mean what they mean there.
static QJsonObject policyJson(const ReinplacePolicy& policy)
{
    const Result<ReinplacePolicy> preset = policyNamed(policy.name);
    QJsonObject switches;
    for (const PolicySwitch& one : policySwitches())
    {
        if (!preset || (*preset).*one.value != policy.*one.value)
            switches[toQString(one.name)] = policy.*one.value;
    }
    return {{QStringLiteral("preset"), toQString(policy.name)},
            {QStringLiteral("switches"), switches},
            {QStringLiteral("force"), overridesJson(policy, true)},
            {QStringLiteral("forbid"), overridesJson(policy, false)}};
}

static Result<ReinplacePolicy> policyFromJson(const QJsonObject& json)
{
    REINSPECT_TRY(ReinplacePolicy policy,
                  policyNamed(toStdString(json[QStringLiteral("preset")].toString())));
    const QJsonObject switches = json[QStringLiteral("switches")].toObject();
    for (auto it = switches.begin(); it != switches.end(); ++it)
        REINSPECT_CHECK(
            setSwitch(policy, toStdString(it.key()) + (it.value().toBool() ? "=on" : "=off")));
    for (const bool force : {true, false})
    {
        const QString key = force ? QStringLiteral("force") : QStringLiteral("forbid");
        for (const QJsonValue item : json[key].toArray())
            setOverride(policy,
                        {toStdString(item.toObject()[QStringLiteral("node")].toString()),
                         toStdString(item.toObject()[QStringLiteral("argument")].toString()),
                         force});
    }
    return policy;
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
    if (json.contains(QStringLiteral("policy")))
    {
        Result<ReinplacePolicy> policy = policyFromJson(json[QStringLiteral("policy")].toObject());
        if (!policy)
            return brokenSession(path, toQString(policy.error().message));
        session.policy = std::move(*policy);
        session.followsCapture = json[QStringLiteral("followsCapture")].toBool();
    }
    for (const QJsonValue item : json[QStringLiteral("breakpoints")].toArray())
        session.breakpoints.append(item.toString());
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
    QJsonObject json{
        {QStringLiteral("format"), kFormat},
        {QStringLiteral("version"), 1},
        {QStringLiteral("breakpoints"), QJsonArray::fromStringList(session.breakpoints)},
        {QStringLiteral("current"), session.current},
        {QStringLiteral("tabs"), tabs},
        {QStringLiteral("run"),
         QJsonObject{{QStringLiteral("seed"), static_cast<qint64>(session.seed)}}},
        {QStringLiteral("window"),
         QJsonObject{{QStringLiteral("geometry"), QString::fromLatin1(session.geometry.toBase64())},
                     {QStringLiteral("state"), QString::fromLatin1(session.state.toBase64())}}}};
    if (session.policy)
        json[QStringLiteral("policy")] = policyJson(*session.policy);
    if (session.followsCapture)
        json[QStringLiteral("followsCapture")] = true;
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
