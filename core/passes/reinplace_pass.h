// SPDX-License-Identifier: MIT
// The reinplacing pass as a resumable algorithm: step() handles one unit of work (one scatter, one
// candidate, one replacement), and a copy of the object is a copy of the state. Mirrors
// `reinplace_inplaceable_ops` of torch/_inductor/fx_passes/reinplace.py, and records each thing it
// looks at. It keeps on examining after the first blocking use: same verdict, more to see.
#pragma once

#include "core/base/run_control.h"
#include "core/ir/capture_facts.h"
#include "core/ir/shape_env.h"
#include "core/passes/precise_judge.h"
#include "core/passes/view_scatter.h"
#include "core/passes/written_arguments.h"

namespace reinspect
{

struct PassInput
{
    std::shared_ptr<const Graph> graph;
    CaptureFacts facts = {};
    ShapeEnv shapes = {};
};

class ReinplacePass
{
public:
    explicit ReinplacePass(const PassInput& input, const ReinplacePolicy& policy = {});

    bool finished() const { return m_finished; }
    void step();
    // The record so far; the pass is spent afterwards.
    PassTrace takeTrace();

private:
    void enter(Phase phase);
    void beginCore();
    void finishPhase();

    CaptureFacts m_facts;
    ShapeEnv m_shapes;
    TraceBuilder m_builder;
    Phase m_phase = Phase::Canonicalize;
    std::vector<NodeId> m_work; // nodes of the phase, in order
    std::size_t m_at = 0;
    bool m_finished = false;
    ScatterCanonicalizer m_canonicalizer;
    std::shared_ptr<const CoreAnalysis> m_analysis;
    std::optional<PreciseJudge> m_judge;
    WrittenArguments m_written;
    std::vector<ReplacementPlanned> m_replacements;
};

// Runs the pass to its end. The only error is a stop that was asked for.
Result<std::shared_ptr<const PassTrace>> runReinplace(const PassInput& input,
                                                      const ReinplacePolicy& policy = {},
                                                      const RunControl& control = {});

} // namespace reinspect
