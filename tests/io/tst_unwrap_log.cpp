// SPDX-License-Identifier: MIT
// Logs as documents: which graphs they hold, of which stage, and where each node stands.
#include "core/io/unwrap_log.h"

#include "core/passes/pass_report.h"
#include "core/passes/reinplace_pass.h"
#include "tests/support/graph_text.h"
#include "tests/support/test_data.h"

using namespace reinspect;

class tst_UnwrapLog : public QObject
{
    Q_OBJECT

private slots:
    void aLogListsItsGraphs_data();
    void aLogListsItsGraphs();
    void ranksThatInterleaveAreKeptApart();
    void nodesPointThroughThePrefix();
    void theLinesOfThePassAreRead_data();
    void theLinesOfThePassAreRead();
    void aLogDecidesAsItsCapture_data();
    void aLogDecidesAsItsCapture();
};

static const char* const kGraph =
    "TRACED GRAPH\n"
    " ===== Forward graph 3 =====\n"
    " /x/torch/fx/_lazy_graph_module.py class <lambda>(torch.nn.Module):\n"
    "    def forward(self, x: \"f32[4][1]cpu\"):\n"
    "        # File: a.py:1 in f, code: y = x + 1\n"
    "        y: \"f32[4][1]cpu\" = torch.ops.aten.add.Tensor(x, 1);  x = None\n"
    "        return (y,)\n"
    "        \n"
    "\n";

static std::string prefixed(const std::string& prefix, const std::string& text,
                            bool everyLine = true)
{
    std::string result;
    std::istringstream lines(text);
    bool first = true;
    for (std::string line; std::getline(lines, line); first = false)
        result += (first || everyLine ? prefix : "") + line + "\n";
    return result;
}

// "title stage id rank nodes" of each graph.
static std::string listed(const Document& document)
{
    std::string text;
    for (const DocumentGraph& graph : document.graphs)
        text += graph.origin.title + "|" + std::string(stageName(graph.stage)) + "|"
            + graph.origin.compileId + "|" + graph.origin.rank + "|"
            + std::to_string(graph.graph->size()) + "\n";
    return text;
}

