// SPDX-License-Identifier: MIT
#include "core/exec/executor.h"

#include "core/exec/device.h"
#include "core/exec/graph_runner.h"
#include "core/exec/host_copies.h"

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

// What a run on a device has beside one on the host: inputs over there, results back here.
class DeviceRun
{
public:
    DeviceRun(const RunOptions& options, RunContext& context)
        : m_device(options.device)
        , m_context(context)
        , m_times(options.timesNodes)
        , m_observesThere(options.staysOnDevice)
        , m_staysThere(options.staysOnDevice)
    {
        if (m_device)
            m_copies.emplace(*m_device, context.tracker);
    }

    Result<void> begin(RunInputs& inputs)
    {
        if (!m_device)
            return {};
        for (Value& value : inputs.placeholders)
        {
            REINSPECT_TRY(value, m_copies->toDevice(value, StorageRole::Input));
        }
        for (auto& [name, value] : inputs.attributes)
        {
            REINSPECT_TRY(value, m_copies->toDevice(value, StorageRole::Input));
        }
        m_context.accelerator = m_device.get();
        m_device->beginRun(m_times);
        return {};
    }

    // Waits for the device and takes what it counted.
    Result<void> finish(GraphRun& run)
    {
        if (!m_device)
            return {};
        REINSPECT_CHECK(m_device->finish());
        run.memory.devicePeakBytes = m_device->peakBytes();
        takeNodeTimes(run);
        return {};
    }

    // What further runs may write: copies, for nobody has looked at the results yet. Where those find no room, a device's
    // results are brought home first, and the host repeats nothing.
    RunInputs inputsToRepeat(const RunInputs& there, int& repeats)
    {
        RunInputs again = there;
        if (repeats < 1 || takeCopies(again).ok())
            return again;
        if (!m_device)
        {
            m_context.notes.insert("The run was not repeated: copies of its inputs find no room.");
            repeats = 0;
        }
        m_staysThere = false;
        return there;
    }

    // Inputs as the graph left them, and what it computed; in place.
    Result<void> collect(std::vector<Value>& outputs)
    {
        m_context.accelerator = nullptr;
        if (!m_device || m_staysThere)
            return {};
        REINSPECT_CHECK(m_copies->readBack());
        for (Value& value : outputs)
        {
            REINSPECT_TRY(value, m_copies->toHost(value));
        }
        return {};
    }

    // The placeholders' values: `there` as the run had them.
    const std::vector<Value>& inputs(const RunInputs& given, const RunInputs& there) const
    {
        return m_staysThere ? there.placeholders : given.placeholders;
    }

