// SPDX-License-Identifier: MIT
#include "core/proof/equivalence.h"

#include "core/exec/device.h"
#include "core/exec/host_copies.h"
#include "core/proof/digest.h"
#include "core/proof/first_difference.h"
#include "core/proof/noise_floor.h"
#include "core/proof/result_aliases.h"

#include <algorithm>
#include <cstring>

namespace reinspect::proof
{
namespace
{

using exec::Tensor;
using exec::Value;

// A tensor of the file, contiguous.
Result<Tensor> tensorOf(const TensorFile& file, const StoredTensor& stored)
{
    auto tracker = std::make_shared<exec::StorageTracker>(exec::defaultMemoryLimit());
    const auto data = file.data(stored);
    Tensor tensor{stored.dtype, stored.sizes, exec::contiguousStrides(stored.sizes), 0,
                  nullptr,      false};
    REINSPECT_TRY(tensor.storage,
                  tracker->allocate(static_cast<std::int64_t>(data.size()), stored.dtype,
                                    exec::StorageRole::Scratch));
    std::memcpy(tensor.storage->data(), data.data(), data.size());
    return tensor;
}

void addReference(Reference& reference, const TensorFile& file, const std::string& name,
                  const Value& found)
{
    const StoredTensor* stored = file.find(name);
    if (!stored)
        return;
    reference.isThere = true;
    const auto expected = tensorOf(file, *stored);
    if (!expected.ok())
        return;
    Difference difference =
        compareValues(Value(*expected), found, toleranceFor(stored->dtype, reference.exactness));
    reference.isEqual = reference.isEqual && difference.isWithin;
    reference.results.push_back({name, std::move(difference)});
}

Reference compareWithFile(const StageRun& run, const TensorFile& file, const CaptureFacts& facts,
                          const std::vector<std::string>& names)
{
    Reference reference;
    reference.exactness = exactnessOf(*run.graph, facts);
    for (std::size_t i = 0; i < run.run.outputs.size(); ++i)
        addReference(reference, file, "output." + std::to_string(i), run.run.outputs[i]);
    for (std::size_t i = 0; i < names.size(); ++i)
        addReference(reference, file, "mutated." + names[i], run.inputs[i]);
    return reference;
}

// What a device computed, as exact as other code for the same operators can be.
Reference compareWithHost(const StageRun& there, const StageRun& here, const CaptureFacts& facts,
                          const std::vector<std::string>& names)
{
    Reference made;
    made.isThere = true;
    made.exactness = exactnessOf(*there.graph, facts);
    const auto add = [&](std::string name, const Value& expected, const Value& found) {
        const Tensor* tensor = expected.tensor();
        Difference difference = compareValues(
            expected, found, tensor ? toleranceFor(tensor->dtype, made.exactness) : Tolerance());
        made.isEqual = made.isEqual && difference.isWithin;
        made.results.push_back({std::move(name), std::move(difference)});
    };
    for (std::size_t i = 0; i < here.run.outputs.size() && i < there.run.outputs.size(); ++i)
        add("output." + std::to_string(i), here.run.outputs[i], there.run.outputs[i]);
    for (std::size_t i = 0; i < names.size(); ++i)
        if (isWritten(here, i) || isWritten(there, i))
            add("mutated." + names[i], here.inputs[i], there.inputs[i]);
    return made;
}

StageRun stageFrom(const PassTrace& trace, const CaptureFacts& facts, PassStage stage,
                   std::string name)
{
    StageRun made;
    made.stage = std::move(name);
    auto graph = stageOf(trace, stage, facts);
    if (graph.ok())
        made.graph = std::make_shared<const Graph>(std::move(graph->graph));
    else
        made.failure = std::move(graph.error());
    return made;
}

// Beside what it left there, may a run like this one take place on the device again?
bool leavesRoom(exec::Device& device, const StageRun& run, std::int64_t inputBytes)
{
    const std::int64_t needed =
        inputBytes + run.run.memory.devicePeakBytes.value_or(run.run.memory.peakBytes);
    return device.freeBytes() >= needed + needed / 4;
}

// Where the host has no room, either, values stay where they are.
void bringHome(exec::Device& device, StageRun& run)
{
    exec::HostCopies copies(device,
                            std::make_shared<exec::StorageTracker>(exec::defaultMemoryLimit()));
    for (std::vector<Value>* values : {&run.run.outputs, &run.inputs})
        for (Value& value : *values)
            if (auto here = copies.toHost(value); here.ok())
                value = std::move(*here);
}

void forgetValues(StageRun& run)
{
    run.run.outputs.clear();
    run.inputs.clear();
}

class Prover
{
public:
    Prover(const CaptureFacts& facts, const ShapeEnv& shapes, const EquivalenceOptions& options,
           const RunControl& control)
        : m_facts(facts)
        , m_shapes(shapes)
        , m_options(options)
        , m_control(control)
    {}

