// SPDX-License-Identifier: MIT
// Thousands of random graphs, run element by element before and after: what the precise analysis
// accepts changes nothing, and whatever the pass of torch 2.11 changes carries a hazard.
#include "tests/support/core_start.h"
#include "tests/support/random_graph.h"

#include <QTest>

using namespace reinspect;

namespace
{

QByteArray failure(std::uint32_t seed, const CoreStart& start)
{
    return "seed " + QByteArray::number(seed) + "\n"
        + QByteArray::fromStdString(toText(start.graph) + "\n" + told(start));
}

RandomGraphOptions optionsFor(std::uint32_t seed)
{
    return {.calls = seed % 4 == 0 ? 14 : 7, .capturedStorages = seed % 5 != 0};
}

} // namespace

class tst_PreciseRandom : public QObject
{
    Q_OBJECT

private slots:
    void whatItAcceptsChangesNothing();
    void whatUpstreamGetsWrongCarriesAHazard();
};

void tst_PreciseRandom::whatItAcceptsChangesNothing()
{
    int accepted = 0;
    for (std::uint32_t seed = 0; seed < 2500; ++seed)
    {
        const RandomGraph random = randomGraph(seed, optionsFor(seed));
        const CoreStart start(random.graph, random.facts);
        PreciseJudge judge(start.graph, start.analysis, start.facts);
        InPlaceChoices choices;
        for (const Decision& decision : start.trace->decisions)
            if (!start.judge(judge, decision).reason)
                start.accept(judge, decision, choices);
        accepted += static_cast<int>(choices.written.size());
        const TinyResult before = runTiny(start.graph, start.facts);
        const TinyResult after = runTiny(start.graph, start.facts, choices);
        if (!before.failure.empty() || !after.sameValues(before) || after.aliases != before.aliases)
            QFAIL(failure(seed, start));
    }
    QVERIFY2(accepted > 4000, QByteArray::number(accepted));
}

void tst_PreciseRandom::whatUpstreamGetsWrongCarriesAHazard()
{
    int wrong = 0;
    for (std::uint32_t seed = 0; seed < 2500; ++seed)
    {
        const RandomGraph random = randomGraph(seed, optionsFor(seed));
        const CoreStart start(random.graph, random.facts);
        PreciseJudge judge(start.graph, start.analysis, start.facts);
        InPlaceChoices choices;
        bool changesNumbers = false;
        bool makesAlias = false;
        for (const Decision& decision : start.trace->decisions)
        {
            if (decision.verdict != Verdict::Reinplaced)
                continue;
            const PreciseAnswer answer = start.judge(judge, decision);
            const bool aliasOnly = answer.hazard == HazardKind::NewAlias;
            makesAlias = makesAlias || aliasOnly;
            changesNumbers = changesNumbers || (answer.reason && !aliasOnly);
            start.accept(judge, decision, choices);
        }
        const TinyResult before = runTiny(start.graph, start.facts);
        const TinyResult after = runTiny(start.graph, start.facts, choices);
        wrong += after.sameValues(before) ? 0 : 1;
        const bool sameNumbers = after.sameValues(before);
        const bool sameAliases = after.aliases == before.aliases;
        if (!(sameNumbers || changesNumbers) || !(sameAliases || changesNumbers || makesAlias))
            QFAIL(failure(seed, start));
    }
    QVERIFY2(wrong > 300, QByteArray::number(wrong));
}

QTEST_APPLESS_MAIN(tst_PreciseRandom)
#include "tst_precise_random.moc"
