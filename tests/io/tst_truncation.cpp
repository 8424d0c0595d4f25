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
          "custom_two_outs_v2.readable.txt", "diagonal_fill_input.canonical.json"})
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
