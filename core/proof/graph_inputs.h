// SPDX-License-Identifier: MIT
// What a graph is run on: tensors of a file, or drawn from a seed. Each call makes fresh ones with the same
// content, so that runs of several graphs start alike. Inputs that share a storage in the capture share it
// here. What had to be made up is listed.
#pragma once

#include "core/exec/executor.h"
#include "core/io/safetensors.h"
#include "core/ir/shape_env.h"

#include <map>

namespace reinspect::proof
{

// "s0" to 8.
using SymbolNumbers = std::map<std::string, std::int64_t, std::less<>>;

// "s0=8" or "s0=8, s1=16"; what is no name with a number is BadUsage.
Result<SymbolNumbers> symbolNumbers(std::string_view text);
// The symbols of the placeholders that no hint gives a number: what a person has to be asked for where no file
// tells. In order of appearance.
std::vector<std::string> symbolsWithoutHint(const Graph& graph, const ShapeEnv& shapes);

struct InputSource
{
    const TensorFile* file =
        nullptr; // "input.<placeholder>", "attribute.<target>"; null: all drawn
    std::uint64_t seed = 0;
    std::int64_t memoryLimit = 0; // bytes; 0: a share of what the machine has
    std::shared_ptr<const exec::TritonLibrary> triton = {};
    std::shared_ptr<const exec::ForeignOperators> foreign = {};
    std::shared_ptr<exec::Device> device = {}; // null: the host
    bool timesNodes = false;                   // see exec::RunOptions
    bool recordsGraph = false;                 // as a CUDA graph, with repeats
    int repeats = 0;                           // further runs for their time
    double repeatSeconds = 0;                  // see exec::RunOptions
    SymbolNumbers symbols = {};                // before the file's sizes and the hints
};

struct GraphInputs
{
    exec::RunInputs run;
    std::vector<std::string> names;       // of the placeholders
    std::vector<std::string> assumptions; // sentences
    std::int64_t bytes = 0;               // of their storages
};

// Missing or unfitting tensors are BadInput and named.
Result<GraphInputs> makeInputs(const Graph& graph, const ShapeEnv& shapes,
                               const InputSource& source);

} // namespace reinspect::proof
