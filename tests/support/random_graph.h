// SPDX-License-Identifier: MIT
// Small valid graphs drawn from a seed, as they stand before the reinplacing pass: views of every
// kind, scatters, index_put, Triton kernels with several written and aliasing operands, both forms of
// auto_functionalized, foreach, a collective, copies into inputs, returns of results, views and inputs.
// The same seed gives the same graph on every machine.
#pragma once

#include "core/ir/capture_facts.h"

namespace reinspect
{

struct RandomGraph
{
    std::shared_ptr<const Graph> graph; // every tensor with sizes, strides and offset
    CaptureFacts facts;
};

struct RandomGraphOptions
{
    int calls = 8;                // about so many besides inputs and copies
    bool capturedStorages = true; // as a capture has them; false: as a text dump, which has none
};

RandomGraph randomGraph(std::uint32_t seed, const RandomGraphOptions& options = {});

} // namespace reinspect