    Result<Equivalence> prove(const std::shared_ptr<const Graph>& graph, const PassTrace* trace)
    {
        REINSPECT_TRY(const GraphInputs inputs, makeInputs(*graph, m_shapes, m_options.inputs));
        m_answer.assumptions = inputs.assumptions;
        m_answer.inputNames = inputs.names;
        m_answer.seed = m_options.inputs.seed;
        REINSPECT_TRY(StageRun before, run("before", graph, m_options.observe));
        m_answer.runs.push_back(std::move(before));
        if (m_answer.runs.front().ran() && m_options.inputs.file)
            m_answer.reference = compareWithFile(m_answer.runs.front(), *m_options.inputs.file,
                                                 m_facts, inputs.names);
        if (m_options.comparesHost)
            REINSPECT_CHECK(addHost(graph));
        if (m_options.compares && trace)
        {
            if (m_options.begins && m_answer.runs.front().run.hasAtomics)
                m_options.begins("before");
            REINSPECT_TRY(m_noise,
                          noiseFloor(m_answer.runs.front(), m_facts, m_shapes, untimed(),
                                     inputs.names, m_control));
            for (const auto& [stage, name] : {std::pair{PassStage::After, "after"},
                                              {PassStage::Final, "final"},
                                              {PassStage::Baseline, "baseline"}})
                REINSPECT_CHECK(addStage(*trace, stage, name));
        }
        return std::move(m_answer);
    }

private:
    Result<StageRun> run(std::string name, std::shared_ptr<const Graph> graph,
                         const exec::NodeObserver& observe = {})
    {
        if (m_options.begins)
            m_options.begins(name);
        return runStage(std::move(name), std::move(graph), m_facts, m_shapes, m_options.inputs,
                        observe, m_control);
    }

    // For runs beside those that are asked about.
    InputSource untimed() const
    {
        InputSource source = m_options.inputs;
        source.timesNodes = source.recordsGraph = false;
        source.repeats = 0;
        return source;
    }

    Result<void> addHost(const std::shared_ptr<const Graph>& graph)
    {
        const StageRun& there = m_answer.runs.front();
        if (!there.ran() || !m_options.inputs.device)
            return {};
        if (m_options.begins)
            m_options.begins("before, on the host");
        InputSource source = untimed();
        source.device = nullptr;
        REINSPECT_TRY(const StageRun here,
                      runStage("before", graph, m_facts, m_shapes, source, {}, m_control));
        if (here.ran())
            m_answer.host = compareWithHost(there, here, m_facts, m_answer.inputNames);
        else
            m_answer.assumptions.push_back("the host could not run the graph to compare with: "
                                           + here.failure->message);
        return {};
    }

    Result<void> addStage(const PassTrace& trace, PassStage stage, const char* name)
    {
        StageRun made = stageFrom(trace, m_facts, stage, name);
        if (made.graph)
        {
            REINSPECT_TRY(made, run(name, made.graph));
        }
        const StageRun& before = m_answer.runs.front();
        if (before.ran() && made.ran())
        {
            StageComparison comparison;
            comparison.stage = name;
            comparison.results = compareRuns(before, made, m_answer.inputNames);
            markNoise(comparison.results, m_noise);
            comparison.isEqual = isAllEqual(comparison.results);
            comparison.newAliases = newAliases(before, made, m_answer.inputNames);
            if (!comparison.isEqual && m_options.findsNode)
            {
                if (m_options.begins)
                    m_options.begins("the first differing node");
                comparison.firstDifferingNode = firstDifferingNode(
                    before.graph, made.graph, m_facts, m_shapes, untimed(), m_control);
            }
            m_answer.comparisons.push_back(std::move(comparison));
        }
        forgetValues(made);
        m_answer.runs.push_back(std::move(made));
        return {};
    }

