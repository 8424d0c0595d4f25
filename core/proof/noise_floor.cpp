// SPDX-License-Identifier: MIT
#include "core/proof/noise_floor.h"

#include <algorithm>

namespace reinspect::proof
{

Result<NoiseFloor> noiseFloor(const StageRun& before, const CaptureFacts& facts,
                              const ShapeEnv& shapes, const InputSource& source,
                              const std::vector<std::string>& inputNames, const RunControl& control)
{
    if (!before.ran() || !before.run.hasAtomics)
        return NoiseFloor{};
    REINSPECT_TRY(const StageRun again,
                  runStage("before", before.graph, facts, shapes, source, {}, control));
    return again.ran() ? compareRuns(before, again, inputNames) : NoiseFloor{};
}

void markNoise(std::vector<ResultComparison>& results, const NoiseFloor& floor)
{
    for (ResultComparison& result : results)
    {
        const auto at = std::ranges::find(floor, result.name, &ResultComparison::name);
        if (at == floor.end() || result.difference.isBitwise || at->difference.isBitwise)
            continue;
        result.isNoise = result.difference.mismatch.empty()
            && result.difference.maxAbsolute <= 2 * at->difference.maxAbsolute;
    }
}

bool isAllEqual(const std::vector<ResultComparison>& results)
{
    return std::ranges::all_of(results, [](const ResultComparison& result) {
        return result.difference.isBitwise || result.isNoise;
    });
}

} // namespace reinspect::proof
