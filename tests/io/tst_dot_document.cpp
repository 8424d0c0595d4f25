// SPDX-License-Identifier: MIT
#include "core/io/dot_document.h"

#include "core/io/graph_writers.h"
#include "tests/support/graph_text.h"
#include "tests/support/test_data.h"

using namespace reinspect;

class tst_DotDocument : public QObject
{
    Q_OBJECT

private slots:
    void aDrawingOfPyTorchIsAGraph();
    void anyDotIsAPlainGraph_data();
    void anyDotIsAPlainGraph();
    void whatWasWrittenReadsBackEqual_data();
    void whatWasWrittenReadsBackEqual();
    void brokenDotKeepsWhatCanBeRead_data();
    void brokenDotKeepsWhatCanBeRead();
};

void tst_DotDocument::aDrawingOfPyTorchIsAGraph()
{
    const auto document = loadDocument(SourceText(
        "g.dot",
        "digraph \"my graph\" {\nrankdir=TB;\n"
        "y [fillcolor=LemonChiffon1, "
        "label=\"{name=%y|op_code=call_function\n|target=torch.ops.aten.add.Tensor\\n"
        "|args=(2,)|kwargs=\\{\\}|num_users=1\\n|dtype=torch.float32\\n|shape=(2, "
        "3)\\n|requires_grad=False\\n"
        "|stride=(3, 1)\\n|file=a/b.py:3 y = x + z\\n}\", shape=record];\n"
        "x [label=\"{name=%x|op_code=placeholder\n|target=x\\n|num_users=1\\n}\", shape=record];\n"
        "z [label=\"{name=%z|op_code=placeholder\n|target=z\\n|num_users=1\\n}\"];\n"
        "output [label=\"{name=%output|op_code=output\n|target=output\\n|num_users=0\\n}\"];\n"
        "z -> y;\nx -> y;\ny -> output;\n}\n"));

    QVERIFY2(document.ok(), document.ok() ? "" : toText(document.error()).c_str());
    QVERIFY((*document)->format == DocumentFormat::Dot);
    const DocumentGraph& entry = (*document)->graphs.front();
    QVERIFY(entry.stage == Stage::BeforePass);
    const Graph& graph = *entry.graph;
    COMPARE_TEXT(toText(graph),
                 "z = placeholder\nx = placeholder\ny = aten.add.Tensor(z, x)\nreturn (y,)\n");
    const NodeMeta& meta = graph[graph.find("y")].meta;
    COMPARE_TEXT(toText(meta.value), "f32[2, 3][3, 1]");
    QCOMPARE(meta.sourceFile, std::string("a/b.py:3"));
    QCOMPARE(meta.source, std::string("y = x + z"));
    QCOMPARE(meta.span.line, 3u);
    QCOMPARE((*document)->problems.size(), std::size_t{1});
    QVERIFY((*document)->problems.front().text.find("position") != std::string::npos);
}

void tst_DotDocument::anyDotIsAPlainGraph_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("graph");
    const auto row = [](const char* name, const char* text, const char* graph) {
        QTest::newRow(name) << std::string(text) << std::string(graph);
    };
    row("edges", "digraph { a -> b -> c; a -> c }", "a = a()|b = b(a)|c = c(b, a)");
    row("comments", "// one\n/* two */\ndigraph g {\n# no\n a // b\n -> b }", "a = a()|b = b(a)");
    row("undirected", "graph { a -- b }", "a = a()|b = b(a)");
    row("strict and ports", "strict digraph g { a:p:n -> b:q }", "a = a()|b = b(a)");
    row("labels", "digraph { a [label=\"first\\nsecond\" color=red]; b [label=<<b>x</b>>] a -> b }",
        "a = first()|b = <<b>x</b>>(a)");
    row("clusters", "digraph { subgraph cluster_0 { a; b } -> c; rank=same }",
        "a = a()|b = b()|c = c(a, b)");
    row("attributes", "digraph { node [shape=box]; edge [color=red] rankdir=LR; a }", "a = a()");
    row("quoted names and sums", "digraph { \"a b\" -> \"c\" + \"d\" }",
        "a b = a b()|cd = cd(a b)");
    row("a cycle", "digraph { a -> b -> a }", "b = b()|a = a(b)");
}

void tst_DotDocument::anyDotIsAPlainGraph()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, graph);

    const auto document = loadDocument(SourceText("g.dot", text));

    QVERIFY2(document.ok(), document.ok() ? "" : toText(document.error()).c_str());
    QVERIFY((*document)->graphs.front().stage == Stage::Unknown);
    const Graph& read = *(*document)->graphs.front().graph;
    std::string lines;
    for (const NodeId id : read.order())
        lines += (lines.empty() ? "" : "|") + toText(read, id);
    COMPARE_TEXT(lines, graph);
}

void tst_DotDocument::whatWasWrittenReadsBackEqual_data()
{
    QTest::addColumn<std::string>("name");
    for (const char* name : {"triton_dynamic.json", "custom_two_outs_v2.json", "foreach_adam.json",
                             "complex_and_bool.json", "diagonal_fill_input.canonical.json"})
        QTest::newRow(name) << std::string(name);
}

void tst_DotDocument::whatWasWrittenReadsBackEqual()
{
    QFETCH(const std::string, name);
    const auto original = loadDocument(testDataPath(name));
    const Graph& graph = *(*original)->graphs.front().graph;

    const auto again = loadDocument(SourceText("again.dot", writeDot(graph)));

    QVERIFY2(again.ok(), again.ok() ? "" : toText(again.error()).c_str());
    QVERIFY((*again)->format == DocumentFormat::Dot);
    QVERIFY(sameGraph(*(*again)->graphs.front().graph, graph));
}

void tst_DotDocument::brokenDotKeepsWhatCanBeRead_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<int>("nodes");
    QTest::newRow("cut") << std::string("digraph { a -> b; c [label=\"x") << 3;
    QTest::newRow("stray signs") << std::string("digraph { a -> ; ] b ) -> c }") << 3;
    QTest::newRow("nested deeply") << "digraph { a " + std::string(100'000, '{') << 1;
    QTest::newRow("quotes only") << "digraph { a \"" + std::string(100'000, '"') << 2;
}

void tst_DotDocument::brokenDotKeepsWhatCanBeRead()
{
    QFETCH(const std::string, text);
    QFETCH(const int, nodes);

    const auto document = loadDocument(SourceText("g.dot", text));

    QVERIFY2(document.ok(), document.ok() ? "" : toText(document.error()).c_str());
    QCOMPARE(static_cast<int>((*document)->graphs.front().graph->size()), nodes);
    QVERIFY((*document)->problems.size() > 1);
}

QTEST_APPLESS_MAIN(tst_DotDocument)
#include "tst_dot_document.moc"
