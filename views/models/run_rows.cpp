// SPDX-License-Identifier: MIT
#include "views/models/run_rows.h"

#include "core/proof/verdict_sentence.h"
#include "views/models/tensor_words.h"
#include "views/session/place.h"
#include "views/session/qt_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace reinspect
{

namespace
{

QString tr(const char* text)
{
    return QCoreApplication::translate("RunRows", text);
}

void flatten(const Argument& argument, std::vector<NodeId>& out)
{
    if (const std::vector<Argument>* items = argument.sequence())
        for (const Argument& item : *items)
            flatten(item, out);
    else
        out.push_back(argument.node());
}

// By number of output; invalid for a constant.
std::vector<NodeId> outputNodes(const Graph& graph)
{
    std::vector<NodeId> nodes;
    for (const NodeId id : graph.order())
        if (graph.node(id).op == NodeOp::Output)
            for (const Argument& argument : graph.node(id).args)
                flatten(argument, nodes);
    return nodes;
}

// "output.3" or "mutated.arg" to the node that computes it.
class ResultNodes
{
public:
    explicit ResultNodes(const PassTrace& trace)
        : m_trace(trace)
        , m_outputs(outputNodes(*trace.initial))
    {}

    QString nodeOf(const std::string& result) const
    {
        static constexpr std::string_view kMutated = "mutated.";
        static constexpr std::string_view kOutput = "output.";
        if (result.starts_with(kMutated))
            return toQString(result.substr(kMutated.size()));
        if (!result.starts_with(kOutput))
            return {};
        bool isNumber = false;
        const auto number = toQString(result.substr(kOutput.size())).toULongLong(&isNumber);
        if (!isNumber || number >= m_outputs.size() || !m_outputs[number])
            return {};
        return toQString(m_trace.initial->node(m_outputs[number]).name);
    }

private:
    const PassTrace& m_trace;
    std::vector<NodeId> m_outputs;
};

QString wordsOf(const proof::Difference& difference, RunFinding finding)
{
    if (!difference.mismatch.empty())
        return tr("differs: %1").arg(toQString(difference.mismatch));
    switch (finding)
    {
    case RunFinding::Noise: return tr("noise");
    case RunFinding::Within: return tr("within tolerance");
    case RunFinding::Differs: return tr("differs");
    case RunFinding::Equal:
    case RunFinding::NewAlias:
    case RunFinding::CannotRun: break;
    }
    return tr("equal");
}

bool isSame(const RunRow& row, const proof::ResultComparison& other, RunFinding finding)
{
    const proof::Difference& a = *row.difference;
    const proof::Difference& b = other.difference;
    return row.finding == finding && a.isBitwise == b.isBitwise && a.mismatch == b.mismatch
        && a.differing == b.differing && a.maxAbsolute == b.maxAbsolute
        && a.maxRelative == b.maxRelative && a.firstIndex == b.firstIndex;
}

// One row for all stages that say the same of this result.
void addResult(std::vector<RunRow>& rows, std::size_t first, const proof::ResultComparison& result,
               const std::string& stage, const ResultNodes& nodes)
{
    const RunFinding finding = result.difference.isBitwise ? RunFinding::Equal
        : result.isNoise                                   ? RunFinding::Noise
                                                           : RunFinding::Differs;
    for (std::size_t i = first; i < rows.size(); ++i)
        if (isSame(rows[i], result, finding))
        {
            rows[i].against += QStringLiteral(", ") + toQString(stage);
            return;
        }
    rows.push_back({toQString(result.name), nodes.nodeOf(result.name), toQString(stage), finding,
                    wordsOf(result.difference, finding), result.difference});
}

void addComparisons(std::vector<RunRow>& rows, const proof::Equivalence& proof,
                    const ResultNodes& nodes)
{
    std::vector<std::string> names;
    for (const proof::StageComparison& comparison : proof.comparisons)
        for (const proof::ResultComparison& result : comparison.results)
            if (std::ranges::find(names, result.name) == names.end())
                names.push_back(result.name);
    for (const std::string& name : names)
    {
        const std::size_t first = rows.size();
        for (const proof::StageComparison& comparison : proof.comparisons)
        {
            const auto at =
                std::ranges::find(comparison.results, name, &proof::ResultComparison::name);
            if (at != comparison.results.end())
                addResult(rows, first, *at, comparison.stage, nodes);
        }
    }
}

void addAliases(std::vector<RunRow>& rows, const proof::Equivalence& proof,
                const ResultNodes& nodes)
{
    const std::size_t first = rows.size();
    for (const proof::StageComparison& comparison : proof.comparisons)
        for (const proof::NewAlias& alias : comparison.newAliases)
        {
            const QString words = tr("shares memory with %1").arg(toQString(alias.second));
            const auto at =
                std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(),
                             [&](const RunRow& row) {
                                 return row.result == toQString(alias.first) && row.words == words;
                             });
            if (at != rows.end())
                at->against += QStringLiteral(", ") + toQString(comparison.stage);
            else
                rows.push_back({toQString(alias.first),
                                nodes.nodeOf(alias.first),
                                toQString(comparison.stage),
                                RunFinding::NewAlias,
                                words,
                                {}});
        }
}

void addFailures(std::vector<RunRow>& rows, const proof::Equivalence& proof)
{
    for (const proof::StageRun& run : proof.runs)
        if (!run.ran() && run.failure)
        {
            const NodeId node = run.run.failedNode;
            const bool isKnown = run.graph && run.graph->contains(node);
            rows.push_back({tr("(the whole graph)"),
                            isKnown ? toQString(run.graph->node(node).name) : QString(),
                            toQString(run.stage),
                            RunFinding::CannotRun,
                            tr("cannot run: %1").arg(toQString(run.failure->message)),
                            {}});
        }
}

void addReference(std::vector<RunRow>& rows, const proof::Equivalence& proof,
                  const ResultNodes& nodes)
{
    for (const proof::ReferenceResult& result : proof.reference.results)
    {
        const RunFinding finding = result.difference.isBitwise ? RunFinding::Equal
            : result.difference.isWithin                       ? RunFinding::Within
                                                               : RunFinding::Differs;
        rows.push_back({toQString(result.name), nodes.nodeOf(result.name), tr("file"), finding,
                        wordsOf(result.difference, finding), result.difference});
    }
}

} // namespace

