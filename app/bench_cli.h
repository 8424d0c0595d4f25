// SPDX-License-Identifier: MIT
// `reinspect-cli bench`: how quick reading, the pass and stepping are on this machine, beside the
// budgets of each. Prints a table or {"rows": [...], "cores": n}.
#pragma once

#include <string>
#include <vector>

namespace reinspect
{

// Without files: the samples beside the program, when they are there, and generated graphs. Answers
// the exit code.
int runBench(const std::vector<std::string>& files, bool json);

} // namespace reinspect
