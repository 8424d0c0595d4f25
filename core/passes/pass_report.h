// SPDX-License-Identifier: MIT
// What the pass decided as JSON: what `reinspect-cli decide --json` and `policies --json` print.
#pragma once

#include "core/passes/pass_trace.h"

namespace reinspect
{

// {"file", "policy", "graphs": [...]} with one entry for each trace, in order.
std::string decisionsJson(std::string_view file, std::string_view policy,
                          std::span<const std::shared_ptr<const PassTrace>> traces);

// {"file", "policy", "against", "graphs": [{"name", "rows", "summary"}]}: two runs over the same graphs,
// see trace_diff.h. A row holds the decision of either run as decisionsJson writes it, or null.
std::string differencesJson(std::string_view file,
                            std::span<const std::shared_ptr<const PassTrace>> first,
                            std::span<const std::shared_ptr<const PassTrace>> second);

// {"policies": [{"name", "meaning", "switches": {name: on}}], "switches": [{"name", "meaning"}]}
std::string policiesJson();

} // namespace reinspect
