// SPDX-License-Identifier: MIT
// Facts of what is around a graph (stages, scripts, logs, traces, drawings, damage) that other tests have no
// row for; all rows are listed in format_facts.md.
#include "tests/support/graph_facts.h"
#include "tests/support/test_data.h"

using namespace reinspect;

class tst_FactsWrappings : public QObject
{
    Q_OBJECT

private slots:
    void marksTellTheStage_data();
    void marksTellTheStage();
    void artifactsTellTheStage_data();
    void artifactsTellTheStage();
    void logsListTheirGraphs_data();
    void logsListTheirGraphs();
    void tracesListTheirGraphs_data();
    void tracesListTheirGraphs();
    void damagedTextsAreRead_data();
    void damagedTextsAreRead();
};

static const char* const kGraph =
    "class <lambda>(torch.nn.Module):\n"
    "    def forward(self, x: \"f32[4]\"):\n"
    "        # File: a.py:1 in f, code: y = x + 1\n"
    "        y: \"f32[4]\" = torch.ops.aten.add.Tensor(x, 1);  x = None\n"
    "        z: \"f32[4]\" = torch.ops.demo.f.default(y, 'a');  y = None\n"
    "        return (z,)\n";
static const char* const kFacts =
    "x = placeholder|y = aten.add.Tensor(x, 1)|z = demo.f.default(y, 'a')|return (z,)";

static std::string prefixed(const std::string& prefix, const std::string& text)
{
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        result += prefix + line + "\n";
    return result;
}

static std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

void tst_FactsWrappings::marksTellTheStage_data()
{
    QTest::addColumn<std::string>("body");
    QTest::addColumn<std::string>("stage");
    const auto row = [](const char* name, const char* body, const char* stage) {
        QTest::newRow(name) << std::string(body) << std::string(stage);
    };
    row("0.2 functional", "y = torch.ops.aten.sin.default(x)", "before");
    row("0.2 names ending in _default", "copy__default = torch.ops.aten.copy_.default(x, x)",
        "final");
    row("0.2 a mutating Triton call",
        "t = torch.ops.higher_order.triton_kernel_wrapper_mutation(kernel_idx = 0, "
        "constant_args_idx = 0, grid = [(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'a': "
        "x})",
        "final");
    row("0.2 copies that keep strides",
        "as_strided_default = torch.ops.aten.as_strided.default(x, [4], [1], 0)\n    clone_default "
        "= torch.ops.aten.clone.default(as_strided_default)\n    as_strided_default_1 = "
        "torch.ops.aten.as_strided.default(clone_default, [4], [1], 0)",
        "final");
    row("0.2 an in-place twin", "y = torch.ops.aten.index_put_.default(x, [x], x)", "after");
}

void tst_FactsWrappings::marksTellTheStage()
{
    QFETCH(const std::string, body);
    QFETCH(const std::string, stage);

    const auto document =
        documentFrom("def forward(self, x):\n    " + body + "\n    return (x,)\n");

    COMPARE_TEXT(std::string(stageName(document->graphs.front().stage)), stage);
    QCOMPARE(isAfterPass(document->graphs.front().stage), stage != "before");
}

void tst_FactsWrappings::artifactsTellTheStage_data()
{
    QTest::addColumn<std::string>("artifact");
    QTest::addColumn<std::string>("stage");
    const auto row = [](const char* artifact, const char* stage) {
        QTest::newRow((std::string("0 ") + artifact).c_str())
            << std::string(artifact) << std::string(stage);
    };
    row("dynamo_output_graph", "dynamo");
    row("compiled_autograd_graph", "dynamo");
    row("optimize_ddp_split_graph", "dynamo");
    row("optimize_ddp_split_child", "dynamo");
    row("inductor_pre_grad_graph", "pre_grad");
    row("aot_joint_graph", "joint");
    row("aot_forward_graph", "before");
    row("aot_backward_graph", "before");
    row("aot_inference_graph", "before");
    row("inductor_post_grad_graph", "final");
}

void tst_FactsWrappings::artifactsTellTheStage()
{
    QFETCH(const std::string, artifact);
    QFETCH(const std::string, stage);

    const auto document =
        documentFrom("V0620 14:02:11.093412 5121 torch/a.py:190] {\"" + artifact
                     + "\": {}, \"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0, "
                       "\"has_payload\": \"a\"}\n"
                     + prefixed("\t", kGraph));

    COMPARE_TEXT(originsOf(*document), artifact + "|" + stage + "|0/0||4\n");
    QCOMPARE(stageAdvice(document->graphs.front().stage).empty(), stage == "before");
}

