// SPDX-License-Identifier: MIT
// The layout by Graphviz's dot, part by part. Only reinspect-layout calls it: gvLayout can neither be
// stopped nor be called from two threads. Graphviz gets integers and fixed sizes, never text.
#pragma once

#include "core/base/run_control.h"
#include "core/layout/part.h"

namespace reinspect
{

// CannotRunHere in a build without Graphviz, and when Graphviz refuses a part. The request must be
// valid (checkRequest).
Result<LayoutResult> graphvizLayout(const LayoutRequest& request, const RunControl& control = {});
bool hasGraphviz();

} // namespace reinspect
