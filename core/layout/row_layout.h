// SPDX-License-Identifier: MIT
// The layout that is always there: near linear, never fails, deterministic. Rows from all edges,
// barycentre sweeps against crossings, Brandes-Köpf for straight lines. It gives the first picture,
// and the last one where Graphviz is absent or gives up.
#pragma once

#include "core/layout/part.h"

namespace reinspect
{

// The request must be valid (checkRequest).
LayoutResult rowLayout(const LayoutRequest& request);
// One part by itself.
PartPlan planRows(const Part& part, const LayoutOptions& options);

} // namespace reinspect
