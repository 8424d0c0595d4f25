// SPDX-License-Identifier: MIT
#include "core/passes/reinplace_pass.h"

#include "core/passes/candidates.h"
#include "core/passes/metadata_refresh.h"
#include "core/passes/view_scatter.h"

namespace reinspect
{

ReinplacePass::ReinplacePass(const PassInput& input, const ReinplacePolicy& policy)
    : m_facts(input.facts)
    , m_shapes(input.shapes)
    , m_builder(input.graph, policy)
{
    enter(policy.canonicalizeScatters ? Phase::Canonicalize : Phase::Core);
}

void ReinplacePass::enter(Phase phase)
{
    m_phase = phase;
    m_at = 0;
    m_builder.event(0, PhaseBegan{phase});
    m_work.clear();
    if (phase == Phase::Decompose)
        m_work = scattersToDecompose(m_builder.graph());
    else
        for (const NodeId id : m_builder.graph().order())
            m_work.push_back(id);
    if (phase == Phase::Core)
        beginCore();
}

void ReinplacePass::beginCore()
{
    m_analysis = std::make_shared<const CoreAnalysis>(m_builder.graph(), m_facts, m_shapes);
    m_judge.emplace(m_builder.graph(), *m_analysis, m_facts);
    m_builder.trace.storages = m_analysis->storages();
    for (const CopyBack& copy : m_analysis->copyBacks())
        m_builder.event(1, CopyBackFound{copy.copy, copy.destination, copy.source, copy.through});
}

void ReinplacePass::step()
{
    if (m_at == m_work.size())
        return finishPhase();
    const NodeId id = m_work[m_at++];
    if (!m_builder.graph().contains(id))
        return;
    switch (m_phase)
    {
    case Phase::Canonicalize: m_canonicalizer.visit(m_builder, id); break;
    case Phase::RefreshMetadata: break;
    case Phase::Core:
        // This pass may be a copy of the one that made the judge.
        m_judge->lookAt(m_builder.graph(), m_facts);
        decideCandidate(m_builder, {*m_analysis, m_facts, *m_judge, m_written, m_replacements}, id);
        break;
    case Phase::Decompose: decomposeScatter(m_builder, id); break;
    }
}

void ReinplacePass::finishPhase()
{
    switch (m_phase)
    {
    case Phase::Canonicalize:
        m_builder.event(0, PhaseBegan{Phase::RefreshMetadata});
        refreshMetadata(m_builder, m_facts);
        m_builder.trace.canonicalEdits = m_builder.editCount();
        enter(Phase::Core);
        break;
    case Phase::RefreshMetadata: break;
    case Phase::Core:
        applyReplacements(m_builder, m_replacements);
        m_builder.trace.coreEdits = m_builder.editCount();
        enter(Phase::Decompose);
        break;
    case Phase::Decompose: m_finished = true; break;
    }
}

PassTrace ReinplacePass::takeTrace()
{
    PassTrace trace = m_builder.take();
    for (const Decision& decision : trace.decisions)
    {
        const bool kept = decision.verdict == Verdict::Kept;
        ++trace.summary.candidates;
        ++(kept ? trace.summary.kept : trace.summary.reinplaced);
        trace.summary.missed += decision.missed ? 1 : 0;
        const std::int64_t bytes = decision.bytes.constant().value_or(0);
        trace.summary.missedBytes += decision.missed ? bytes : 0;
        trace.summary.safe += decision.safe ? 1 : 0;
        trace.summary.safeBytes += decision.safe ? bytes : 0;
        trace.summary.hazardous += decision.hazards.empty() ? 0 : 1;
    }
    return trace;
}

Result<std::shared_ptr<const PassTrace>>
runReinplace(const PassInput& input, const ReinplacePolicy& policy, const RunControl& control)
{
    ReinplacePass pass(input, policy);
    while (!pass.finished())
    {
        if (control.stopRequested())
            return Error{.message = "the pass was stopped", .kind = ErrorKind::CannotRunHere};
        pass.step();
    }
    return std::make_shared<const PassTrace>(pass.takeTrace());
}

} // namespace reinspect
