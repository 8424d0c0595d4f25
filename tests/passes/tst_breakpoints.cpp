// SPDX-License-Identifier: MIT
#include "core/passes/breakpoints.h"

#include "tests/support/pass_text.h"

#include <QTest>

using namespace reinspect;

namespace
{

// p is kept (32 B, UsedLater), q and the kernel's o are written (32 B and 4 KiB).
constexpr std::string_view kProgram = R"(
    def forward(self, x: "f32[8][1]cuda:0", i: "i64[2][1]cuda:0", v: "f32[2][1]cuda:0"):
        a: "f32[8][1]cuda:0" = torch.ops.aten.cos.default(x)
        p: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(a, [i], v)
        q: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(p, [i], v)
        t: "f32[8][1]cuda:0" = torch.ops.aten.sin.default(a)
        b: "f32[1024][1]cuda:0" = torch.ops.aten.empty.memory_format([1024])
        k = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, constant_args_idx = 0, grid = [(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'o': b}, tensors_to_clone = ['o'])
        g: "f32[1024][1]cuda:0" = k['o']
        return (q, t, g)
)";

// The nodes at which a walk from the start stops.
std::string stops(const std::string& text)
{
    const TracePtr trace = traceOf(kProgram);
    const std::vector<Breakpoint> breakpoints{parseBreakpoint(text).value()};
    std::string found;
    for (auto at = runToBreakpoint(*trace, EventIndex(0), breakpoints); at;
         at = runToBreakpoint(*trace, *at, breakpoints))
        found += (found.empty() ? "" : " ")
            + trace->nameOf(trace->decision(trace->decisionAt(*at)).node);
    return found;
}

} // namespace

class tst_Breakpoints : public QObject
{
    Q_OBJECT

private slots:
    void stopsWhereAllTermsHold_data();
    void stopsWhereAllTermsHold();
    void mistakesAreNamed_data();
    void mistakesAreNamed();
    void backwardsFindsTheOneBefore();
    void aDisabledBreakpointDoesNotStop();
    void decisionsAreFilteredByTheSameTerms_data();
    void decisionsAreFilteredByTheSameTerms();
    void everyOfferedWordIsUnderstood();
};

void tst_Breakpoints::stopsWhereAllTermsHold_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("expected");
    const auto row = [](const char* text, const char* expected) {
        QTest::newRow(text) << std::string(text) << std::string(expected);
    };
    row("node:p", "p");
    row("NODE:P", "p");
    row("op:index_put", "p q");
    row("triton", "k");
    row("kind:triton", "k");
    row("verdict:kept", "p");
    row("reason:UsedLater", "p");
    row("reason:ViewOfInput", "");
    row("bytes>1K", "k");
    row("bytes<1K", "p q");
    row("bytes=4K", "k");
    row("op:index_put verdict:reinplaced", "q");
    row("check:\"no later use\"", "p q k");
    row("check:\"no later use\" node:q", "q");
    row("hazard:NewAlias verdict:kept", "");
    row("is:missed", "");
    row("is:overruled", "");
}

void tst_Breakpoints::stopsWhereAllTermsHold()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, expected);

    QCOMPARE(stops(text), expected);
}

void tst_Breakpoints::mistakesAreNamed_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("named");
    const auto row = [](const char* text, const char* named) {
        QTest::newRow(text) << std::string(text) << std::string(named);
    };
    row("", "''");
    row("   ", "'   '");
    row("size>3", "'size>3'");
    row("node:", "'node:'");
    row("op:index_put node>3", "'node>3'");
    row("bytes>many", "'bytes>many'");
    row("bytes>-1", "'bytes>-1'");
    row("bytes>99999999999T", "'bytes>99999999999T'");
    row("bytes>3x", "'bytes>3x'");
    row("verdict:maybe", "'verdict:maybe'");
    row("reason:Later", "'reason:Later'");
    row("kind:kernel", "'kind:kernel'");
    row("hazard:Alias", "'hazard:Alias'");
    row("is:nice", "'is:nice'");
}

void tst_Breakpoints::mistakesAreNamed()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, named);

    const Result<Breakpoint> breakpoint = parseBreakpoint(text);

    QVERIFY(!breakpoint.ok());
    QVERIFY2(breakpoint.error().message.find(named) != std::string::npos,
             breakpoint.error().message.c_str());
    QVERIFY(!breakpoint.error().hint.empty());
}

void tst_Breakpoints::backwardsFindsTheOneBefore()
{
    const TracePtr trace = traceOf(kProgram);
    const std::vector<Breakpoint> breakpoints{parseBreakpoint("op:index_put").value()};
    const EventIndex last(trace->events.size() - 1);

    const auto second = runToBreakpoint(*trace, last, breakpoints, true);
    QVERIFY(second);
    QCOMPARE(trace->nameOf(trace->decision(trace->decisionAt(*second)).node), std::string("q"));
    const auto first = runToBreakpoint(*trace, *second, breakpoints, true);
    QVERIFY(first);
    QVERIFY(!runToBreakpoint(*trace, *first, breakpoints, true));
}

void tst_Breakpoints::aDisabledBreakpointDoesNotStop()
{
    const TracePtr trace = traceOf(kProgram);
    std::vector<Breakpoint> breakpoints{parseBreakpoint("index_put").value()};
    breakpoints.front().enabled = false;

    QVERIFY(!runToBreakpoint(*trace, EventIndex(0), breakpoints));
}

void tst_Breakpoints::decisionsAreFilteredByTheSameTerms_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("expected");
    const auto row = [](const char* text, const char* expected) {
        QTest::newRow(text) << std::string(text) << std::string(expected);
    };
    row("op:index_put", "p q");
    row("is:missed", "k");
    row("is:hazard", "q");
    row("hazard:oldvalueread", "q");
    row("is:opportunity", "p");
    row("is:assumed", "");
    row("is:overruled", "q");
    row("check:\"no later use\" bytes<1K", "p q");
    row("check:profitable kind:triton", "");
}

// The states are set here, so that each term is seen to read its own field.
void tst_Breakpoints::decisionsAreFilteredByTheSameTerms()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, expected);
    PassTrace trace = *traceOf(kProgram);
    for (Decision& decision : trace.decisions)
    {
        decision.hazards.clear();
        decision.missed = trace.nameOf(decision.node) == "k";
        decision.safe = trace.nameOf(decision.node) == "p";
        decision.forced = trace.nameOf(decision.node) == "q";
        if (decision.forced)
            decision.hazards.push_back({HazardKind::OldValueRead, {}, {}});
    }
    const Breakpoint filter = parseBreakpoint(text).value();

    std::string found;
    for (std::size_t i = 0; i < trace.decisions.size(); ++i)
        if (matches(trace, DecisionIndex(i), filter))
            found += (found.empty() ? "" : " ") + trace.nameOf(trace.decisions[i].node);

    QCOMPARE(found, expected);
}

void tst_Breakpoints::everyOfferedWordIsUnderstood()
{
    for (const std::string& word : breakpointWords())
    {
        const bool isComplete = word.back() != ':' && word.back() != '>';
        const Result<Breakpoint> parsed = parseBreakpoint(isComplete ? word : word + "1");
        QVERIFY2(parsed.ok(), word.c_str());
        QVERIFY2(parsed->terms.size() == 1 && parsed->terms.front().field != BreakField::Any,
                 word.c_str());
    }
}

QTEST_APPLESS_MAIN(tst_Breakpoints)
#include "tst_breakpoints.moc"
