// SPDX-License-Identifier: MIT
// How much two runs of one and the same graph differ: where its kernels add in no fixed order, a difference of
// that size tells nothing.
#pragma once

#include "core/proof/equivalence.h"

namespace reinspect::proof
{

// By result, from two runs of the graph before the pass; empty where runs repeat themselves.
using NoiseFloor = std::vector<ResultComparison>;

// Runs the graph once more where `before` had atomics; else at once.
Result<NoiseFloor> noiseFloor(const StageRun& before, const CaptureFacts& facts,
                              const ShapeEnv& shapes, const InputSource& source,
                              const std::vector<std::string>& inputNames,
                              const RunControl& control = {});

// Marks differences of at most twice the floor: two runs are one draw of the noise, and the next pair of runs
// is as likely to lie above it as below.
void markNoise(std::vector<ResultComparison>& results, const NoiseFloor& floor);

// Every result bitwise, noise aside.
bool isAllEqual(const std::vector<ResultComparison>& results);

} // namespace reinspect::proof
