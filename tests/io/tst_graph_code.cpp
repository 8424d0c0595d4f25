// SPDX-License-Identifier: MIT
#include "core/io/graph_code.h"

#include "core/io/readable_code.h"
#include "tests/support/graph_text.h"
#include "tests/support/test_data.h"

using namespace reinspect;

class tst_GraphCode : public QObject
{
    Q_OBJECT

private slots:
    void eachNodeHasItsLine();
    void parametersStandOnLinesOfTheirOwn();
    void theTextIsStillReadable();
    void capturesHaveALineForEachNode_data();
    void capturesHaveALineForEachNode();
};

constexpr std::string_view kCode = R"(
    def forward(self, x: "f32[8, 4][4, 1]cuda:0", i: "i64[3][1]cuda:0"):
        a: "f32[8, 4][4, 1]cuda:0" = torch.ops.aten.sin.default(x)
        s = torch.ops.aten.split.Tensor(a, 4)
        g: "f32[4, 4][4, 1]cuda:0" = s[0]
        return (g,)
)";

static std::string lineOf(const GraphCode& code, const Graph& graph, std::string_view node)
{
    const SourceText text("code", code.text);
    const std::uint32_t line = code.line(graph.find(node));
    return line == 0 ? std::string() : std::string(text.line(line));
}

void tst_GraphCode::eachNodeHasItsLine()
{
    const Graph graph = graphFrom(kCode);
    const GraphCode code = graphCode(graph);

    QVERIFY(lineOf(code, graph, "a").starts_with("        a: "));
    QVERIFY(lineOf(code, graph, "s").starts_with("        s = "));
    QVERIFY(lineOf(code, graph, "output").starts_with("        return "));
}

void tst_GraphCode::parametersStandOnLinesOfTheirOwn()
{
    const Graph graph = graphFrom(kCode);
    const GraphCode code = graphCode(graph);

    // The commas inside of shapes are no ends of parameters.
    QCOMPARE(lineOf(code, graph, "x"), std::string("            x: \"f32[8, 4][4, 1]cuda:0\","));
    QCOMPARE(lineOf(code, graph, "i"), std::string("            i: \"i64[3][1]cuda:0\"):"));
}

void tst_GraphCode::theTextIsStillReadable()
{
    const Graph graph = graphFrom(kCode);
    QVERIFY(sameGraph(graphFrom(graphCode(graph).text), graph));
}

void tst_GraphCode::capturesHaveALineForEachNode_data()
{
    QTest::addColumn<std::string>("path");
    for (const char* name :
         {"triton_two_outputs.json", "slice_scatter_nested.json", "kv_cache_2_layers.json"})
        QTest::newRow(name) << std::string(REINSPECT_SOURCE_DIR "/samples/") + name;
    for (const char* name : {"complex_and_bool.json", "foreach_adam.json", "triton_dynamic.json"})
        QTest::newRow(name) << testDataPath(name);
}

void tst_GraphCode::capturesHaveALineForEachNode()
{
    QFETCH(const std::string, path);
    const auto document = loadDocument(path);
    QVERIFY(document.ok());
    const Graph& graph = *(*document)->graphs.front().graph;

    const GraphCode code = graphCode(graph);

    std::vector<std::uint32_t> lines;
    for (const NodeId node : graph.order())
    {
        QVERIFY2(code.line(node) > 0, graph[node].name.c_str());
        lines.push_back(code.line(node));
    }
    std::sort(lines.begin(), lines.end());
    QVERIFY(std::adjacent_find(lines.begin(), lines.end()) == lines.end());
}

QTEST_APPLESS_MAIN(tst_GraphCode)
#include "tst_graph_code.moc"
