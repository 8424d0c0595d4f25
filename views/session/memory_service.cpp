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
    Lane saved;
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
    m_work->saved.cancel();
    m_curves.reset();
    m_saved.reset();
    m_isDue = true;
    emit curvesChanged();
    emit savedChanged();
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
            countSaved();
        });
}

// Takes the pass once more for each decision, so the curves do not wait for it.
void MemoryService::countSaved()
{
    m_saved.reset();
    emit savedChanged();
    using Answer = Result<std::vector<proof::SavedBytes>>;
    m_work->saved.run(
        [curves = m_curves, document = m_runs->session()->document()](std::stop_token stop) {
            const PassInput input{curves->trace->initial, document->facts, document->shapes};
            return proof::savedBytes(input, *curves->trace, {.symbols = curves->symbols},
                                     {std::move(stop), {}});
        },
        [this](Answer answer) {
            if (answer.ok())
                m_saved =
                    std::make_shared<const std::vector<proof::SavedBytes>>(std::move(*answer));
            emit savedChanged();
        });
}

} // namespace reinspect
