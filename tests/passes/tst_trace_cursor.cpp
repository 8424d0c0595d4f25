// SPDX-License-Identifier: MIT
#include "core/passes/trace_cursor.h"

#include "core/ir/graph_verifier.h"
#include "core/passes/reinplace_pass.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace reinspect;

namespace
{

// A yes, a no, and a yes.
constexpr std::string_view kThreeDecisions = R"(
    def forward(self, x: "f32[8][1]cuda:0", i: "i64[3][1]cuda:0", v: "f32[3][1]cuda:0"):
        cos: "f32[8][1]cuda:0" = torch.ops.aten.cos.default(x)
        put: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(cos, [i], v)
        put_1: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(put, [i], v)
        put_2: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(x, [i], v)
        copy_: "f32[8][1]cuda:0" = torch.ops.aten.copy_.default(x, put_2)
        return (put, put_1)
)";

std::shared_ptr<const PassTrace> traceOf(std::string_view code)
{
    return runReinplace({std::make_shared<const Graph>(graphFrom(code))}).value();
}

} // namespace

class tst_TraceCursor : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_trace = traceOf(kThreeDecisions); }
    void intoGoesToTheNextEvent();
    void overSkipsWhatIsDeeper();
    void outLeavesTheDepth();
    void decisionsAndRefusalsAreFound();
    void thereIsNoPlaceBeyondTheEnds();
    void goToRestoresTheGraph();
    void theLastEventShowsTheResult();
    void openingIsTheFirstRefusal();
    void openingWithoutRefusalIsTheFirstDecision();
    void openingWithoutDecisionsIsTheStart();

private:
    EventIndex lastEvent() const { return EventIndex(m_trace->events.size() - 1); }

    std::shared_ptr<const PassTrace> m_trace;
};

void tst_TraceCursor::intoGoesToTheNextEvent()
{
    for (std::size_t i = 0; i + 1 < m_trace->events.size(); ++i)
    {
        QVERIFY(destination(*m_trace, EventIndex(i), Move::Into) == EventIndex(i + 1));
        QVERIFY(destination(*m_trace, EventIndex(i + 1), Move::BackInto) == EventIndex(i));
    }
}

void tst_TraceCursor::overSkipsWhatIsDeeper()
{
    for (std::size_t i = 0; i < m_trace->events.size(); ++i)
    {
        const std::uint8_t depth = m_trace->events[i].depth;
        if (const auto to = destination(*m_trace, EventIndex(i), Move::Over))
        {
            QVERIFY(m_trace->event(*to).depth <= depth);
            for (std::size_t between = i + 1; between < to->index(); ++between)
                QVERIFY(m_trace->events[between].depth > depth);
        }
        if (const auto to = destination(*m_trace, EventIndex(i), Move::BackOver))
        {
            QVERIFY(m_trace->event(*to).depth <= depth);
            for (std::size_t between = to->index() + 1; between < i; ++between)
                QVERIFY(m_trace->events[between].depth > depth);
        }
    }
}

void tst_TraceCursor::outLeavesTheDepth()
{
    const EventIndex tried = m_trace->decisions.front().tried;
    const auto to = destination(*m_trace, tried, Move::Out);

    QVERIFY(to.has_value());
    QVERIFY(m_trace->event(*to).depth < m_trace->event(tried).depth);
    QVERIFY(m_trace->event(*to).as<CandidateFound>());
    // A phase is the outermost.
    QVERIFY(!destination(*m_trace, EventIndex(0), Move::Out));
}

