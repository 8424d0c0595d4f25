// SPDX-License-Identifier: MIT
// Runs an engine for many parts in child processes, several at once: the engine may neither be called
// from two threads nor very often in one process. Only for a program without threads of its own. The
// children end with this process. Where there is no fork() the parts are placed one by one.
#pragma once

#include "core/layout/part.h"

namespace reinspect
{

struct ProcessLimits
{
    unsigned atOnce = 1;
    unsigned mostParts = 40; // that one process places
};

// The plans are the engine's, however they were dealt. CannotRunHere when a child ends before it is
// done; an error of the engine as it is.
PartsEngine inProcesses(PartEngine engine, const ProcessLimits& limits);

} // namespace reinspect
