// SPDX-License-Identifier: MIT
// A printed graph does not say where in the compilation it was taken; its nodes do.
#pragma once

#include "core/io/document.h"

namespace reinspect
{

// By marks that no other stage leaves; without any, the graph stands before the pass.
Stage stageFromMarks(const Graph& graph);

} // namespace reinspect
