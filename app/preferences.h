// SPDX-License-Identifier: MIT
// What the window remembers between two runs, as a value; QSettings is only its place.
#pragma once

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

#include "core/passes/breakpoints.h"
#include "views/session/remote_run.h"

class QSettings;

namespace reinspect
{

enum class ThemeChoice
{
    System,
    Light,
    Dark,
};

struct Preferences
{
    ThemeChoice theme = ThemeChoice::System;
    QStringList recentFiles = {}; // newest first
    QByteArray geometry = {};     // of the window
    QByteArray state = {};        // of its docks and bars
    bool legend = true;
    QString editorCommand = {};       // "code -g %f:%l"
    bool reopens = true;              // the documents of last time
    int layoutSeconds = 60;           // a layout that takes longer is given up
    bool tourShown = false;           // the tour was seen or skipped
    QStringList colorRules = {};      // queries, the first that matches colours a node
    QMap<QString, QString> keys = {}; // of commands whose keys were changed, by id
    QString policy = {};              // the last preset; empty: as the capture's PyTorch
    QStringList breakpoints = {};     // "+verdict:kept"; "-" for one that is switched off
    bool live = false;                // captures of running programs are received
    int liveMegabytes = 512;          // a larger capture is refused
    QString captureTool = {};         // where reinspect_capture.py was saved last
    RemoteHost remote = {};
    bool runsRemotely = false; // there, if one is set
    bool tf32 = false;         // allowed in runs on GPUs
};

Preferences loadPreferences(const QSettings& settings);
void savePreferences(QSettings& settings, const Preferences& preferences);

// The file first, once, and not more than a menu can hold.
void addRecentFile(Preferences& preferences, const QString& path);

QString themeName(ThemeChoice theme); // "system", "light", "dark"
ThemeChoice themeNamed(const QString& name);

// Breakpoints as texts, "+" or "-" first: on or off.
QStringList breakpointTexts(const std::vector<Breakpoint>& breakpoints);
std::vector<Breakpoint> breakpointsFrom(const QStringList& texts);

} // namespace reinspect
