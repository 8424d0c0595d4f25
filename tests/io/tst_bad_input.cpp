// SPDX-License-Identifier: MIT
// Broken inputs, and the message that each must give: what is wrong, where, and the way out.
#include "core/io/document.h"

#include "tests/support/graph_text.h"
#include "tests/support/test_data.h"

using namespace reinspect;

class tst_BadInput : public QObject
{
    Q_OBJECT

private slots:
    void aBrokenTextIsRefusedWithItsPlace_data();
    void aBrokenTextIsRefusedWithItsPlace();
    void whatIsNoGraphSaysWhatItIs_data();
    void whatIsNoGraphSaysWhatItIs();
    void anOddLineIsAProblemAndTheRestLoads_data();
    void anOddLineIsAProblemAndTheRestLoads();
    void aWrongNameIsAProblemAndItsLineLoads_data();
    void aWrongNameIsAProblemAndItsLineLoads();
    void anUnreadableStatementKeepsTheUsesItNames();
    void theWholeMessageShowsTheLineAndTheHint();
    void aBrokenFileDoesNotFillTheList();
};

static std::string capture(const std::string& nodes)
{
    return R"({"format": "reinspect-graph", "version": 1, "graph": {"nodes": [)" + nodes + "]}}";
}

static std::string node(const std::string& name, const std::string& argument)
{
    return R"({"name": ")" + name + R"(", "op": "call_function", "target": "f", "args": [)"
        + argument + "]}";
}

static std::string forward(const std::string& body)
{
    return "def forward(self, x: \"f32[4]\"):\n" + body;
}

void tst_BadInput::aBrokenTextIsRefusedWithItsPlace_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("place");
    QTest::addColumn<std::string>("message");
    QTest::addColumn<std::string>("hint"); // how it begins

    const auto row = [](const char* name, const std::string& text, const char* place,
                        const char* message, const char* hint) {
        QTest::newRow(name) << text << std::string(place) << std::string(message)
                            << std::string(hint);
    };
    const char* const order =
        "Nodes stand in program order; this graph is out of order or has a cycle.";
    row("other JSON", R"({"a": 1})", "1:1", "this JSON is not a Reinspect capture",
        "A capture is an object");
    row("JSON list", "[1]", "1:1", "this JSON is not a Reinspect capture", "A capture is");
    row("other format", R"({"format": "x"})", "1:12", "this JSON is not a Reinspect capture",
        "A capture is");
    row("newer version", R"({"format": "reinspect-graph", "version": 2})", "1:42",
        "this capture has version 2, and this program reads version 1", "Update Reinspect");
    row("no version", R"({"format": "reinspect-graph"})", "1:1",
        "the capture has no \"version\" number", "");
    row("no graph", R"({"format": "reinspect-graph", "version": 1})", "1:1",
        "the capture has no \"graph\"", "");
    row("cut capture", R"({"format": "reinspect-graph", "vers)", "1:36",
        "the JSON ends too early: expected a closing '\"'", "The file was cut.");
    row("nameless node", capture("{}"), "1:65", "expected a node: an object with a \"name\"", "");
    row("unknown op", capture(R"({"name": "a", "op": "call"})"), "1:85",
        "node 'a' has an unknown \"op\"", "Known: ");
    row("unknown node", capture(node("cos_1", "") + "," + node("b", R"({"$node": "cos_2"})")),
        "1:204", "unknown node 'cos_2'", "Nearest name: 'cos_1'.");
    row("use before definition", capture(node("a", R"({"$node": "b"})") + "," + node("b", "")),
        "1:136", "node 'b' is used before it is defined", order);
    row("node that uses itself", capture(node("a", R"({"$node": "a"})")), "1:136",
        "node 'a' is used before it is defined", order);
    row("name used twice", capture(node("a", "") + "," + node("a", "")), "1:138",
        "the name 'a' is used twice", "The first is at 1:65.");
    row("slice of two", capture(node("a", R"({"$slice": [1, 2]})")), "1:137",
        "a slice has three items: start, stop and step", "");
    row("object without a tag", capture(node("a", "{}")), "1:126",
        "expected an argument: an object here has one key that starts with '$'", "");
    row("cut parameters", "def forward(self, x: \"f32[4", "1:22", "this string has no end",
        "A graph cannot be read without its parameters");
    row("no colon", "def forward(self, x)\n    return x\n", "1:21",
        "the line ends here; expected ':'", "A graph");
    row("deep JSON", std::string(100'000, '['), "1:201", "nested deeper than 200 levels", "");
}

void tst_BadInput::aBrokenTextIsRefusedWithItsPlace()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, place);
    QFETCH(const std::string, message);
    QFETCH(const std::string, hint);

    const auto document = loadDocument(SourceText("bad.txt", text));

    QVERIFY(!document.ok());
    const Error& error = document.error();
    COMPARE_TEXT(error.message, message);
    COMPARE_TEXT(std::to_string(error.span.line) + ":" + std::to_string(error.span.column), place);
    QVERIFY2(error.hint.starts_with(hint), error.hint.c_str());
    QCOMPARE(error.file, std::string("bad.txt"));
    QVERIFY(error.kind == ErrorKind::BadInput);
}

