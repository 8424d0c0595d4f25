// SPDX-License-Identifier: MIT
#include "core/passes/trace_diff.h"

#include "tests/support/pass_text.h"
#include "tests/support/small_programs.h"

#include <QTest>

using namespace reinspect;

namespace
{

// A scatter that only later revisions try, between two writes that both try.
constexpr std::string_view kThree = R"(
    def forward(self, x: "f32[8][1]cuda:0", i: "i64[2][1]cuda:0", v: "f32[2][1]cuda:0", n: "f32[4][1]cuda:0"):
        a: "f32[8][1]cuda:0" = torch.ops.aten.cos.default(x)
        t: "f32[8][1]cuda:0" = torch.ops.aten.sin.default(a)
        p: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(a, [i], v)
        s: "f32[8][1]cuda:0" = torch.ops.aten.slice_scatter.default(p, n, 0, 0, 4)
        q: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(t, [i], v)
        return (s, q)
)";

std::string rows(const TraceDiff& diff)
{
    std::string text;
    for (const DecisionDiff& row : diff.rows)
        text += (text.empty() ? "" : "; ") + row.node + ":" + row.argument + " "
            + std::string(diffKindName(row.kind));
    return text;
}

} // namespace

class tst_TraceDiff : public QObject
{
    Q_OBJECT

private slots:
    void twoRunsOfOnePolicyAreTheSame();
    void rowsStandInTheOrderOfBoth();
    void theFailedCheckIsTheCause();
    void onlyTheReasonMayDiffer();
    void theBytesAreOfTheVerdictsThatPart();
};

void tst_TraceDiff::twoRunsOfOnePolicyAreTheSame()
{
    const TraceDiff diff = diffTraces(*traceOf(kThree), *traceOf(kThree));

    QCOMPARE(diff.same, diff.rows.size());
    QVERIFY(diff.same > 0);
    QCOMPARE(diff.firstBytes + diff.secondBytes, std::int64_t{0});
}

void tst_TraceDiff::rowsStandInTheOrderOfBoth()
{
    const TracePtr first = traceOf(kThree, "pr-111627");
    const TracePtr second = traceOf(kThree);

    QCOMPARE(rows(diffTraces(*first, *second)),
             std::string("p:0 differs; _generalized_scatter:0 only second; q:0 same"));
    QCOMPARE(rows(diffTraces(*second, *first)),
             std::string("p:0 differs; _generalized_scatter:0 only first; q:0 same"));
}

void tst_TraceDiff::theFailedCheckIsTheCause()
{
    const TracePtr first = traceOf(kThree, "pr-111627");
    const TracePtr second = traceOf(kThree);
    const TraceDiff diff = diffTraces(*first, *second);
    const DecisionDiff& row = diff.rows.front();

    const CheckDone* cause = first->event(row.firstCause).as<CheckDone>();
    QVERIFY(cause && cause->check == Check::FewUsers && !cause->passed);
    QVERIFY(!row.secondCause); // torch 2.11 does not count
    QCOMPARE(
        explainDiff(*first, *second, row),
        std::string("pr-111627 keeps it (TooManyUsers). No: \"t\" uses \"a\", too; when it does "
                    "so is not asked. torch-2.11 writes it in place."));
}

void tst_TraceDiff::onlyTheReasonMayDiffer()
{
    const TracePtr first = traceOf(kKeptCode, "pr-111627");
    const TracePtr second = traceOf(kKeptCode);
    const TraceDiff diff = diffTraces(*first, *second);

    QCOMPARE(diff.differing, std::size_t{1});
    QVERIFY(!diff.rows.front().verdictDiffers);
    QVERIFY(diff.rows.front().firstCause && diff.rows.front().secondCause);
    QCOMPARE(diff.firstBytes + diff.secondBytes, std::int64_t{0});
}

void tst_TraceDiff::theBytesAreOfTheVerdictsThatPart()
{
    const TraceDiff diff = diffTraces(*traceOf(kThree, "pr-111627"), *traceOf(kThree));

    QCOMPARE(diff.firstBytes, std::int64_t{32}); // p is kept by the first alone
}

QTEST_APPLESS_MAIN(tst_TraceDiff)
#include "tst_trace_diff.moc"
