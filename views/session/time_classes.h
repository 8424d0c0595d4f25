// SPDX-License-Identifier: MIT
// Nodes by the time that they took in a run.
#pragma once

#include "core/proof/equivalence.h"
#include "views/session/node_classes.h"

namespace reinspect
{

// Empty where no run has measured single nodes. A node that was run in several stages shows the last one's time.
NodeClasses classifyTimes(const PassTrace& trace, const proof::Equivalence& proof);

QString timeText(double seconds); // "400 µs"

} // namespace reinspect
