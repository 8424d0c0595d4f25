// SPDX-License-Identifier: MIT
// Which decision changes the results: the pass run with the first k decisions as they were taken and the others
// forbidden, halving k. At most log2(n) + 2 runs of the graph for n writes in place.
#pragma once

#include "core/proof/equivalence.h"

namespace reinspect::proof
{

struct BisectResult
{
    bool found = false;
    std::string node; // of the decision
    std::string argument;
    std::size_t runs = 0;      // of graphs after the pass
    std::size_t decisions = 0; // writes in place that were looked at
    std::string explanation;   // one sentence
};

// `policy` is the one whose results differ. The error is of inputs or of a graph that cannot run.
Result<BisectResult> findDecision(const PassInput& input, const ReinplacePolicy& policy,
                                  const InputSource& source, const RunControl& control = {});

} // namespace reinspect::proof
