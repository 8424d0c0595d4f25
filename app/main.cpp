// SPDX-License-Identifier: MIT
// reinspect: the window, or a picture of it when there is no screen.
#include "app/main_window.h"
#include "app/window_bench.h"
#include "app/window_options.h"
#include "views/canvas/graph_view.h"
#include "views/session/session.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include <cstdio>

namespace
{

using namespace reinspect;

int fail(const Error& error)
{
    std::fputs(toText(error).c_str(), stderr);
    return error.kind == ErrorKind::BadUsage ? 2 : error.kind == ErrorKind::BadInput ? 3 : 4;
}

// Runs the event loop until `done`, at most `limit` milliseconds.
bool waitUntil(const std::function<bool()>& done, int limit)
{
    QElapsedTimer clock;
    clock.start();
    while (!done() && clock.elapsed() < limit)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 20);
    return done();
}

Result<void> goToStep(Session& session, const std::string& step)
{
    if (step.empty())
        return {};
    if (step == "start" || step == "end" || step == "next-refusal")
    {
        if (step != "end")
            session.goTo(EventIndex(0));
        if (step != "start")
            session.step(step == "end" ? Move::ToEnd : Move::NextRefusal);
        return {};
    }
    const bool isNumber = step.find_first_not_of("0123456789") == std::string::npos && step.size() < 9;
    const std::size_t number = isNumber ? std::stoul(step) : 0;
    if (number < 1 || number > session.trace()->events.size())
        return Error{.message = "--step takes a number from 1 to " + std::to_string(session.trace()->events.size())
                         + ", start, end or next-refusal, not '" + step + "'",
                     .kind = ErrorKind::BadUsage};
    session.goTo(EventIndex(number - 1));
    return {};
}

Result<void> selectNode(Session& session, const std::string& name)
{
    if (name.empty())
        return {};
    const NodeId node = session.cursor()->graph().find(name);
    if (!node)
        return Error{.message = "--select: there is no node '" + name + "' in the graph", .kind = ErrorKind::BadUsage};
    session.setSelection({{node}, {}});
    return {};
}

Result<void> takeScreenshot(MainWindow& window, const WindowOptions& options)
{
    constexpr int kLimit = 60'000;
    Session& session = *window.session();
    window.resize(options.width, options.height);
    window.show();
    if (!waitUntil([&] { return !session.isBusy(); }, kLimit) || !session.trace())
        return Error{.message = session.message().toStdString()};
    REINSPECT_CHECK(goToStep(session, options.step));
    REINSPECT_CHECK(selectNode(session, options.select));
    waitUntil([&] { return window.canvas()->isLayoutSettled(); }, kLimit);
    if (!options.select.empty())
        window.canvas()->centerOnSelection();
    QCoreApplication::processEvents();
    if (!window.grab().save(QString::fromStdString(options.screenshot), "PNG"))
        return Error{.message = "the picture could not be written", .hint = "Is the folder there, and may it be written?",
                     .file = options.screenshot};
    return {};
}

} // namespace

int main(int argc, char** argv)
{
    const Result<WindowOptions> options = parseWindowOptions({argv + 1, argv + argc});
    if (!options.ok())
        return fail(options.error());
    if (options->help || options->version)
    {
        std::puts(options->help ? windowUsage().c_str() : "reinspect " REINSPECT_VERSION);
        return 0;
    }
    const bool picture = !options->screenshot.empty();
    if ((picture || options->bench) && !qEnvironmentVariableIsSet("DISPLAY") && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication::setOrganizationName(QStringLiteral("Reinspect"));
    // A picture must not depend on what the last user of the window preferred.
    QApplication::setApplicationName(picture ? QStringLiteral("reinspect-picture") : QStringLiteral("reinspect"));
    QApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    if (options->bench)
        return runWindowBench(options->json);
    MainWindow window;
    window.setThemeName(QString::fromStdString(picture && options->theme.empty() ? "light" : options->theme));
    if (options->file.empty())
        window.openSample(QStringLiteral("triton_old_value_needed.json"));
    else
        window.open(QString::fromStdString(options->file));
    if (picture)
    {
        const Result<void> taken = takeScreenshot(window, *options);
        return taken.ok() ? 0 : fail(taken.error());
    }
    window.show();
    return QApplication::exec();
}
