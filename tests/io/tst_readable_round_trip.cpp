// SPDX-License-Identifier: MIT
// Printed code against the capture of the same graph, and against its own print.
#include "core/io/readable_code.h"

#include "tests/support/graph_text.h"
#include "tests/support/test_data.h"

using namespace reinspect;

class tst_ReadableRoundTrip : public QObject
{
    Q_OBJECT

private slots:
    void textOfACaptureGivesTheSameGraph_data();
    void textOfACaptureGivesTheSameGraph();
    void writingAndReadingAgainIsEqual_data();
    void writingAndReadingAgainIsEqual();
};

void tst_ReadableRoundTrip::textOfACaptureGivesTheSameGraph_data()
{
    QTest::addColumn<std::string>("name");
    for (const char* name : {"triton_dynamic", "custom_two_outs_v2", "foreach_adam"})
        QTest::newRow(name) << std::string(name);
}

// PyTorch printed the graph that was captured: both readers must see the same nodes.
void tst_ReadableRoundTrip::textOfACaptureGivesTheSameGraph()
{
    QFETCH(const std::string, name);
    const auto capture = loadDocument(testDataPath(name + ".json"));
    const auto text = loadDocument(testDataPath(name + ".readable.txt"));

    QVERIFY(capture.ok() && text.ok());
    const Graph& expected = *(*capture)->graphs.front().graph;
    const Graph& graph = *(*text)->graphs.front().graph;
    COMPARE_TEXT(toText(graph), toText(expected));
    for (const NodeId id : graph.order())
    {
        const Node& node = graph[id];
        const Node& captured = expected[expected.find(node.name)];
        QVERIFY(node.args == captured.args && node.kwargs == captured.kwargs);
        if (node.op == NodeOp::CallFunction && node.meta.value.tensor())
            QCOMPARE(toText(node.meta.value), toText(captured.meta.value));
    }
}

void tst_ReadableRoundTrip::writingAndReadingAgainIsEqual_data()
{
    QTest::addColumn<std::string>("name");
    for (const char* name : {"triton_dynamic.readable.txt", "custom_two_outs_v2.readable.txt",
                             "foreach_adam.readable.txt", "triton_dynamic.final.readable.txt"})
        QTest::newRow(name) << std::string(name);
}

void tst_ReadableRoundTrip::writingAndReadingAgainIsEqual()
{
    QFETCH(const std::string, name);
    const std::string printed = testData(name);
    const Graph graph = graphFrom(printed);

    const std::string written = writeReadableCode(graph);

    QVERIFY(sameGraph(graph, graphFrom(written)));
    // Byte for byte what PyTorch prints.
    COMPARE_TEXT(written, printed);
}

QTEST_APPLESS_MAIN(tst_ReadableRoundTrip)
#include "tst_readable_round_trip.moc"
