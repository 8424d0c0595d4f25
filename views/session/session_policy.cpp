// SPDX-License-Identifier: MIT
// Session: the policy with what the user decided in the pass's place, and breakpoints.
#include "views/session/qt_text.h"
#include "views/session/session.h"

#include <algorithm>

namespace reinspect
{

void Session::setPolicy(ReinplacePolicy policy)
{
    if (policy == m_policy)
        return;
    m_followsCapture = m_followsCapture && policy.name == m_policy.name;
    m_policy = std::move(policy);
    emit policyChanged();
    runPass();
}

void Session::followCapture()
{
    m_followsCapture = true;
    const ReinplacePolicy before = m_policy;
    takePolicyOfCapture();
    if (m_policy != before)
        runPass();
}

void Session::takePolicyOfCapture()
{
    const std::string_view name =
        m_followsCapture && m_document ? presetOfProducer(m_document->producer) : "";
    if (name.empty() || name == m_policy.name)
        return;
    ReinplacePolicy policy = policyNamed(name).value();
    policy.overrides = m_policy.overrides;
    m_policy = std::move(policy);
    emit policyChanged();
}

void Session::overrule(DecisionIndex index, Overrule word)
{
    if (!m_trace || !index || index.index() >= m_trace->decisions.size())
        return;
    const Decision& decision = m_trace->decision(index);
    ReinplacePolicy policy = m_policy;
    if (word == Overrule::None)
        clearOverride(policy, m_trace->nameOf(decision.node), decision.argument);
    else
        setOverride(policy,
                    {m_trace->nameOf(decision.node), decision.argument, word == Overrule::Force});
    setPolicy(std::move(policy));
}

DecisionIndex Session::decision() const
{
    if (!event())
        return {};
    const DecisionIndex here = m_trace->decisionAt(event());
    const NodeId chosen = m_selection.primary();
    if (!chosen || (here && m_trace->decision(here).node == chosen))
        return here;
    const auto& all = m_trace->decisions;
    const auto own = std::ranges::find(all, chosen, &Decision::node);
    return own == all.end() ? here : DecisionIndex(static_cast<std::size_t>(own - all.begin()));
}

void Session::goToDecision(DecisionIndex index)
{
    if (!m_trace || !index || index.index() >= m_trace->decisions.size())
        return;
    const Decision& decision = m_trace->decision(index);
    goTo(decision.decided);
    setSelection({.nodes = {decision.node}, .storage = {}});
}

static bool sameBreakpoint(const Breakpoint& one, const Breakpoint& other)
{
    return one.text == other.text && one.enabled == other.enabled;
}

void Session::setBreakpoints(std::vector<Breakpoint> breakpoints)
{
    if (std::ranges::equal(breakpoints, m_breakpoints, sameBreakpoint))
        return;
    m_breakpoints = std::move(breakpoints);
    emit breakpointsChanged();
}

void Session::toggleBreakpoint(NodeId node)
{
    if (!m_trace || !node || node.index() >= m_trace->result->slotCount())
        return sayInPassing(tr("Choose a node to stop at."));
    const std::string& name = m_trace->nameOf(node);
    std::vector<Breakpoint> breakpoints = m_breakpoints;
    const std::size_t before = breakpoints.size();
    std::erase_if(breakpoints, [text = "node:" + name](const Breakpoint& breakpoint) {
        return breakpoint.text == text;
    });
    const bool isAdded = breakpoints.size() == before;
    if (isAdded)
        breakpoints.push_back(parseBreakpoint("node:" + name).value());
    setBreakpoints(std::move(breakpoints));
    if (isAdded && !m_trace->decisionFor(name))
        sayInPassing(tr("\"%1\" is no candidate of this run, so nothing stops there yet.")
                         .arg(toQString(name)));
}

void Session::runToBreakpoint(bool backwards)
{
    if (!m_cursor || !event())
        return;
    if (const auto found = reinspect::runToBreakpoint(*m_trace, event(), m_breakpoints, backwards))
        return goTo(*found);
    const bool isAnySet = std::ranges::any_of(m_breakpoints, &Breakpoint::enabled);
    sayInPassing(!isAnySet
                     ? tr("No breakpoint is set. Add one below the steps, or toggle one on a node.")
                     : backwards ? tr("There is no breakpoint before this step.")
                                 : tr("There is no breakpoint ahead of this step."));
}

} // namespace reinspect
