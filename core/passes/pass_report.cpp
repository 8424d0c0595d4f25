// SPDX-License-Identifier: MIT
#include "core/passes/pass_report.h"

#include "core/passes/explain.h"
#include "core/passes/trace_diff.h"

#include <nlohmann/json.hpp>

namespace reinspect
{
namespace
{

using Json = nlohmann::ordered_json;

Json bytesJson(const SymExpr& bytes)
{
    if (const auto number = bytes.constant())
        return *number;
    return toText(bytes);
}

Json namesJson(const PassTrace& trace, const std::vector<NodeId>& nodes)
{
    Json names = Json::array();
    for (const NodeId node : nodes)
        names.push_back(trace.nameOf(node));
    return names;
}

std::string joinedNames(const PassTrace& trace, const std::vector<NodeId>& nodes)
{
    std::string text;
    for (const NodeId node : nodes)
        text += (text.empty() ? "" : ", ") + trace.nameOf(node);
    return text;
}

Json hazardJson(const PassTrace& trace, const Hazard& hazard)
{
    Json json;
    json["kind"] = hazardName(hazard.kind);
    json["witnesses"] = namesJson(trace, hazard.witnesses);
    json["text"] = hazardSentence(trace, hazard);
    json["certainty"] =
        certaintyName(hazard.assumption.empty() ? Certainty::Certain : Certainty::Assumed);
    return json;
}

Json decisionJson(const PassTrace& trace, const Decision& decision)
{
    Json json;
    json["node"] = trace.nameOf(decision.node);
    json["kind"] = candidateKindName(decision.kind);
    json["operator"] = decision.operatorName;
    json["argument"] = decision.argument;
    json["mutated"] = joinedNames(trace, decision.mutated);
    json["verdict"] = verdictName(decision.verdict);
    json["reason"] = decision.reason ? Json(reasonName(*decision.reason)) : Json(nullptr);
    json["witnesses"] = namesJson(trace, decision.witnesses);
    json["bytes"] = bytesJson(decision.bytes);
    json["certainty"] = certaintyName(decision.certainty);
    if (!decision.assumption.empty())
        json["assumption"] = decision.assumption;
    json["missed"] = decision.missed;
    json["hazards"] = Json::array();
    for (const Hazard& hazard : decision.hazards)
        json["hazards"].push_back(hazardJson(trace, hazard));
    json["safe"] = decision.safe;
    if (decision.forced)
        json["forced"] = true;
    if (decision.overruled)
        json["overruled"] = reasonName(*decision.overruled);
    return json;
}

Json summaryJson(const PassSummary& summary)
{
    return {{"candidates", summary.candidates},
            {"reinplaced", summary.reinplaced},
            {"kept", summary.kept},
            {"missed", summary.missed},
            {"missed_bytes", summary.missedBytes},
            {"safe", summary.safe},
            {"safe_bytes", summary.safeBytes},
            {"hazardous", summary.hazardous}};
}

Json traceJson(const PassTrace& trace)
{
    Json json;
    json["name"] = trace.initial->name;
    json["nodes"] = trace.initial->size();
    json["decisions"] = Json::array();
    for (const Decision& decision : trace.decisions)
        json["decisions"].push_back(decisionJson(trace, decision));
    json["removed"] = namesJson(trace, trace.removed);
    json["retargeted"] = Json::object();
    for (const Retargeting& change : trace.retargeted)
        json["retargeted"][trace.nameOf(change.node)] = {change.before, change.after};
    json["summary"] = summaryJson(trace.summary);
    return json;
}

Json diffJson(const PassTrace& first, const PassTrace& second)
{
    const TraceDiff diff = diffTraces(first, second);
    Json json{{"name", first.initial->name}, {"rows", Json::array()}};
    const auto side = [](const PassTrace& trace, DecisionIndex index) {
        return index ? decisionJson(trace, trace.decision(index)) : Json(nullptr);
    };
    for (const DecisionDiff& row : diff.rows)
        json["rows"].push_back({{"node", row.node},
                                {"argument", row.argument},
                                {"result", diffKindName(row.kind)},
                                {"first", side(first, row.first)},
                                {"second", side(second, row.second)},
                                {"text", explainDiff(first, second, row)}});
    json["summary"] = {{"same", diff.same},
                       {"differs", diff.differing},
                       {"only_first", diff.onlyFirst},
                       {"only_second", diff.onlySecond},
                       {"first_bytes", diff.firstBytes},
                       {"second_bytes", diff.secondBytes}};
    return json;
}

std::string printed(const Json& json)
{
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace

std::string differencesJson(std::string_view file,
                            std::span<const std::shared_ptr<const PassTrace>> first,
                            std::span<const std::shared_ptr<const PassTrace>> second)
{
    Json json{{"file", file}, {"graphs", Json::array()}};
    for (std::size_t i = 0; i < first.size(); ++i)
    {
        json["policy"] = describe(first[i]->policy);
        json["against"] = describe(second[i]->policy);
        json["graphs"].push_back(diffJson(*first[i], *second[i]));
    }
    return printed(json);
}

std::string policiesJson()
{
    Json json{{"policies", Json::array()}, {"switches", Json::array()}};
    for (const PolicyPreset& preset : policyPresets())
    {
        Json row{{"name", preset.name}, {"meaning", preset.meaning}, {"switches", Json::object()}};
        const ReinplacePolicy policy = policyNamed(preset.name).value();
        for (const PolicySwitch& one : policySwitches())
            row["switches"][std::string(one.name)] = policy.*(one.value);
        json["policies"].push_back(std::move(row));
    }
    for (const PolicySwitch& one : policySwitches())
        json["switches"].push_back({{"name", one.name}, {"meaning", one.meaning}});
    return printed(json);
}

std::string decisionsJson(std::string_view file, std::string_view policy,
                          std::span<const std::shared_ptr<const PassTrace>> traces)
{
    Json json{{"file", file}, {"policy", policy}, {"graphs", Json::array()}};
    for (const auto& trace : traces)
        json["graphs"].push_back(traceJson(*trace));
    return printed(json);
}

} // namespace reinspect
