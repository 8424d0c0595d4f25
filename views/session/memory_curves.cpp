// SPDX-License-Identifier: MIT
#include "views/session/memory_curves.h"

#include "core/proof/verdict_sentence.h"
#include "views/session/qt_text.h"

#include <algorithm>
#include <map>

namespace reinspect
{

namespace
{

using proof::MemoryForecast;
using proof::StageRun;
using proof::SymbolValues;

SymbolValues hintsOf(const ShapeEnv& shapes)
{
    SymbolValues values;
    for (const auto& [name, facts] : shapes.symbols())
        if (facts.hint)
            values.emplace(name, *facts.hint);
    return values;
}

std::string nameIn(const Graph& graph, NodeId node)
{
    return node && graph.contains(node) ? graph.node(node).name : std::string();
}

// The stages without a run: graphs and forecasts only.
std::vector<StageRun> forecastStages(const PassTrace& trace, const CaptureFacts& facts,
                                     const SymbolValues& symbols)
{
    std::vector<StageRun> stages(4);
    stages[0].stage = "before";
    stages[0].graph = trace.initial;
    constexpr std::pair<PassStage, const char*> kLater[] = {{PassStage::After, "after"},
                                                            {PassStage::Final, "final"},
                                                            {PassStage::Baseline, "baseline"}};
    for (std::size_t i = 0; i < std::size(kLater); ++i)
    {
        StageRun& stage = stages[i + 1];
        stage.stage = kLater[i].second;
        auto graph = graphAtStage(trace, kLater[i].first, facts);
        if (graph.ok())
            stage.graph = std::make_shared<const Graph>(std::move(*graph));
        else
            stage.failure = graph.error();
    }
    for (StageRun& stage : stages)
        if (stage.graph)
            stage.forecast = proof::forecastMemory(*stage.graph, facts, symbols);
    return stages;
}

// Adds the nodes that the axis does not have behind those they follow.
void extendAxis(std::vector<std::string>& axis, const Graph& graph)
{
    std::unordered_map<std::string, std::size_t> known;
    for (std::size_t i = 0; i < axis.size(); ++i)
        known[axis[i]] = i + 1;
    std::vector<std::vector<std::string>> behind(axis.size() + 1); // [0]: in front of all
    std::size_t last = 0;
    for (const NodeId id : graph.order())
    {
        const std::string& name = graph.node(id).name;
        if (const auto at = known.find(name); at != known.end())
            last = std::max(last, at->second);
        else
            behind[last].push_back(name);
    }
    std::vector<std::string> longer = std::move(behind[0]);
    for (std::size_t i = 0; i < axis.size(); ++i)
    {
        longer.push_back(std::move(axis[i]));
        std::ranges::move(behind[i + 1], std::back_inserter(longer));
    }
    axis = std::move(longer);
}

std::vector<std::size_t> placesOf(const Graph& graph,
                                  const std::unordered_map<std::string, std::size_t>& placeOf)
{
    std::vector<std::size_t> places;
    for (const NodeId id : graph.order())
    {
        const std::size_t place = placeOf.at(graph.node(id).name);
        places.push_back(places.empty() ? place : std::max(place, places.back()));
    }
    return places;
}

MemoryLine measuredLine(const StageRun& run)
{
    MemoryLine line;
    for (const exec::MemoryStep& step : run.run.memory.steps)
    {
        line.high.push_back(step.highBytes);
        line.live.push_back(step.liveBytes);
    }
    line.peakBytes = run.run.memory.peakBytes;
    line.peakNode = nameIn(*run.graph, run.run.memory.peakNode);
    return line;
}

std::vector<MemoryBand> bandsOf(const StageRun& run, const std::vector<std::size_t>& places,
                                std::size_t end)
{
    const auto placeAt = [&](std::size_t step) {
        return step < places.size() ? places[step] : end;
    };
    std::vector<MemoryBand> bands;
    for (const MemoryForecast::Life& life : run.forecast.lives)
        bands.push_back({nameIn(*run.graph, life.node), life.bytes, placeAt(life.born),
                         life.died < places.size() ? placeAt(life.died) + 1 : end});
    return bands;
}

MemoryCurve curveOf(const StageRun& run, const MemoryCurves& all)
{
    MemoryCurve curve;
    curve.stage = run.stage;
    curve.problem = toQString(proof::failureSentence(run));
    if (!run.graph)
        return curve;
    const MemoryForecast& forecast = run.forecast;
    curve.places = placesOf(*run.graph, all.placeOf);
    curve.predicted = {forecast.highBytes, forecast.liveBytes, forecast.peakBytes,
                       nameIn(*run.graph, forecast.peakNode)};
    curve.measured = measuredLine(run);
    curve.allocations = forecast.allocations;
    curve.bands = bandsOf(run, curve.places, all.axis.size());
    for (const MemoryForecast::Holder& holder : forecast.atPeak)
        curve.atPeak.push_back({nameIn(*run.graph, holder.node), holder.bytes, 0, 0});
    for (const std::string& sentence : forecast.unknown)
        curve.unknown.append(toQString(sentence));
    return curve;
}

} // namespace

std::int64_t MemoryCurve::at(const MemoryLine& line, std::size_t place) const
{
    const auto behind = std::ranges::upper_bound(places, place);
    const auto count = static_cast<std::size_t>(behind - places.begin());
    if (count == 0 || line.live.empty())
        return 0;
    const std::size_t step = std::min(count, line.live.size()) - 1;
    return places[step] == place ? line.high[step] : line.live[step];
}

bool MemoryCurves::isMeasured() const
{
    return std::ranges::any_of(curves,
                               [](const MemoryCurve& curve) { return curve.measured.isThere(); });
}

MemoryCurves makeMemoryCurves(std::shared_ptr<const PassTrace> trace, const CaptureFacts& facts,
                              const ShapeEnv& shapes, const proof::Equivalence* proof)
{
    MemoryCurves all;
    SymbolValues symbols = hintsOf(shapes);
    if (proof && !proof->runs.empty())
        for (const auto& [name, value] : proof->runs.front().run.symbols)
            symbols[name] = value;
    const std::vector<StageRun> made =
        proof ? std::vector<StageRun>() : forecastStages(*trace, facts, symbols);
    const std::vector<StageRun>& stages = proof ? proof->runs : made;
    for (const StageRun& stage : stages)
        if (stage.graph)
            extendAxis(all.axis, *stage.graph);
    for (std::size_t i = 0; i < all.axis.size(); ++i)
        all.placeOf[all.axis[i]] = i;
    for (const StageRun& stage : stages)
        all.curves.push_back(curveOf(stage, all));
    all.symbols = std::move(symbols);
    all.trace = std::move(trace);
    return all;
}

} // namespace reinspect
