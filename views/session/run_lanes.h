// SPDX-License-Identifier: MIT
// RunService's background jobs; for its own sources.
#pragma once

#include "views/session/run_service.h"

#include "views/session/lane.h"

namespace reinspect
{

struct RunService::Lanes
{
    Lane run;
    Lane values;
};

} // namespace reinspect
