// SPDX-License-Identifier: MIT
// Does one decision change results, what is each worth, and what of a difference is noise?
#include "core/proof/bisect.h"
#include "core/proof/noise_floor.h"
#include "core/proof/saved_bytes.h"
#include "core/proof/verdict_sentence.h"

#include "tests/proof/proof_case.h"
#include "tests/support/small_programs.h"

#include <QTest>

using namespace reinspect;
using namespace reinspect::proof;

Q_DECLARE_METATYPE(reinspect::proof::DecisionEffect)

class tst_DecisionProof : public QObject
{
    Q_OBJECT

private slots:
    void oneDecisionIsTold_data();
    void oneDecisionIsTold();
    void theFirstNodeThatPartsIsNamed();
    void newAliasesOfOneWriteAreSaid();
    void whatCannotRunIsNotTold();
    void aStopIsAnError();
    void fewRunsWhateverTheNumberOfDecisions();
    void noiseIsNoDifference();
    void bisectionHeedsTheNoise();
    void moreThanTheNoiseIsADifference();
    void savedBytesAreThoseOfTheClone();
    void aCloneBelowThePeakSavesNothingOfIt();
    void manyDecisionsGoWithout();
};

void tst_DecisionProof::oneDecisionIsTold_data()
{
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QStringList>("forced");
    QTest::addColumn<QString>("node");
    QTest::addColumn<DecisionEffect>("effect");
    QTest::addColumn<bool>("taken");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, std::string_view code, const QStringList& forced,
                        const char* node, DecisionEffect effect, bool taken, const char* words) {
        QTest::newRow(name) << QByteArray(code.data(), static_cast<qsizetype>(code.size()))
                            << forced << QString(node) << effect << taken << QString(words);
    };
    row("a harmful write", kBothHarm, {"p"}, "p", DecisionEffect::Alone, true,
        "Writing argument 0 of 'p' in place changes results, with every other write forbidden: "
        "output.2, from node \"y\" on.");
    row("a harmless one beside it", kBothHarm, {"p"}, "q", DecisionEffect::None, true,
        "Writing argument 0 of 'q' in place changes no result of these inputs. Other writes in "
        "place of this policy change results, with it and without it.");
    row("what if it were written", kBothHarm, {}, "p", DecisionEffect::Alone, false,
        "Writing argument 0 of 'p' in place would change results, with every other write "
        "forbidden: output.2, from node \"y\" on.");
    row("what the policy writes", kCopiedBackCode, {}, "p", DecisionEffect::None, true,
        "Writing argument 0 of 'p' in place changes no result of these inputs.");
    row("kept in vain", kTogether, {}, "q", DecisionEffect::Alone, false,
        "Writing argument 0 of 'q' in place would change results, with every other write "
        "forbidden: output.1, from node \"y\" on.");
}

void tst_DecisionProof::oneDecisionIsTold()
{
    QFETCH(const QByteArray, code);
    QFETCH(const QStringList, forced);
    QFETCH(const QString, node);
    QFETCH(const bool, taken);
    std::vector<std::string> names;
    for (const QString& name : forced)
        names.push_back(name.toStdString());
    const DecisionProof proof = Case(code.toStdString()).prove(node.toStdString(), names);
    QTEST(text(proof.explanation), "words");
    QTEST(proof.effect, "effect");
    QCOMPARE(proof.isTaken, taken);
    QCOMPARE(proof.node, node.toStdString());
}

void tst_DecisionProof::theFirstNodeThatPartsIsNamed()
{
    const DecisionProof proof = Case(kBothHarm).prove("p", {"p"});
    QCOMPARE(proof.firstDifferingNode, "y");
    QCOMPARE(proof.results.size(), std::size_t(3));
    QVERIFY(proof.results[0].difference.isBitwise);
    QVERIFY(!proof.results[2].difference.isBitwise);
}

void tst_DecisionProof::newAliasesOfOneWriteAreSaid()
{
    const DecisionProof proof = Case(kAlias).prove("p");
    QCOMPARE(proof.effect, DecisionEffect::Aliases);
    QCOMPARE(text(proof.explanation),
             "Writing argument 0 of 'p' in place changes no result of these inputs, but output.0 "
             "then shares memory with input.x, as it did not before.");
}

void tst_DecisionProof::whatCannotRunIsNotTold()
{
    Case at(kNoisy); // nobody knows its operator
    const DecisionProof proof = at.prove("p");
    QCOMPARE(proof.effect, DecisionEffect::CannotTell);
    QVERIFY2(text(proof.explanation).startsWith("Not told: The graph before the pass stopped"),
             proof.explanation.c_str());
}

void tst_DecisionProof::aStopIsAnError()
{
    const Case at(kBothHarm);
    std::stop_source source;
    source.request_stop();
    const auto trace = at.trace({});
    QVERIFY(!proveDecision(at.input, *trace, DecisionIndex(0), at.source, {source.get_token(), {}})
                 .ok());
}

