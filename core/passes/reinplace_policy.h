// SPDX-License-Identifier: MIT
// Every switch that the pass consults. A preset is a named set of switches that mirrors one upstream
// revision of torch/_inductor/fx_passes/reinplace.py; a switch can also be set by itself.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace reinspect
{

struct ReinplacePolicy
{
    std::string name = "torch-2.11";
    // Phase 1 and 4: view scatters become one generalized scatter, and are taken apart again.
    bool canonicalizeScatters = true;
    // Members of the storage that certainly lie elsewhere are left out of the search for uses.
    bool overlapTest = true;
    // sym_size and friends read no memory, so they are not uses.
    bool ignoreShapeOnlyUses = true;
};

// Presets, the default first.
std::vector<std::string_view> policyNames();
// Unknown names are BadUsage and list the known ones.
Result<ReinplacePolicy> policyNamed(std::string_view name);

} // namespace reinspect