std::vector<RunRow> runRows(const RunResult& result)
{
    std::vector<RunRow> rows;
    if (result.failure)
        return rows;
    const ResultNodes nodes(*result.trace);
    addFailures(rows, result.proof);
    addComparisons(rows, result.proof, nodes);
    addAliases(rows, result.proof, nodes);
    addReference(rows, result.proof, nodes);
    return rows;
}

Badge badgeOf(RunFinding finding)
{
    switch (finding)
    {
    case RunFinding::Equal: return Badge::Same;
    case RunFinding::Noise:
    case RunFinding::Within: return Badge::Assumed;
    case RunFinding::Differs: return Badge::Differs;
    case RunFinding::NewAlias: return Badge::Hazard;
    case RunFinding::CannotRun: break;
    }
    return Badge::Missed;
}

QStringList runNotes(const RunResult& result)
{
    QStringList notes;
    for (const std::string& assumption : result.proof.assumptions)
        notes.append(tr("Assumed: %1").arg(toQString(assumption)));
    for (const proof::StageRun& run : result.proof.runs)
    {
        for (const std::string& note : run.run.notes)
            if (!notes.contains(toQString(note)))
                notes.append(toQString(note));
        if (run.run.hasAtomics && run.stage == "before")
            notes.append(
                tr("Kernels of this graph add in no fixed order: before was run twice, and "
                   "what differs no more than twice as much as those two runs counts as noise."));
    }
    return notes;
}

QString runMemoryText(const RunResult& result)
{
    QStringList parts;
    for (const proof::StageRun& run : result.proof.runs)
        if (run.ran())
            parts.append(
                tr("%1 %2").arg(bytesText(run.run.memory.peakBytes), toQString(run.stage)));
    return parts.isEmpty() ? QString()
                           : tr("Peak over the inputs: %1.").arg(parts.join(QStringLiteral(", ")));
}

QString runVerdict(const RunResult& result)
{
    if (result.failure)
        return tr("Nothing was run: %1").arg(stripText(*result.failure));
    return toQString(proof::verdictSentence(result.proof));
}

std::vector<NamedNode> runNodes(const RunResult& result)
{
    std::vector<NamedNode> nodes;
    const auto add = [&](const std::string& name) {
        if (const NodeId node = name.empty() ? NodeId{} : findNode(*result.trace, name))
            nodes.emplace_back(toQString(name), node);
    };
    for (const proof::StageComparison& comparison : result.proof.comparisons)
        add(comparison.firstDifferingNode);
    for (const proof::StageRun& run : result.proof.runs)
        if (run.graph && run.graph->contains(run.run.failedNode))
            add(run.graph->node(run.run.failedNode).name);
    return nodes;
}

QString withLinks(QString text, const std::vector<NamedNode>& nodes)
{
    for (const auto& [name, node] : nodes)
        text.replace(QStringLiteral("'%1'").arg(name), QStringLiteral("\"%1\"").arg(name));
    return linkedHtml(text, nodes);
}

Badge badgeOf(proof::DecisionEffect effect)
{
    switch (effect)
    {
    case proof::DecisionEffect::None: return Badge::Same;
    case proof::DecisionEffect::Alone:
    case proof::DecisionEffect::WithOthers: return Badge::Differs;
    case proof::DecisionEffect::Aliases: return Badge::Hazard;
    case proof::DecisionEffect::CannotTell: break;
    }
    return Badge::Assumed;
}

} // namespace reinspect