void tst_DecisionProof::fewRunsWhateverTheNumberOfDecisions()
{
    std::string code = "def forward(self, x: \"f32[4]\", i: \"i64[1]\", src: \"f32[1]\"):\n"
                       "    p0: \"f32[4]\" = torch.ops.aten.cos.default(x)\n";
    for (int i = 1; i <= 20; ++i)
        code += "    p" + std::to_string(i) + ": \"f32[4]\" = torch.ops.aten.index_put.default(p"
            + std::to_string(i - 1) + ", [i], src, True)\n";
    code += "    y: \"f32[4]\" = torch.ops.aten.add.Tensor(p3, 1)\n    return (p20, y)\n";
    const DecisionProof proof = Case(code).prove("p4", {"p4"});
    QCOMPARE(proof.effect, DecisionEffect::Alone);
    QVERIFY2(proof.runs <= 5, qPrintable(QString::number(proof.runs)));
}

void tst_DecisionProof::noiseIsNoDifference()
{
    Case at(kNoisy);
    addNoisyOperator(at, 1e-3);
    EquivalenceOptions options;
    options.inputs = at.source;
    const auto trace = at.trace({});
    const auto proof =
        proveEquivalence(at.input.graph, at.input.facts, at.input.shapes, trace.get(), options);
    QVERIFY(proof.ok());
    QCOMPARE(proof->isEqual(), std::optional(true));
    QVERIFY(text(verdictSentence(*proof)).contains("within the noise of two runs before it"));
    QCOMPARE(at.prove("p").effect, DecisionEffect::Alone); // y, which is no noise
}

void tst_DecisionProof::bisectionHeedsTheNoise()
{
    Case at(kNoisy);
    addNoisyOperator(at, 1e-3);
    const auto none = findDecision(at.input, {}, at.source);
    QCOMPARE(text(none->explanation), "The results agree with every decision in force.");
    ReinplacePolicy policy;
    setOverride(policy, overrideFrom("p", true));
    const auto found = findDecision(at.input, policy, at.source);
    QVERIFY(found->found);
    QCOMPARE(found->node, "p");
}

void tst_DecisionProof::moreThanTheNoiseIsADifference()
{
    ResultComparison result{"output.0", {}, false};
    result.difference.isBitwise = false;
    result.difference.maxAbsolute = 2;
    NoiseFloor floor{result};
    std::vector<ResultComparison> results{result};
    results[0].difference.maxAbsolute = 4;
    markNoise(results, floor);
    QVERIFY(isAllEqual(results));
    results[0] = result;
    results[0].difference.maxAbsolute = 4.1;
    markNoise(results, floor);
    QVERIFY(!isAllEqual(results));
    results[0] = result;
    results[0].difference.mismatch = "float32[2] against float32[3]";
    markNoise(results, floor);
    QVERIFY(!isAllEqual(results));
}

void tst_DecisionProof::savedBytesAreThoseOfTheClone()
{
    const Case at(R"(
        def forward(self, x: "f32[1024]", i: "i64[1]", src: "f32[1]"):
            c: "f32[1024]" = torch.ops.aten.cos.default(x)
            p: "f32[1024]" = torch.ops.aten.index_put.default(c, [i], src)
            return (p,)
    )");
    const auto trace = at.trace({});
    const auto saved = savedBytes(at.input, *trace, {});
    QCOMPARE(saved->size(), std::size_t(1));
    QCOMPARE(saved->front().cloneBytes, std::optional<std::int64_t>(4096));
    QCOMPARE(saved->front().allocated, std::optional<std::int64_t>(4096));
    QCOMPARE(saved->front().peak, std::optional<std::int64_t>(4096));
}

void tst_DecisionProof::aCloneBelowThePeakSavesNothingOfIt()
{
    const Case at(R"(
        def forward(self, x: "f32[100]", i: "i64[1]", src: "f32[1]", w: "f32[4096]"):
            c: "f32[100]" = torch.ops.aten.cos.default(x)
            p: "f32[100]" = torch.ops.aten.index_put.default(c, [i], src)
            s: "f32[]" = torch.ops.aten.sum.default(p)
            a: "f32[4096]" = torch.ops.aten.sin.default(w)
            b: "f32[4096]" = torch.ops.aten.cos.default(a)
            return (s, b)
    )");
    const auto trace = at.trace({});
    const auto saved = savedBytes(at.input, *trace, {});
    QCOMPARE(saved->front().cloneBytes, std::optional<std::int64_t>(400));
    QCOMPARE(saved->front().allocated, std::optional<std::int64_t>(512)); // as an allocator rounds
    QCOMPARE(saved->front().peak, std::optional<std::int64_t>(0));
}

void tst_DecisionProof::manyDecisionsGoWithout()
{
    const Case at(R"(
        def forward(self, x: "f32[256]", z: "f32[512]", i: "i64[1]", src: "f32[1]"):
            c: "f32[256]" = torch.ops.aten.cos.default(x)
            p: "f32[256]" = torch.ops.aten.index_put.default(c, [i], src)
            d: "f32[512]" = torch.ops.aten.cos.default(z)
            q: "f32[512]" = torch.ops.aten.index_put.default(d, [i], src)
            return (p, q)
    )");
    const auto trace = at.trace({});
    const auto saved = savedBytes(at.input, *trace, {{}, trace->initial->size()});
    QCOMPARE(saved->size(), std::size_t(2));
    QCOMPARE(saved->at(0).allocated, std::optional<std::int64_t>(2048)); // the larger one first
    QVERIFY(!saved->at(1).allocated);
    QVERIFY(text(saved->at(1).problem).startsWith("not computed"));
}

QTEST_APPLESS_MAIN(tst_DecisionProof)
#include "tst_decision_proof.moc"
