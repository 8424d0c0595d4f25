// SPDX-License-Identifier: MIT
// Damaged files must never end or stop the program: real texts cut at every byte, and with seeded
// random damage. What loads must be a sound graph; what does not must say so with a message.
#include "core/io/document.h"

#include "core/io/graph_writers.h"
#include "core/io/json_document.h"
#include "core/io/readable_code.h"
#include "core/ir/graph_verifier.h"
#include "tests/support/test_data.h"

#include <random>

using namespace reinspect;

class tst_Truncation : public QObject
{
    Q_OBJECT

private slots:
    void aCutTextLoadsOrSaysWhy_data() { addFiles(); }
    void aCutTextLoadsOrSaysWhy();
    void aDamagedTextLoadsOrSaysWhy_data() { addFiles(); }
    void aDamagedTextLoadsOrSaysWhy();
    void whatHasNoEndOrNoSenseEndsSoon_data();
    void whatHasNoEndOrNoSenseEndsSoon();
    void aCutReadableTextKeepsItsStatements();
    void aCutInsideTheReturnKeepsTheNamesThere();

private:
    static void addFiles();
};

void tst_Truncation::addFiles()
{
    QTest::addColumn<std::string>("name");
    for (const char* name :
         {"triton_dynamic.json", "triton_dynamic.readable.txt", "triton_dynamic.ir.txt",
          "custom_two_outs_v2.readable.txt", "diagonal_fill_input.canonical.json",
          "dumps/debug_f/model__0_inference_0.0/fx_graph_runnable.py",
          "dumps/debug_f/model__0_inference_0.0/fx_graph_transformed.py", "dumps/g_torch_logs.txt"})
        QTest::newRow(name) << std::string(name);
}

// Empty when all is well.
static std::string complaint(const std::string& text)
{
    const auto document = loadDocument(SourceText("damaged", text));
    if (!document)
        return document.error().message.empty() ? "an error without a message" : "";
    for (const DocumentGraph& entry : (*document)->graphs)
    {
        const Result<void> sound = verifyGraph(*entry.graph);
        if (!sound)
            return sound.error().message;
        // Writers take whatever readers give.
        writeReadableCode(*entry.graph);
        writeIrText(*entry.graph);
        writeDot(*entry.graph);
        writeJsonDocument(**document, *entry.graph, entry.stage);
    }
    return {};
}

void tst_Truncation::aCutTextLoadsOrSaysWhy()
{
    QFETCH(const std::string, name);
    const std::string text = testData(name);

    for (std::size_t size = 1; size < text.size(); ++size)
    {
        const std::string wrong = complaint(text.substr(0, size));
        QVERIFY2(wrong.empty(), (std::to_string(size) + " bytes: " + wrong).c_str());
    }
}

void tst_Truncation::aDamagedTextLoadsOrSaysWhy()
{
    QFETCH(const std::string, name);
    const std::string text = testData(name);
    constexpr std::string_view kSigns = "()[]{}\"':;,=\n<>#%.-\\ ";
    std::mt19937 random(20240229);

    for (int round = 0; round < 1500; ++round)
    {
        std::string damaged = text;
        for (int change = 0; change < 1 + round % 6; ++change)
        {
            const std::size_t at = random() % damaged.size();
            if (random() % 2 == 0)
                damaged[at] = static_cast<char>(random() % 256);
            else
                damaged.insert(at, 1, kSigns[random() % kSigns.size()]);
        }
        const std::string wrong = complaint(damaged);
        QVERIFY2(wrong.empty(), ("round " + std::to_string(round) + ": " + wrong).c_str());
    }
}

