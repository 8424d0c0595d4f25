// SPDX-License-Identifier: MIT
#include "core/io/document.h"

#include "tests/support/graph_text.h"
#include "tests/support/test_data.h"

using namespace reinspect;

class tst_Document : public QObject
{
    Q_OBJECT

private slots:
    void theFormatIsDetected_data();
    void theFormatIsDetected();
    void stagesHaveNames_data();
    void stagesHaveNames();
    void printedCodeTellsItsStage_data();
    void printedCodeTellsItsStage();
    void aByteOrderMarkIsSkipped();
    void lineBreaksOfWindowsAreRead();
    void bytesThatAreNotUtf8AreReplaced();
    void readingStopsWhenAsked();
};

void tst_Document::theFormatIsDetected_data()
{
    QTest::addColumn<std::string>("name");
    QTest::addColumn<std::string>("format");

    QTest::newRow("capture") << std::string("triton_dynamic.json")
                             << std::string("reinspect-graph");
    QTest::newRow("readable") << std::string("triton_dynamic.readable.txt")
                              << std::string("readable");
    QTest::newRow("ir") << std::string("triton_dynamic.ir.txt") << std::string("ir");
}

void tst_Document::theFormatIsDetected()
{
    QFETCH(const std::string, name);
    QFETCH(const std::string, format);

    const auto document = loadDocument(testDataPath(name));

    QVERIFY(document.ok());
    QCOMPARE(std::string(formatName((*document)->format)), format);
    QCOMPARE((*document)->fileName(), testDataPath(name));
    QCOMPARE((*document)->graphs.front().graph->size(), std::size_t{14});
}

void tst_Document::stagesHaveNames_data()
{
    QTest::addColumn<Stage>("stage");
    QTest::newRow("before") << Stage::BeforePass;
    QTest::newRow("canonical") << Stage::Canonical;
    QTest::newRow("core") << Stage::CoreAfter;
    QTest::newRow("after") << Stage::AfterPass;
    QTest::newRow("final") << Stage::Final;
    QTest::newRow("baseline") << Stage::Baseline;
    QTest::newRow("unknown") << Stage::Unknown;
}

void tst_Document::stagesHaveNames()
{
    QFETCH(const Stage, stage);
    const std::string name = QTest::currentDataTag();

    QCOMPARE(std::string(stageName(stage)), name);
    QVERIFY(stageFromName(name) == stage);
    QVERIFY(stageFromName("core_after") == Stage::CoreAfter);
    QVERIFY(stageFromName("baseline (no reinplacing)") == Stage::Baseline);
    QVERIFY(stageFromName("tomorrow") == Stage::Unknown);
}

void tst_Document::printedCodeTellsItsStage_data()
{
    QTest::addColumn<std::string>("statement");
    QTest::addColumn<Stage>("stage");

    const auto row = [](const char* name, const char* statement, Stage stage) {
        QTest::newRow(name) << std::string(statement) << stage;
    };
    row("functional", "y = torch.ops.aten.index_put.default(x, [i], v)", Stage::BeforePass);
    row("the epilogue is functional too", "copy_ = torch.ops.aten.copy_.default(x, v)",
        Stage::BeforePass);
    row("in-place twin", "y = torch.ops.aten.index_put_.default(x, [i], v)", Stage::AfterPass);
    row("mutating Triton call",
        "m = torch.ops.higher_order.triton_kernel_wrapper_mutation(kernel_idx = 0, kwargs = {'a': "
        "x})",
        Stage::Final);
    row("lowered copy", "copy__default_1 = torch.ops.aten.copy_.default(x, v)", Stage::Final);
    row("generalized scatter",
        "g = torch._inductor.fx_passes.reinplace._generalized_scatter(x, v, "
        "[ViewOp(target=<OpOverload(op='aten.slice', overload='Tensor')>, args=(0, 0, 2), "
        "kwargs={})])",
        Stage::Canonical);
}

void tst_Document::printedCodeTellsItsStage()
{
    QFETCH(const std::string, statement);
    QFETCH(const Stage, stage);

    const auto document =
        documentFrom("def forward(self, x, i, v):\n    " + statement + "\n    return (x,)\n");

    QVERIFY(document->graphs.front().stage == stage);
}

void tst_Document::aByteOrderMarkIsSkipped()
{
    const std::string mark = "\xEF\xBB\xBF";

    QVERIFY(loadDocument(SourceText("t", mark + testData("triton_dynamic.json"))).ok());
    QVERIFY(loadDocument(SourceText("t", mark + testData("triton_dynamic.ir.txt"))).ok());
    const auto readable =
        loadDocument(SourceText("t", mark + testData("triton_dynamic.readable.txt")));
    QVERIFY(readable.ok());
    QVERIFY((*readable)->problems.empty());
    QCOMPARE((*readable)->graphs.front().graph->name, std::string("<lambda>"));
}

void tst_Document::lineBreaksOfWindowsAreRead()
{
    std::string text;
    for (const char c : testData("foreach_adam.readable.txt"))
        text += c == '\n' ? std::string("\r\n") : std::string(1, c);

    const auto document = loadDocument(SourceText("t", text));

    QVERIFY(document.ok());
    QVERIFY((*document)->problems.empty());
    QVERIFY(sameGraph(*(*document)->graphs.front().graph,
                      graphFrom(testData("foreach_adam.readable.txt"))));
}

void tst_Document::bytesThatAreNotUtf8AreReplaced()
{
    const auto document = documentFrom("def forward(self, x):\n"
                                       "    # File: a.py:1, code: caf\xE9\n"
                                       "    y = x + 1\n"
                                       "    return (y,)\n");

    const Graph& graph = *document->graphs.front().graph;
    QCOMPARE(graph[graph.find("y")].meta.source.str(), std::string("caf?"));
    QCOMPARE(document->problems.size(), std::size_t{1});
    QCOMPARE(document->problems.front().span, (TextSpan{2, 30, 1}));
}

void tst_Document::readingStopsWhenAsked()
{
    std::string text = "def forward(self, x):\n";
    for (int i = 0; i < 3000; ++i)
        text += "    y" + std::to_string(i) + " = x + 1\n";
    std::stop_source stop;
    stop.request_stop();

    const auto document =
        loadDocument(SourceText("t", text), {.stop = stop.get_token(), .progress = {}});

    QVERIFY(!document.ok());
    QCOMPARE(document.error().message, std::string("reading was stopped"));
}

QTEST_APPLESS_MAIN(tst_Document)
#include "tst_document.moc"
