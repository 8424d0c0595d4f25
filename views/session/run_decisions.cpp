// SPDX-License-Identifier: MIT
// RunService: runs about single decisions.
#include "core/proof/verdict_sentence.h"
#include "views/session/qt_text.h"
#include "views/session/run_job.h"
#include "views/session/session.h"

namespace reinspect
{

bool RunService::canFindDecision() const
{
    return !isBusy() && canRun() && m_result && !m_result->failure && !isStale()
        && proof::outcomeOf(m_result->proof) == proof::Outcome::Different;
}

void RunService::findDecision()
{
    if (!canRun())
        return;
    const auto tell = teller();
    m_activity = tr("Looking for the decision");
    m_progress = 0;
    m_lanes->run.run(
        [job = job(), tell](std::stop_token stop) -> Result<proof::BisectResult> {
            Reporter reporter(tell);
            RunCounter counter(reporter, tr("Looking for the decision: run %1"));
            const RunControl control{std::move(stop), [&](double done) { counter.report(done); }};
            std::shared_ptr<const TensorFile> file;
            REINSPECT_TRY(const proof::InputSource source, job->source(file));
            return proof::findDecision(job->input(), job->trace->policy, source, control);
        },
        [this](Result<proof::BisectResult> result) { takeBisect(std::move(result)); });
    emit busyChanged();
}

void RunService::takeBisect(Result<proof::BisectResult> result)
{
    if (result.ok())
        m_bisect = std::move(*result);
    else
        m_session->setMessage(stripText(result.error()));
    emit resultChanged();
    emit busyChanged();
}

void RunService::prove(DecisionIndex decision)
{
    if (!canRun() || !decision)
        return;
    const auto tell = teller();
    m_proving = decision;
    m_activity = tr("Proving the decision");
    m_progress = 0;
    m_lanes->run.run(
        [job = job(), tell, decision](std::stop_token stop) -> Result<proof::DecisionProof> {
            Reporter reporter(tell);
            RunCounter counter(reporter, tr("Proving the decision: step %1"));
            const RunControl control{std::move(stop), [&](double done) { counter.report(done); }};
            std::shared_ptr<const TensorFile> file;
            REINSPECT_TRY(const proof::InputSource source, job->source(file));
            return proof::proveDecision(job->input(), *job->trace, decision, source, control);
        },
        [this, decision, trace = m_session->trace()](Result<proof::DecisionProof> result) {
            if (trace == m_session->trace())
                takeProof(decision, std::move(result));
        });
    emit busyChanged();
}

void RunService::takeProof(DecisionIndex decision, Result<proof::DecisionProof> result)
{
    m_proving = {};
    if (result.ok())
    {
        m_proofs[decision.index()] = std::move(*result);
        m_lastProven = decision;
    }
    else
        m_session->setMessage(stripText(result.error()));
    emit resultChanged();
    emit busyChanged();
}

void RunService::dropProofs()
{
    if (m_proving)
        cancel();
    m_proofs.clear();
    m_lastProven = {};
}

const proof::DecisionProof* RunService::proofOf(DecisionIndex decision) const
{
    const auto at = decision ? m_proofs.find(decision.index()) : m_proofs.end();
    return at == m_proofs.end() ? nullptr : &at->second;
}

DecisionIndex RunService::provingNow() const
{
    return isBusy() ? m_proving : DecisionIndex();
}

} // namespace reinspect
