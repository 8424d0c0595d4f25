// SPDX-License-Identifier: MIT
// Runs a graph node by node on the host, as torch.fx.Interpreter does: a node's value is dropped after its
// last use, views are views, in-place is in-place. What the graph returns, what became of its inputs, and the
// memory over time are plain values. A run that cannot go on says which node and why, and keeps what it did.
#pragma once

#include "core/base/run_control.h"
#include "core/exec/kernel_call.h"

namespace reinspect::exec
{

// Told of the value of each node, right after it was computed. Tensors may be changed by later nodes.
using NodeObserver = std::function<void(NodeId, const Value&)>;

struct RunOptions
{
    std::uint64_t seed = 0;       // of random operators
    std::int64_t memoryLimit = 0; // bytes; 0: a share of what the machine has
    NodeObserver observe = {};
    std::shared_ptr<const TritonLibrary> triton = {}; // kernels of the capture
    std::shared_ptr<const ForeignOperators> foreign = {};
    // Null: the host. Inputs are copied there, and what becomes of them and the outputs back; memoryLimit then
    // bounds both together.
    std::shared_ptr<Device> device = {};
    bool timesNodes = false;   // GraphRun::nodeTimes
    bool recordsGraph = false; // on a device: `repeats` times as one CUDA graph, too
    // Further runs on what the first left of the inputs, for their time only; on the host on copies of it.
    int repeats = 0;
    double repeatSeconds = 0;    // no further run once they took so long; 0: no bound
    std::int64_t inputBytes = 0; // in use before the run, and part of memoryLimit
    // What `observe` is told, the outputs and what became of the inputs (GraphRun::inputs) stay on the device. With
    // `repeats` and no room there for copies the outputs and inputs come home nevertheless.
    bool staysOnDevice = false;
};

struct RunInputs
{
    std::vector<Value>
        placeholders; // in order; tensors are written where the graph writes its inputs
    std::map<std::string, Value> attributes;                  // by target: the tensors of get_attr
    std::map<std::string, std::int64_t, std::less<>> symbols; // what no placeholder tells
};

struct MemoryStep
{
    NodeId node;
    std::int64_t liveBytes =
        0; // after the node ran and the values that it was the last to use were dropped
    std::int64_t highBytes = 0; // the most while it ran
};

struct MemoryTimeline
{
    std::vector<MemoryStep> steps; // in program order
    std::vector<StorageLife> storages;
    std::int64_t peakBytes = 0; // over the inputs, each allocation rounded to 512
    NodeId peakNode;            // invalid when nothing was allocated
    std::size_t allocations = 0;
    std::int64_t copiedBytes = 0; // by clones and copies
    // On a device: the most bytes at once by its own count, over the inputs.
    std::optional<std::int64_t> devicePeakBytes;
};

struct NodeTime
{
    NodeId node;
    // By the device's own clock, where there is one: of the last repeat. On the host the least of all runs.
    double seconds = 0;
    std::int64_t bytes = 0; // of the tensors that it reads and makes, each once
    bool isOnHost = false;  // of a run on a device that has no code for it
};

struct GraphRun
{
    std::vector<Value> outputs; // as the output node lists them, nested lists flattened
    std::vector<Value> inputs;  // the placeholders' values as the graph left them
    MemoryTimeline memory;
    std::set<std::string> notes;
    std::map<std::string, std::int64_t, std::less<>> symbols; // as the inputs told
    std::optional<Error> failure;                             // it stopped here
    NodeId failedNode;
    std::size_t nodesRun = 0;
    double seconds = 0;
    std::vector<double> repeatSeconds; // of RunOptions::repeats
    std::vector<double> graphSeconds;  // the same as one CUDA graph
    bool hasAtomics = false;
    std::string device;                       // "NVIDIA H200"; empty: the host
    bool usesTf32 = false;                    // products of float32 matrices there
    std::vector<NodeTime> nodeTimes;          // in program order
    std::map<std::string, HostRuns> hostRuns; // by target: what the device had no code for
};

GraphRun runGraph(const Graph& graph, const CaptureFacts& facts, const RunInputs& inputs,
                  const RunOptions& options = {}, const RunControl& control = {});

// The targets of the graph, its bodies included, that no row runs; each once, in order.
std::vector<std::string> unknownTargets(const Graph& graph, const CaptureFacts& facts);

} // namespace reinspect::exec
