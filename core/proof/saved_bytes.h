// SPDX-License-Identifier: MIT
// What each write in place is worth: memory of the lowered graph as the policy leaves it beside that of the same
// policy with only this decision forbidden. Told from metadata, so that no inputs are needed.
#pragma once

#include "core/passes/reinplace_pass.h"
#include "core/proof/memory_forecast.h"

namespace reinspect::proof
{

struct SavedBytes
{
    DecisionIndex decision;
    std::optional<std::int64_t> cloneBytes; // size of the clone; nothing where a size is not known
    // Fewer bytes allocated over the whole run, and at its peak; each allocation rounded to 512. The second
    // is often 0: most clones do not live where memory is highest. Nothing: not computed, see `problem`.
    std::optional<std::int64_t> allocated;
    std::optional<std::int64_t> peak;
    std::string problem;
};

struct SavedBytesOptions
{
    SymbolValues symbols;
    // Nodes to walk in all; decisions that save least by the size of their clones go without beyond it.
    std::size_t mostNodes = 400'000;
};

// By the writes in place of the trace, the largest first. The error is a stop that was asked for.
Result<std::vector<SavedBytes>> savedBytes(const PassInput& input, const PassTrace& trace,
                                           const SavedBytesOptions& options,
                                           const RunControl& control = {});

} // namespace reinspect::proof
