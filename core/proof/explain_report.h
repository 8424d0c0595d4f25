// SPDX-License-Identifier: MIT
// The pass as sentences and what its kernels do, as JSON: what `reinspect-cli explain --json` prints.
#pragma once

#include "core/passes/pass_trace.h"
#include "core/proof/kernel_effects.h"

namespace reinspect::proof
{

struct ExplainedGraph
{
    std::shared_ptr<const PassTrace> trace;
    std::vector<KernelEffects> kernels; // of trace->initial
};

// {"file", "policy", "graphs": [{"name", "sentences": [{"depth", "text"}], "kernels": [{"node", "kernel",
// "parameters": [{"name", "effect", "place", "certain", "cloned", "remark"}], "assumed", "problem"}]}]};
// `cloned` is "agrees", "written_only", "cloned_only", or null where the node lists no tensors to clone.
std::string explainJson(std::string_view file, std::string_view policy,
                        std::span<const ExplainedGraph> graphs);

} // namespace reinspect::proof
