// SPDX-License-Identifier: MIT
#include "core/passes/pass_report.h"

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
    return json;
}

Json summaryJson(const PassSummary& summary)
{
    return {{"candidates", summary.candidates},
            {"reinplaced", summary.reinplaced},
            {"kept", summary.kept},
            {"missed", summary.missed},
            {"missed_bytes", summary.missedBytes}};
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

} // namespace

std::string decisionsJson(std::string_view file, std::string_view policy,
                          std::span<const std::shared_ptr<const PassTrace>> traces)
{
    Json json{{"file", file}, {"policy", policy}, {"graphs", Json::array()}};
    for (const auto& trace : traces)
        json["graphs"].push_back(traceJson(*trace));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace reinspect
