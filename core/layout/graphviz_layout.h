// SPDX-License-Identifier: MIT
// The layout by Graphviz's dot, part by part. Only reinspect-layout calls it: gvLayout can neither
// be stopped nor be called from two threads. Graphviz gets integers and fixed sizes, never text. A
// process gets a few dozen parts out of dot before dot fails it; parts beyond them, and parts
// without a branch, are placed in rows.
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
