// SPDX-License-Identifier: MIT
// What pages, terminals and mails do to a dump, and which graphs are read all the same.
#include "core/io/document.h"

#include "tests/support/graph_text.h"
#include "tests/support/test_data.h"

using namespace reinspect;

class tst_UnwrapPaste : public QObject
{
    Q_OBJECT

private slots:
    void aWrappedGraphIsRead_data();
    void aWrappedGraphIsRead();
    void nodesPointThroughTheMargin();
    void theOlderSideOfADiffIsListed();
    void aPasteHoldsManyGraphs();
    void aTableOfAGraphSaysWhatToPrintInstead();
    void fragmentsOfOutputCodeAreRead();
};

static const char* const kGraph =
    "class <lambda>(torch.nn.Module):\n"
    "    def forward(self, x: \"f32[4]\"):\n"
    "        # File: a.py:1, code: y = x + 1\n"
    "        y: \"f32[4]\" = torch.ops.aten.add.Tensor(x, 1);  x = None\n"
    "        z: \"f32[4]\" = torch.ops.demo.f.default(y, 'a');  y = None\n"
    "        return (z,)\n";

// Each line after `change`.
template<typename Change>
static std::string mapped(Change change)
{
    std::istringstream lines(kGraph);
    std::string text;
    int number = 0;
    for (std::string line; std::getline(lines, line);)
        text += change(line, ++number) + "\n";
    return text;
}

static std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

void tst_UnwrapPaste::aWrappedGraphIsRead_data()
{
    QTest::addColumn<std::string>("text");

    const auto row = [](const char* name, const std::string& text) { QTest::newRow(name) << text; };
    const auto prefix = [](const std::string& text) {
        return mapped([&text](const std::string& line, int) { return text + line; });
    };
    const std::string graph = kGraph;
    row("as it is", graph);
    row("fenced", "I saw this:\n```python\n" + graph + "```\nWhy?\n");
    row("fenced in details", "<details>\n\n~~~\n" + graph + "~~~\n</details>\n");
    row("quoted", prefix("> "));
    row("quoted twice", prefix("> > "));
    row("quoted without a blank", prefix(">"));
    row("isolate_fails", prefix(">>  "));
    row("pytest", prefix("E   "));
    row("container", prefix("web-1  | "));
    row("container with a date", mapped([](const std::string& line, int n) {
            return "2024-05-05T10:00:0" + std::to_string(n) + "Z " + line;
        }));
    row("added in a diff", prefix("+"));
    row("unchanged in a diff", "@@ -1,6 +1,7 @@\n" + prefix(" ") + "+# end\n");
    row("numbered", mapped([](const std::string& line, int n) {
            return (n < 10 ? " " : "") + std::to_string(n) + " " + line;
        }));
    row("numbered with bars", mapped([](const std::string& line, int n) {
            return "  " + std::to_string(n + 7) + " | " + line;
        }));
    row("HTML", replaced(replaced(replaced(graph, "<", "&lt;"), ">", "&gt;"), "\"", "&quot;"));
    row("typographic quotes",
        replaced(replaced(graph, "\"f",
                          "\xE2\x80\x9C"
                          "f"),
                 "]\"", "]\xE2\x80\x9D"));
    row("single typographic quotes",
        replaced(graph, "'a'",
                 "\xE2\x80\x98"
                 "a\xE2\x80\x99"));
    row("no-break blanks", replaced(graph, "    ", "\xC2\xA0\xC2\xA0\xC2\xA0 "));
    row("tabs", replaced(graph, "    ", "\t"));
    row("CRLF", replaced(graph, "\n", "\r\n"));
    row("colours", replaced(graph, "f32[4]", "\x1B[31mf32\x1B[0m\x1B[34m[4]\x1B[0m"));
    row("lambda eaten", replaced(graph, "<lambda>", ""));
    row("a path in front", "/x/torch/fx/_lazy_graph_module.py " + graph);
    row("a key in front", "<eval_with_key>.8 " + graph);
    row("a key and a place in front",
        "<eval_with_key>.8 from /x/proxy_tensor.py:506 in wrapped " + graph);
    row("no class", graph.substr(graph.find("    def")));
    row("forward at the margin",
        replaced(graph.substr(graph.find("    def")), "\n    ", "\n").substr(4));
    row("body at the margin", replaced(graph, "        ", ""));
    row("a body alone", replaced(graph.substr(graph.find("        #")), "        ", ""));
    row("a body alone, deep", graph.substr(graph.find("        #")));
    row("no last line break", graph.substr(0, graph.size() - 1));
    row("a prompt", ">>> print_readable()\n" + graph);
    row("wrapped calls", replaced(graph, "(y, 'a')", "(y,\n'a')"));
    row("print(gm)",
        "<lambda>(\n  (layer): Linear()\n)\n\n\n\n"
            + replaced(graph.substr(graph.find("    def")), "\n    ", "\n").substr(4)
            + "    \n# To see more debug info, please use `graph_module.print_readable()`\n");
    row("gm.code",
        "\n\n\ndef forward(self, x):\n    y = torch.ops.aten.add.Tensor(x, 1);  x = None\n"
        "    z = torch.ops.demo.f.default(y, 'a');  y = None\n    return (z,)\n    \n");
    row("deletions of their own", replaced(graph, ";  x = None", "\n        x = None"));
    row("a cut deletion", replaced(graph, ";  x = None", ";  x = #"));
    row("a graph id behind", graph + "\n\n # graph id: 140312\n");
}