void tst_BadInput::whatIsNoGraphSaysWhatItIs_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("message");

    const auto row = [](const char* name, const std::string& text, const char* message) {
        QTest::newRow(name) << text << std::string(message);
    };
    row("picture", "\x89PNG\r\n\x1a\n", "is a PNG picture, which cannot be read");
    row("archive", "PK\x03\x04", "is a zip archive (also .pt and .pt2), which cannot be read");
    row("UTF-16",
        "\xFF\xFE"
        "d",
        "is UTF-16 text, which cannot be read");
    row("blanks", " \n\n", "holds only blanks");
    row("prose", "Dear all,\n", "there is no graph in this text");
    row("other code", "class A:\n    def run(self):\n        pass\n",
        "there is no graph in this text");
}

void tst_BadInput::whatIsNoGraphSaysWhatItIs()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, message);

    const auto document = loadDocument(SourceText("bad.txt", text));

    QVERIFY(!document.ok());
    COMPARE_TEXT(document.error().message, message);
    QVERIFY(!document.error().hint.empty());
}

void tst_BadInput::anOddLineIsAProblemAndTheRestLoads_data()
{
    QTest::addColumn<std::string>("line");
    QTest::addColumn<std::string>("problem");

    const auto row = [](const char* line, const char* problem) {
        QTest::newRow(std::string(line).substr(0, 40).c_str())
            << std::string(line) << std::string(problem);
    };
    const std::string deep = "y = f(" + std::string(100'000, '[');
    row("y = f(x", "this line was not understood: expected ',' or ')'");
    row("y = f(x))", "this line was not understood: expected the end of the line");
    row("y = f('x", "this line was not understood: this string has no end");
    row("y = f(x $ 2)", "this line was not understood: this character is not Python");
    row("y = 3", "this line was not understood: this value makes no node");
    row("y = f(x + 1)", "this line was not understood: an operation inside an argument");
    row("...", "this line was not understood: expected a statement");
    row(deep.c_str(), "this line was not understood: nested deeper than 200 levels");
}

void tst_BadInput::anOddLineIsAProblemAndTheRestLoads()
{
    QFETCH(const std::string, line);
    QFETCH(const std::string, problem);

    const auto document = loadDocument(
        SourceText("t", forward("    " + line + "\n    z = x * 2\n    return (z,)\n")));

    QVERIFY(document.ok());
    const std::vector<Problem>& problems = (*document)->problems;
    QCOMPARE(problems.size(), std::size_t{1});
    COMPARE_TEXT(problems.front().text, problem);
    QVERIFY((*document)->graphs.front().graph->find("z").isValid());
    QVERIFY((*document)->graphs.front().graph->output().isValid());
}

void tst_BadInput::aWrongNameIsAProblemAndItsLineLoads_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("place");
    QTest::addColumn<std::string>("problem");
    QTest::addColumn<std::string>("hint"); // how it begins
    QTest::addColumn<std::string>("graph");

    const auto row = [](const char* name, const std::string& text, const char* place,
                        const char* problem, const char* hint, const char* graph) {
        QTest::newRow(name) << text << std::string(place) << std::string(problem)
                            << std::string(hint) << std::string(graph);
    };
    row("unknown name", forward("    cos_1 = x + 1\n    y = f(cos_2)\n    return (y,)\n"), "3:11",
        "unknown node 'cos_2'", "Nearest name: 'cos_1'.",
        "cos_1 = operator.add(x, 1)|cos_2 = unreadable()|y = f(cos_2)|return (y,)");
    row("cycle", forward("    y = f(z)\n    z = f(y)\n    return (z,)\n"), "2:11",
        "node 'z' is used before it is defined", "It is defined in line 3.",
        "z = unreadable()|y = f(z)|z_1 = f(y)|return (z_1,)");
    row("name twice", forward("    y = f(x)\n    y = g(y)\n    return (y,)\n"), "3:5",
        "the name 'y' is used twice; this node is shown as 'y_1'", "The first is in line 2.",
        "y = f(x)|y_1 = g(y)|return (y_1,)");
    row("unknown name in the return", forward("    return (xx,)\n"), "2:13", "unknown node 'xx'",
        "Nearest name: 'x'.", "xx = unreadable()|return (xx,)");
    row("unknown name in ir text",
        "graph():\n    %a : [num_users=0] = call_function[target=f](args = (%b,), kwargs = {})\n"
        "    return a\n",
        "2:59", "unknown node 'b'", "", "b = unreadable()|a = f(b)|return a");
    row("name twice in ir text",
        "graph():\n    %a : [num_users=0] = placeholder[target=a]\n    %a : [num_users=0] = "
        "placeholder[target=b]\n    return a\n",
        "3:6", "the name 'a' is used twice; this node is shown as 'a_1'", "The first is in line 2.",
        "a_1 = placeholder|return a_1");
    row("NUL byte", forward("    y = f(x)\n") + std::string("    # a\0\n    return (y,)\n", 26),
        "3:8", "NUL bytes were replaced by '?'", "The file is damaged here.",
        "y = f(x)|return (y,)");
}

void tst_BadInput::aWrongNameIsAProblemAndItsLineLoads()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, place);
    QFETCH(const std::string, problem);
    QFETCH(const std::string, hint);
    QFETCH(const std::string, graph);

    const auto document = loadDocument(SourceText("t", text));

    QVERIFY(document.ok());
    const std::vector<Problem> problems = (*document)->problems;
    const auto found = std::find_if(problems.begin(), problems.end(),
                                    [&](const Problem& p) { return p.text == problem; });
    QVERIFY2(found != problems.end(), problems.empty() ? "none" : problems.back().text.c_str());
    COMPARE_TEXT(std::to_string(found->span.line) + ":" + std::to_string(found->span.column),
                 place);
    QVERIFY2(found->hint.starts_with(hint), found->hint.c_str());
    const Graph& read = *(*document)->graphs.front().graph;
    std::string lines;
    for (const NodeId id : read.order())
        if (read[id].op != NodeOp::Placeholder || read[id].name != read[id].target)
            lines += (lines.empty() ? "" : "|") + toText(read, id);
    COMPARE_TEXT(lines, graph);
}

