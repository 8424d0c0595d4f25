// SPDX-License-Identifier: MIT
#include "core/exec/executor.h"

#include "core/exec/device_run.h"
#include "core/exec/graph_runner.h"

#include <algorithm>
#include <chrono>

namespace reinspect::exec
{
namespace
{

constexpr int kDeepestBody = 64;

// The device of the first tensor that is not on the host.
std::string deviceOf(const Graph& graph)
{
    std::string found;
    for (const NodeId id : graph.order())
        if (const TensorMeta* meta = graph.node(id).meta.value.tensor())
        {
            if (!meta->device.empty() && meta->device != "cpu")
                return meta->device;
            found = found.empty() ? meta->device : found;
        }
    return found;
}

struct BodyRunner
{
    RunContext& context;
    const RunControl& control;
    int depth = 0;

    Result<std::vector<Value>> operator()(const Graph& body, std::vector<Value> inputs)
    {
        if (++depth > kDeepestBody)
            return Error{.message = "bodies of operators call each other too deeply",
                         .kind = ErrorKind::CannotRunHere};
        RunInputs given;
        given.placeholders = std::move(inputs);
        const auto outer = context.symbols;
        learnSymbols(body, given.placeholders, context);
        const RunControl quiet{control.stop, {}};
        GraphRunner runner(body, context, quiet, true);
        auto results = runner.run(given);
        context.symbols = outer;
        --depth;
        return results;
    }
};

void flatten(const Value& value, std::vector<Value>& out)
{
    if (const std::vector<Value>* items = value.items())
        for (const Value& item : *items)
            flatten(item, out);
    else
        out.push_back(value);
}

void fillMemory(MemoryTimeline& memory, const RunContext& context)
{
    memory.storages = context.tracker->lives();
    memory.peakBytes = context.tracker->peakBytes();
    memory.allocations = context.tracker->allocations();
    memory.copiedBytes = context.copiedBytes;
    if (context.tracker->peakBytes() > 0 && context.tracker->peakStep() < memory.steps.size())
        memory.peakNode = memory.steps[context.tracker->peakStep()].node;
}

void sayHowTheDeviceRan(GraphRun& run)
{
    if (run.usesTf32)
        run.notes.insert("Products of float32 matrices were allowed to use TF32.");
    for (const auto& [target, runs] : run.hostRuns)
        run.notes.insert(target + " has no code for the device: it ran on the host, "
                         + std::to_string(runs.calls) + (runs.calls == 1 ? " call" : " calls")
                         + " and " + std::to_string(runs.copiedBytes) + " bytes copied.");
}

RunContext contextFor(const Graph& graph, const CaptureFacts& facts, const RunInputs& inputs,
                      const RunOptions& options, const RunControl& control)
{
    RunContext context;
    context.facts = &facts;
    context.triton = options.triton;
    context.foreign = options.foreign.get();
    context.stop = control.stop;
    context.seed = options.seed;
    context.device = deviceOf(graph);
    context.symbols = inputs.symbols;
    context.tracker = std::make_shared<StorageTracker>(
        options.memoryLimit > 0 ? options.memoryLimit : defaultMemoryLimit(), options.inputBytes);
    return context;
}

// One call of runGraph().
class Execution
{
public:
    Execution(const Graph& graph, const CaptureFacts& facts, const RunInputs& inputs,
              const RunOptions& options, const RunControl& control)
        : m_graph(graph)
        , m_given(inputs)
        , m_options(options)
        , m_control(control)
        , m_context(contextFor(graph, facts, inputs, options, control))
        , m_bodies{m_context, control}
        , m_device(options, m_context)
        , m_there(inputs)
    {
        m_context.runBody = [this](const Graph& body, std::vector<Value> given) {
            return m_bodies(body, std::move(given));
        };
        learnSymbols(graph, inputs.placeholders, m_context);
    }

    GraphRun run()
    {
        auto results = compute();
        m_run.inputs = m_device.inputs(m_given, m_there);
        if (results.ok())
            m_run.outputs = std::move(*results);
        else
            m_run.failure = std::move(results.error());
        if (!m_run.failure)
            m_run.failedNode = {};
        m_run.device = m_options.device ? m_options.device->name() : std::string();
        m_run.usesTf32 = m_options.device && m_options.device->usesTf32();
        m_run.symbols = std::move(m_context.symbols);
        m_run.notes = std::move(m_context.notes);
        sayHowTheDeviceRan(m_run);
        m_run.hasAtomics = m_context.hasAtomics;
        return std::move(m_run);
    }

private:
    // The outputs, once; then for the time alone.
    Result<std::vector<Value>> compute()
    {
        REINSPECT_CHECK(m_device.begin(m_there));
        const auto begin = std::chrono::steady_clock::now();
        auto outputs = computeOnce();
        const auto finished = m_device.finish(m_run);
        m_run.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (outputs.ok() && !finished.ok())
            outputs = finished.error();
        int repeats = outputs.ok() ? m_options.repeats : 0;
        const RunInputs again = m_device.inputsToRepeat(m_there, repeats);
        std::vector<Value> none;
        const auto collected = m_device.collect(outputs.ok() ? *outputs : none);
        if (!outputs.ok())
            return outputs;
        REINSPECT_CHECK(collected);
        REINSPECT_CHECK(
            m_device.repeat(m_graph, again, m_control, repeats, m_options.repeatSeconds, m_run));
        if (m_options.recordsGraph)
            m_device.record(m_graph, again, m_control, repeats, m_run);
        return outputs;
    }

    Result<std::vector<Value>> computeOnce()
    {
        GraphRunner runner(m_graph, m_context, m_control);
        if (m_options.observe)
            runner.observe = [this](NodeId node, const Value& value) {
                m_device.observe(m_options.observe, node, value);
            };
        runner.isOutermost = true;
        runner.steps = &m_run.memory.steps;
        runner.times = m_options.timesNodes ? &m_run.nodeTimes : nullptr;
        const auto made = runner.run(m_there);
        m_run.nodesRun = runner.nodesRun();
        m_run.failedNode = runner.failedNode();
        fillMemory(m_run.memory, m_context);
        m_run.hostRuns = m_context.hostRuns; // of this run, not of those for the time
        if (!made.ok())
            return made.error();
        std::vector<Value> outputs;
        for (const Value& value : *made)
            flatten(value, outputs);
        return outputs;
    }

    const Graph& m_graph;
    const RunInputs& m_given;
    const RunOptions& m_options;
    const RunControl& m_control;
    RunContext m_context;
    BodyRunner m_bodies;
    DeviceRun m_device;
    RunInputs m_there; // the inputs where the graph runs
    GraphRun m_run;
};

} // namespace

GraphRun runGraph(const Graph& graph, const CaptureFacts& facts, const RunInputs& inputs,
                  const RunOptions& options, const RunControl& control)
{
    return Execution(graph, facts, inputs, options, control).run();
}

std::vector<std::string> unknownTargets(const Graph& graph, const CaptureFacts& facts)
{
    std::vector<std::string> unknown;
    const auto look = [&](const Graph& at, auto&& self) -> void {
        for (const NodeId id : at.order())
        {
            const Node& node = at.node(id);
            if (node.op != NodeOp::CallFunction || resolveKernel(node.target).row)
                continue;
            const CustomOperator* custom = facts.customOperator(node.target);
            if (!(custom && custom->body)
                && std::ranges::find(unknown, node.target) == unknown.end())
                unknown.push_back(node.target.str());
        }
        for (const auto& [name, body] : at.subgraphs)
            self(*body, self);
    };
    look(graph, look);
    return unknown;
}

} // namespace reinspect::exec