void tst_UnwrapPaste::aWrappedGraphIsRead()
{
    QFETCH(const std::string, text);

    const auto document = loadDocument(SourceText("paste", text));

    QVERIFY2(document.ok(), document.ok() ? "" : toText(document.error()).c_str());
    QCOMPARE((*document)->graphs.size(), std::size_t{1});
    for (const Problem& problem : (*document)->problems)
        QVERIFY2(false, (std::to_string(problem.span.line) + ": " + problem.text).c_str());
    const Graph& graph = *(*document)->graphs.front().graph;
    std::string lines;
    for (const NodeId id : graph.order())
        lines += toText(graph, id) + "\n";
    COMPARE_TEXT(lines,
                 "x = placeholder\ny = aten.add.Tensor(x, 1)\nz = demo.f.default(y, 'a')\n"
                 "return (z,)\n");
}

void tst_UnwrapPaste::nodesPointThroughTheMargin()
{
    const auto document =
        documentFrom("hello\n" + mapped([](const std::string& line, int) { return "> " + line; }));

    const Graph& graph = *document->graphs.front().graph;
    QCOMPARE(graph[graph.find("y")].meta.span.line, 5u);
    QCOMPARE(graph[graph.find("y")].meta.span.column, 11u);
}

void tst_UnwrapPaste::theOlderSideOfADiffIsListed()
{
    const auto document =
        documentFrom("+class A(torch.nn.Module):\n+    def forward(self, x):\n"
                     "-        y = x + 1\n+        y = x + 2\n+        return (y,)\n");

    QCOMPARE(document->graphs.front().graph->size(), std::size_t{3});
    QCOMPARE(document->problems.size(), std::size_t{1});
    QCOMPARE(document->problems.front().span.line, 3u);
}

void tst_UnwrapPaste::aPasteHoldsManyGraphs()
{
    const std::string graph = kGraph;
    const auto document = documentFrom(" ===== Forward graph 0 =====\n" + graph
                                       + " ===== Backward graph 0 =====\n" + graph
                                       + "```\ngraph():\n    %x : [num_users=1] = "
                                         "placeholder[target=x]\n    return (x,)\n```\n"
                                       + graph + graph);

    QCOMPARE(document->graphs.size(), std::size_t{5});
    QCOMPARE(document->graphs[0].origin.title, std::string("Forward graph 0"));
    QCOMPARE(document->graphs[1].origin.title, std::string("Backward graph 0"));
    QCOMPARE(document->graphs[1].origin.line, 9u + 1);
    QVERIFY(document->graphs[1].stage == Stage::BeforePass);
}

void tst_UnwrapPaste::aTableOfAGraphSaysWhatToPrintInstead()
{
    const auto document = loadDocument(SourceText(
        "t",
        "opcode         name    target    args    kwargs\n-------------  ------  --------\n"
        "placeholder    x       x         ()      {}\n"));

    QVERIFY(!document.ok());
    QVERIFY(document.error().message.find("table") != std::string::npos);
    QVERIFY(document.error().hint.find("print_readable()") != std::string::npos);
}

void tst_UnwrapPaste::fragmentsOfOutputCodeAreRead()
{
    const auto document = documentFrom(
        "# AOT ID: ['0_inference']\nimport torch\n"
        "# Topologically Sorted Source Nodes: [y], Original ATen: [aten.add]\n"
        "# Graph fragment:\n"
        "#   %a : Tensor \"f32[4][1]cuda:0\" = PlaceHolder[target=a]\n"
        "#   %y : Tensor \"f32[4][1]cuda:0\"[num_users=1] = "
        "call_function[target=torch.ops.aten.add.Tensor]"
        "(args = (%a, 1), kwargs = {})\n"
        "#   return %y\n"
        "triton_poi_fused_0 = async_compile.triton('x', '''\nimport triton\n''')\n"
        "# Graph fragment:\n"
        "#   %z : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%y, %b), "
        "kwargs = {})\n"
        "def call(args):\n    return (buf0, )\n");

    QCOMPARE(document->graphs.size(), std::size_t{2});
    QVERIFY(document->graphs[0].stage == Stage::Fragment);
    COMPARE_TEXT(toText(*document->graphs[0].graph),
                 "a = placeholder\ny = aten.add.Tensor(a, 1)\nreturn y\n");
    // Older files only reference their inputs.
    COMPARE_TEXT(toText(*document->graphs[1].graph),
                 "y = placeholder\nb = placeholder\nz = aten.mul.Tensor(y, b)\n");
    QCOMPARE(
        document->graphs[0].graph->operator[](document->graphs[0].graph->find("y")).meta.span.line,
        6u);
}

QTEST_APPLESS_MAIN(tst_UnwrapPaste)
#include "tst_unwrap_paste.moc"
