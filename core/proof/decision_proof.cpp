// SPDX-License-Identifier: MIT
#include "core/proof/decision_proof.h"

#include "core/passes/lowering.h"
#include "core/proof/first_difference.h"
#include "core/proof/noise_floor.h"
#include "core/proof/result_aliases.h"
#include "core/proof/verdict_sentence.h"

#include <algorithm>

namespace reinspect::proof
{
namespace
{

// Which of the policy's writes in place happen.
enum class Taken : std::uint8_t
{
    Nothing,
    OnlyThis,
    AllOthers,
    Everything,
};

class DecisionProver
{
public:
    DecisionProver(const PassInput& input, const PassTrace& trace, const Decision& decision,
                   const InputSource& source, const RunControl& control)
        : m_input(input)
        , m_trace(trace)
        , m_decision(decision)
        , m_source(source)
        , m_control(control)
    {}

    Result<DecisionProof> prove()
    {
        m_answer.node = m_trace.nameOf(m_decision.node);
        m_answer.argument = m_decision.argument;
        m_answer.isTaken = m_decision.verdict == Verdict::Reinplaced;
        REINSPECT_TRY(const GraphInputs inputs,
                      makeInputs(*m_input.graph, m_input.shapes, m_source));
        m_names = inputs.names;
        REINSPECT_TRY(const StageRun before, runGraph("before", m_input.graph));
        REINSPECT_TRY(
            m_noise,
            noiseFloor(before, m_input.facts, m_input.shapes, m_source, m_names, m_control));
        if (before.ran())
        {
            REINSPECT_CHECK(proveAgainst(before));
        }
        m_answer.explanation = sentence();
        return std::move(m_answer);
    }

private:
    Result<void> proveAgainst(const StageRun& before)
    {
        REINSPECT_TRY(const StageRun alone, runWith(Taken::OnlyThis));
        if (!alone.ran())
            return {};
        m_answer.newAliases = newAliases(before, alone, m_names);
        if (isAllEqual(compare(before, alone)))
            return proveBesideOthers(before);
        // What even the graph with every clone computes otherwise is not this write's doing.
        REINSPECT_TRY(const StageRun nothing, runWith(Taken::Nothing));
        if (!nothing.ran())
            return {};
        m_answer.newAliases = newAliases(nothing, alone, m_names);
        m_answer.results = compare(nothing, alone);
        if (isAllEqual(m_answer.results))
            return proveBesideOthers(before);
        m_answer.effect = DecisionEffect::Alone;
        return findNode(nothing, alone);
    }

    Result<void> proveBesideOthers(const StageRun& before)
    {
        REINSPECT_TRY(const StageRun everything, runWith(Taken::Everything));
        if (!everything.ran())
            return {};
        m_answer.results = compare(before, everything);
        if (isAllEqual(m_answer.results))
            return sayNone();
        REINSPECT_TRY(const StageRun others, runWith(Taken::AllOthers));
        if (!others.ran())
            return {};
        m_answer.othersDiffer = !isAllEqual(compare(before, others));
        m_answer.results = compare(others, everything);
        if (isAllEqual(m_answer.results))
            return sayNone();
        m_answer.effect = DecisionEffect::WithOthers;
        return findNode(others, everything);
    }

    Result<void> sayNone()
    {
        m_answer.effect =
            m_answer.newAliases.empty() ? DecisionEffect::None : DecisionEffect::Aliases;
        return {};
    }

    Result<void> findNode(const StageRun& without, const StageRun& with)
    {
        m_answer.firstDifferingNode = firstDifferingNode(without.graph, with.graph, m_input.facts,
                                                         m_input.shapes, m_source, m_control);
        return {};
    }

    bool isAsked(const Decision& decision) const
    {
        return decision.node == m_decision.node && decision.argument == m_decision.argument;
    }