void tst_FactsWrappings::logsListTheirGraphs_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("graphs");
    const auto row = [](const char* name, const std::string& text, const char* graphs) {
        QTest::newRow(name) << text << std::string(graphs);
    };
    const std::string message =
        std::string("TRACED GRAPH\n ===== Forward graph 3 =====\n /x/a.py ") + kGraph + "\n";
    const std::string prefix = "V0211 09:14:55.402000 77 torch/a.py:1] [0/0] [__aot_graphs] ";
    const char* const listed = "Forward graph 3|before|0/0||4\n";
    const std::string bar = "\r 40%|\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88      | 4/10 "
                            "[00:01<00:02,  2.50it/s]";
    std::string log = prefixed(prefix, message);
    row("4 tqdm in front of a message", bar + log, listed);
    row("4 tqdm in front of a line inside",
        log.substr(0, log.find("V0211", 300)) + bar + log.substr(log.find("V0211", 300)), listed);
    row("4 tqdm on a line of its own",
        log.substr(0, log.find("V0211", 300)) + bar + "\n" + log.substr(log.find("V0211", 300)),
        listed);
    row("4 tqdm without a total", "\r12it [00:03,  4.00it/s]" + log, listed);
    row("4 tqdm with a description and two bars", "train: " + bar.substr(1) + bar + log, listed);
    row("4 tqdm as wide as the screen",
        "\r 99%|" + replaced(std::string(200, '#'), "#", "\xE2\x96\x88")
            + "| 99/100 [01:00<?, ?it/s]" + log,
        listed);
    row("4 six signs of equality, 2.0",
        "[2023-04-10 12:28:11,630] torch._functorch.aot_autograd.__aot_graphs: [INFO] TRACED "
        "GRAPH\n ====== Forward graph 0 ======\n <eval_with_key>.8 "
            + std::string(kGraph),
        "Forward graph 0|before|||4\n");
    row("4 a banner without a number",
        prefixed(prefix, replaced(message, "Forward graph 3", "Backward graph")),
        "Backward graph|before|0/0||4\n");
    row("4 an attempt", prefixed(replaced(prefix, "[0/0]", "[3/1_2]"), message),
        "Forward graph 3|before|3/1_2||4\n");
    row("4 compiled autograd", prefixed(replaced(prefix, "[0/0]", "[!0/3/0_1]"), message),
        "Forward graph 3|before|!0/3/0_1||4\n");
    row("4 pytest and its captured log", prefixed("E   ", log), listed);
    row("4 a container and its date", prefixed("web-1  | ", log),
        "Forward graph 3|before|0/0|web-1|4\n");
    row("4 a worker of a server", prefixed("(Worker_TP0 pid=101) ", log),
        "Forward graph 3|before|0/0|(Worker_TP0 pid=101)|4\n");
    row(
        "4 grep hits only",
        [&] {
            std::istringstream lines(log);
            std::string hits;
            for (std::string line; std::getline(lines, line);)
                if (line.find("torch.ops") != std::string::npos
                    || line.find("def forward") != std::string::npos)
                    hits += line + "\n";
            return hits;
        }(),
        "|before|0/0||3\n");
}

void tst_FactsWrappings::logsListTheirGraphs()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, graphs);

    const auto document = documentFrom(text);

    COMPARE_TEXT(originsOf(*document), graphs);
    const bool isCut = std::string(QTest::currentDataTag()).ends_with("hits only");
    if (!isCut)
    {
        COMPARE_TEXT(problemsOf(*document), "");
        COMPARE_TEXT(factsOf(*document), kFacts);
    }
}

static std::string record(const std::string& json, const std::string& payload = {})
{
    return "V0620 14:02:11.093412 5121 torch/a.py:190] " + json + "\n" + prefixed("\t", payload);
}

void tst_FactsWrappings::tracesListTheirGraphs_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("graphs");
    const auto row = [](const char* name, const std::string& text, const char* graphs) {
        QTest::newRow(name) << text << std::string(graphs);
    };
    const std::string place = R"("frame_id": 0, "frame_compile_id": 1, "attempt": 0)";
    const std::string forward =
        record("{\"aot_forward_graph\": {}, " + place + ", \"has_payload\": \"a\"}", kGraph);
    const char* const listed = "aot_forward_graph|before|0/1||4\n";
    row("5 file names by number",
        record(R"({"str": ["/a/b.py", 0]})") + record(R"({"str": ["/a/c.py", 1]})")
            + record(R"({"dynamo_start": {"stack": [{"line": 3, "name": "f", "filename": 1}]}, )"
                     + place + "}")
            + forward,
        listed);
    row("5 a name like a graph's", record(R"({"str": ["def forward(self):", 0]})") + forward,
        listed);
    row("5 a record with a stack and no place",
        record(R"({"aot_forward_graph": {}, "stack": [{"line": 3, "name": "f", "filename": 0}], )"
               R"("has_payload": "a"})",
               kGraph),
        "aot_forward_graph|before|||4\n");
    row("5 replayed from the cache",
        record(R"({"artifact": {"name": "fx_graph_cache_hit", "encoding": "json"}, )" + place
                   + R"(, "has_payload": "b"})",
               "{\"key\": \"f\", \"cache_state\": \"hit\"}\n")
            + record(R"({"artifact": {"name": "fx_graph_runnable", "encoding": "string"}, )" + place
                         + R"(, "has_payload": "c"})",
                     "import torch\n"
                         + replaced(std::string(kGraph), "class <lambda>(", "class Repro(")
                         + "def load_args(reader):\n    buf0 = reader.storage(None, 16)\n    "
                           "reader.tensor(buf0, (4,))  # x\n")
            + record("{\"inductor_post_grad_graph\": {}, " + place + R"(, "has_payload": "d"})",
                     replaced(kGraph, "a.py:1", "/another/run/a.py:1")),
        "fx_graph_runnable|before|0/1||4\ninductor_post_grad_graph|final|0/1||4\n");
    row("5 payloads that are lists",
        record("{\"inductor_provenance\": {}, " + place + R"(, "has_payload": "e"})",
               "[\n\"class <lambda>(torch.nn.Module):\",\n2\n]")
            + forward,
        listed);
    row("5 a payload with a graph's number behind it",
        record("{\"aot_forward_graph\": {}, " + place + ", \"has_payload\": \"a\"}",
               std::string(kGraph) + "\n\n # graph id: 140312\n"),
        listed);
    row("5 a rank",
        record("{\"aot_forward_graph\": {}, \"rank\": 3, " + place + ", \"has_payload\": \"a\"}",
               kGraph),
        "aot_forward_graph|before|0/1|rank3|4\n");
}

