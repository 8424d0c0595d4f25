// SPDX-License-Identifier: MIT
// Policies on the command line: --policy, --set, --force and --forbid, and where two policies part.
#pragma once

#include "app/commands.h"
#include "core/passes/pass_trace.h"

namespace reinspect
{

// The policy that the options describe; without --policy that of the PyTorch which made the file (Document::producer), where
// it says so. A misspelled name or switch is BadUsage.
Result<ReinplacePolicy> policyFrom(const CommandLine& line, std::string_view producer = {});

// Every override must have been about a decision; else BadUsage, naming what could be meant.
Result<void> checkOverrides(const ReinplacePolicy& policy,
                            std::span<const std::shared_ptr<const PassTrace>> traces);

// One line a decision that differs, with the sentence of why; the totals last.
std::string differenceLines(const PassTrace& first, const PassTrace& second);

Result<void> runPolicies(const CommandLine& line, const Streams& streams);

} // namespace reinspect
