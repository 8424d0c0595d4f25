// SPDX-License-Identifier: MIT
#include "app/preferences.h"

#include "views/session/qt_text.h"

#include <QFileInfo>
#include <QSettings>

namespace reinspect
{

namespace
{
const QString kTheme = QStringLiteral("theme");
const QString kRecent = QStringLiteral("recentFiles");
const QString kGeometry = QStringLiteral("window/geometry");
const QString kState = QStringLiteral("window/state");
const QString kEditor = QStringLiteral("editor");
const QString kReopens = QStringLiteral("reopens");
const QString kLayoutSeconds = QStringLiteral("layoutSeconds");
const QString kTour = QStringLiteral("tourShown");
const QString kColorRules = QStringLiteral("colorRules");
const QString kKeys = QStringLiteral("keys");
const QString kLegend = QStringLiteral("window/legend");
const QString kPolicy = QStringLiteral("policy");
const QString kBreakpoints = QStringLiteral("breakpoints");
const QString kLive = QStringLiteral("live/receives");
const QString kLiveMegabytes = QStringLiteral("live/megabytes");
const QString kRemoteHost = QStringLiteral("remote/host");
const QString kRemoteConnection = QStringLiteral("remote/connection");
const QString kRemoteProgram = QStringLiteral("remote/program");
const QString kRemoteBackend = QStringLiteral("remote/backend");
const QString kRunsRemotely = QStringLiteral("remote/runs");
const QString kTf32 = QStringLiteral("run/tf32");
const QString kCaptureTool = QStringLiteral("live/tool");
constexpr int kRecentCount = 10;
} // namespace

QString themeName(ThemeChoice theme)
{
    switch (theme)
    {
    case ThemeChoice::System: return QStringLiteral("system");
    case ThemeChoice::Light: return QStringLiteral("light");
    case ThemeChoice::Dark: return QStringLiteral("dark");
    }
    return {};
}

ThemeChoice themeNamed(const QString& name)
{
    for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark})
    {
        if (name == themeName(theme))
            return theme;
    }
    return ThemeChoice::System;
}

static QMap<QString, QString> textMap(const QVariantMap& map)
{
    QMap<QString, QString> texts;
    for (auto it = map.begin(); it != map.end(); ++it)
        texts[it.key()] = it.value().toString();
    return texts;
}

static QVariantMap variantMap(const QMap<QString, QString>& texts)
{
    QVariantMap map;
    for (auto it = texts.begin(); it != texts.end(); ++it)
        map[it.key()] = it.value();
    return map;
}

static RemoteHost remoteFrom(const QSettings& settings)
{
    const RemoteHost defaults;
    return {.host = settings.value(kRemoteHost).toString(),
            .connection = settings.value(kRemoteConnection, defaults.connection).toString(),
            .program = settings.value(kRemoteProgram, defaults.program).toString(),
            .backend = settings.value(kRemoteBackend, defaults.backend).toString()};
}

Preferences loadPreferences(const QSettings& settings)
{
    return {.theme = themeNamed(settings.value(kTheme).toString()),
            .recentFiles = settings.value(kRecent).toStringList(),
            .geometry = settings.value(kGeometry).toByteArray(),
            .state = settings.value(kState).toByteArray(),
            .legend = settings.value(kLegend, true).toBool(),
            .editorCommand = settings.value(kEditor).toString(),
            .reopens = settings.value(kReopens, true).toBool(),
            .layoutSeconds = settings.value(kLayoutSeconds, 60).toInt(),
            .tourShown = settings.value(kTour, false).toBool(),
            .colorRules = settings.value(kColorRules).toStringList(),
            .keys = textMap(settings.value(kKeys).toMap()),
            .policy = settings.value(kPolicy).toString(),
            .breakpoints = settings.value(kBreakpoints).toStringList(),
            .live = settings.value(kLive, false).toBool(),
            .liveMegabytes = settings.value(kLiveMegabytes, 512).toInt(),
            .captureTool = settings.value(kCaptureTool).toString(),
            .remote = remoteFrom(settings),
            .runsRemotely = settings.value(kRunsRemotely, false).toBool(),
            .tf32 = settings.value(kTf32, false).toBool()};
}

void savePreferences(QSettings& settings, const Preferences& preferences)
{
    settings.setValue(kTheme, themeName(preferences.theme));
    settings.setValue(kRecent, preferences.recentFiles);
    settings.setValue(kGeometry, preferences.geometry);
    settings.setValue(kState, preferences.state);
    settings.setValue(kLegend, preferences.legend);
    settings.setValue(kPolicy, preferences.policy);
    settings.setValue(kBreakpoints, preferences.breakpoints);
    settings.setValue(kEditor, preferences.editorCommand);
    settings.setValue(kReopens, preferences.reopens);
    settings.setValue(kLayoutSeconds, preferences.layoutSeconds);
    settings.setValue(kTour, preferences.tourShown);
    settings.setValue(kColorRules, preferences.colorRules);
    settings.setValue(kKeys, variantMap(preferences.keys));
    settings.setValue(kLive, preferences.live);
    settings.setValue(kLiveMegabytes, preferences.liveMegabytes);
    settings.setValue(kCaptureTool, preferences.captureTool);
    settings.setValue(kRemoteHost, preferences.remote.host);
    settings.setValue(kRemoteConnection, preferences.remote.connection);
    settings.setValue(kRemoteProgram, preferences.remote.program);
    settings.setValue(kRemoteBackend, preferences.remote.backend);
    settings.setValue(kRunsRemotely, preferences.runsRemotely);
    settings.setValue(kTf32, preferences.tf32);
}

void addRecentFile(Preferences& preferences, const QString& path)
{
    const QString full = QFileInfo(path).absoluteFilePath();
    preferences.recentFiles.removeAll(full);
    preferences.recentFiles.prepend(full);
    preferences.recentFiles = preferences.recentFiles.mid(0, kRecentCount);
}

QStringList breakpointTexts(const std::vector<Breakpoint>& breakpoints)
{
    QStringList texts;
    for (const Breakpoint& breakpoint : breakpoints)
        texts.append((breakpoint.enabled ? u'+' : u'-') + toQString(breakpoint.text));
    return texts;
}

// What a later version wrote and this one does not understand is left out.
std::vector<Breakpoint> breakpointsFrom(const QStringList& texts)
{
    std::vector<Breakpoint> breakpoints;
    for (const QString& text : texts)
        if (Result<Breakpoint> breakpoint = parseBreakpoint(toStdString(text.mid(1))))
        {
            breakpoint->enabled = text.startsWith(u'+');
            breakpoints.push_back(std::move(*breakpoint));
        }
    return breakpoints;
}

} // namespace reinspect
