// SPDX-License-Identifier: MIT
// The verdict table as JSON: the "graphs" entry of `reinspect-cli decide --json`.
#pragma once

#include "core/passes/pass_trace.h"

namespace reinspect
{

// {"file", "policy", "graphs": [...]} with one entry for each trace, in order.
std::string decisionsJson(std::string_view file, std::string_view policy,
                          std::span<const std::shared_ptr<const PassTrace>> traces);

} // namespace reinspect