void tst_FactsWrappings::tracesListTheirGraphs()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, graphs);

    const auto document = documentFrom(text);

    COMPARE_TEXT(originsOf(*document), graphs);
    COMPARE_TEXT(problemsOf(*document), "");
}

void tst_FactsWrappings::damagedTextsAreRead_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("graphs");
    QTest::addColumn<std::string>("problems");
    const auto row = [](const char* name, const std::string& text, const std::string& graphs,
                        const char* problems) {
        QTest::newRow(name) << text << graphs << std::string(problems);
    };
    const std::string graph = kGraph;
    const auto spaced = [](std::string text) {
        text = replaced(std::move(text), "y", "my first layer");
        return replaced(std::move(text), "x", "my input");
    };
    const char* const told = "2 names with blanks in them are shown with underscores\n";
    const char* const renamed =
        "my_input = placeholder|my_first_layer = aten.add.Tensor(my_input, 1)|"
        "z = demo.f.default(my_first_layer, 'a')|return (z,)";
    row("7 names anonymised with blanks", spaced(graph), renamed, told);
    row("7 names with blanks in a log",
        prefixed("V0211 09:14:55.402000 77 torch/a.py:1] [0/0] [__aot_graphs] ", spaced(graph)),
        renamed, told);
    row("7 a name with blanks inside another",
        "def forward(self, my in, my in put):\n    y = my in put + 1\n    z = my in + y\n    "
        "return "
        "(z, my in)\n",
        "my_in = placeholder|my_in_put = placeholder|y = operator.add(my_in_put, 1)|z = "
        "operator.add(my_in, y)|return (z, my_in)",
        "1 names with blanks in them are shown with underscores\n");
    row("7 dots for a part left out", replaced(graph, "        z:", "...\n        z:"), kFacts,
        "5 this line was not understood: expected a statement\n");
    row("7 a note for a part left out",
        replaced(graph, "        z:", "        [truncated]\n        z:"), kFacts,
        "5 this line was not understood: expected a statement\n");
    row("7 half of a line",
        replaced(graph, "demo.f.default(y, 'a');  y = None", "demo.f.default(y, 'a..."),
        "x = placeholder|y = aten.add.Tensor(x, 1)|z = unreadable(y)|return (z,)",
        "5 this line was not understood: this string has no end\n");
    row("7 the tail cut inside a line", graph.substr(0, graph.find("return (z") + 9),
        "x = placeholder|y = aten.add.Tensor(x, 1)|z = demo.f.default(y, 'a')|return ()",
        "6 the text is cut in this line, which was left out\n");
    row("7 two dumps, one behind the other", graph + graph, std::string(kFacts) + "||" + kFacts,
        "");
    row(
        "7 an editor's line numbers",
        [&] {
            std::istringstream lines(graph);
            std::string text;
            int number = 98;
            for (std::string line; std::getline(lines, line);)
            {
                text += (number < 100 ? " " : "") + std::to_string(number) + "  " + line + "\n";
                ++number;
            }
            return text;
        }(),
        kFacts, "");
    row("7 an IDE's prefix", prefixed("[stdout] ", graph), kFacts, "");
    row("7 a footnote behind the graph", graph + "\nThat is all I have, sorry.\n", kFacts,
        "8 1 lines outside of any forward were not read\n");
}

void tst_FactsWrappings::damagedTextsAreRead()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, graphs);
    QFETCH(const std::string, problems);

    const auto document = loadDocument(SourceText("paste", text));

    QVERIFY2(document.ok(), document.ok() ? "" : toText(document.error()).c_str());
    COMPARE_TEXT(factsOf(**document), graphs);
    COMPARE_TEXT(problemsOf(**document), problems);
}

QTEST_APPLESS_MAIN(tst_FactsWrappings)
#include "tst_facts_wrappings.moc"
