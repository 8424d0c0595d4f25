// SPDX-License-Identifier: MIT
// Puts the parts of a request together. Parts of a group stand in rows, groups follow each other
// down a column, and columns stand side by side like those of a newspaper, so that a long program
// still makes a picture of sensible proportions. Edges between parts run in the gutters between
// them. Equal parts (repeated layers) are placed once.
#pragma once

#include "core/layout/part.h"

namespace reinspect
{

// `engine` places the parts, equal ones once. The result's `engine` name is left empty. The request must
// be valid.
Result<LayoutResult> composeLayout(const LayoutRequest& request, const PartsEngine& engine,
                                   const RunControl& control = {});

} // namespace reinspect
