// SPDX-License-Identifier: MIT
// Facts of annotations and comments in code that other tests have no row for; all rows are listed in
// format_facts.md.
#include "tests/support/graph_facts.h"
#include "tests/support/test_data.h"

using namespace reinspect;

class tst_FactsMarks : public QObject
{
    Q_OBJECT

private slots:
    void annotationsAreRead_data();
    void annotationsAreRead();
    void commentsTellTheUsersLine_data();
    void commentsTellTheUsersLine();
};

void tst_FactsMarks::annotationsAreRead_data()
{
    QTest::addColumn<std::string>("annotation");
    const auto row = [](const std::string& annotation) {
        QTest::newRow(("2.2 " + annotation).c_str()) << annotation;
    };
    for (const char* dtype :
         {"bf16",      "f64",        "f32", "f16", "f8e4m3fn", "f8e5m2", "f8e4m3fnuz", "f8e5m2fnuz",
          "f8e8m0fnu", "f4e2m1fnx2", "c32", "c64", "c128",     "i8",     "i16",        "i32",
          "i64",       "b8",         "u8",  "u16", "u32",      "u64"})
        row(std::string(dtype) + "[2][1]cpu");
    for (const char* device : {"cpu", "cuda:0", "cuda", "hpu:0", "xpu:0", "mps:0", "meta", "npu:0"})
        row("f32[2][1]" + std::string(device));
    for (const char* size : {"s0", "s77", "u0", "2*s0", "s3*s4*s5", "4096*s33", "((s0 + 63)//64)",
                             "Max(1, s0)", "Mod(s0, 8)", "s0**2", "zuf0"})
        row("f32[" + std::string(size) + ", 4]");
    row("Sym(Eq(s0, 4))");
    row("Sym(s77 + 63)");
    row("Sym(4)");
    row("f32[0][1]cpu"); // a token of effects
}

void tst_FactsMarks::annotationsAreRead()
{
    QFETCH(const std::string, annotation);

    const Graph graph = graphFrom("def forward(self, x: \"" + annotation + "\"):\n    return x\n");

    const MetaValue& value = graph[graph.find("x")].meta.value;
    QVERIFY(!std::holds_alternative<OpaqueMeta>(value.value));
    COMPARE_TEXT(toText(value), annotation);
}

void tst_FactsMarks::commentsTellTheUsersLine_data()
{
    QTest::addColumn<std::string>("comment");
    QTest::addColumn<std::string>("file");
    QTest::addColumn<std::string>("code");
    const auto row = [](const char* name, const char* comment, const char* file, const char* code) {
        QTest::newRow(name) << std::string(comment) << std::string(file) << std::string(code);
    };
    row("2.5 module text of 2.0, comma-joined",
        "# Module stack: {'layer': 'Linear'}, File: c.py:12, code: y = x", "c.py:12", "y = x");
    row("2.5 module text of 2.0, without a blank", "# self_layer,File: c.py:12, code: y = x",
        "c.py:12", "y = x");
    row("2.5 a path that holds the word File", "# File: /a/File: b/c.py:12 in f, code: y = x",
        "/a/File: b/c.py:12 in f", "y = x");
    row("2.5 code that holds the word File", "# File: c.py:12 in f, code: y = f('File: ')",
        "c.py:12 in f", "y = f('File: ')");
    row("2.5 no path", "# File: <string>:3 in g, code: y = x", "<string>:3 in g", "y = x");
    row("2.5 letters of other alphabets", "# File: c.py:1 in f, code: \xC3\xA9 = \xCE\xB1[0]",
        "c.py:1 in f", "\xC3\xA9 = \xCE\xB1[0]");
    row("2.5 code with deletions and brackets", "# File: c.py:1 in f, code: y = (x;  x = None",
        "c.py:1 in f", "y = (x;  x = None");
}

void tst_FactsMarks::commentsTellTheUsersLine()
{
    QFETCH(const std::string, comment);
    QFETCH(const std::string, file);
    QFETCH(const std::string, code);

    const Graph graph = graphFrom("def forward(self, x):\n    " + comment
                                  + "\n    y = x + 1\n    z = y + 1\n    return (z,)\n");

    // It holds until the next comment.
    for (const char* name : {"y", "z"})
    {
        COMPARE_TEXT(graph[graph.find(name)].meta.sourceFile.str(), file);
        COMPARE_TEXT(graph[graph.find(name)].meta.source.str(), code);
    }
}

QTEST_APPLESS_MAIN(tst_FactsMarks)
#include "tst_facts_marks.moc"
