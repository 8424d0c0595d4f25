// SPDX-License-Identifier: MIT
// What a run found, as rows: one for each result and each way the graphs agree or part about it, then new
// aliases, what could not run, and the results against those of the inputs file.
#pragma once

#include "views/models/decision_badges.h"
#include "views/models/linked_text.h"
#include "views/session/run_service.h"

namespace reinspect
{

enum class RunFinding : std::uint8_t
{
    Equal,
    Noise,  // differs no more than two runs before the pass do
    Within, // of the file's result, within the tolerance
    Differs,
    NewAlias,
    CannotRun,
};

struct RunRow
{
    QString result;  // "output.0", "mutated.arg1_1"; of a graph that did not run its stage
    QString node;    // that computes it; may be empty
    QString against; // "after, final, baseline", "file"
    RunFinding finding = RunFinding::Equal;
    QString words; // "equal", "differs", "shares memory with input arg0_1"
    std::optional<proof::Difference> difference; // nothing where none was measured
};

std::vector<RunRow> runRows(const RunResult& result);
Badge badgeOf(RunFinding finding);

// Everything besides the rows, a sentence each: what was assumed, what the kernels remarked.
QStringList runNotes(const RunResult& result);
// "Peak 1.5 MiB before, 1.0 MiB after, ..."; empty when nothing ran.
QString runMemoryText(const RunResult& result);
// The sentence at the top, and the nodes that it may name.
QString runVerdict(const RunResult& result);
std::vector<NamedNode> runNodes(const RunResult& result);
// Names that core quotes singly, quoted so that they can become links.
QString withLinks(QString text, const std::vector<NamedNode>& nodes);
// Of a decision that was proved: green where no result changes.
Badge badgeOf(proof::DecisionEffect effect);

} // namespace reinspect
