// SPDX-License-Identifier: MIT
// reinspect: the window; or a picture of it, or a benchmark, without a screen.
#include "app/main_window.h"
#include "app/sample_index.h"
#include "app/screenshot.h"
#include "app/window_bench.h"
#include "app/window_options.h"
#include "views/canvas/graph_view.h"
#include "views/session/session.h"

#include <QApplication>
#include <QIcon>
#include <QSettings>
#include <QStandardPaths>

#include <cstdio>

namespace
{

using namespace reinspect;

int fail(const Error& error)
{
    std::fputs(toText(error).c_str(), stderr);
    switch (error.kind)
    {
    case ErrorKind::BadUsage: return 2;
    case ErrorKind::BadInput: return 3;
    case ErrorKind::CannotRunHere: return 4;
    }
    return 4;
}

bool hasScreen()
{
    for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
    {
        if (qEnvironmentVariableIsSet(variable))
            return true;
    }
    return false;
}

// Without a screen, Qt's remarks on what such a platform lacks would bury our own messages.
void keepOnlyFailures(QtMsgType type, const QMessageLogContext&, const QString& text)
{
    if (type == QtCriticalMsg || type == QtFatalMsg)
        std::fprintf(stderr, "%s\n", qPrintable(text));
}

// Its own preferences: a picture must not depend on what somebody chose in the window.
int runPicture(WindowOptions options)
{
    const bool hasFile = !options.file.empty();
    if (!hasFile)
        options.file = openingSample().toStdString();
    MainWindow window({.theme = options.theme == "dark" ? ThemeChoice::Dark : ThemeChoice::Light,
                       .policy = QString::fromStdString(options.policy)});
    if (!hasFile)
        window.showStartPage();
    const Result<void> taken = takeScreenshot(window, options);
    return taken.ok() ? 0 : fail(taken.error());
}

int runWindow(const WindowOptions& options)
{
    QSettings settings;
    Preferences preferences = loadPreferences(settings);
    if (!options.theme.empty())
        preferences.theme = themeNamed(QString::fromStdString(options.theme));
    if (!options.policy.empty())
        preferences.policy = QString::fromStdString(options.policy);
    MainWindow window(preferences);
    window.canvas()->setLayoutCache(QStandardPaths::writableLocation(QStandardPaths::CacheLocation)
                                    + QStringLiteral("/layouts"));
    QObject::connect(
        &window, &MainWindow::preferencesChanged, &window,
        [&settings](const Preferences& changed) { savePreferences(settings, changed); });
    window.show();
    const QString last = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)
        + QStringLiteral("/last.reinspect");
    if (!options.file.empty())
        window.open(QString::fromStdString(options.file));
    else if (!preferences.reopens || !window.openLastSession(last))
    {
        window.showStartPage();
        window.open(openingSample());
        if (!preferences.tourShown)
            window.startTour();
    }
    // Over what a session that was reopened says.
    if (Result<ReinplacePolicy> policy = policyNamed(options.policy))
        window.session()->setPolicy(std::move(*policy));
    const int code = QApplication::exec();
    window.saveLastSession(last);
    return code;
}

} // namespace

int main(int argc, char** argv)
{
    const Result<WindowOptions> options = parseWindowOptions({argv + 1, argv + argc});
    if (!options)
        return fail(options.error());
    if (options->help || options->version)
    {
        std::puts(options->help ? windowUsage().c_str() : "reinspect " REINSPECT_VERSION);
        return 0;
    }
    const bool needsNoScreen = options->bench || isPictureAsked(*options);
    if (needsNoScreen && !hasScreen())
    {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        qInstallMessageHandler(keepOnlyFailures);
    }
    QApplication::setOrganizationName(QStringLiteral("Reinspect"));
    QApplication::setApplicationName(QStringLiteral("reinspect"));
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication application(argc, argv);
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/reinspect.svg")));
    if (options->bench)
        return runWindowBench(options->json);
    return isPictureAsked(*options) ? runPicture(*options) : runWindow(*options);
}
