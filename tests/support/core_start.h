// SPDX-License-Identifier: MIT
// The graph as the core phase starts with every argument that the pass tries, to be judged by the
// precise analysis without the pass.
#pragma once

#include "core/passes/precise_judge.h"
#include "core/passes/reinplace_pass.h"
#include "core/passes/trace_cursor.h"

#include "tests/support/tiny_interpreter.h"

namespace reinspect
{

struct CoreStart
{
    CoreStart(std::shared_ptr<const Graph> initial, const CaptureFacts& given)
        : facts(given)
        , trace(runReinplace({std::move(initial), given, {}}).value())
        , graph(graphAfterEdits(*trace, trace->canonicalEdits))
        , analysis(graph, facts, {})
    {}
    CoreStart(const CoreStart&) = delete;

    CaptureFacts facts;
    std::shared_ptr<const PassTrace> trace;
    Graph graph;
    CoreAnalysis analysis;

    PreciseAnswer judge(const PreciseJudge& judge, const Decision& decision) const
    {
        const bool isList = decision.kind == CandidateKind::Foreach || decision.mutated.size() > 1;
        return judge.judge(decision.node, decision.kind, decision.argument, decision.mutated,
                           isList);
    }
    void accept(PreciseJudge& judge, const Decision& decision, InPlaceChoices& choices) const
    {
        judge.accept(decision.node, decision.kind, decision.argument, decision.mutated);
        choices.written.insert({decision.node, decision.argument});
        for (const NodeId member : decision.mutated)
            if (const NodeId copy = analysis.copyOf(member, decision.node))
                choices.droppedCopies.insert(copy);
    }
};

// "r: yes", "r: UsedLater (OldValueRead) by y, v": the judge's own policy, a line an argument.
inline std::string told(const CoreStart& start)
{
    PreciseJudge judge(start.graph, start.analysis, start.facts);
    InPlaceChoices choices;
    std::string text;
    for (const Decision& decision : start.trace->decisions)
    {
        const PreciseAnswer answer = start.judge(judge, decision);
        text += (text.empty() ? "" : "; ") + start.graph[decision.node].name;
        if (decision.kind != CandidateKind::Table && decision.kind != CandidateKind::Foreach)
            text += "[" + decision.argument + "]";
        text += ": ";
        if (!answer.reason)
        {
            start.accept(judge, decision, choices);
            text += "yes";
            continue;
        }
        text += reasonName(*answer.reason);
        if (answer.hazard)
            text += " (" + std::string(hazardName(*answer.hazard)) + ")";
        for (std::size_t i = 0; i < answer.witnesses.size(); ++i)
            text += (i == 0 ? " by " : ", ") + start.graph[answer.witnesses[i]].name;
        if (!answer.assumption.empty())
            text += " assumed";
    }
    return text;
}

} // namespace reinspect
