// SPDX-License-Identifier: MIT
#include "core/proof/saved_bytes.h"

#include "core/passes/lowering.h"

#include <algorithm>

namespace reinspect::proof
{
namespace
{

std::optional<std::int64_t> cloneBytes(const Decision& decision, const SymbolValues& symbols)
{
    return decision.bytes.evaluate([&](std::string_view name) -> std::optional<std::int64_t> {
        const auto at = symbols.find(name);
        return at == symbols.end() ? std::nullopt : std::optional(at->second);
    });
}

Result<MemoryForecast> forecastWithout(const PassInput& input, const PassTrace& trace,
                                       const Decision& decision, const SymbolValues& symbols,
                                       const RunControl& control)
{
    ReinplacePolicy policy = trace.policy;
    setOverride(policy, {trace.nameOf(decision.node), decision.argument, false});
    REINSPECT_TRY(const auto other, runReinplace(input, policy, control));
    REINSPECT_TRY(const Graph graph, graphAtStage(*other, PassStage::Final, input.facts));
    return forecastMemory(graph, input.facts, symbols);
}

std::vector<SavedBytes> writesInPlace(const PassTrace& trace, const SymbolValues& symbols)
{
    std::vector<SavedBytes> rows;
    for (std::size_t i = 0; i < trace.decisions.size(); ++i)
        if (trace.decisions[i].verdict == Verdict::Reinplaced)
            rows.push_back({DecisionIndex(i), cloneBytes(trace.decisions[i], symbols), {}, {}, {}});
    std::ranges::stable_sort(rows, std::ranges::greater{},
                             [](const SavedBytes& row) { return row.cloneBytes.value_or(-1); });
    return rows;
}

} // namespace

Result<std::vector<SavedBytes>> savedBytes(const PassInput& input, const PassTrace& trace,
                                           const SavedBytesOptions& options,
                                           const RunControl& control)
{
    std::vector<SavedBytes> rows = writesInPlace(trace, options.symbols);
    if (rows.empty())
        return rows;
    const auto graph = graphAtStage(trace, PassStage::Final, input.facts);
    MemoryForecast with;
    if (graph.ok())
        with = forecastMemory(*graph, input.facts, options.symbols);
    std::size_t walked = 0;
    for (SavedBytes& row : rows)
    {
        if (control.stopRequested())
            return Error{.message = "stopped", .kind = ErrorKind::CannotRunHere};
        walked += trace.initial->size();
        if (!graph.ok())
            row.problem = graph.error().message;
        else if (walked > options.mostNodes)
            row.problem = "not computed: the graph has many decisions, and larger clones go first";
        if (!row.problem.empty())
            continue;
        const auto without = forecastWithout(input, trace, trace.decision(row.decision),
                                             options.symbols, RunControl{control.stop, {}});
        if (!without.ok())
            row.problem = without.error().message;
        else if (!without->unknown.empty() && without->unknown != with.unknown)
            row.problem = without->unknown.front();
        else
        {
            row.allocated = without->totalBytes - with.totalBytes;
            row.peak = without->peakBytes - with.peakBytes;
        }
    }
    std::ranges::stable_sort(rows, std::ranges::greater{}, [](const SavedBytes& row) {
        return std::pair(row.allocated.value_or(row.cloneBytes.value_or(-1)), row.peak.value_or(0));
    });
    return rows;
}

} // namespace reinspect::proof
