// SPDX-License-Identifier: MIT
// Texts that a terminal or a mail broke into lines of its own width read as they did before.
#include "core/io/join_wraps.h"

#include "core/io/readable_code.h"
#include "tests/support/graph_facts.h"
#include "tests/support/test_data.h"

using namespace reinspect;

class tst_JoinWraps : public QObject
{
    Q_OBJECT

private slots:
    void aTextWrappedAtAnyWidthIsTheSame_data();
    void aTextWrappedAtAnyWidthIsTheSame();
    void linesThatAreNoRestStay_data();
    void linesThatAreNoRestStay();
    void nodesPointToWhereTheyBegin();
};

// Each line in pieces of at most `width` characters, as terminals break them.
static std::string wrapped(const std::string& text, std::size_t width)
{
    std::istringstream lines(text);
    std::string result;
    for (std::string line; std::getline(lines, line);)
    {
        std::size_t at = 0;
        for (; line.size() - at > width; at += width)
            result += line.substr(at, width) + "\n";
        result += line.substr(at) + "\n";
    }
    return result;
}

static std::string prefixed(const std::string& prefix, const std::string& text)
{
    std::istringstream lines(text);
    std::string result;
    for (std::string line; std::getline(lines, line);)
        result += prefix + line + "\n";
    return result;
}

void tst_JoinWraps::aTextWrappedAtAnyWidthIsTheSame_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<int>("width");
    const std::string log = "V0211 09:14:55.402000 77 torch/a.py:1] [0/0] [__aot_graphs] ";
    for (const char* name :
         {"triton_dynamic.readable.txt", "custom_two_outs_v2.readable.txt",
          "foreach_adam.readable.txt", "triton_dynamic.ir.txt", "foreach_adam.ir.txt"})
        for (const int width : {60, 79, 80, 81, 97, 120, 132, 200})
        {
            const std::string text = testData(name);
            const std::string row = std::string(name) + ", " + std::to_string(width);
            QTest::newRow(row.c_str()) << text << width;
            QTest::newRow((row + ", quoted").c_str()) << prefixed("> ", text) << width;
            QTest::newRow((row + ", logged").c_str())
                << prefixed(log, "TRACED GRAPH\n ===== Forward graph 0 =====\n" + text)
                << width + 60;
        }
}

void tst_JoinWraps::aTextWrappedAtAnyWidthIsTheSame()
{
    QFETCH(const std::string, text);
    QFETCH(const int, width);

    const bool isQuoted = text.starts_with("> ");
    std::string broken = wrapped(text, static_cast<std::size_t>(width));
    // A mail quotes what it has wrapped.
    if (isQuoted)
        broken = prefixed(
            "> ",
            wrapped(testData(std::string(QTest::currentDataTag())
                                 .substr(0, std::string(QTest::currentDataTag()).find(','))),
                    static_cast<std::size_t>(width)));
    const auto whole = loadDocument(SourceText("t", text));
    const auto document = loadDocument(SourceText("t", broken));

    QVERIFY(whole.ok());
    QVERIFY2(document.ok(), document.ok() ? "" : toText(document.error()).c_str());
    COMPARE_TEXT(factsOf(**document), factsOf(**whole));
    QCOMPARE((*document)->problems.size(), (*whole)->problems.size());
    QVERIFY(sameGraph(*(*document)->graphs.front().graph, *(*whole)->graphs.front().graph));
}

void tst_JoinWraps::linesThatAreNoRestStay_data()
{
    QTest::addColumn<std::string>("text");
    const auto row = [](const char* name, const char* text) {
        QTest::newRow(name) << std::string(text);
    };
    row("statements", "def forward(self, x):\n    y = x + 1\n    return (y,)\n");
    row("statements at the margin", "def forward(self, x):\ny = f(x\n)\nz = y + 1\nreturn (y,)\n");
    row("remarks behind the end",
        "def forward(self, x):\n    return (x,)\nThat was all =\nof it\n");
    row("a part left out", "def forward(self, x):\n    y = x + 1\n...\n    return (y,)\n");
    row("remarks between complete lines",
        "def forward(self, x):\n    y = f(x)\n[truncated]\n    return (y,)\n");
    row("other classes",
        "class A(torch.nn.Module):\n    def forward(self, x):\n        y = (\n"
        "class B(torch.nn.Module):\n    def forward(self, x):\n        pass\n");
    row("one parameter a line",
        "def forward(\n    self,\n    x: \"f32[2]\",  # it's \"w\"\n):\n    "
        "return x\n");
    row("meta blocks", "def forward(self, x):\n    \"\"\"\nval: 'y\n    \"\"\"\n    return x\n");
    row("prose", "This (is\na text,\nwith signs =\n");
    row("graph() text",
        "graph():\n    %x : [num_users=0] = placeholder[target=x]\nreturn x\nand\n");
}

void tst_JoinWraps::linesThatAreNoRestStay()
{
    QFETCH(const std::string, text);
    const SourceText source("t", text);
    TextLines lines = splitLines(source);
    const std::size_t count = lines.lines.size();

    QVERIFY(!joinWraps(lines.lines, lines.owned));
    QCOMPARE(lines.lines.size(), count);
}

void tst_JoinWraps::nodesPointToWhereTheyBegin()
{
    const auto document = documentFrom("def forward(self, some_name):\n"
                                       "    y = torch.ops.aten.add.Tensor(some_na\n"
                                       "me, 1)\n"
                                       "    z = torch.ops.aten.sin.default(y)\n"
                                       "    return (z,)\n");

    const Graph& graph = *document->graphs.front().graph;
    QCOMPARE(graph[graph.find("y")].meta.span.line, 2u);
    QCOMPARE(graph[graph.find("y")].meta.span.column, 5u);
    QCOMPARE(graph[graph.find("z")].meta.span.line, 4u);
}

QTEST_APPLESS_MAIN(tst_JoinWraps)
#include "tst_join_wraps.moc"
