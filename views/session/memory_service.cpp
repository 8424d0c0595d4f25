// SPDX-License-Identifier: MIT
#include "views/session/memory_service.h"

#include "views/session/lane.h"
#include "views/session/run_service.h"
#include "views/session/session.h"

namespace reinspect
{

struct MemoryService::Work
{
    Lane lane;
};

MemoryService::MemoryService(RunService* runs, QObject* parent)
    : QObject(parent)
    , m_runs(runs)
    , m_work(std::make_unique<Work>())
{
    connect(runs->session(), &Session::documentChanged, this, &MemoryService::drop);
    connect(runs, &RunService::resultChanged, this, &MemoryService::update);
}

MemoryService::~MemoryService() = default;

bool MemoryService::isBusy() const
{
    return m_work->lane.isBusy();
}

void MemoryService::setActive(bool active)
{
    m_isActive = active;
    if (active && m_isDue)
        update();
}

void MemoryService::drop()
{
    m_work->lane.cancel();
    m_curves.reset();
    m_isDue = true;
    emit curvesChanged();
}

void MemoryService::update()
{
    m_isDue = true;
    const auto& trace = m_runs->session()->trace();
    if (!m_isActive || !trace)
        return;
    m_isDue = false;
    std::shared_ptr<const RunResult> run = m_runs->result();
    if (run && (run->trace != trace || run->failure))
        run.reset();
    m_work->lane.run(
        [run, trace, document = m_runs->session()->document()](const std::stop_token&) {
            return std::make_shared<const MemoryCurves>(makeMemoryCurves(
                trace, document->facts, document->shapes, run ? &run->proof : nullptr));
        },
        [this](std::shared_ptr<const MemoryCurves> curves) {
            m_curves = std::move(curves);
            emit curvesChanged();
        });
}

} // namespace reinspect
