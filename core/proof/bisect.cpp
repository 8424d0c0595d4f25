// SPDX-License-Identifier: MIT
#include "core/proof/bisect.h"

#include "core/proof/noise_floor.h"

namespace reinspect::proof
{
namespace
{

struct Choice
{
    std::string node;
    std::string argument;
};

class Bisection
{
public:
    Bisection(const PassInput& input, const ReinplacePolicy& policy, const InputSource& source,
              const RunControl& control)
        : m_input(input)
        , m_policy(policy)
        , m_source(source)
        , m_control(control)
    {}

    Result<BisectResult> run()
    {
        REINSPECT_TRY(const auto trace, runReinplace(m_input, m_policy, m_control));
        for (const Decision& decision : trace->decisions)
            if (decision.verdict == Verdict::Reinplaced)
                m_choices.push_back({trace->nameOf(decision.node), decision.argument});
        m_result.decisions = m_choices.size();
        const GraphPointer graph = m_input.graph;
        REINSPECT_TRY(
            m_before,
            runStage("before", graph, m_input.facts, m_input.shapes, m_source, {}, m_control));
        if (!m_before.ran())
            return *m_before.failure;
        REINSPECT_TRY(const GraphInputs inputs, makeInputs(*graph, m_input.shapes, m_source));
        m_names = inputs.names;
        REINSPECT_TRY(
            m_noise,
            noiseFloor(m_before, m_input.facts, m_input.shapes, m_source, m_names, m_control));
        return search();
    }

private:
    using GraphPointer = std::shared_ptr<const Graph>;

    Result<BisectResult> search()
    {
        REINSPECT_TRY(const bool allAgree, agrees(m_choices.size()));
        if (allAgree)
        {
            m_result.explanation = "The results agree with every decision in force.";
            return m_result;
        }
        REINSPECT_TRY(const bool noneAgrees, agrees(0));
        if (!noneAgrees)
        {
            m_result.explanation = "The results differ even with every decision forbidden.";
            return m_result;
        }
        std::size_t good = 0;
        std::size_t bad = m_choices.size();
        while (bad - good > 1)
        {
            const std::size_t middle = good + (bad - good) / 2;
            REINSPECT_TRY(const bool fine, agrees(middle));
            (fine ? good : bad) = middle;
        }
        m_result.found = true;
        m_result.node = m_choices[bad - 1].node;
        m_result.argument = m_choices[bad - 1].argument;
        m_result.explanation =
            "With the writes in place before it the results agree; writing argument "
            + m_result.argument + " of '" + m_result.node + "' in place changes them.";
        return m_result;
    }

    // Do the results agree when only the first `count` writes in place happen?
    Result<bool> agrees(std::size_t count)
    {
        ReinplacePolicy policy = m_policy;
        for (std::size_t i = 0; i < m_choices.size(); ++i)
            if (i >= count)
                setOverride(policy, {m_choices[i].node, m_choices[i].argument, false});
            else
                setOverride(policy, {m_choices[i].node, m_choices[i].argument, true});
        REINSPECT_TRY(const auto trace, runReinplace(m_input, policy, m_control));
        REINSPECT_TRY(auto graph, graphAtStage(*trace, PassStage::Final, m_input.facts));
        ++m_result.runs;
        REINSPECT_TRY(const StageRun after,
                      runStage("final", std::make_shared<const Graph>(std::move(graph)),
                               m_input.facts, m_input.shapes, m_source, {}, m_control));
        if (!after.ran())
            return *after.failure;
        auto results = compareRuns(m_before, after, m_names);
        markNoise(results, m_noise);
        return isAllEqual(results);
    }

    const PassInput& m_input;
    const ReinplacePolicy& m_policy;
    const InputSource& m_source;
    const RunControl& m_control;
    std::vector<Choice> m_choices;
    StageRun m_before;
    std::vector<std::string> m_names;
    NoiseFloor m_noise;
    BisectResult m_result;
};

} // namespace

Result<BisectResult> findDecision(const PassInput& input, const ReinplacePolicy& policy,
                                  const InputSource& source, const RunControl& control)
{
    return Bisection(input, policy, source, control).run();
}

} // namespace reinspect::proof
