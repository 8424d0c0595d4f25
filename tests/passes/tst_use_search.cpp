// SPDX-License-Identifier: MIT
// The search for later uses on storages with many members: the same answers as on small ones.
#include "core/passes/use_search.h"

#include "tests/support/pass_text.h"

#include <QTest>

using namespace reinspect;

namespace
{

// `count` slices of one buffer, all read after a write into slice `written`; the read of `reader`
// comes last. Slices do not overlap.
std::string slicesReadLater(int count, int written, int reader)
{
    const auto name = [](int i) { return "s" + std::to_string(i); };
    const auto read = [&](int i) {
        return "    r" + std::to_string(i) + ": \"f32[4][1]cuda:0\" = torch.ops.aten.sin.default("
            + name(i) + ")\n";
    };
    std::string code = "def forward(self, x: \"f32[" + std::to_string(4 * count)
        + "][1]cuda:0\", i: \"i64[2][1]cuda:0\", v: \"f32[2][1]cuda:0\"):\n"
          "    a: \"f32["
        + std::to_string(4 * count) + "][1]cuda:0\" = torch.ops.aten.cos.default(x)\n";
    for (int i = 0; i < count; ++i)
        code += "    " + name(i) + ": \"f32[4][1]cuda:0\" = torch.ops.aten.slice.Tensor(a, 0, "
            + std::to_string(4 * i) + ", " + std::to_string(4 * i + 4) + ")\n";
    code += "    p: \"f32[4][1]cuda:0\" = torch.ops.aten.index_put.default(" + name(written)
        + ", [i], v)\n";
    for (int i = 0; i < count; ++i)
        if (i != written && i != reader)
            code += read(i);
    if (reader >= 0)
        code += read(reader);
    return code + "    return (p,)\n";
}

std::size_t told(const PassTrace& trace, UseVerdict verdict)
{
    std::size_t count = 0;
    for (const Event& event : trace.events)
    {
        const UseExamined* use = event.as<UseExamined>();
        const UsesSummed* sum = event.as<UsesSummed>();
        count += use && use->verdict == verdict ? 1 : 0;
        count += sum && sum->verdict == verdict ? sum->count : 0;
    }
    return count;
}

} // namespace

class tst_UseSearch : public QObject
{
    Q_OBJECT

private slots:
    void disjointReadersNeverRefuse_data();
    void disjointReadersNeverRefuse();
    void theOneReaderBehindManyIsFound_data();
    void theOneReaderBehindManyIsFound();
    void theTraceStaysShort();
};

static void sizes()
{
    QTest::addColumn<int>("count");
    for (const int count : {4, 40, 63, 64, 65, 500})
        QTest::newRow(std::to_string(count).c_str()) << count;
}

void tst_UseSearch::disjointReadersNeverRefuse_data()
{
    sizes();
}

void tst_UseSearch::disjointReadersNeverRefuse()
{
    QFETCH(const int, count);
    const TracePtr trace = traceOf(slicesReadLater(count, count / 2, -1));

    QCOMPARE(verdicts(*trace), std::string("reinplaced"));
    QCOMPARE(told(*trace, UseVerdict::Disjoint), static_cast<std::size_t>(count - 1));
}

void tst_UseSearch::theOneReaderBehindManyIsFound_data()
{
    sizes();
}

void tst_UseSearch::theOneReaderBehindManyIsFound()
{
    QFETCH(const int, count);
    const TracePtr trace = traceOf(slicesReadLater(count, 1, 1));

    QCOMPARE(verdicts(*trace), std::string("kept UsedLater: r1"));
    QCOMPARE(told(*trace, UseVerdict::Disjoint) + told(*trace, UseVerdict::Blocks),
             static_cast<std::size_t>(count));
}

void tst_UseSearch::theTraceStaysShort()
{
    const TracePtr trace = traceOf(slicesReadLater(2000, 7, -1));

    QVERIFY(trace->events.size() < 200);
}

QTEST_APPLESS_MAIN(tst_UseSearch)
#include "tst_use_search.moc"
