// SPDX-License-Identifier: MIT
// The reinplacing pass as a resumable algorithm: step() handles one unit of work (one scatter, one
// candidate, one replacement), and a copy of the object is a copy of the state. Mirrors
// `reinplace_inplaceable_ops` of torch/_inductor/fx_passes/reinplace.py, and records each thing it
// looks at. It keeps on examining after the first blocking use: same verdict, more to see.
#pragma once

#include "core/base/run_control.h"
#include "core/ir/capture_facts.h"
#include "core/ir/shape_env.h"
#include "core/passes/pass_trace.h"

namespace reinspect
{

struct PassInput
{
    std::shared_ptr<const Graph> graph;
    CaptureFacts facts = {};
    ShapeEnv shapes = {};
};

// Runs the pass to its end. The only error is a stop that was asked for.
Result<std::shared_ptr<const PassTrace>> runReinplace(const PassInput& input, const ReinplacePolicy& policy = {},
                                                      const RunControl& control = {});

} // namespace reinspect
