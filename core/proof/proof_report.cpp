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
        list.push_back({{"node", run.nameOf(run.forecast.atPeak[i].node)},
                        {"bytes", run.forecast.atPeak[i].bytes}});
    return list;
}

Json nodesJson(const StageRun& run)
{
    Json list = Json::array();
    for (const auto& [node, seconds, bytes, isOnHost] : run.run.nodeTimes)
    {
        list.push_back({{"node", run.nameOf(node)}, {"seconds", seconds}, {"bytes", bytes}});
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
    json["failed_node"] = textOrNull(run.nameOf(run.run.failedNode));
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
    json["peak_node"] = textOrNull(run.nameOf(run.run.memory.peakNode));
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

} // namespace reinspect::proof
