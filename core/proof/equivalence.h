// SPDX-License-Identifier: MIT
// Is it safe, and what is it worth? One graph as it is before the pass and at later stages, each run on equal
// fresh inputs: outputs and inputs compared bit for bit, new aliases, memory predicted beside measured, the
// first node that differs, and a noise floor where operators add in no fixed order.
#pragma once

#include "core/passes/lowering.h"
#include "core/passes/reinplace_pass.h"
#include "core/proof/compare.h"
#include "core/proof/graph_inputs.h"
#include "core/proof/memory_forecast.h"

namespace reinspect::proof
{

// One graph, run once. On a device outputs and inputs stay there while it has room for another run beside them.
struct StageRun
{
    std::string stage;                  // "before", "after", "final", "baseline"
    std::shared_ptr<const Graph> graph; // null: the stage could not be made
    exec::GraphRun run;
    std::vector<exec::Value> inputs; // afterwards
    std::vector<bool> written;       // by input: its content changed; empty after a failure
    MemoryForecast forecast;
    std::optional<Error> failure; // the stage could not be made, or the run stopped

    bool ran() const { return graph && !failure; }
    std::string nameOf(NodeId node) const; // empty: none, or not of the graph
};

struct ResultComparison
{
    std::string name; // "output.0", "mutated.arg1_1"
    Difference difference;
    bool isNoise = false; // two runs of `before` differ as much
};

struct NewAlias
{
    std::string first;  // "output.0"
    std::string second; // "output.1", "input arg0_1"
};

struct StageComparison
{
    std::string stage;
    std::vector<ResultComparison> results;
    std::vector<NewAlias> newAliases;
    std::string firstDifferingNode; // name; empty: none that both graphs have
    bool isEqual = true;            // every result bitwise, noise aside
};

struct ReferenceResult
{
    std::string name;
    Difference difference;
};

struct Reference
{
    bool isThere = false;
    bool isEqual = true; // within the tolerances of compare.h
    Exactness exactness = Exactness::Moved;
    std::vector<ReferenceResult> results;
};

struct Equivalence
{
    std::vector<StageRun> runs;               // before first; of the others the values are gone
    std::vector<StageComparison> comparisons; // of each other stage that ran
    Reference reference;
    Reference host; // `before` on a device against `before` on the host; only where asked for
    std::vector<std::string> assumptions;
    std::vector<std::string> inputNames;
    std::uint64_t seed = 0;

    // final and after against before; nothing when one of them did not run.
    std::optional<bool> isEqual() const;
};

struct EquivalenceOptions
{
    InputSource inputs;
    bool compares = true;      // false: only `before`
    bool comparesHost = false; // a run on a device with one on the host
    bool findsNode = true;     // the first differing node, by running again where results differ
    exec::NodeObserver observe =
        {}; // of the run of `before`; values on a device are told of as they lie there
    // Told of each stage as its run begins.
    std::function<void(std::string_view)> begins = {};
};

// The error is of the inputs; a graph that cannot run is part of the answer.
Result<Equivalence> proveEquivalence(const std::shared_ptr<const Graph>& graph,
                                     const CaptureFacts& facts, const ShapeEnv& shapes,
                                     const PassTrace* trace, const EquivalenceOptions& options,
                                     const RunControl& control = {});

// Fresh inputs, one run. `observe` is told of values on a device as they lie there.
Result<StageRun> runStage(std::string stage, std::shared_ptr<const Graph> graph,
                          const CaptureFacts& facts, const ShapeEnv& shapes,
                          const InputSource& source, const exec::NodeObserver& observe = {},
                          const RunControl& control = {});

// Outputs, then inputs that either run wrote.
std::vector<ResultComparison> compareRuns(const StageRun& expected, const StageRun& found,
                                          const std::vector<std::string>& inputNames);

} // namespace reinspect::proof
