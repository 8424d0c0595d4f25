// SPDX-License-Identifier: MIT
// What a run found, as JSON (`reinspect-cli run --json`) and as a table for people.
#pragma once

#include "core/proof/bisect.h"
#include "core/proof/decision_proof.h"
#include "core/proof/equivalence.h"
#include "core/proof/saved_bytes.h"

namespace reinspect::proof
{

struct ReportFacts
{
    std::string file;
    std::string graph;
    std::string policy;
    std::string inputs;                         // "data.safetensors", "seed 0"
    const PassTrace* trace = nullptr;           // of the decisions
    std::span<const SavedBytes> saved = {};     // by each write in place
    const BisectResult* bisect = nullptr;       // null: not asked for
    std::span<const DecisionProof> proven = {}; // the decisions that were asked about
};

std::string proofJson(const Equivalence& proof, const ReportFacts& facts);
std::string proofText(const Equivalence& proof, const ReportFacts& facts);

} // namespace reinspect::proof