void tst_Truncation::whatHasNoEndOrNoSenseEndsSoon_data()
{
    QTest::addColumn<std::string>("text");
    const auto row = [](const char* name, std::string text) {
        QTest::newRow(name) << std::move(text);
    };
    const std::string header = "def forward(self, x):\n";
    const std::string megabytes(10'000'000, 'a');
    const std::string brackets(100'000, '[');
    row("one line of 10 MB", megabytes);
    row("a name of 10 MB", header + "    " + megabytes + " = x + 1\n    return (x,)\n");
    row("a string of 10 MB", header + "    y = f(x, '" + megabytes + "')\n    return (y,)\n");
    row("a log line of 10 MB", "V0211 09:14:55.402000 77 a.py:1] [0/0] [__a] " + megabytes + "\n");
    row("brackets in code", header + "    y = f(" + brackets + "\n    return (x,)\n");
    row("brackets in graph() text",
        "graph():\n    %x : [num_users=0] = call_function[target=f](args = (" + brackets
            + "), kwargs = {})\n    return x\n");
    row("brackets in JSON", "{\"a\": " + brackets);
    row("brackets in DOT", "digraph { a -> " + std::string(100'000, '{'));
    row("brackets in an annotation",
        "def forward(self, x: \"f32[" + brackets + "\"):\n    return x\n");
    row("brackets in a script",
        "class Repro(torch.nn.Module):\n    def forward(self, x):\n        return x\n"
        "def load_args(reader):\n    reader.tensor(buf0, "
            + brackets + ")\n");
    const auto repeated = [](const std::string& begin, auto line) {
        std::string text = begin;
        for (int i = 0; i < 100'000; ++i)
            text += line(i);
        return text;
    };
    row("a name 100,000 times", repeated(header, [](int) { return "    y = f(x)\n"; }));
    row("a parameter 100,000 times",
        repeated("def forward(self", [](int) { return std::string(", x"); })
            + "):\n    return x\n");
    row("100,000 unknown names", repeated(header, [](int i) {
            return "    y" + std::to_string(i) + " = f(z" + std::to_string(i) + ")\n";
        }));
    row("uses before definitions", repeated(header, [](int i) {
            return "    y" + std::to_string(i) + " = f(y" + std::to_string(i + 1) + ")\n";
        }));
    row("100,000 unknown names in graph() text", repeated("graph():\n", [](int i) {
            return "    %y" + std::to_string(i)
                + " : [num_users=0] = call_function[target=f](args = (%z" + std::to_string(i)
                + ",), kwargs = {})\n";
        }));
    row("100,000 classes",
        repeated("", [](int) { return std::string("class A(torch.nn.Module):\n"); }));
    row("100,000 records", repeated("", [](int i) {
            return "V0211 09:14:55." + std::to_string(100'000 + i)
                + " 77 a.py:1] [0/0] [__aot_graphs] TRACED GRAPH\n";
        }));
    row("100,000 edges of a cycle",
        repeated("digraph {\n", [](int i) {
            return "n" + std::to_string(i) + " -> n" + std::to_string((i + 1) % 100'000) + "\n";
        }) + "}\n");
}

void tst_Truncation::whatHasNoEndOrNoSenseEndsSoon()
{
    QFETCH(const std::string, text);

    const auto document = loadDocument(SourceText("odd", text));

    if (document)
        for (const DocumentGraph& entry : (*document)->graphs)
            QVERIFY(verifyGraph(*entry.graph).ok());
    else
        QVERIFY(!document.error().message.empty());
}

void tst_Truncation::aCutReadableTextKeepsItsStatements()
{
    const std::string text = testData("triton_dynamic.readable.txt");
    const std::size_t inside = text.find("aten.sum.dim_IntList(getitem");

    const auto document = loadDocument(SourceText("t", text.substr(0, inside + 10)));

    QVERIFY(document.ok());
    const Graph& graph = *(*document)->graphs.front().graph;
    // Five inputs, and the six statements before the cut one.
    QCOMPARE(graph.size(), std::size_t{11});
    const std::vector<Problem>& problems = (*document)->problems;
    QCOMPARE(problems.size(), std::size_t{2});
    QCOMPARE(problems[0].text, std::string("this graph has no return"));
    QCOMPARE(problems[1].text, std::string("the text is cut in this line, which was left out"));
    QCOMPARE(problems[1].span.line, 14u);
}

void tst_Truncation::aCutInsideTheReturnKeepsTheNamesThere()
{
    const auto document =
        loadDocument(SourceText("t", "def forward(self, a, ab, abc):\n    return (ab, ab"));

    QVERIFY(document.ok());
    const Graph& graph = *(*document)->graphs.front().graph;
    // The last name may be half of "abc", so only the first counts.
    QCOMPARE(toText(graph, graph[graph.output()].args.front()), std::string("(ab,)"));
    QCOMPARE((*document)->problems.size(), std::size_t{1});
}

QTEST_APPLESS_MAIN(tst_Truncation)
#include "tst_truncation.moc"
