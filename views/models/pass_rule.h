// SPDX-License-Identifier: MIT
// The place in PyTorch's torch/_inductor/fx_passes/reinplace.py that a step of the trace mirrors.
#pragma once

#include <QString>

#include "core/passes/pass_trace.h"

namespace reinspect
{

// "any_use_of_views_after_node"; empty when a step has no place of its own there.
QString upstreamRule(const PassTrace& trace, EventIndex event);

} // namespace reinspect
