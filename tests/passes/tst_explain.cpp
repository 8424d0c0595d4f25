// SPDX-License-Identifier: MIT
#include "core/passes/explain.h"

#include "core/passes/reinplace_pass.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace reinspect;

namespace
{

constexpr std::string_view kHeader = "\n        def forward(self, x: \"f32[8][1]cuda:0\", i: "
                                     "\"i64[3][1]cuda:0\", v: \"f32[3][1]cuda:0\"):";

constexpr std::string_view kReadThroughView = R"(
            cos: "f32[8][1]cuda:0" = torch.ops.aten.cos.default(x)
            early: "f32[2, 4][4, 1]cuda:0" = torch.ops.aten.view.default(cos, [2, 4])
            put: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(cos, [i], v)
            sin: "f32[2, 4][4, 1]cuda:0" = torch.ops.aten.sin.default(early)
            return (put, sin)
)";

constexpr std::string_view kCopiedBack = R"(
            put: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(x, [i], v)
            copy_: "f32[8][1]cuda:0" = torch.ops.aten.copy_.default(x, put)
            return ()
)";

std::shared_ptr<const PassTrace> traceOf(std::string_view body)
{
    return runReinplace(
               {std::make_shared<const Graph>(graphFrom(std::string(kHeader) + std::string(body)))})
        .value();
}

// "put: candidate, cos: written argument"
std::string witnessText(const PassTrace& trace, EventIndex event)
{
    std::string text;
    for (const Witness& witness : witnesses(trace, event))
        text += (text.empty() ? "" : ", ") + trace.nameOf(witness.node) + ": "
            + std::string(witnessRoleName(witness.role));
    return text;
}

} // namespace

class tst_Explain : public QObject
{
    Q_OBJECT

private slots:
    void aRefusalNamesWhatDecides();
    void aYesNamesTheCopyThatGoes();
    void theDecisiveUseIsMarked();
    void adviceFitsTheReason_data();
    void adviceFitsTheReason();
    void everyEventIsASentence();
};

void tst_Explain::aRefusalNamesWhatDecides()
{
    const auto trace = traceOf(kReadThroughView);
    const Decision& decision = trace->decisions.front();

    QCOMPARE(explain(*trace, decision.tried),
             std::string(R"(May "put" write its argument 0, "cos", in place?)"));
    QCOMPARE(
        explain(*trace, decision.decided),
        std::string(
            R"("put" must not write "cos" in place: "sin" reads the old value through its view "early" later (costs 32 B).)"));
    QCOMPARE(witnessText(*trace, decision.decided),
             std::string(
                 "put: candidate, cos: written argument, sin: blocking use, early: same memory"));
}

void tst_Explain::aYesNamesTheCopyThatGoes()
{
    const auto trace = traceOf(kCopiedBack);
    const Decision& decision = trace->decisions.front();

    QCOMPARE(explain(*trace, decision.decided),
             std::string(
                 R"("put" may write "x" in place, and the copy "copy_" is dropped (saves 32 B).)"));
    QCOMPARE(witnessText(*trace, decision.decided),
             std::string("put: candidate, x: written argument, copy_: copy back"));
    QVERIFY(advice(*trace, DecisionIndex(0)).empty());
}

void tst_Explain::theDecisiveUseIsMarked()
{
    const auto trace = traceOf(kReadThroughView);
    std::size_t decisive = 0;
    for (std::size_t i = 0; i < trace->events.size(); ++i)
    {
        const UseExamined* use = trace->events[i].as<UseExamined>();
        if (!use || !use->decisive)
            continue;
        ++decisive;
        QCOMPARE(explain(*trace, EventIndex(i)),
                 std::string(R"("sin" reads "early" after the call: this decides.)"));
        QCOMPARE(witnessText(*trace, EventIndex(i)),
                 std::string("sin: blocking use, early: same memory"));
    }
    QCOMPARE(decisive, std::size_t{1});
}

void tst_Explain::adviceFitsTheReason_data()
{
    QTest::addColumn<std::string>("body");
    QTest::addColumn<std::string>("expected");

    QTest::newRow("a reader") << std::string(kReadThroughView)
                              << std::string(
                                     R"(If "sin" could run before the call, the clone could go.)");
    QTest::newRow("a view made later") << std::string(R"(
            cos: "f32[8][1]cuda:0" = torch.ops.aten.cos.default(x)
            put: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(cos, [i], v)
            later: "f32[2, 4][4, 1]cuda:0" = torch.ops.aten.view.default(cos, [2, 4])
            sin: "f32[2, 4][4, 1]cuda:0" = torch.ops.aten.sin.default(later)
            return (put, sin)
)") << std::string(R"(Creating the view "later" before the call would take this reader away.)");
    QTest::newRow("an input") << std::string(R"(
            put: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(x, [i], v)
            return (put,)
)")
                              << std::string("The caller's tensor must stay as it is, so a copy is "
                                             "needed, unless the program may overwrite it.");
    // The graph's output is a reader that cannot move.
    QTest::newRow("the output") << std::string(R"(
            cos: "f32[8][1]cuda:0" = torch.ops.aten.cos.default(x)
            put: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(cos, [i], v)
            return (put, cos)
)") << std::string("The graph returns the old value as well, so both must exist.");
}

void tst_Explain::adviceFitsTheReason()
{
    QFETCH(const std::string, body);
    QFETCH(const std::string, expected);

    const auto trace = traceOf(body);
    const std::string told = advice(*trace, DecisionIndex(0));

    QCOMPARE(told, expected);
}

void tst_Explain::everyEventIsASentence()
{
    for (const std::string_view body : {kReadThroughView, kCopiedBack})
    {
        const auto trace = traceOf(body);
        std::string all;
        for (std::size_t i = 0; i < trace->events.size(); ++i)
        {
            const std::string sentence = explain(*trace, EventIndex(i));
            QVERIFY(sentence.ends_with('.') || sentence.ends_with('?'));
            QVERIFY(sentence.find('\n') == std::string::npos);
            all += std::string(std::size_t{2} * trace->events[i].depth, ' ') + sentence + "\n";
        }
        QCOMPARE(explainAll(*trace), all);
    }
}

QTEST_APPLESS_MAIN(tst_Explain)
#include "tst_explain.moc"