    const CaptureFacts& m_facts;
    const ShapeEnv& m_shapes;
    const EquivalenceOptions& m_options;
    const RunControl& m_control;
    NoiseFloor m_noise;
    Equivalence m_answer;
};

} // namespace

Result<StageRun> runStage(std::string stage, std::shared_ptr<const Graph> graph,
                          const CaptureFacts& facts, const ShapeEnv& shapes,
                          const InputSource& source, const exec::NodeObserver& observe,
                          const RunControl& control)
{
    REINSPECT_TRY(GraphInputs inputs, makeInputs(*graph, shapes, source));
    StageRun made;
    made.stage = std::move(stage);
    std::vector<std::uint64_t> untouched;
    for (const Value& value : inputs.run.placeholders)
        untouched.push_back(digestOf(value));
    const std::int64_t limit =
        source.memoryLimit > 0 ? source.memoryLimit : exec::defaultMemoryLimit();
    const exec::RunOptions options{source.seed,       limit,
                                   observe,           source.triton,
                                   source.foreign,    source.device,
                                   source.timesNodes, source.recordsGraph,
                                   source.repeats,    source.repeatSeconds,
                                   inputs.bytes,      true};
    made.run = exec::runGraph(*graph, facts, inputs.run, options, control);
    made.inputs = std::move(made.run.inputs);
    made.failure = made.run.failure;
    for (std::size_t i = 0; i < made.inputs.size() && !made.failure; ++i)
        made.written.push_back(digestOf(made.inputs[i]) != untouched[i]);
    if (source.device && !leavesRoom(*source.device, made, inputs.bytes))
        bringHome(*source.device, made);
    made.forecast = forecastMemory(*graph, facts, made.run.symbols);
    made.graph = std::move(graph);
    return made;
}

std::vector<ResultComparison> compareRuns(const StageRun& expected, const StageRun& found,
                                          const std::vector<std::string>& inputNames)
{
    std::vector<ResultComparison> results;
    const std::size_t outputs = std::max(expected.run.outputs.size(), found.run.outputs.size());
    for (std::size_t i = 0; i < outputs; ++i)
    {
        ResultComparison result{"output." + std::to_string(i), {}, false};
        if (i < expected.run.outputs.size() && i < found.run.outputs.size())
            result.difference = compareValues(expected.run.outputs[i], found.run.outputs[i]);
        else
        {
            result.difference.isBitwise = result.difference.isWithin = false;
            result.difference.mismatch = "only one of the graphs returns it";
        }
        results.push_back(std::move(result));
    }
    for (std::size_t i = 0;
         i < inputNames.size() && i < expected.inputs.size() && i < found.inputs.size(); ++i)
        if (isWritten(expected, i) || isWritten(found, i))
            results.push_back({"mutated." + inputNames[i],
                               compareValues(expected.inputs[i], found.inputs[i]), false});
    return results;
}

Result<Equivalence> proveEquivalence(const std::shared_ptr<const Graph>& graph,
                                     const CaptureFacts& facts, const ShapeEnv& shapes,
                                     const PassTrace* trace, const EquivalenceOptions& options,
                                     const RunControl& control)
{
    return Prover(facts, shapes, options, control).prove(graph, trace);
}

std::string StageRun::nameOf(NodeId node) const
{
    return node && graph->contains(node) ? graph->node(node).name : std::string();
}

std::optional<bool> Equivalence::isEqual() const
{
    bool any = false;
    bool equal = true;
    for (const StageComparison& comparison : comparisons)
        if (comparison.stage != "baseline")
        {
            any = true;
            equal = equal && comparison.isEqual;
        }
    for (const StageRun& run : runs)
        if (run.stage != "baseline" && !run.ran())
            return std::nullopt;
    return any ? std::optional(equal) : std::nullopt;
}

} // namespace reinspect::proof
