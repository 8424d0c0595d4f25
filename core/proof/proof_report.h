// SPDX-License-Identifier: MIT
// What a run found, as JSON (`reinspect-cli run --json`) and as a table for people.
#pragma once

#include "core/proof/bisect.h"
#include "core/proof/equivalence.h"

namespace reinspect::proof
{

struct ReportFacts
{
    std::string file;
    std::string graph;
    std::string policy;
    std::string inputs;                   // "data.safetensors", "seed 0"
    const PassTrace* trace = nullptr;     // for what each decision saves
    const BisectResult* bisect = nullptr; // null: not asked for
};

std::string proofJson(const Equivalence& proof, const ReportFacts& facts);
std::string proofText(const Equivalence& proof, const ReportFacts& facts);

} // namespace reinspect::proof
