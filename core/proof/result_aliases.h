// SPDX-License-Identifier: MIT
// Which results of a run share memory, and which inputs it wrote.
#pragma once

#include "core/proof/equivalence.h"

namespace reinspect::proof
{

// Did the run change the content of this input?
bool isWritten(const StageRun& run, std::size_t input);

// Pairs of an output with another output or an input that share elements now and did not before.
std::vector<NewAlias> newAliases(const StageRun& before, const StageRun& after,
                                 const std::vector<std::string>& inputNames);

} // namespace reinspect::proof
