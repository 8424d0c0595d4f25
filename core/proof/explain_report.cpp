// SPDX-License-Identifier: MIT
#include "core/proof/explain_report.h"

#include "core/passes/explain.h"

#include <nlohmann/json.hpp>

namespace reinspect::proof
{
namespace
{

using Json = nlohmann::ordered_json;

Json textOrNull(std::string_view text)
{
    return text.empty() ? Json(nullptr) : Json(text);
}

std::string_view verdictWord(triton::CloneVerdict verdict)
{
    switch (verdict)
    {
    case triton::CloneVerdict::Agrees: return "agrees";
    case triton::CloneVerdict::WrittenOnly: return "written_only";
    case triton::CloneVerdict::ClonedOnly: break;
    }
    return "cloned_only";
}

Json kernelJson(const Graph& graph, const KernelEffects& launch)
{
    Json json = {{"node", graph.node(launch.node).name}, {"kernel", textOrNull(launch.kernel)}};
    json["parameters"] = Json::array();
    for (const triton::EffectRow& row : launch.rows)
        json["parameters"].push_back(
            {{"name", row.parameter},
             {"effect", row.effect},
             {"place", textOrNull(row.place)},
             {"certain", row.isCertain},
             {"cloned", launch.hasCloneList ? Json(verdictWord(row.verdict)) : Json(nullptr)},
             {"remark", textOrNull(row.remark)}});
    json["assumed"] = launch.reasons;
    json["problem"] = textOrNull(launch.problem);
    return json;
}

Json graphJson(const ExplainedGraph& graph)
{
    const PassTrace& trace = *graph.trace;
    Json json = {{"name", trace.initial->name}, {"sentences", Json::array()}};
    for (std::size_t i = 0; i < trace.events.size(); ++i)
        json["sentences"].push_back(
            {{"depth", trace.events[i].depth}, {"text", explain(trace, EventIndex(i))}});
    json["kernels"] = Json::array();
    for (const KernelEffects& launch : graph.kernels)
        json["kernels"].push_back(kernelJson(*trace.initial, launch));
    return json;
}

} // namespace

std::string explainJson(std::string_view file, std::string_view policy,
                        std::span<const ExplainedGraph> graphs)
{
    Json json = {{"file", file}, {"policy", policy}, {"graphs", Json::array()}};
    for (const ExplainedGraph& graph : graphs)
        json["graphs"].push_back(graphJson(graph));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace reinspect::proof
