// SPDX-License-Identifier: MIT
// Reads back what proofJson wrote, as of a run on another machine. The graphs of the stages are made here, from
// the same trace; one that has other nodes there than here is an error, since nothing said of it would hold.
#pragma once

#include "core/proof/equivalence.h"

namespace reinspect::proof
{

struct Report
{
    Equivalence proof;   // without tensors; memory over time is not in it
    std::string backend; // "cpu", "cuda"
    std::string device;  // "NVIDIA H200"; empty: the CPU
    std::string policy;  // as describe() writes it
    std::string inputs;  // "seed 0", "data.safetensors"
};

// Errors are BadInput and say what is wrong with the text.
Result<Report> readProofJson(std::string_view json, const std::shared_ptr<const Graph>& before,
                             const PassTrace& trace, const CaptureFacts& facts,
                             const ShapeEnv& shapes);

} // namespace reinspect::proof
