// SPDX-License-Identifier: MIT
// explain, decide, apply: what the pass does to the graphs of a file.
#include "app/policy_commands.h"
#include "core/passes/explain.h"
#include "core/passes/lowering.h"
#include "core/passes/pass_report.h"
#include "core/passes/reinplace_pass.h"
#include "core/proof/explain_report.h"

#include <algorithm>
#include <ostream>

namespace reinspect
{
namespace
{

using SharedTrace = std::shared_ptr<const PassTrace>;

// A document, the graphs that the command is about, and what the pass did to each.
struct PassRun
{
    SharedDocument document;
    std::vector<DocumentGraph> graphs;
    std::vector<SharedTrace> traces;
    std::vector<SharedTrace> others; // of --against
    ReinplacePolicy policy;
};

// Of a file of many graphs only those that the pass is given, unless one is asked for by its number.
std::vector<DocumentGraph> graphsForPass(const CommandLine& line, const PassRun& run,
                                         const Streams& streams)
{
    std::vector<DocumentGraph> inputs;
    const bool chosen = line.graph.has_value() || run.graphs.size() == 1;
    for (const DocumentGraph& entry : run.graphs)
        if (stageAdvice(entry.stage).empty())
            inputs.push_back(entry);
    if (inputs.size() == run.graphs.size() || (!chosen && !inputs.empty()))
    {
        if (inputs.size() < run.graphs.size())
            streams.err << run.document->fileName() << ": " << run.graphs.size() - inputs.size()
                        << " of " << run.graphs.size()
                        << " graphs are not the pass's input and were left out; info lists them, "
                           "--graph N asks for one\n";
        return inputs;
    }
    for (const DocumentGraph& entry : run.graphs)
        if (!stageAdvice(entry.stage).empty())
            streams.err << run.document->fileName() << ": graph \"" << entry.graph->name
                        << "\" is of stage " << stageName(entry.stage)
                        << "; these are not the decisions that were taken\n    "
                        << stageAdvice(entry.stage) << "\n";
    return run.graphs;
}

Result<PassRun> runPass(const CommandLine& line, const Streams& streams)
{
    PassRun run;
    // The policies first: a misspelled name should not wait for a large file.
    REINSPECT_CHECK(policyFrom(line));
    ReinplacePolicy other;
    if (!line.against.empty())
    {
        REINSPECT_TRY(other, policyNamed(line.against));
    }
    REINSPECT_TRY(run.document, loadForCommand(line, streams));
    REINSPECT_TRY(run.policy, policyFrom(line, run.document->producer));
    REINSPECT_TRY(run.graphs, chosenGraphs(line, *run.document));
    run.graphs = graphsForPass(line, run, streams);
    for (const DocumentGraph& entry : run.graphs)
    {
        const PassInput input{entry.graph, run.document->facts, run.document->shapes};
        REINSPECT_TRY(SharedTrace trace, runReinplace(input, run.policy));
        run.traces.push_back(std::move(trace));
        if (line.against.empty())
            continue;
        REINSPECT_TRY(SharedTrace second, runReinplace(input, other));
        run.others.push_back(std::move(second));
    }
    REINSPECT_CHECK(checkOverrides(run.policy, run.traces));
    return run;
}

// One line a decision: "node argument: verdict (reason)".
std::string decisionLines(const PassTrace& trace)
{
    std::string text;
    for (const Decision& decision : trace.decisions)
    {
        text += trace.nameOf(decision.node) + " " + decision.argument + ": "
            + std::string(verdictName(decision.verdict));
        if (decision.reason)
            text += " (" + std::string(reasonName(*decision.reason)) + ")";
        text += decision.certainty == Certainty::Assumed ? ", assumed: " + decision.assumption : "";
        for (const Hazard& hazard : decision.hazards)
            text += "; hazard: " + hazardSentence(trace, hazard);
        text += decision.safe ? "; missed opportunity\n" : "\n";
    }
    return text;
}

std::string heading(const PassRun& run, std::size_t index)
{
    if (run.graphs.size() < 2)
        return {};
    return (index == 0 ? "graph \"" : "\ngraph \"") + run.graphs[index].graph->name + "\"\n";
}

Stage documentStage(PassStage stage)
{
    switch (stage)
    {
    case PassStage::Canonical: return Stage::Canonical;
    case PassStage::Core: return Stage::CoreAfter;
    case PassStage::After: return Stage::AfterPass;
    case PassStage::Final: return Stage::Final;
    case PassStage::Baseline: break;
    }
    return Stage::Baseline;
}

// What was said of a graph without a return rests on what was left of it: it is printed, and yet the
// input was bad.
Result<void> refuseCutGraphs(const PassRun& run)
{
    for (const auto& trace : run.traces)
        if (!trace->initial->output())
            return Error{.message = "the graph '" + trace->initial->name
                             + "' has no return, so its verdicts are assumed",
                         .hint = "The text is probably cut: copy the whole dump.",
                         .file = run.document->fileName()};
    return {};
}

} // namespace

Result<void> runExplain(const CommandLine& line, const Streams& streams)
{
    REINSPECT_TRY(const PassRun run, runPass(line, streams));
    const CaptureFacts& facts = run.document->facts;
    std::vector<proof::ExplainedGraph> graphs;
    for (const SharedTrace& trace : run.traces)
        graphs.push_back({trace, proof::allKernelEffects(*trace->initial, facts)});
    if (line.json)
        streams.out << proof::explainJson(run.document->fileName(), describe(run.policy), graphs);
    for (std::size_t i = 0; i < graphs.size() && !line.json; ++i)
    {
        streams.out << heading(run, i) << explainAll(*run.traces[i]);
        // A dump knows no kernels, and would say so at each launch.
        if (!facts.kernels.empty() && !graphs[i].kernels.empty())
            streams.out << "\n"
                        << proof::kernelEffectsText(*run.traces[i]->initial, graphs[i].kernels);
    }
    return refuseCutGraphs(run);
}

Result<void> runDecide(const CommandLine& line, const Streams& streams)
{
    REINSPECT_TRY(const PassRun run, runPass(line, streams));
    if (line.json && run.others.empty())
        streams.out << decisionsJson(run.document->fileName(), describe(run.policy), run.traces);
    else if (line.json)
        streams.out << differencesJson(run.document->fileName(), run.traces, run.others);
    else
        for (std::size_t i = 0; i < run.traces.size(); ++i)
            streams.out << heading(run, i)
                        << (run.others.empty() ? decisionLines(*run.traces[i])
                                               : differenceLines(*run.traces[i], *run.others[i]));
    return refuseCutGraphs(run);
}

Result<void> runApply(const CommandLine& line, const Streams& streams)
{
    const std::optional<PassStage> stage = passStageNamed(line.stage);
    if (!stage)
        return Error{.message = "unknown stage '" + line.stage + "'", .kind = ErrorKind::BadUsage};
    CommandLine one = line;
    one.graph = line.graph.value_or(0);
    REINSPECT_TRY(const PassRun run, runPass(one, streams));
    if (!line.graph && run.document->graphs.size() > 1)
        streams.err << run.document->fileName() << ": graph 0 of " << run.document->graphs.size()
                    << "; --graph N chooses another\n";
    REINSPECT_TRY(const StageGraph at, stageOf(*run.traces.front(), *stage, run.document->facts));
    for (const std::string& sentence : at.assumptions)
        streams.err << run.document->fileName() << ": assumed: " << sentence << '\n';
    const std::string form = line.to.empty() ? "readable" : line.to;
    REINSPECT_TRY(const std::string text,
                  writeAs(form, *run.document, at.graph, documentStage(*stage)));
    return writeOutput(line, streams, text);
}

} // namespace reinspect
