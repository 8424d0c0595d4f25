// SPDX-License-Identifier: MIT
// Does this one decision change results? The graph is run with its write in place as the only one, every other
// forbidden; where that changes nothing and the whole policy does, with the policy's other writes as well, with
// this one and without it. At most five runs of graphs, whatever their number of decisions.
#pragma once

#include "core/passes/reinplace_pass.h"
#include "core/proof/equivalence.h"

namespace reinspect::proof
{

enum class DecisionEffect : std::uint8_t
{
    None,       // the results are the same with the write and without it
    Aliases,    // the same, but some share memory that did not
    Alone,      // they change by this write alone
    WithOthers, // they change by it, though only beside others of the policy
    CannotTell, // a graph did not run
};

struct DecisionProof
{
    std::string node;
    std::string argument;
    bool isTaken = true; // by the policy; else: what if it were?
    DecisionEffect effect = DecisionEffect::CannotTell;
    bool othersDiffer = false; // results differ from those before the pass without it, too
    std::vector<ResultComparison> results; // with the write against without it
    std::vector<NewAlias> newAliases;      // that the write makes
    std::string firstDifferingNode;        // empty: none that both graphs have
    std::size_t runs = 0;                  // of graphs
    std::string explanation;               // a sentence or two
};

// `trace` is of `input`. The error is of the inputs, or a stop that was asked for.
Result<DecisionProof> proveDecision(const PassInput& input, const PassTrace& trace,
                                    DecisionIndex decision, const InputSource& source,
                                    const RunControl& control = {});

} // namespace reinspect::proof