    // Again and again, for the time it takes; at most `most` seconds where that is not 0.
    Result<void> repeat(const Graph& graph, const RunInputs& inputs, const RunControl& control,
                        int repeats, double most, GraphRun& run)
    {
        const RunControl quiet{control.stop, {}};
        double spent = 0;
        for (int i = 0; i < repeats; ++i)
        {
            if (most > 0 && spent >= most)
                break;
            // Marks between the nodes take a device's time, too: of a given number of runs the last has them.
            const bool isTimed = m_times && (!m_device || most > 0 || i + 1 == repeats);
            std::vector<NodeTime> nodes;
            const auto begin = std::chrono::steady_clock::now();
            m_context.accelerator = m_device.get();
            if (m_device)
                m_device->beginRun(isTimed);
            GraphRunner runner(graph, m_context, quiet);
            runner.isOutermost = true;
            runner.times = isTimed ? &nodes : nullptr;
            REINSPECT_TRY(const auto values, runner.run(inputs));
            if (m_device)
                REINSPECT_CHECK(m_device->finish());
            m_context.accelerator = nullptr;
            takeLeast(nodes, run);
            run.repeatSeconds.push_back(
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
            spent += run.repeatSeconds.back();
        }
        return {};
    }

    // The launches of a run as one graph of CUDA's. What keeps it from being one is a note: the run itself is fine.
    void record(const Graph& graph, const RunInputs& inputs, const RunControl& control, int times,
                GraphRun& run)
    {
        if (!m_device || times < 1)
            return;
        const auto outcome = [&]() -> Result<std::vector<double>> {
            m_device->beginRun(false);
            REINSPECT_CHECK(m_device->beginRecording());
            m_context.accelerator = m_device.get();
            GraphRunner runner(graph, m_context, control);
            const auto values = runner.run(inputs); // alive until it was replayed
            m_context.accelerator = nullptr;
            return m_device->replay(times);
        }();
        if (outcome.ok())
            run.graphSeconds = *outcome;
        else
            m_context.notes.insert("The run could not be recorded as a CUDA graph: "
                                   + outcome.error().message);
    }

    // The value of a node as it is now.
    void observe(const NodeObserver& observer, NodeId node, const Value& value) const
    {
        if (!m_device || m_observesThere)
            observer(node, value);
        else if (const auto here = broughtHome(value); here.ok())
            observer(node, *here);
    }

private:
    Result<void> takeCopies(RunInputs& inputs) const
    {
        OwnCopies copies(m_context.tracker);
        for (Value& value : inputs.placeholders)
        {
            REINSPECT_TRY(value, copies.of(value));
        }
        for (auto& [name, value] : inputs.attributes)
        {
            REINSPECT_TRY(value, copies.of(value));
        }
        return {};
    }

    // Of each node, among the runs so far: the first one also waits for code to be loaded.
    void takeLeast(std::vector<NodeTime>& nodes, GraphRun& run) const
    {
        const std::vector<double> there =
            m_device ? m_device->nodeSeconds() : std::vector<double>();
        for (std::size_t i = 0; i < nodes.size() && i < run.nodeTimes.size(); ++i)
        {
            if (m_device && !nodes[i].isOnHost)
                nodes[i].seconds = i < there.size() ? there[i] : run.nodeTimes[i].seconds;
            run.nodeTimes[i].seconds = std::min(run.nodeTimes[i].seconds, nodes[i].seconds);
        }
    }

    void takeNodeTimes(GraphRun& run) const
    {
        const std::vector<double> seconds =
            m_device ? m_device->nodeSeconds() : std::vector<double>();
        for (std::size_t i = 0; i < seconds.size() && i < run.nodeTimes.size(); ++i)
            run.nodeTimes[i].seconds = seconds[i];
    }

    std::shared_ptr<Device> m_device;
    RunContext& m_context;
    bool m_times;
    bool m_observesThere;
    bool m_staysThere;
    std::optional<HostCopies> m_copies;
};

void sayHowTheDeviceRan(GraphRun& run)
{
    if (run.usesTf32)
        run.notes.insert("Products of float32 matrices were allowed to use TF32.");
    for (const auto& [target, runs] : run.hostRuns)
        run.notes.insert(target + " has no code for the device: it ran on the host, "
                         + std::to_string(runs.calls) + (runs.calls == 1 ? " call" : " calls")
                         + " and " + std::to_string(runs.copiedBytes) + " bytes copied.");
}

} // namespace

GraphRun runGraph(const Graph& graph, const CaptureFacts& facts, const RunInputs& inputs,
                  const RunOptions& options, const RunControl& control)
{
    GraphRun run;
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
    BodyRunner bodies{context, control};
    context.runBody = [&](const Graph& body, std::vector<Value> given) {
        return bodies(body, std::move(given));
    };
    learnSymbols(graph, inputs.placeholders, context);
    DeviceRun device(options, context);
    RunInputs there = inputs;
    auto results = [&]() -> Result<std::vector<Value>> {
        REINSPECT_CHECK(device.begin(there));
        GraphRunner runner(graph, context, control);
        if (options.observe)
            runner.observe = [&](NodeId node, const Value& value) {
                device.observe(options.observe, node, value);
            };
        runner.isOutermost = true;
        runner.steps = &run.memory.steps;
        runner.times = options.timesNodes ? &run.nodeTimes : nullptr;
        const auto begin = std::chrono::steady_clock::now();
        auto made = runner.run(there);
        run.nodesRun = runner.nodesRun();
        run.failedNode = runner.failedNode();
        std::vector<Value> outputs;
        if (made.ok())
            for (const Value& value : *made)
                flatten(value, outputs);
        fillMemory(run.memory, context);
        run.hostRuns = context.hostRuns; // of this run, not of those for the time
        const auto finished = device.finish(run);
        run.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        int repeats = made.ok() && finished.ok() ? options.repeats : 0;
        const RunInputs again = device.inputsToRepeat(there, repeats);
        const auto collected = device.collect(outputs);
        if (!made.ok())
            return made.error();
        REINSPECT_CHECK(finished);
        REINSPECT_CHECK(collected);
        REINSPECT_CHECK(device.repeat(graph, again, control, repeats, options.repeatSeconds, run));
        if (options.recordsGraph)
            device.record(graph, again, control, repeats, run);
        return outputs;
    }();
    run.inputs = device.inputs(inputs, there);
    if (results.ok())
        run.outputs = std::move(*results);
    else
        run.failure = std::move(results.error());
    if (!run.failure)
        run.failedNode = {};
    run.device = options.device ? options.device->name() : std::string();
    run.usesTf32 = options.device && options.device->usesTf32();
    run.symbols = std::move(context.symbols);
    run.notes = std::move(context.notes);
    sayHowTheDeviceRan(run);
    run.hasAtomics = context.hasAtomics;
    return run;
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