void tst_UnwrapLog::aLogListsItsGraphs_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("graphs");

    const auto row = [](const char* name, const std::string& text, const char* graphs) {
        QTest::newRow(name) << text << std::string(graphs);
    };
    const std::string graph = kGraph;
    const auto titled = [&graph](const std::string& title) {
        std::string text = graph;
        return text.replace(text.find("Forward graph 3"), 15, title);
    };
    const std::string modern = "V0211 09:14:55.402000 77 torch/a.py:1] [0/0] [__aot_graphs] ";
    row("current", prefixed(modern, graph), "Forward graph 3|before|0/0||3\n");
    row("other messages between",
        "I0211 09:14:55.402000 77 a.py:1] [0/0] hello\nnoise\n" + prefixed(modern, graph)
            + "I0211 09:14:56.402000 77 a.py:1] [0/0] bye\n",
        "Forward graph 3|before|0/0||3\n");
    row("a message of the same moment behind it",
        prefixed(modern, graph + "aot_config id: 0, fw_metadata=ViewAndMutationMeta(\n"),
        "Forward graph 3|before|0/0||3\n");
    row("two graphs of one moment", prefixed(modern, graph + titled("Backward graph 3")),
        "Forward graph 3|before|0/0||3\nBackward graph 3|before|0/0||3\n");
    row("dated, on each line",
        prefixed("[2023-11-08 09:22:26,204] [0/0] torch.x.__aot_graphs: [INFO] ", graph),
        "Forward graph 3|before|0/0||3\n");
    row("dated, on the first line",
        prefixed("[2023-04-10 12:28:11,630] torch.x.__aot_graphs: [INFO] ", graph, false),
        "Forward graph 3|before|||3\n");
    row("level only", prefixed("INFO: ", graph, false), "Forward graph 3|before|||3\n");
    row("trimmed", prefixed("[0/0] [__aot_graphs] ", graph), "Forward graph 3|before|0/0||3\n");
    row(
        "trailing blanks stripped",
        [&] {
            std::string text = prefixed(modern, graph);
            for (std::size_t at; (at = text.find(" \n")) != std::string::npos;)
                text.erase(at, 1);
            return text;
        }(),
        "Forward graph 3|before|0/0||3\n");
    row(
        "CRLF",
        [&] {
            std::string text;
            for (const char c : prefixed(modern, graph))
                text += c == '\n' ? std::string("\r\n") : std::string(1, c);
            return text;
        }(),
        "Forward graph 3|before|0/0||3\n");
    row("no header line", prefixed(modern, graph.substr(graph.find(" /x/"))), "|before|0/0||3\n");
    row("class eaten", prefixed(modern, graph.substr(graph.find("    def "))), "|before|0/0||3\n");
    for (const auto& [title, artifact, stage] :
         {std::tuple{"AFTER POST GRAD", "post_grad_graphs", "final"},
          {"BEFORE PRE GRAD", "pre_grad_graphs", "pre_grad"},
          {"Joint graph 0", "aot_joint_graph", "joint"},
          {"__compiled_fn_1_ab", "graph_code", "dynamo"},
          {"Compiled autograd graph", "compiled_autograd", "dynamo"}})
        row(title,
            prefixed("V0211 09:14:55.402000 77 a.py:1] [1/2] [__" + std::string(artifact) + "] ",
                     titled(title)),
            (std::string(title) + "|" + stage + "|1/2||3\n").c_str());
    row(
        "colours inside the annotations",
        [&] {
            std::string text = graph;
            for (std::size_t at = 0; (at = text.find("f32[4]", at)) != std::string::npos; at += 30)
                text.replace(at, 6, "\x1B[31mf32\x1B[0m\x1B[34m[4]\x1B[0m");
            return prefixed(modern, text);
        }(),
        "Forward graph 3|before|0/0||3\n");
    row(
        "colours without the escape character",
        [&] {
            std::string text = graph;
            for (std::size_t at = 0; (at = text.find("f32[4]", at)) != std::string::npos; at += 26)
                text.replace(at, 6, "[31mf32[0m[34m[4][0m");
            return prefixed(modern, text);
        }(),
        "Forward graph 3|before|0/0||3\n");
    row("graph() text in a log",
        prefixed(modern,
                 "TRACED GRAPH\n ===== __compiled_fn_1 =====\n graph():\n    %x : "
                 "[num_users=1] = placeholder[target=x]\n    return (x,)\n"),
        "__compiled_fn_1|dynamo|0/0||2\n");
}

void tst_UnwrapLog::aLogListsItsGraphs()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, graphs);

    const auto document = loadDocument(SourceText("log", text));

    QVERIFY2(document.ok(), document.ok() ? "" : document.error().message.c_str());
    COMPARE_TEXT(listed(**document), graphs);
    QVERIFY((*document)->wrapping == Wrapping::Log);
    for (const Problem& problem : (*document)->problems)
        QVERIFY2(problem.text.find("print(graph) text") == 0, problem.text.c_str());
}

void tst_UnwrapLog::ranksThatInterleaveAreKeptApart()
{
    std::istringstream first(
        prefixed("[rank0]:V0211 09:14:55.402000 1 a.py:1] [0/0] [__aot_graphs] ", kGraph));
    std::istringstream second(
        prefixed("[rank1]:V0211 09:14:55.402000 2 a.py:1] [0/0] [__aot_graphs] ", kGraph));
    std::string text;
    for (std::string a, b; std::getline(first, a) && std::getline(second, b);)
        text += a + "\n" + b + "\n";

    const auto document = documentFrom(text);

    COMPARE_TEXT(listed(*document),
                 "Forward graph 3|before|0/0|rank0|3\nForward graph 3|before|0/0|rank1|3\n");
    QVERIFY(document->problems.empty());
}

