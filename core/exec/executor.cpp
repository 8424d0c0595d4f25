// SPDX-License-Identifier: MIT
#include "core/exec/executor.h"

#include "core/exec/graph_runner.h"
#include "core/exec/kernel_registry.h"

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

} // namespace

GraphRun runGraph(const Graph& graph, const CaptureFacts& facts, const RunInputs& inputs,
                  const RunOptions& options, const RunControl& control)
{
    const auto begin = std::chrono::steady_clock::now();
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
        options.memoryLimit > 0 ? options.memoryLimit : defaultMemoryLimit());
    BodyRunner bodies{context, control};
    context.runBody = [&](const Graph& body, std::vector<Value> given) {
        return bodies(body, std::move(given));
    };
    learnSymbols(graph, inputs.placeholders, context);
    GraphRunner runner(graph, context, control);
    runner.observe = options.observe;
    runner.steps = &run.memory.steps;
    auto results = runner.run(inputs);
    run.nodesRun = runner.nodesRun();
    if (results.ok())
        for (const Value& value : *results)
            flatten(value, run.outputs);
    else
    {
        run.failure = std::move(results.error());
        run.failedNode = runner.failedNode();
    }
    fillMemory(run.memory, context);
    run.symbols = std::move(context.symbols);
    run.notes = std::move(context.notes);
    run.hasAtomics = context.hasAtomics;
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
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
