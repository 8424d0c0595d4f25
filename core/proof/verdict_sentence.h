// SPDX-License-Identifier: MIT
// What a run found, in one sentence.
#pragma once

#include "core/proof/equivalence.h"

namespace reinspect::proof
{

enum class Outcome : std::uint8_t
{
    Equal,
    Different,
    CannotTell, // one of the graphs did not run
};

Outcome outcomeOf(const Equivalence& proof);
// "The graph after the pass computes the same: 3 outputs and 1 mutated input bit for bit."
std::string verdictSentence(const Equivalence& proof);
// "The graph before the pass stopped after 3 of 8 nodes: node 'mm' (aten.mm.default): ..."; empty for a run
// that ran.
std::string failureSentence(const StageRun& run);

} // namespace reinspect::proof
