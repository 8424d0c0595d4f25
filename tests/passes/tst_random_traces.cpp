// SPDX-License-Identifier: MIT
// Thousands of random graphs under every policy: the trace replayed forwards gives the pass's graph,
// replayed backwards the first one, each edit leaves a graph that holds together, and what the
// policy `precise` writes in place changes no number.
#include "core/ir/graph_verifier.h"
#include "core/passes/lowering.h"
#include "core/passes/reinplace_pass.h"
#include "core/passes/trace_cursor.h"

#include "tests/support/random_graph.h"
#include "tests/support/tiny_interpreter.h"

#include <QTest>

using namespace reinspect;

namespace
{

constexpr std::uint32_t kSeeds = 2000;

RandomGraphOptions optionsFor(std::uint32_t seed)
{
    return {.calls = seed % 4 == 0 ? 14 : 7, .capturedStorages = seed % 5 != 0};
}

std::shared_ptr<const PassTrace> traceOf(const RandomGraph& random, std::string_view policy)
{
    return runReinplace({random.graph, random.facts, {}}, policyNamed(policy).value()).value();
}

// What goes wrong when the edits are made one by one and taken back; empty: nothing.
std::string replay(const PassTrace& trace)
{
    Graph graph = *trace.initial;
    for (std::size_t i = 0; i < trace.edits.size(); ++i)
    {
        applyEdit(graph, trace.edits[i]);
        if (const Result<void> sound = verifyGraph(graph); !sound)
            return "edit " + std::to_string(i) + ": " + sound.error().message;
    }
    if (!sameGraph(graph, *trace.result))
        return "the edits lead to another graph than the pass's";
    for (std::size_t i = trace.edits.size(); i-- > 0;)
        revertEdit(graph, trace.edits[i]);
    return sameGraph(graph, *trace.initial) ? "" : "taken back, the edits lead to another graph";
}

std::string walk(const std::shared_ptr<const PassTrace>& trace)
{
    TraceCursor cursor(trace);
    cursor.goTo(EventIndex(trace->events.size() - 1));
    if (!sameGraph(cursor.graph(), *trace->result))
        return "the last event shows another graph than the pass's";
    cursor.goTo(EventIndex(std::size_t{0}));
    return sameGraph(cursor.graph(), *trace->initial) ? "" : "the first event shows another graph";
}

std::string lower(const PassTrace& trace, const CaptureFacts& facts)
{
    for (const PassStage stage : {PassStage::Final, PassStage::Baseline})
    {
        const Result<Graph> graph = graphAtStage(trace, stage, facts);
        if (!graph)
            return graph.error().message;
        if (const Result<void> sound = verifyGraph(*graph); !sound)
            return sound.error().message;
    }
    return {};
}

QByteArray failure(std::uint32_t seed, const RandomGraph& random, const std::string& what)
{
    return "seed " + QByteArray::number(seed) + ": " + QByteArray::fromStdString(what) + "\n"
        + QByteArray::fromStdString(toText(*random.graph));
}

} // namespace

class tst_RandomTraces : public QObject
{
    Q_OBJECT

private slots:
    void tracesReplayBothWays_data();
    void tracesReplayBothWays();
    void preciseChangesNoNumber();
    void theSecondRunIsTheSame();
};

void tst_RandomTraces::tracesReplayBothWays_data()
{
    QTest::addColumn<std::string>("policy");
    for (const PolicyPreset& preset : policyPresets())
        QTest::newRow(std::string(preset.name).c_str()) << std::string(preset.name);
}

void tst_RandomTraces::tracesReplayBothWays()
{
    QFETCH(const std::string, policy);
    std::size_t reinplaced = 0;
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed)
    {
        const RandomGraph random = randomGraph(seed, optionsFor(seed));
        const auto trace = traceOf(random, policy);
        reinplaced += trace->summary.reinplaced;
        std::string wrong = replay(*trace);
        if (wrong.empty())
            wrong = walk(trace);
        if (wrong.empty() && seed % 3 == 0)
            wrong = lower(*trace, random.facts);
        if (!wrong.empty())
            QFAIL(failure(seed, random, wrong));
    }
    QVERIFY2(reinplaced > kSeeds / 4, QByteArray::number(static_cast<int>(reinplaced)));
}

// The pass from end to end, not the judge alone: its own decisions, run element by element.
void tst_RandomTraces::preciseChangesNoNumber()
{
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed)
    {
        const RandomGraph random = randomGraph(seed, optionsFor(seed));
        const auto trace = traceOf(random, "precise");
        const Graph start = graphAfterEdits(*trace, trace->canonicalEdits);
        InPlaceChoices choices;
        for (const Decision& decision : trace->decisions)
        {
            if (decision.verdict != Verdict::Reinplaced)
                continue;
            QVERIFY2(decision.hazards.empty(), failure(seed, random, "a hazard").constData());
            choices.written.insert({decision.node, decision.argument});
        }
        for (const Event& event : trace->events)
            if (const ReplacementPlanned* planned = event.as<ReplacementPlanned>();
                planned && start[planned->from].target == "aten.copy_.default")
                choices.droppedCopies.insert(planned->from);
        const TinyResult before = runTiny(start, random.facts);
        const TinyResult after = runTiny(start, random.facts, choices);
        if (!before.failure.empty() || !after.sameValues(before) || after.aliases != before.aliases)
            QFAIL(failure(seed, random, "other numbers or aliases"));
    }
}

void tst_RandomTraces::theSecondRunIsTheSame()
{
    for (std::uint32_t seed = 0; seed < 50; ++seed)
    {
        const RandomGraph random = randomGraph(seed);
        const auto first = traceOf(random, "torch-2.11");
        const auto second = traceOf(random, "torch-2.11");
        QCOMPARE(first->events.size(), second->events.size());
        QVERIFY(sameGraph(*first->result, *second->result));
    }
}

QTEST_APPLESS_MAIN(tst_RandomTraces)
#include "tst_random_traces.moc"