void tst_TraceCursor::decisionsAndRefusalsAreFound()
{
    QCOMPARE(m_trace->decisions.size(), std::size_t{3});
    const EventIndex first = m_trace->decisions[0].decided;
    const EventIndex refusal = m_trace->decisions[1].decided;
    const EventIndex third = m_trace->decisions[2].decided;
    QVERIFY(m_trace->decisions[1].verdict == Verdict::Kept);

    QVERIFY(destination(*m_trace, EventIndex(0), Move::NextDecision) == first);
    QVERIFY(destination(*m_trace, first, Move::NextDecision) == refusal);
    QVERIFY(destination(*m_trace, third, Move::PreviousDecision) == refusal);
    QVERIFY(destination(*m_trace, EventIndex(0), Move::NextRefusal) == refusal);
    QVERIFY(destination(*m_trace, lastEvent(), Move::PreviousRefusal) == refusal);
    QVERIFY(!destination(*m_trace, third, Move::NextDecision));
    QVERIFY(!destination(*m_trace, first, Move::PreviousDecision));
    QVERIFY(!destination(*m_trace, refusal, Move::NextRefusal));
    QVERIFY(!destination(*m_trace, refusal, Move::PreviousRefusal));
}

void tst_TraceCursor::thereIsNoPlaceBeyondTheEnds()
{
    const EventIndex start(0);
    for (const Move move : {Move::BackInto, Move::BackOver, Move::PreviousDecision,
                            Move::PreviousRefusal, Move::ToStart})
        QVERIFY(!destination(*m_trace, start, move));
    for (const Move move :
         {Move::Into, Move::Over, Move::Out, Move::NextDecision, Move::NextRefusal, Move::ToEnd})
        QVERIFY(!destination(*m_trace, lastEvent(), move));
    QVERIFY(destination(*m_trace, start, Move::ToEnd) == lastEvent());
    QVERIFY(destination(*m_trace, lastEvent(), Move::ToStart) == start);
    QVERIFY(!destination(*m_trace, EventIndex{}, Move::Into));
    QVERIFY(!destination(PassTrace{}, start, Move::ToEnd));
}

void tst_TraceCursor::goToRestoresTheGraph()
{
    TraceCursor cursor(m_trace);
    std::vector<Graph> seen;
    for (std::size_t i = 0; i < m_trace->events.size(); ++i)
    {
        cursor.goTo(EventIndex(i));
        seen.push_back(cursor.graph());
        QVERIFY(verifyGraph(cursor.graph()));
        QVERIFY(sameGraph(cursor.graph(), graphAfterEdits(*m_trace, m_trace->events[i].editCount)));
    }
    for (std::size_t i = m_trace->events.size(); i-- > 0;)
    {
        cursor.goTo(EventIndex(i));
        QVERIFY(cursor.event() == EventIndex(i));
        QVERIFY(sameGraph(cursor.graph(), seen[i]));
    }
    QVERIFY(sameGraph(cursor.graph(), *m_trace->initial));
}

void tst_TraceCursor::theLastEventShowsTheResult()
{
    TraceCursor cursor(m_trace);
    QVERIFY(sameGraph(cursor.graph(), *m_trace->initial));

    cursor.goTo(lastEvent());

    QVERIFY(sameGraph(cursor.graph(), *m_trace->result));
    QVERIFY(!sameGraph(cursor.graph(), *m_trace->initial));
}

void tst_TraceCursor::openingIsTheFirstRefusal()
{
    QVERIFY(openingEvent(*m_trace) == m_trace->decisions[1].decided);
}

void tst_TraceCursor::openingWithoutRefusalIsTheFirstDecision()
{
    const auto trace = traceOf(R"(
        def forward(self, x: "f32[8][1]cuda:0", i: "i64[3][1]cuda:0", v: "f32[3][1]cuda:0"):
            cos: "f32[8][1]cuda:0" = torch.ops.aten.cos.default(x)
            put: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(cos, [i], v)
            return (put,)
    )");

    QVERIFY(openingEvent(*trace) == trace->decisions.front().decided);
}

void tst_TraceCursor::openingWithoutDecisionsIsTheStart()
{
    const auto trace = traceOf(R"(
        def forward(self, x: "f32[8][1]cuda:0"):
            return (x,)
    )");

    QVERIFY(openingEvent(*trace) == EventIndex(0));
    QVERIFY(!openingEvent(PassTrace{}).isValid());
}

QTEST_APPLESS_MAIN(tst_TraceCursor)
#include "tst_trace_cursor.moc"
