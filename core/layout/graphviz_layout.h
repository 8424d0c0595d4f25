// SPDX-License-Identifier: MIT
// The layout by Graphviz's dot, part by part. Only reinspect-layout calls it: gvLayout can neither
// be stopped nor be called from two threads. Graphviz gets integers and fixed sizes, never text. Parts
// are dealt to processes, because dot fails a process after a few dozen of them, and because several
// work side by side. Parts without a branch, and those beyond a few hundred, are placed in rows.
#pragma once

#include "core/layout/part.h"

namespace reinspect
{

// CannotRunHere in a build without Graphviz, and when Graphviz refuses a part. The request must be
// valid (checkRequest). `processes` work at once, which does not change the result; 0: this process
// alone, and what is too much for it in rows.
Result<LayoutResult> graphvizLayout(const LayoutRequest& request, const RunControl& control = {},
                                    unsigned processes = 0);
bool hasGraphviz();

} // namespace reinspect
