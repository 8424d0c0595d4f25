// SPDX-License-Identifier: MIT
// What `run` prints for people.
#include "core/proof/device_report.h"
#include "core/proof/proof_report.h"

#include <algorithm>
#include <cstdio>

namespace reinspect::proof
{
namespace
{

std::string savedLine(const PassTrace& trace, const SavedBytes& row)
{
    const Decision& decision = trace.decision(row.decision);
    const std::string name = trace.nameOf(decision.node) + ", argument " + decision.argument + ": ";
    if (!row.allocated)
        return "    " + name + row.problem + "\n";
    return "    " + name + std::to_string(*row.allocated) + " bytes of allocations, "
        + std::to_string(row.peak.value_or(0)) + " bytes of the peak\n";
}

const StageRun* runNamed(const Equivalence& proof, std::string_view stage)
{
    const auto at = std::ranges::find(proof.runs, stage, &StageRun::stage);
    return at == proof.runs.end() ? nullptr : &*at;
}

std::string measure(const Difference& difference)
{
    if (difference.isBitwise)
        return "equal";
    if (!difference.mismatch.empty())
        return "differs: " + difference.mismatch;
    char text[160];
    std::snprintf(
        text, sizeof(text), "differs in %lld element%s, at most %.3g absolute, %.3g relative",
        static_cast<long long>(difference.differing), difference.differing == 1 ? "" : "s",
        difference.maxAbsolute, difference.maxRelative);
    return text
        + (difference.firstIndex ? ", first at " + exec::sizesText(*difference.firstIndex)
                                 : std::string());
}

std::string referenceText(const char* what, const Reference& reference)
{
    if (!reference.isThere)
        return {};
    std::string text = "\n" + std::string(what) + ", "
        + std::string(exactnessName(reference.exactness)) + ": "
        + (reference.isEqual ? "equal" : "different") + "\n";
    for (const ReferenceResult& result : reference.results)
        text += "    " + result.name + ": " + measure(result.difference)
            + (result.difference.isWithin ? ", within the tolerance" : ", beyond the tolerance")
            + "\n";
    return text;
}

std::string memoryLine(const StageRun& run)
{
    if (!run.graph)
        return run.stage + ": could not be made: " + run.failure->message + "\n";
    std::string text = run.stage + ": peak " + std::to_string(run.run.memory.peakBytes)
        + " bytes over the inputs (predicted " + std::to_string(run.forecast.peakBytes) + "), "
        + std::to_string(run.run.memory.allocations) + " allocations, "
        + std::to_string(run.run.memory.copiedBytes) + " bytes copied";
    const std::string peak = run.nameOf(run.run.memory.peakNode);
    text += peak.empty() ? "" : ", peak at " + peak;
    return text
        + (run.ran() ? ""
                     : "; stopped after " + std::to_string(run.run.nodesRun) + " of "
                   + std::to_string(run.graph->size()) + " nodes")
        + "\n";
}

std::string comparisonText(const StageComparison& comparison)
{
    const bool isThere = std::ranges::any_of(
        comparison.results, [](const auto& row) { return row.difference.isFromDevice; });
    std::string text =
        "\nbefore against " + comparison.stage + (isThere ? ", compared on the device" : "") + "\n";
    for (const ResultComparison& result : comparison.results)
        text += "    " + result.name + ": " + measure(result.difference)
            + (result.isNoise ? " (noise)" : "") + "\n";
    for (const NewAlias& alias : comparison.newAliases)
        text += "    new alias: " + alias.first + " and " + alias.second + "\n";
    if (!comparison.firstDifferingNode.empty())
        text += "    first node that differs: " + comparison.firstDifferingNode + "\n";
    return text;
}

// What `before` returns, by shapes.
std::string outputsText(const Equivalence& proof)
{
    const StageRun* before = runNamed(proof, "before");
    if (!before || !before->ran())
        return {};
    std::string text;
    for (std::size_t i = 0; i < before->run.outputs.size(); ++i)
    {
        const exec::Value& output = before->run.outputs[i];
        const exec::Tensor* tensor = output.tensor();
        text += "output." + std::to_string(i) + ": "
            + (tensor ? exec::tensorText(*tensor) : exec::kindText(output)) + "\n";
    }
    return text;
}

} // namespace

std::string proofText(const Equivalence& proof, const ReportFacts& facts)
{
    std::string text;
    for (const std::string& sentence : proof.assumptions)
        text += "assumed: " + sentence + "\n";
    for (const StageRun& run : proof.runs)
        text += memoryLine(run) + deviceText(run);
    text += timeSavedText(proof);
    for (const StageComparison& comparison : proof.comparisons)
        text += comparisonText(comparison);
    text += referenceText("before against the file's results", proof.reference);
    text += referenceText("before on the device against before on the host", proof.host);
    if (facts.bisect)
        text += "\n" + facts.bisect->explanation + " (" + std::to_string(facts.bisect->runs)
            + " runs)\n";
    for (const DecisionProof& proven : facts.proven)
        text += "\n" + proven.explanation + " (" + std::to_string(proven.runs) + " runs)\n";
    if (facts.trace && !facts.saved.empty())
        text += "\nsaved by each write in place, against the same policy without it\n";
    for (const SavedBytes& row : facts.saved)
        text += savedLine(*facts.trace, row);
    if (proof.comparisons.empty())
        text += outputsText(proof);
    for (const StageRun& run : proof.runs)
        for (const std::string& note : run.run.notes)
            if (text.find(note) == std::string::npos)
                text += note + "\n";
    return text;
}

} // namespace reinspect::proof
