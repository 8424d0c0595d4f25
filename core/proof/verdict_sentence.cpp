// SPDX-License-Identifier: MIT
#include "core/proof/verdict_sentence.h"

#include <algorithm>

namespace reinspect::proof
{
namespace
{

std::string counted(std::size_t count, const std::string& noun)
{
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string resultsText(std::size_t outputs, std::size_t inputs)
{
    if (outputs == 0 && inputs == 0)
        return "nothing is returned and no input written";
    const std::string written = counted(inputs, "mutated input");
    if (outputs == 0)
        return written;
    return counted(outputs, "output") + (inputs == 0 ? "" : " and " + written);
}

std::size_t outputsIn(const std::vector<ResultComparison>& results)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(results, [](const ResultComparison& result) {
            return result.name.starts_with("output.");
        }));
}

bool isBitwise(const ResultComparison& result)
{
    return result.difference.isBitwise;
}

std::string sameText(const Equivalence& proof)
{
    const std::vector<ResultComparison>* results = nullptr;
    bool isExact = true;
    bool hasAliases = false;
    for (const StageComparison& comparison : proof.comparisons)
        if (comparison.stage != "baseline")
        {
            results = &comparison.results;
            isExact = isExact && std::ranges::all_of(comparison.results, isBitwise);
            hasAliases = hasAliases || !comparison.newAliases.empty();
        }
    const std::size_t outputs = outputsIn(*results);
    std::string text = "The graph after the pass computes the same: "
        + resultsText(outputs, results->size() - outputs)
        + (isExact ? " bit for bit" : ", differences within the noise of two runs before it");
    return text + (hasAliases ? ", but results share memory that did not before." : ".");
}

std::string differentText(const StageComparison& comparison)
{
    std::size_t differing = 0;
    std::string names;
    for (const ResultComparison& result : comparison.results)
        if (!result.difference.isBitwise && !result.isNoise && ++differing <= 3)
            names += (names.empty() ? "" : ", ") + result.name;
    return "The graph " + std::string(comparison.stage == "final" ? "as lowered " : "")
        + "after the pass computes something else: " + std::to_string(differing) + " of "
        + counted(comparison.results.size(), "result")
        + (differing == 1 ? " differs (" : " differ (") + names + (differing > 3 ? ", ..." : "")
        + ")"
        + (comparison.firstDifferingNode.empty()
               ? "."
               : ", from node \"" + comparison.firstDifferingNode + "\" on.");
}

std::string stageText(const std::string& stage)
{
    if (stage == "before")
        return "The graph before the pass";
    if (stage == "after")
        return "The graph after the pass";
    return stage == "final" ? "The lowered graph" : "The graph without the pass";
}

} // namespace

Outcome outcomeOf(const Equivalence& proof)
{
    const auto equal = proof.isEqual();
    return !equal ? Outcome::CannotTell : *equal ? Outcome::Equal : Outcome::Different;
}

std::string failureSentence(const StageRun& run)
{
    if (run.ran() || !run.failure)
        return {};
    if (!run.graph)
        return stageText(run.stage) + " could not be made: " + run.failure->message + ".";
    return stageText(run.stage) + " stopped after " + std::to_string(run.run.nodesRun) + " of "
        + counted(run.graph->size(), "node") + ": " + run.failure->message + ".";
}

std::string verdictSentence(const Equivalence& proof)
{
    if (outcomeOf(proof) == Outcome::Equal)
        return sameText(proof);
    for (const StageComparison& comparison : proof.comparisons)
        if (comparison.stage != "baseline" && !comparison.isEqual)
            return differentText(comparison);
    for (const StageRun& run : proof.runs)
        if (run.stage != "baseline" && !run.ran())
            return "Not told: " + failureSentence(run);
    return "Only the graph before the pass was run.";
}

} // namespace reinspect::proof
