// SPDX-License-Identifier: MIT
#include "views/canvas/canvas_bench.h"

#include "core/layout/row_layout.h"
#include "core/passes/explain.h"
#include "views/canvas/far_picture.h"
#include "views/canvas/graph_painter.h"
#include "views/canvas/viewport.h"
#include "views/session/layout_service.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <functional>

namespace reinspect
{

namespace
{

constexpr QSize kScreen(1600, 1000);
constexpr int kFrames = 40;
constexpr double kFrameBudget = 1000.0 / 60;

double millisecondsOf(const std::function<void()>& work)
{
    QElapsedTimer timer;
    timer.start();
    work();
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

// What the window does for a trace, without the window.
class Bench
{
public:
    explicit Bench(std::shared_ptr<const PassTrace> trace)
        : m_cursor(trace)
        , m_trace(std::move(trace))
        , m_image(kScreen, QImage::Format_RGB32)
    {
        m_viewport.resize(kScreen);
    }

    void measureFirstPicture();
    void measureFinalPicture();
    void measureFrames();
    void measureSteps();
    void measureSelection();
    std::vector<BenchRow> takeRows() { return std::move(m_rows); }

private:
    void add(const std::string& name, double value, double budget);
    double frames(const std::function<void()>& move);
    void update()
    {
        m_change = m_scene.update(m_cursor, m_selection, {});
        m_far.invalidate();
    }
    void paint();
    void paintChange();
    double steps(std::size_t count, const std::function<void()>& afterUpdate);
    void paintSharp();

    TraceCursor m_cursor;
    std::shared_ptr<const PassTrace> m_trace;
    GraphScene m_scene;
    GraphPainter m_painter;
    FarPicture m_far{[] {}};
    Viewport m_viewport;
    Selection m_selection;
    SceneChange m_change;
    QImage m_image;
    std::vector<BenchRow> m_rows;
};

void Bench::add(const std::string& name, double value, double budget)
{
    const auto size = static_cast<std::int64_t>(m_trace->result->slotCount());
    m_rows.push_back({name, size, value, "ms", budget, value <= budget});
}

// As the window does it.
void Bench::paint()
{
    QPainter painter(&m_image);
    painter.fillRect(m_image.rect(), Theme::light().color(Surface::Background));
    if (FarPicture::isUseful(m_scene, m_viewport.scale()))
    {
        m_far.paint(painter, m_scene, Theme::light(), m_viewport, 1);
        return;
    }
    painter.setTransform(m_viewport.transform());
    m_painter.paint(painter, m_scene, Theme::light(),
                    {.area = m_viewport.sceneRect(), .scale = m_viewport.scale()});
}

// Until the pixels of a far view are there.
void Bench::paintSharp()
{
    paint();
    while (FarPicture::isUseful(m_scene, m_viewport.scale()) && !m_far.isSharp(m_viewport))
    {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        paint();
    }
}

void Bench::measureFirstPicture()
{
    const double time = millisecondsOf([this] {
        m_scene.setTrace(m_trace);
        m_scene.setLayout(rowLayout(m_scene.layoutRequest()));
        m_far.clear();
        update();
        m_viewport.fit(m_scene.bounds(), 1, 12);
        paint();
    });
    const std::size_t size = m_trace->result->slotCount();
    add("first picture", time, size <= 1500 ? 300 : size <= 15'000 ? 1000 : 3000);
}

void Bench::measureFinalPicture()
{
    LayoutService service;
    QEventLoop loop;
    bool isFailed = false;
    QObject::connect(&service, &LayoutService::resultReady, &loop,
                     [this](const LayoutResult& result) { m_scene.setLayout(result); });
    QObject::connect(&service, &LayoutService::failed, &loop, [&isFailed] { isFailed = true; });
    QObject::connect(&service, &LayoutService::busyChanged, &loop, [&loop](bool busy) {
        if (!busy)
            loop.quit();
    });
    const double time = millisecondsOf([&] {
        service.place(m_scene.layoutRequest());
        if (service.isBusy())
            loop.exec();
        m_far.clear();
        update();
        paint();
    });
    // Without the helper there is nothing to measure; the rows stay.
    if (!isFailed)
        add("final picture", time, m_trace->result->slotCount() <= 1500 ? 2000 : 10'000);
}

double Bench::frames(const std::function<void()>& move)
{
    paintSharp(); // texts are shaped in the first frame
    return millisecondsOf([&] {
               for (int frame = 0; frame < kFrames; ++frame)
               {
                   move();
                   QCoreApplication::processEvents();
                   paint();
               }
           })
        / kFrames;
}

void Bench::measureFrames()
{
    const double budget = m_trace->result->slotCount() <= 15'000 ? kFrameBudget : 100;
    m_viewport.zoomTo(1, {0, 0});
    m_viewport.center(m_scene.bounds().center());
    add("pan at 1:1, a frame", frames([this] { m_viewport.pan({-23, -17}); }), budget);
    m_viewport.fit(m_scene.bounds(), 1, 12);
    add("pan the whole, a frame", frames([this] { m_viewport.pan({-3, -2}); }), budget);
    m_viewport.fit(m_scene.bounds(), 1, 12);
    m_far.invalidate();
    add("the whole, sharp again", millisecondsOf([this] { paintSharp(); }),
        m_trace->result->slotCount() <= 15'000 ? 50 : 500);
    const double growth = std::pow(1 / m_viewport.scale(), 1.0 / kFrames);
    const QPointF middle(kScreen.width() / 2.0, kScreen.height() / 2.0);
    add("zoom from the whole to 1:1, a frame",
        frames([&] { m_viewport.zoomTo(m_viewport.scale() * growth, middle); }), budget);
}

// As the window repaints a step that needs no other place: only what changed.
void Bench::paintChange()
{
    if (m_change.isAll)
        return paint();
    QRegion parts;
    for (const QRectF& area : m_change.areas)
        parts += m_viewport.toScreen(area).toAlignedRect().intersected(m_image.rect());
    QPainter painter(&m_image);
    for (const QRect& part : partsOf(parts))
    {
        painter.resetTransform();
        painter.setClipRect(part);
        painter.fillRect(part, Theme::light().color(Surface::Background));
        painter.setTransform(m_viewport.transform());
        m_painter.paint(painter, m_scene, Theme::light(),
                        {.area = m_viewport.toScene(part), .scale = m_viewport.scale()});
    }
}

// Milliseconds a step, of `count` steps through the whole trace.
double Bench::steps(std::size_t count, const std::function<void()>& afterUpdate)
{
    const std::size_t events = m_trace->events.size();
    return millisecondsOf([&] {
               for (std::size_t i = 0; i < count; ++i)
               {
                   m_cursor.goTo(EventIndex(i * events / count));
                   update();
                   afterUpdate();
               }
           })
        / static_cast<double>(count);
}

void Bench::measureSteps()
{
    const std::size_t count = std::min<std::size_t>(m_trace->events.size(), 200);
    if (count == 0)
        return;
    const double budget = m_trace->result->slotCount() <= 15'000 ? 16 : 100;
    m_viewport.zoomTo(1, {0, 0});
    m_viewport.center(m_scene.bounds().center());
    paint();
    add("step with repaint", steps(count, [this] { paintChange(); }), budget);
    add("step to another place",
        steps(count,
              [this] {
                  const std::vector<Witness> named = witnesses(*m_trace, m_cursor.event());
                  if (!named.empty())
                      m_viewport.center(m_scene.rectOf(named.front().node).center());
                  paint();
              }),
        budget);
}

void Bench::measureSelection()
{
    const std::size_t boxes = m_scene.boxCount();
    const std::size_t count = std::min<std::size_t>(boxes, 50);
    const double time = millisecondsOf([&] {
        for (std::size_t i = 0; i < count; ++i)
        {
            m_selection = {{m_scene.boxNode(static_cast<std::uint32_t>(i * boxes / count))}, {}};
            update();
            paint();
        }
    });
    if (count > 0)
        add("selection with repaint", time / static_cast<double>(count), 50);
}

} // namespace

std::vector<BenchRow> benchCanvas(std::shared_ptr<const PassTrace> trace)
{
    if (!trace || trace->events.empty())
        return {};
    Bench bench(std::move(trace));
    bench.measureFirstPicture();
    bench.measureFinalPicture();
    bench.measureFrames();
    bench.measureSteps();
    bench.measureSelection();
    return bench.takeRows();
}

} // namespace reinspect
