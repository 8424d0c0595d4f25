// SPDX-License-Identifier: MIT
// A printed graph does not say where in the compilation it was taken; its nodes do.
#pragma once

#include "core/io/document.h"

namespace reinspect
{

// By marks that no other stage leaves; without any, the graph stands before the pass.
Stage stageFromMarks(const Graph& graph);

// What the pass has left in a graph that was dumped after it: clones that cost memory, and copies of a
// buffer onto itself, which cost nothing and are removed later.
struct PassLeftovers
{
    std::vector<NodeId> clones;
    std::vector<NodeId> selfCopies;
};
PassLeftovers leftByPass(const Graph& graph);

} // namespace reinspect
