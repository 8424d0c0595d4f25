// SPDX-License-Identifier: MIT
// Each event of a trace as one plain English sentence, and the nodes it names, for the window and
// the command line alike.
#pragma once

#include "core/passes/pass_trace.h"

namespace reinspect
{

// Why a sentence names a node: chooses its mark in the picture.
enum class WitnessRole
{
    Candidate, // the call that writes
    Mutated,   // the tensor it would write in place
    CopyBack,  // copy_ into an input
    Blocking,  // the use that refuses
    Harmless,  // a use that does not count
    View,      // the alias that a use reads through, or another member of the storage
    Created,
    Removed,
};

struct Witness
{
    NodeId node;
    WitnessRole role;
};

std::string explain(const PassTrace& trace, EventIndex event);
std::vector<Witness> witnesses(const PassTrace& trace, EventIndex event);
std::string_view witnessRoleName(WitnessRole role); // "blocking use"

// One sentence on what would let the clone go, or why it must stay; empty when there is nothing to say.
std::string advice(const PassTrace& trace, DecisionIndex decision);

// What may go wrong, from a small letter to the full stop: "\"sin\" reads the old value after the write."
std::string hazardSentence(const PassTrace& trace, const Hazard& hazard);

// Every event as a line, two spaces of indentation a depth: what `reinspect-cli explain` prints.
std::string explainAll(const PassTrace& trace);

} // namespace reinspect