    ReinplacePolicy policyFor(Taken taken) const
    {
        ReinplacePolicy policy = m_trace.policy;
        const bool hasOthers = taken == Taken::AllOthers || taken == Taken::Everything;
        for (const Decision& decision : m_trace.decisions)
        {
            const bool force = isAsked(decision)
                ? taken == Taken::OnlyThis || taken == Taken::Everything
                : hasOthers && decision.verdict == Verdict::Reinplaced;
            setOverride(policy, {m_trace.nameOf(decision.node), decision.argument, force});
        }
        return policy;
    }

    Result<StageRun> runWith(Taken taken)
    {
        REINSPECT_TRY(const auto trace, runReinplace(m_input, policyFor(taken), m_control));
        Result<Graph> graph = graphAtStage(*trace, PassStage::Final, m_input.facts);
        if (graph.ok())
            return runGraph("final", std::make_shared<const Graph>(std::move(*graph)));
        StageRun made;
        made.stage = "final";
        made.failure = graph.error();
        m_failure = failureSentence(made);
        return made;
    }

    Result<StageRun> runGraph(std::string stage, std::shared_ptr<const Graph> graph)
    {
        ++m_answer.runs;
        REINSPECT_TRY(StageRun made,
                      runStage(std::move(stage), std::move(graph), m_input.facts, m_input.shapes,
                               m_source, {}, m_control));
        if (m_control.stopRequested())
            return Error{.message = "stopped", .kind = ErrorKind::CannotRunHere};
        if (!made.ran())
            m_failure = failureSentence(made);
        return made;
    }

    std::vector<ResultComparison> compare(const StageRun& expected, const StageRun& found) const
    {
        auto results = compareRuns(expected, found, m_names);
        markNoise(results, m_noise);
        return results;
    }

    std::string differingText() const
    {
        std::string names;
        std::size_t count = 0;
        for (const ResultComparison& result : m_answer.results)
            if (!result.difference.isBitwise && !result.isNoise && ++count <= 3)
                names += (names.empty() ? "" : ", ") + result.name;
        names += count > 3 ? ", ..." : "";
        return names
            + (m_answer.firstDifferingNode.empty()
                   ? "."
                   : ", from node \"" + m_answer.firstDifferingNode + "\" on.");
    }

    std::string aliasText() const
    {
        const NewAlias& alias = m_answer.newAliases.front();
        return alias.first + " then shares memory with " + alias.second + ", as it did not before.";
    }

    std::string sentence() const
    {
        const std::string write = std::string("Writing argument ") + m_answer.argument + " of '"
            + m_answer.node + "' in place ";
        const std::string would = m_answer.isTaken ? "" : "would ";
        const std::string s = m_answer.isTaken ? "s" : "";
        const std::string others = m_answer.othersDiffer
            ? " Other writes in place of this policy change results, with it and without it."
            : "";
        switch (m_answer.effect)
        {
        case DecisionEffect::None:
            return write + would + "change" + s + " no result of these inputs." + others;
        case DecisionEffect::Aliases:
            return write + would + "change" + s + " no result of these inputs, but " + aliasText()
                + others;
        case DecisionEffect::Alone:
            return write + would + "change" + s
                + " results, with every other write forbidden: " + differingText();
        case DecisionEffect::WithOthers:
            return write + would + "change" + s
                + " results only beside other writes of the policy: " + differingText();
        case DecisionEffect::CannotTell: break;
        }
        return "Not told: " + m_failure;
    }

    const PassInput& m_input;
    const PassTrace& m_trace;
    const Decision& m_decision;
    const InputSource& m_source;
    const RunControl& m_control;
    std::vector<std::string> m_names;
    NoiseFloor m_noise;
    std::string m_failure;
    DecisionProof m_answer;
};

} // namespace

Result<DecisionProof> proveDecision(const PassInput& input, const PassTrace& trace,
                                    DecisionIndex decision, const InputSource& source,
                                    const RunControl& control)
{
    return DecisionProver(input, trace, trace.decision(decision), source, control).prove();
}

} // namespace reinspect::proof
