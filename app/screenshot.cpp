// SPDX-License-Identifier: MIT
#include "app/screenshot.h"

#include "app/actions.h"
#include "app/compare_window.h"
#include "app/main_window.h"
#include "views/canvas/graph_view.h"
#include "views/panels/compare_panel.h"
#include "views/panels/find_bar.h"
#include "views/panels/memory_panel.h"
#include "views/session/comparison.h"
#include "views/session/qt_text.h"
#include "views/session/read_document.h"
#include "views/session/run_service.h"
#include "views/session/session.h"

#include <QApplication>
#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <charconv>

namespace reinspect
{

namespace
{

constexpr int kLimit = 120'000; // milliseconds

// Runs the event loop until `signal` of `sender` finds it `done`. False when the limit was reached.
template<typename Sender, typename Signal, typename Done>
bool waitFor(Sender* sender, Signal signal, const Done& done)
{
    QEventLoop loop;
    bool isLate = false;
    QObject::connect(sender, signal, &loop, [&] {
        if (done())
            loop.quit();
    });
    QTimer::singleShot(kLimit, &loop, [&] {
        isLate = true;
        loop.quit();
    });
    if (!done())
        loop.exec();
    return !isLate;
}

struct NamedMove
{
    const char* name;
    Move move;
};
constexpr NamedMove kMoves[] = {
    {"start", Move::ToStart},
    {"end", Move::ToEnd},
    {"next-decision", Move::NextDecision},
    {"next-refusal", Move::NextRefusal},
};

// Named steps are taken from the start of the trace.
Result<EventIndex> stepNamed(const PassTrace& trace, const std::string& step)
{
    const EventIndex start(0);
    for (const NamedMove& named : kMoves)
    {
        if (step != named.name)
            continue;
        const auto found = destination(trace, start, named.move);
        if (!found && named.move != Move::ToStart && named.move != Move::ToEnd)
            return Error{.message = "--step " + step + ": the trace has no such step"};
        return found.value_or(start);
    }
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(step.data(), step.data() + step.size(), number);
    if (problem != std::errc{} || end != step.data() + step.size() || number == 0)
        return Error{.message =
                         "--step takes a number, start, end, next-decision or next-refusal, not '"
                         + step + "'",
                     .kind = ErrorKind::BadUsage};
    if (number > trace.events.size())
        return Error{.message = "--step " + step + ": the trace has "
                         + std::to_string(trace.events.size()) + " steps"};
    return EventIndex(number - 1);
}

NodeId nodeNamed(const PassTrace& trace, const std::string& name)
{
    for (std::size_t slot = 0; slot < trace.result->slotCount(); ++slot)
    {
        if (trace.nameOf(NodeId(slot)) == name)
            return NodeId(slot);
    }
    return {};
}

Result<void> goWhereAsked(Session& session, const WindowOptions& options)
{
    if (!options.step.empty())
    {
        REINSPECT_TRY(const EventIndex event, stepNamed(*session.trace(), options.step));
        session.goTo(event);
    }
    if (options.select.empty())
        return {};
    const NodeId node = nodeNamed(*session.trace(), options.select);
    if (!node)
        return Error{.message = "--select: the graph has no node '" + options.select + "'"};
    session.setSelection({.nodes = {node}, .storage = {}});
    return {};
}

// The picture's place must have its size before the graph is fitted into it.
void showPanelAsked(MainWindow& window, const WindowOptions& options)
{
    if (options.panel.empty())
        return;
    window.showPanelNamed(options.panel);
    window.canvas()->setFocus(); // no cursor that blinks
    QCoreApplication::processEvents();
}

void waitForComparison(MainWindow& window)
{
    const Comparison* comparison = window.compare()->comparison();
    waitFor(comparison, &Comparison::busyChanged, [comparison] { return !comparison->isBusy(); });
}

// The panels about runs show one: it is made, and for values the chosen node is looked at.
void waitForRun(MainWindow& window, const WindowOptions& options)
{
    RunService* runs = window.runs();
    if (options.panel != "run" && options.panel != "timeline" && options.panel != "memory"
        && options.panel != "values" && options.results.empty())
        return;
    if (options.where == "cuda")
    {
        runs->askGpu();
        waitFor(runs, &RunService::placeChanged, [runs] { return runs->gpu().has_value(); });
        runs->setPlace(RunPlace::Cuda);
    }
    if (options.results.empty())
        runs->run();
    else
        runs->openResults(toQString(options.results));
    waitFor(runs, &RunService::busyChanged, [runs] { return !runs->isBusy(); });
    if (options.panel == "memory")
    {
        const MemoryService* memory = window.memoryPanel()->service();
        waitFor(memory, &MemoryService::curvesChanged, [memory] { return !memory->isBusy(); });
    }
    if (options.panel == "values")
    {
        window.actions()->action("run.values")->trigger();
        waitFor(runs, &RunService::valuesChanged, [runs] { return !runs->isAsking(); });
    }
}

// Commands one after the other, each on what the one before left.
Result<void> doWhatIsAsked(MainWindow& window, const WindowOptions& options)
{
    GraphView* canvas = window.canvas();
    const auto settle = [canvas] {
        waitFor(canvas, &GraphView::layoutSettled, [canvas] { return canvas->isLayoutSettled(); });
    };
    settle();
    for (const std::string& id : options.actions)
    {
        const QList<QAction*> all = window.actions()->all();
        const auto found = std::ranges::find(all, toQString(id), &QObject::objectName);
        if (found == all.end())
            return Error{.message = "--do: there is no command '" + id + "'",
                         .kind = ErrorKind::BadUsage};
        (*found)->trigger();
        settle();
    }
    if (options.find.empty())
        return {};
    window.find()->open();
    window.find()->setQuery(toQString(options.find));
    waitFor(window.find(), &FindBar::foundChanged, [&] { return !window.find()->found().empty(); });
    return {};
}

// The compare window when one was opened, with its size, else the window itself.
QWidget* pictured(MainWindow& window, const WindowOptions& options)
{
    auto* compare = window.findChild<CompareWindow*>();
    if (!compare)
        return &window;
    compare->resize(options.width, options.height);
    waitFor(compare, &CompareWindow::compared, [compare] { return compare->isReady(); });
    for (const int side : {0, 1})
    {
        GraphView* view = compare->view(side);
        waitFor(view, &GraphView::layoutSettled, [view] { return view->isLayoutSettled(); });
    }
    QCoreApplication::processEvents();
    (void)compare->grab();
    for (const int side : {0, 1})
    {
        GraphView* view = compare->view(side);
        waitFor(view, &GraphView::pictureSharpened, [view] { return view->isPictureSharp(); });
    }
    return compare;
}

Result<void> loadInto(Session& session, const std::string& file)
{
    REINSPECT_TRY(std::shared_ptr<const Document> document,
                  readDocument(QString::fromStdString(file)));
    session.setDocument(std::move(document));
    if (!waitFor(&session, &Session::busyChanged, [&] { return !session.isBusy(); })
        || !session.trace())
        return Error{.message = "the pass did not finish in time", .file = file};
    return {};
}

} // namespace

Result<void> takeScreenshot(MainWindow& window, const WindowOptions& options)
{
    window.resize(options.width, options.height);
    window.show();
    window.actions()->action("view.resetLayout")->trigger();
    GraphView* canvas = window.canvas();
    showPanelAsked(window, options);
    REINSPECT_CHECK(loadInto(*window.session(), options.file));
    REINSPECT_CHECK(goWhereAsked(*window.session(), options));
    waitForComparison(window);
    waitForRun(window, options);
    REINSPECT_CHECK(doWhatIsAsked(window, options));
    if (!options.select.empty() && options.actions.empty())
        canvas->centerOnSelection();
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
    (void)window.grab(); // asks a far view for its pixels
    waitFor(canvas, &GraphView::pictureSharpened, [&] { return canvas->isPictureSharp(); });
    if (!options.report.empty() && !window.saveReport(toQString(options.report)))
        return Error{.message = window.session()->message().toStdString(),
                     .kind = ErrorKind::CannotRunHere};
    if (options.screenshot.empty())
        return {};
    if (!pictured(window, options)->grab().save(QString::fromStdString(options.screenshot), "PNG"))
        return Error{.message = "the picture could not be written",
                     .hint = "Is the folder there, and may it be written to?",
                     .file = options.screenshot};
    return {};
}

} // namespace reinspect
