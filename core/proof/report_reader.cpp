// SPDX-License-Identifier: MIT
#include "core/proof/report_reader.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace reinspect::proof
{
namespace
{

using Json = nlohmann::json;

Error unreadable(const std::string& why)
{
    return Error{.message = "this is no result of a run: " + why};
}

// As numberJson writes it.
double number(const Json& value)
{
    if (value.is_string())
        return value == "nan"
            ? std::nan("")
            : (value == "-inf" ? -1 : 1) * std::numeric_limits<double>::infinity();
    return value.get<double>();
}

std::string text(const Json& object, const char* key)
{
    const auto at = object.find(key);
    return at == object.end() || at->is_null() ? std::string() : at->get<std::string>();
}

template<typename Number>
Number count(const Json& object, const char* key)
{
    const auto at = object.find(key);
    return at == object.end() || at->is_null() ? Number{} : at->get<Number>();
}

Difference differenceFrom(const Json& json)
{
    Difference difference;
    difference.isBitwise = json.at("bitwise").get<bool>();
    difference.isWithin = json.value("equal", difference.isBitwise);
    difference.maxAbsolute = number(json.at("max_abs"));
    difference.maxRelative = number(json.at("max_rel"));
    difference.maxUlps = number(json.at("max_ulps"));
    difference.differing = json.at("differing").get<std::int64_t>();
    difference.mismatch = text(json, "mismatch");
    difference.isFromDevice = json.value("compared_on_device", false);
    const Json& first = json.at("first_difference");
    if (!first.is_null())
        difference.firstIndex = exec::Sizes(first.begin(), first.end());
    return difference;
}

StageComparison comparisonFrom(const std::string& stage, const Json& json)
{
    StageComparison comparison;
    comparison.stage = stage;
    comparison.isEqual = json.at("equal").get<bool>();
    comparison.firstDifferingNode = text(json, "first_differing_node");
    for (const Json& result : json.at("results"))
        comparison.results.push_back({result.at("name").get<std::string>(), differenceFrom(result),
                                      result.value("noise", false)});
    for (const Json& pair : json.at("new_aliases"))
        comparison.newAliases.push_back(
            {pair.at(0).get<std::string>(), pair.at(1).get<std::string>()});
    return comparison;
}

Reference referenceFrom(const Json& json)
{
    Reference reference;
    reference.isThere = true;
    reference.isEqual = json.at("equal").get<bool>();
    const std::string tolerance = text(json, "tolerance");
    reference.exactness = tolerance == "bit for bit" ? Exactness::Moved
        : tolerance == "elementwise"                 ? Exactness::Elementwise
                                                     : Exactness::Accumulated;
    for (const Json& result : json.at("results"))
        reference.results.push_back({result.at("name").get<std::string>(), differenceFrom(result)});
    return reference;
}

NodeId nodeNamed(const Graph& graph, const std::string& name)
{
    return name.empty() ? NodeId{} : graph.find(name);
}

std::optional<Error> failureFrom(const Json& json)
{
    if (json.is_null())
        return std::nullopt;
    return Error{.message = text(json, "message"),
                 .hint = text(json, "hint"),
                 .kind = ErrorKind::CannotRunHere};
}

void fillNodeTimes(exec::GraphRun& run, const Graph& graph, const Json& json)
{
    for (const Json& row : json.value("nodes", Json::array()))
        if (const NodeId node = nodeNamed(graph, text(row, "node")))
            run.nodeTimes.push_back({node, row.at("seconds").get<double>(),
                                     row.at("bytes").get<std::int64_t>(),
                                     row.value("on_host", false)});
}

// What a device counted of a run on it.
void fillDevice(exec::GraphRun& run, const Graph& graph, const Json& json)
{
    run.device = text(json, "name");
    if (const auto at = json.find("peak_bytes"); at != json.end() && !at->is_null())
        run.memory.devicePeakBytes = at->get<std::int64_t>();
    for (const Json& row : json.value("on_host", Json::array()))
    {
        exec::HostRuns& runs = run.hostRuns[row.at("target").get<std::string>()];
        row.at("calls").get_to(runs.calls);
        row.at("copied_bytes").get_to(runs.copiedBytes);
    }
    run.usesTf32 = json.value("tf32", false);
    fillNodeTimes(run, graph, json);
}

class Reader
{
public:
    Reader(const PassTrace& trace, const CaptureFacts& facts, const ShapeEnv& shapes)
        : m_trace(trace)
        , m_facts(facts)
    {
        for (const auto& [name, symbol] : shapes.symbols())
            if (symbol.hint)
                m_symbols.emplace(name, *symbol.hint);
    }

    Result<StageRun> run(const std::string& stage, std::shared_ptr<const Graph> graph,
                         const Json& json) const
    {
        StageRun made;
        made.stage = stage;
        made.failure = failureFrom(json.at("failure"));
        if (!json.contains("nodes"))
            return made; // the stage could not be made there
        if (!graph)
        {
            REINSPECT_TRY(graph, graphOf(stage));
        }
        if (graph->size() != json.at("nodes").get<std::size_t>())
            return Error{.message = "the graph '" + stage + "' has "
                             + std::to_string(json.at("nodes").get<std::size_t>())
                             + " nodes there and " + std::to_string(graph->size()) + " here",
                         .hint = "The program there may be of another version than this one."};
        fill(made, *graph, json);
        made.graph = std::move(graph);
        return made;
    }

private:
    Result<std::shared_ptr<const Graph>> graphOf(const std::string& stage) const
    {
        const auto known = passStageNamed(stage);
        if (!known)
            return unreadable("'" + stage + "' is no stage");
        REINSPECT_TRY(Graph graph, graphAtStage(m_trace, *known, m_facts));
        return std::make_shared<const Graph>(std::move(graph));
    }

    void fill(StageRun& made, const Graph& graph, const Json& json) const
    {
        made.run.failure = made.failure;
        made.run.failedNode = nodeNamed(graph, text(json, "failed_node"));
        made.run.nodesRun = count<std::size_t>(json, "nodes_run");
        made.run.seconds = count<double>(json, "seconds");
        made.run.memory.peakBytes = count<std::int64_t>(json, "measured_peak_bytes");
        made.run.memory.allocations = count<std::size_t>(json, "allocations");
        made.run.memory.copiedBytes = count<std::int64_t>(json, "copied_bytes");
        made.run.memory.peakNode = nodeNamed(graph, text(json, "peak_node"));
        for (const Json& note : json.value("notes", Json::array()))
            made.run.notes.insert(note.get<std::string>());
        if (json.contains("repeat_seconds"))
            json.at("repeat_seconds").get_to(made.run.repeatSeconds);
        if (json.contains("device"))
            fillDevice(made.run, graph, json.at("device"));
        else if (json.contains("host"))
            fillNodeTimes(made.run, graph, json.at("host"));
        made.run.symbols = m_symbols;
        // Node by node it is not in the report, but it is a function of the graph and its sizes. With other
        // sizes than the hints only what the report says is kept.
        made.forecast = forecastMemory(graph, m_facts, m_symbols);
        const auto peak = count<std::int64_t>(json, "predicted_peak_bytes");
        if (made.forecast.peakBytes != peak)
            made.forecast = {};
        made.forecast.peakBytes = peak;
        made.forecast.totalBytes = count<std::int64_t>(json, "predicted_bytes_without_reuse");
        made.forecast.allocations = count<std::size_t>(json, "predicted_allocations");
    }

    const PassTrace& m_trace;
    const CaptureFacts& m_facts;
    SymbolValues m_symbols;
};

constexpr const char* kStages[] = {"before", "after", "final", "baseline"};

Result<Report> reportFrom(const Json& json, const std::shared_ptr<const Graph>& before,
                          const Reader& reader)
{
    Report report;
    report.backend = text(json, "backend");
    report.policy = text(json, "policy");
    report.inputs = text(json.at("inputs"), "source");
    Equivalence& proof = report.proof;
    for (const Json& sentence : json.at("inputs").at("assumed"))
        proof.assumptions.push_back(sentence.get<std::string>());
    const Json& runs = json.at("runs");
    for (const std::string stage : kStages)
        if (runs.contains(stage))
        {
            REINSPECT_TRY(StageRun run,
                          reader.run(stage, stage == "before" ? before : nullptr, runs.at(stage)));
            proof.runs.push_back(std::move(run));
        }
    if (proof.runs.empty() || !proof.runs.front().graph)
        return unreadable("it has no run of the graph before the pass");
    report.device = proof.runs.front().run.device;
    const Json& comparisons = json.at("comparisons");
    for (const std::string stage : kStages)
        if (comparisons.contains(stage))
            proof.comparisons.push_back(comparisonFrom(stage, comparisons.at(stage)));
    if (json.contains("reference"))
        proof.reference = referenceFrom(json.at("reference"));
    if (json.contains("host"))
        proof.host = referenceFrom(json.at("host"));
    return report;
}

} // namespace

Result<Report> readProofJson(std::string_view json, const std::shared_ptr<const Graph>& before,
                             const PassTrace& trace, const CaptureFacts& facts,
                             const ShapeEnv& shapes)
{
    try
    {
        return reportFrom(Json::parse(json), before, Reader(trace, facts, shapes));
    }
    catch (const Json::exception& exception)
    {
        return unreadable(exception.what());
    }
}

} // namespace reinspect::proof