void tst_UnwrapLog::nodesPointThroughThePrefix()
{
    const std::string prefix = "V0211 09:14:55.402000 77 torch/a.py:1] [0/0] [__aot_graphs] ";
    const auto document = loadDocument(SourceText("log", "noise\n" + prefixed(prefix, kGraph)));

    const DocumentGraph& entry = (*document)->graphs.front();
    const NodeMeta& meta = (*entry.graph)[entry.graph->find("y")].meta;
    QCOMPARE(meta.span.line, 7u);
    QCOMPARE(meta.span.column, static_cast<std::uint32_t>(prefix.size() + 9));
    QCOMPARE(meta.sourceFile.str(), std::string("a.py:1 in f"));
    QVERIFY(sourceOf(**document, entry).line(7).substr(meta.span.column - 1).starts_with("y: "));
}

void tst_UnwrapLog::theLinesOfThePassAreRead_data()
{
    QTest::addColumn<std::string>("message");
    QTest::addColumn<std::string>("expected");

    const auto row = [](const char* name, const char* message, const char* expected) {
        QTest::newRow(name) << std::string(message) << std::string(expected);
    };
    row("Triton",
        "For node add_one, attempted to reinplace ['out', 'b']. We were unable to reinplace ['b']; "
        "['b'] (if non-empty) are possible missed reinplacing opportunities that may be bad for "
        "memory usage and performance. Total size of missed opportunities with static shapes is : "
        "256 bytes.",
        "add_one tried out b unable b missed b 256");
    row("v2",
        "For node auto_functionalized_v2, attempted to reinplace range(0, 2). We were unable to "
        "reinplace [0]; [] (if non-empty) are possible missed",
        "auto_functionalized_v2 tried 0 1 unable 0 missed none");
    row("another message", "Step 3: torchinductor compiling FORWARDS graph 0", "none");
}

void tst_UnwrapLog::theLinesOfThePassAreRead()
{
    QFETCH(const std::string, message);
    QFETCH(const std::string, expected);

    const std::optional<PassLogLine> line = passLogLine(message);

    std::string text = line ? line->node + " tried" : "none";
    if (line)
    {
        for (const std::string& name : line->attempted)
            text += " " + name;
        text += " unable";
        for (const std::string& name : line->unable)
            text += " " + name;
        text += " missed";
        for (const std::string& name : line->missed)
            text += " " + name;
        text += " " + (line->missedBytes ? std::to_string(*line->missedBytes) : "none");
    }
    COMPARE_TEXT(text, expected);
}

void tst_UnwrapLog::aLogDecidesAsItsCapture_data()
{
    QTest::addColumn<std::string>("name");
    for (const char* name : {"triton_dynamic", "custom_two_outs_v2", "foreach_adam"})
        QTest::newRow(name) << std::string(name);
}

static std::string decisionsOf(const Document& document)
{
    const DocumentGraph& entry = document.graphs.front();
    const auto trace = runReinplace(PassInput{entry.graph, document.facts, document.shapes}, {});
    std::string text;
    for (const Decision& decision : (*trace)->decisions)
        text += (*trace)->nameOf(decision.node) + " " + decision.argument + " "
            + std::string(verdictName(decision.verdict)) + " "
            + (decision.reason ? std::string(reasonName(*decision.reason)) : "") + "\n";
    return text;
}

void tst_UnwrapLog::aLogDecidesAsItsCapture()
{
    QFETCH(const std::string, name);
    const std::string log = prefixed("V0211 09:14:55.402000 77 torch/a.py:1] [0/0] [__aot_graphs] ",
                                     "TRACED GRAPH\n ===== Forward graph 0 =====\n /x/a.py "
                                         + testData(name + ".readable.txt"));

    const auto capture = loadDocument(testDataPath(name + ".json"));
    const auto document = loadDocument(SourceText("log", log));

    QVERIFY(!decisionsOf(**capture).empty());
    COMPARE_TEXT(decisionsOf(**document), decisionsOf(**capture));
}

QTEST_APPLESS_MAIN(tst_UnwrapLog)
#include "tst_unwrap_log.moc"
