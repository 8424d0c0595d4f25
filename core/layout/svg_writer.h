// SPDX-License-Identifier: MIT
// A still picture of a graph as SVG, without Qt: what `reinspect-cli convert --to svg` prints. The
// row layout places it; box sizes are guessed from text lengths.
#pragma once

#include "core/ir/graph.h"

#include <string>

namespace reinspect
{

std::string writeSvg(const Graph& graph);

} // namespace reinspect
