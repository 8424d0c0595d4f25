// SPDX-License-Identifier: MIT
#include "core/proof/proof_report.h"

#include "core/proof/device_report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace reinspect::proof
{
namespace
{

using Json = nlohmann::ordered_json;

// JSON has no infinity.
Json numberJson(double value)
{
    if (std::isfinite(value))
        return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

Json textOrNull(const std::string& text)
{
    return text.empty() ? Json(nullptr) : Json(text);
}

Json differenceJson(const std::string& name, const Difference& difference)
{
    Json json;
    json["name"] = name;
    json["bitwise"] = difference.isBitwise;
    json["max_abs"] = numberJson(difference.maxAbsolute);
    json["max_rel"] = numberJson(difference.maxRelative);
    json["max_ulps"] = numberJson(difference.maxUlps);
    json["differing"] = difference.differing;
    json["first_difference"] = difference.firstIndex ? Json(*difference.firstIndex) : Json(nullptr);
    if (!difference.mismatch.empty())
        json["mismatch"] = difference.mismatch;
    if (difference.isFromDevice)
        json["compared_on_device"] = true;
    return json;
}

std::string nodeName(const Graph& graph, NodeId node)
{
    return node && graph.contains(node) ? graph.node(node).name : std::string();
}

Json errorJson(const std::optional<Error>& error)
{
    if (!error)
        return nullptr;
    return Json{{"message", error->message}, {"hint", textOrNull(error->hint)}};
}

Json holdersJson(const StageRun& run)
{
    constexpr std::size_t most = 16;
    Json list = Json::array();
    for (std::size_t i = 0; i < run.forecast.atPeak.size() && i < most; ++i)
        list.push_back({{"node", nodeName(*run.graph, run.forecast.atPeak[i].node)},
                        {"bytes", run.forecast.atPeak[i].bytes}});
    return list;
}

Json nodesJson(const StageRun& run)
{
    Json list = Json::array();
    for (const auto& [node, seconds, bytes, isOnHost] : run.run.nodeTimes)
    {
        list.push_back(
            {{"node", nodeName(*run.graph, node)}, {"seconds", seconds}, {"bytes", bytes}});
        if (isOnHost)
            list.back()["on_host"] = true;
    }
    return list;
}

// What a device counted of a run on it.
Json deviceJson(const StageRun& run)
{
    Json json;
    json["name"] = run.run.device;
    const auto peak = run.run.memory.devicePeakBytes;
    json["peak_bytes"] = peak ? Json(*peak) : Json(nullptr);
    json["on_host"] = Json::array();
    for (const auto& [target, runs] : run.run.hostRuns)
        json["on_host"].push_back(
            {{"target", target}, {"calls", runs.calls}, {"copied_bytes", runs.copiedBytes}});
    if (run.run.usesTf32)
        json["tf32"] = true;
    if (!run.run.nodeTimes.empty())
        json["nodes"] = nodesJson(run);
    return json;
}

Json runJson(const StageRun& run)
{
    Json json;
    json["ran"] = run.ran();
    json["failure"] = errorJson(run.failure);
    if (!run.graph)
        return json;
    json["nodes"] = run.graph->size();
    json["nodes_run"] = run.run.nodesRun;
    json["failed_node"] = textOrNull(nodeName(*run.graph, run.run.failedNode));
    json["seconds"] = run.run.seconds;
    if (!run.run.repeatSeconds.empty())
        json["repeat_seconds"] = run.run.repeatSeconds;
    if (!run.run.graphSeconds.empty())
        json["cuda_graph_seconds"] = run.run.graphSeconds;
    json["predicted_peak_bytes"] = run.forecast.peakBytes;
    json["predicted_bytes_without_reuse"] = run.forecast.totalBytes;
    json["predicted_allocations"] = run.forecast.allocations;
    json["measured_peak_bytes"] = run.run.memory.peakBytes;
    json["allocations"] = run.run.memory.allocations;
    json["copied_bytes"] = run.run.memory.copiedBytes;
    json["peak_node"] = textOrNull(nodeName(*run.graph, run.run.memory.peakNode));
    json["live_at_peak"] = holdersJson(run);
    json["not_predicted"] = run.forecast.unknown;
    json["notes"] = run.run.notes;
    if (!run.run.device.empty())
        json["device"] = deviceJson(run);
    else if (!run.run.nodeTimes.empty())
        json["host"] = {{"nodes", nodesJson(run)}};
    return json;
}

Json comparisonJson(const StageComparison& comparison)
{
    Json json;
    json["equal"] = comparison.isEqual;
    json["results"] = Json::array();
    for (const ResultComparison& result : comparison.results)
    {
        Json entry = differenceJson(result.name, result.difference);
        entry["noise"] = result.isNoise;
        json["results"].push_back(std::move(entry));
    }
    json["new_aliases"] = Json::array();
    for (const NewAlias& alias : comparison.newAliases)
        json["new_aliases"].push_back({alias.first, alias.second});
    json["first_differing_node"] = textOrNull(comparison.firstDifferingNode);
    return json;
}

std::string_view exactnessName(Exactness exactness)
{
    switch (exactness)
    {
    case Exactness::Moved: return "bit for bit";
    case Exactness::Elementwise: return "elementwise";
    case Exactness::Cancelling: return "elementwise, with cancellation";
    case Exactness::Accumulated: break;
    }
    return "accumulated";
}

Json referenceJson(const Reference& reference)
{
    Json json;
    json["equal"] = reference.isEqual;
    json["tolerance"] = exactnessName(reference.exactness);
    const ReferenceResult* worst = nullptr;
    for (const ReferenceResult& result : reference.results)
        if (!worst
            || std::pair(!result.difference.isWithin, result.difference.maxUlps)
                > std::pair(!worst->difference.isWithin, worst->difference.maxUlps))
            worst = &result;
    json["worst"] = worst ? differenceJson(worst->name, worst->difference) : Json(nullptr);
    json["results"] = Json::array();
    for (const ReferenceResult& result : reference.results)
    {
        Json entry = differenceJson(result.name, result.difference);
        entry["equal"] = result.difference.isWithin;
        json["results"].push_back(std::move(entry));
    }
    return json;
}

Json bisectJson(const BisectResult& bisect)
{
    return {{"found", bisect.found},
            {"node", textOrNull(bisect.node)},
            {"argument", textOrNull(bisect.argument)},
            {"runs", bisect.runs},
            {"decisions", bisect.decisions},
            {"text", bisect.explanation}};
}

Json numberOrNull(const std::optional<std::int64_t>& number)
{
    return number ? Json(*number) : Json(nullptr);
}

// What each write in place saves, against the same policy without it.
Json savedJson(const PassTrace& trace, std::span<const SavedBytes> saved)
{
    Json list = Json::array();
    for (const SavedBytes& row : saved)
    {
        const Decision& decision = trace.decision(row.decision);
        list.push_back({{"node", trace.nameOf(decision.node)},
                        {"argument", decision.argument},
                        {"saved_bytes", numberOrNull(row.allocated)},
                        {"saved_peak_bytes", numberOrNull(row.peak)},
                        {"clone_bytes", numberOrNull(row.cloneBytes)},
                        {"problem", textOrNull(row.problem)}});
    }
    return list;
}

std::string_view effectName(DecisionEffect effect)
{
    switch (effect)
    {
    case DecisionEffect::None: return "none";
    case DecisionEffect::Aliases: return "aliases";
    case DecisionEffect::Alone: return "alone";
    case DecisionEffect::WithOthers: return "with_others";
    case DecisionEffect::CannotTell: break;
    }
    return "cannot_tell";
}

Json provenJson(const DecisionProof& proven)
{
    Json json = {{"node", proven.node},
                 {"argument", proven.argument},
                 {"taken", proven.isTaken},
                 {"effect", effectName(proven.effect)},
                 {"others_differ", proven.othersDiffer},
                 {"results", Json::array()},
                 {"new_aliases", Json::array()}};
    for (const ResultComparison& result : proven.results)
    {
        json["results"].push_back(differenceJson(result.name, result.difference));
        json["results"].back()["noise"] = result.isNoise;
    }
    for (const NewAlias& alias : proven.newAliases)
        json["new_aliases"].push_back({alias.first, alias.second});
    json["first_differing_node"] = textOrNull(proven.firstDifferingNode);
    json["runs"] = proven.runs;
    json["text"] = proven.explanation;
    return json;
}

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
    const std::string peak = nodeName(*run.graph, run.run.memory.peakNode);
    text += peak.empty() ? "" : ", peak at " + peak;
    return text
        + (run.ran() ? ""
                     : "; stopped after " + std::to_string(run.run.nodesRun) + " of "
                   + std::to_string(run.graph->size()) + " nodes")
        + "\n";
}

} // namespace

std::string proofJson(const Equivalence& proof, const ReportFacts& facts)
{
    Json json;
    json["file"] = facts.file;
    json["graph"] = facts.graph;
    json["policy"] = facts.policy;
    json["backend"] = proof.runs.empty() || proof.runs.front().run.device.empty() ? "cpu" : "cuda";
    json["inputs"] = {{"source", facts.inputs}, {"assumed", proof.assumptions}};
    const auto equal = proof.isEqual();
    json["equal"] = equal ? Json(*equal) : Json(nullptr);
    if (proof.reference.isThere)
        json["reference"] = referenceJson(proof.reference);
    if (proof.host.isThere)
        json["host"] = referenceJson(proof.host);
    json["runs"] = Json::object();
    for (const StageRun& run : proof.runs)
        json["runs"][run.stage] = runJson(run);
    json["comparisons"] = Json::object();
    for (const StageComparison& comparison : proof.comparisons)
        json["comparisons"][comparison.stage] = comparisonJson(comparison);
    json["cannot_run"] = Json::array();
    for (const StageRun& run : proof.runs)
        if (!run.ran())
            json["cannot_run"].push_back({{"stage", run.stage}, {"reason", run.failure->message}});
    if (facts.trace && !proof.runs.empty())
        json["saved"] = savedJson(*facts.trace, facts.saved);
    if (facts.bisect)
        json["bisect"] = bisectJson(*facts.bisect);
    for (const DecisionProof& proven : facts.proven)
        json["proven"].push_back(provenJson(proven));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string proofText(const Equivalence& proof, const ReportFacts& facts)
{
    std::string text;
    for (const std::string& sentence : proof.assumptions)
        text += "assumed: " + sentence + "\n";
    for (const StageRun& run : proof.runs)
        text += memoryLine(run) + deviceText(run);
    text += timeSavedText(proof);
    for (const StageComparison& comparison : proof.comparisons)
    {
        const bool isThere = std::ranges::any_of(
            comparison.results, [](const auto& row) { return row.difference.isFromDevice; });
        text += "\nbefore against " + comparison.stage + (isThere ? ", compared on the device" : "")
            + "\n";
        for (const ResultComparison& result : comparison.results)
            text += "    " + result.name + ": " + measure(result.difference)
                + (result.isNoise ? " (noise)" : "") + "\n";
        for (const NewAlias& alias : comparison.newAliases)
            text += "    new alias: " + alias.first + " and " + alias.second + "\n";
        if (!comparison.firstDifferingNode.empty())
            text += "    first node that differs: " + comparison.firstDifferingNode + "\n";
    }
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
    const StageRun* before = runNamed(proof, "before");
    if (proof.comparisons.empty() && before && before->ran())
        for (std::size_t i = 0; i < before->run.outputs.size(); ++i)
        {
            const exec::Tensor* tensor = before->run.outputs[i].tensor();
            text += "output." + std::to_string(i) + ": "
                + (tensor ? exec::tensorText(*tensor) : exec::kindText(before->run.outputs[i]))
                + "\n";
        }
    for (const StageRun& run : proof.runs)
        for (const std::string& note : run.run.notes)
            if (text.find(note) == std::string::npos)
                text += note + "\n";
    return text;
}

} // namespace reinspect::proof