void tst_BadInput::anUnreadableStatementKeepsTheUsesItNames()
{
    const auto document =
        loadDocument(SourceText("t", forward("    y: \"f32[4]\" = f(x, $)\n    return (y,)\n")));

    const Graph& graph = *(*document)->graphs.front().graph;
    QCOMPARE(toText(graph, graph.find("y")), std::string("y = unreadable(x)"));
}

void tst_BadInput::theWholeMessageShowsTheLineAndTheHint()
{
    const auto document = loadDocument(
        SourceText("sample.txt", "def forward(self, x: \"f32[4]\", 3):\n    return x\n"));

    const std::string expected = dedented(R"(
        sample.txt:1:32: expected a parameter
            def forward(self, x: "f32[4]", 3):
                                           ^
        A graph cannot be read without its parameters; the text may be cut.
    )");
    COMPARE_TEXT(toText(document.error()), expected);
}

void tst_BadInput::aBrokenFileDoesNotFillTheList()
{
    std::string body;
    for (int i = 0; i < 5000; ++i)
        body += "    $\n";

    const auto document = loadDocument(SourceText("t", forward(body + "    return (x,)\n")));

    QVERIFY((*document)->problems.size() < 300);
    QCOMPARE((*document)->problems.back().text, std::string("and 4800 more problems"));
}

QTEST_APPLESS_MAIN(tst_BadInput)
#include "tst_bad_input.moc"
