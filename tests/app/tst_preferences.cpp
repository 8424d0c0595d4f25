// SPDX-License-Identifier: MIT
#include "app/preferences.h"

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace reinspect;

class tst_Preferences : public QObject
{
    Q_OBJECT

private slots:
    void whatIsSavedIsLoaded();
    void nothingSavedMeansDefaults();
    void recentFilesAreNewestFirstAndFew();
};

void tst_Preferences::whatIsSavedIsLoaded()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("settings.ini"));
    const Preferences saved{.theme = ThemeChoice::Dark,
                            .recentFiles = {QStringLiteral("/a b.json"), QStringLiteral("/c.fx")},
                            .geometry = "geometry",
                            .state = "state",
                            .legend = false,
                            .live = true,
                            .liveMegabytes = 7,
                            .captureTool = QStringLiteral("/tools/reinspect_capture.py"),
                            .remote = {.host = QStringLiteral("gpu1"),
                                       .connection = QStringLiteral("ssh -p 22"),
                                       .program = QStringLiteral("~/cli"),
                                       .backend = QStringLiteral("cpu")},
                            .runsRemotely = true,
                            .tf32 = true};
    {
        QSettings settings(path, QSettings::IniFormat);
        savePreferences(settings, saved);
    }
    const Preferences loaded = loadPreferences(QSettings(path, QSettings::IniFormat));

    QCOMPARE(loaded.theme, saved.theme);
    QCOMPARE(loaded.recentFiles, saved.recentFiles);
    QCOMPARE(loaded.geometry, saved.geometry);
    QCOMPARE(loaded.state, saved.state);
    QCOMPARE(loaded.legend, saved.legend);
    QCOMPARE(loaded.live, saved.live);
    QCOMPARE(loaded.liveMegabytes, saved.liveMegabytes);
    QCOMPARE(loaded.captureTool, saved.captureTool);
    QVERIFY(loaded.remote == saved.remote);
    QCOMPARE(loaded.runsRemotely, saved.runsRemotely);
    QCOMPARE(loaded.tf32, saved.tf32);
}

void tst_Preferences::nothingSavedMeansDefaults()
{
    QTemporaryDir folder;
    const Preferences loaded = loadPreferences(
        QSettings(folder.filePath(QStringLiteral("none.ini")), QSettings::IniFormat));
    QCOMPARE(loaded.theme, ThemeChoice::System);
    QVERIFY(loaded.recentFiles.isEmpty());
    QVERIFY(loaded.legend);
    QVERIFY(!loaded.live && !loaded.runsRemotely && !loaded.tf32);
    QVERIFY(loaded.remote == RemoteHost());
}

void tst_Preferences::recentFilesAreNewestFirstAndFew()
{
    Preferences preferences;
    for (int i = 0; i < 30; ++i)
        addRecentFile(preferences, QStringLiteral("/file%1.fx").arg(i));
    addRecentFile(preferences, QStringLiteral("/file25.fx"));

    QCOMPARE(preferences.recentFiles.size(), 10);
    QCOMPARE(preferences.recentFiles.first(), QStringLiteral("/file25.fx"));
    QCOMPARE(preferences.recentFiles.count(QStringLiteral("/file25.fx")), 1);
}

QTEST_GUILESS_MAIN(tst_Preferences)
#include "tst_preferences.moc"
