// SPDX-License-Identifier: MIT
// run: a graph computed on this machine, and with --compare what the pass made of it beside it.
#include "app/policy_commands.h"
#include "app/run_progress.h"
#include "core/gpu/gpu_module.h"
#include "core/proof/proof_report.h"
#include "core/proof/triton_files.h"

#include <algorithm>
#include <ostream>

namespace reinspect
{
namespace
{

struct RunJob
{
    SharedDocument document;
    DocumentGraph graph;
    ReinplacePolicy policy;
    std::optional<TensorFile> file;
    proof::InputSource source;
    std::shared_ptr<const PassTrace> trace; // null: not compared
};

// The first run loads code and touches memory for the first time: nodes are timed in a second one.
std::int64_t usualRepeats(const CommandLine& line)
{
    if (line.cudaGraph)
        return 3;
    return line.times ? 1 : 0;
}

Result<RunJob> prepare(const CommandLine& line, const Streams& streams)
{
    RunJob job;
    REINSPECT_CHECK(policyFrom(line));
    REINSPECT_TRY(job.document, loadForCommand(line, streams));
    REINSPECT_TRY(job.policy, policyFrom(line, job.document->producer));
    CommandLine one = line;
    one.graph = line.graph.value_or(0);
    REINSPECT_TRY(const auto graphs, chosenGraphs(one, *job.document));
    job.graph = graphs.front();
    if (!line.inputs.empty())
    {
        REINSPECT_TRY(job.file, readSafetensors(line.inputs));
    }
    job.source = {nullptr, line.seed.value_or(0), line.memoryLimit.value_or(0),
                  proof::readTritonLibrary(job.document->facts)};
    if (line.backend != "cuda" && (line.tf32 || line.device || line.againstCpu || line.cudaGraph))
        return Error{.message = "--tf32, --device, --against-cpu and --cuda-graph are about GPUs",
                     .hint = "They go with --backend cuda.",
                     .kind = ErrorKind::BadUsage};
    if (line.backend == "cuda")
    {
        REINSPECT_TRY(const gpu::Gpu gpu,
                      gpu::openGpu(static_cast<int>(line.device.value_or(0)), line.tf32));
        job.source.device = gpu.device;
        job.source.recordsGraph = line.cudaGraph;
    }
    job.source.timesNodes = line.times;
    job.source.repeats = static_cast<int>(line.repeat.value_or(usualRepeats(line)));
    for (const std::string& text : line.symbols)
    {
        REINSPECT_TRY(const proof::SymbolNumbers numbers, proof::symbolNumbers(text));
        for (const auto& [name, number] : numbers)
            job.source.symbols[name] = number;
    }
    if (!line.compare && !line.bisect && line.prove.empty())
        return job;
    const PassInput input{job.graph.graph, job.document->facts, job.document->shapes};
    REINSPECT_TRY(job.trace, runReinplace(input, job.policy));
    REINSPECT_CHECK(checkOverrides(job.policy, std::span(&job.trace, 1)));
    if (!stageAdvice(job.graph.stage).empty())
        streams.err << job.document->fileName() << ": the graph is of stage "
                    << stageName(job.graph.stage) << ", not the pass's input\n";
    return job;
}

// The first thing that kept an answer from being given.
const Error* failureOf(const proof::Equivalence& found)
{
    for (const proof::StageRun& run : found.runs)
        if (!run.ran() && run.stage != "baseline")
            return &*run.failure;
    return nullptr;
}

// Each decision that --prove names.
Result<std::vector<proof::DecisionProof>> proveChosen(const CommandLine& line, const RunJob& job)
{
    std::vector<proof::DecisionProof> proven;
    const PassInput input{job.graph.graph, job.document->facts, job.document->shapes};
    for (const std::string& text : line.prove)
    {
        const DecisionOverride chosen = overrideFrom(text, false);
        const std::size_t known = proven.size();
        for (std::size_t i = 0; i < job.trace->decisions.size(); ++i)
        {
            const Decision& decision = job.trace->decisions[i];
            if (job.trace->nameOf(decision.node) != chosen.node
                || (!chosen.argument.empty() && decision.argument != chosen.argument))
                continue;
            REINSPECT_TRY(auto found,
                          proof::proveDecision(input, *job.trace, DecisionIndex(i), job.source));
            proven.push_back(std::move(found));
        }
        if (proven.size() == known)
            return Error{.message = "--prove " + text + ": the pass decides about no such argument",
                         .hint = "decide lists the decisions.",
                         .kind = ErrorKind::BadUsage};
    }
    return proven;
}

bool changesResults(const proof::DecisionProof& proven)
{
    return proven.effect == proof::DecisionEffect::Alone
        || proven.effect == proof::DecisionEffect::WithOthers;
}

Result<bool> runJob(const CommandLine& line, const Streams& streams)
{
    REINSPECT_TRY(RunJob job, prepare(line, streams));
    job.source.file = job.file ? &*job.file : nullptr;
    proof::EquivalenceOptions options;
    options.inputs = job.source;
    options.compares = line.compare;
    RunProgress progress(streams.err);
    if (line.progress)
        options.begins = [&](std::string_view stage) { progress.begin(stage); };
    options.comparesHost = line.againstCpu;
    REINSPECT_TRY(const proof::Equivalence found,
                  proof::proveEquivalence(job.graph.graph, job.document->facts,
                                          job.document->shapes, job.trace.get(), options,
                                          line.progress ? progress.control() : RunControl{}));
    std::optional<proof::BisectResult> bisect;
    if (line.bisect)
    {
        const PassInput input{job.graph.graph, job.document->facts, job.document->shapes};
        REINSPECT_TRY(bisect, proof::findDecision(input, job.policy, job.source));
    }
    REINSPECT_TRY(const std::vector<proof::DecisionProof> proven, proveChosen(line, job));
    std::vector<proof::SavedBytes> saved;
    if (job.trace && line.compare && !found.runs.empty())
    {
        const PassInput input{job.graph.graph, job.document->facts, job.document->shapes};
        REINSPECT_TRY(
            saved,
            proof::savedBytes(input, *job.trace, {.symbols = found.runs.front().run.symbols}));
    }
    const proof::ReportFacts facts{job.document->fileName(),
                                   job.graph.graph->name,
                                   describe(job.policy),
                                   line.inputs.empty() ? "seed " + std::to_string(job.source.seed)
                                                       : line.inputs,
                                   job.trace.get(),
                                   saved,
                                   bisect ? &*bisect : nullptr,
                                   proven};
    streams.out << (line.json ? proof::proofJson(found, facts) : proof::proofText(found, facts));
    if (const Error* failure = failureOf(found))
        return *failure;
    return found.isEqual().value_or(true) && std::ranges::none_of(proven, changesResults);
}

} // namespace

Result<bool> runRun(const CommandLine& line, const Streams& streams)
{
    auto answer = runJob(line, streams);
    if (!answer.ok() && answer.error().file.empty() && !line.files.empty())
        answer.error().file = line.files.front();
    return answer;
}

} // namespace reinspect
