// SPDX-License-Identifier: MIT
#include "views/session/comparison.h"

#include "core/passes/reinplace_pass.h"
#include "views/session/lane.h"
#include "views/session/qt_text.h"
#include "views/session/session.h"

namespace reinspect
{

using Compared = Result<std::shared_ptr<const ComparedTraces>>;

struct Comparison::Work
{
    Lane lane;
};

Comparison::Comparison(Session* session, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_policy(policyNamed("precise").value())
    , m_work(std::make_unique<Work>())
{
    connect(session, &Session::documentChanged, this, &Comparison::drop);
    connect(session, &Session::traceChanged, this, &Comparison::run);
}

Comparison::~Comparison() = default;

bool Comparison::isBusy() const
{
    return m_work->lane.isBusy();
}

void Comparison::setPolicy(ReinplacePolicy policy)
{
    if (policy == m_policy)
        return;
    m_policy = std::move(policy);
    emit policyChanged();
    run();
}

void Comparison::setActive(bool active)
{
    if (active == m_isActive)
        return;
    m_isActive = active;
    if (active && !isCurrent())
        run();
}

// The session's new run brings the comparison with it, so that nothing is compared twice.
void Comparison::swap()
{
    if (m_policy == m_session->policy())
        return;
    const ReinplacePolicy first = m_session->policy();
    m_session->setPolicy(std::exchange(m_policy, first));
    emit policyChanged();
    if (!m_session->document())
        run();
}

bool Comparison::isCurrent() const
{
    return m_result && m_result->first == m_session->trace()
        && m_result->second->policy == m_policy;
}

static Compared compare(const PassInput& input, const ReinplacePolicy& policy,
                        std::shared_ptr<const PassTrace> first, std::stop_token stop)
{
    REINSPECT_TRY(std::shared_ptr<const PassTrace> second,
                  runReinplace(input, policy, {.stop = std::move(stop)}));
    auto compared = std::make_shared<ComparedTraces>();
    compared->diff = diffTraces(*first, *second);
    compared->first = std::move(first);
    compared->second = std::move(second);
    return std::shared_ptr<const ComparedTraces>(std::move(compared));
}

void Comparison::run()
{
    const auto& trace = m_session->trace();
    if (!m_isActive || !trace)
        return;
    const Document& document = *m_session->document();
    PassInput input{document.graphs[m_session->graphIndex()].graph, document.facts,
                    document.shapes};
    m_work->lane.run(
        [input = std::move(input), policy = m_policy, trace](std::stop_token stop) {
            return compare(input, policy, trace, std::move(stop));
        },
        [this](Compared result) { take(std::move(result)); });
    emit busyChanged();
}

void Comparison::take(Compared result)
{
    if (!result)
        m_session->setMessage(stripText(result.error()));
    else
    {
        m_result = *result;
        emit resultChanged();
    }
    emit busyChanged();
}

void Comparison::drop()
{
    m_work->lane.cancel();
    m_result.reset();
    emit resultChanged();
    emit busyChanged();
}

} // namespace reinspect
