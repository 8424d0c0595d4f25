// SPDX-License-Identifier: MIT
// `reinspect --bench`: first picture, frames, steps and selection on samples of growing size.
#pragma once

namespace reinspect
{

// Prints the rows as a table, or as {"rows": [...], "cores": N}. Returns the exit code.
int runWindowBench(bool json);

} // namespace reinspect
