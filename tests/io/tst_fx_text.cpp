// SPDX-License-Identifier: MIT
#include "core/io/fx_text.h"

#include "core/io/graph_writers.h"
#include "tests/support/graph_text.h"
#include "tests/support/test_data.h"

using namespace reinspect;

class tst_FxText : public QObject
{
    Q_OBJECT

private slots:
    void everyLineIsANode();
    void theMissingShapesAreTold();
    void wordsAreReadByWhatTheyLookLike_data();
    void wordsAreReadByWhatTheyLookLike();
    void olderSpellingsAreRead_data();
    void olderSpellingsAreRead();
    void wholeGraphsOfAnyAgeAreRead_data();
    void wholeGraphsOfAnyAgeAreRead();
    void writingAndReadingAgainIsEqual_data();
    void writingAndReadingAgainIsEqual();
};

static std::shared_ptr<const Document> withArgument(const std::string& argument)
{
    return documentFrom(
        "graph():\n"
        "    %x : [num_users=1] = placeholder[target=x]\n"
        "    %y : [num_users=1] = call_function[target=torch.ops.aten.f.default](args = (%x, "
        + argument + "), kwargs = {k: %x})\n    return (y,)");
}

void tst_FxText::everyLineIsANode()
{
    const auto document = withArgument("1");

    const Graph& graph = *document->graphs.front().graph;
    QCOMPARE(document->format, DocumentFormat::IrText);
    QCOMPARE(graph.size(), std::size_t{3});
    QCOMPARE(toText(graph, graph.find("y")), std::string("y = aten.f.default(x, 1, k = x)"));
    QVERIFY(graph[graph.output()].args.front().sequence()->front().node() == graph.find("y"));
}

void tst_FxText::theMissingShapesAreTold()
{
    const auto document = withArgument("1");

    QCOMPARE(document->problems.size(), std::size_t{1});
    QCOMPARE(
        document->problems.front().text,
        std::string("print(graph) text has no shapes and no strides, so verdicts are assumed"));
}

void tst_FxText::wordsAreReadByWhatTheyLookLike_data()
{
    QTest::addColumn<std::string>("word");
    QTest::addColumn<std::string>("read");

    const auto row = [](const char* word, const char* read) {
        QTest::newRow(word) << std::string(word) << std::string(read);
    };
    row("sum", "'sum'");
    row("0", "0");
    row("1e-05", "1e-05");
    row("-inf", "-inf");
    row("None", "None");
    row("torch.float32", "torch.float32");
    row("torch.contiguous_format", "torch.contiguous_format");
    row("cuda:0", "device(type='cuda', index=0)");
    row("demo.bump.default", "torch.ops.demo.bump.default");
    row("[%x, [], (1,)]", "[x, [], (1,)]");
    row("{out: %x}", "{'out': x}");
    row("slice(None, x, None)", "slice(None, x, None)");
    row("((s0 + 3)//4)", "((s0 + 3)//4)");
    row("hello world", "'hello world'");
}

void tst_FxText::wordsAreReadByWhatTheyLookLike()
{
    QFETCH(const std::string, word);
    QFETCH(const std::string, read);

    const auto document = withArgument(word);

    const Graph& graph = *document->graphs.front().graph;
    QCOMPARE(toText(graph, graph[graph.find("y")].args.at(1)), read);
}

void tst_FxText::olderSpellingsAreRead_data()
{
    QTest::addColumn<std::string>("line");
    QTest::addColumn<std::string>("read");

    const auto row = [](const char* line, const char* read) {
        QTest::newRow(line) << std::string(line) << std::string(read);
    };
    row("%y : [#users=1] = call_function[target=operator.getitem](args = (%x, 0), kwargs = {})",
        "y = operator.getitem(x, 0)");
    row("%y = call_function[target=<built-in function getitem>](args = (%x, 0), kwargs = {})",
        "y = operator.getitem(x, 0)");
    row("%y : torch.Tensor [num_users=1] = call_method[target=view](args = (%x, -1), kwargs = {})",
        "y = view(x, -1)");
    row("%y : Tensor \"f32[4][1]cuda:0\"[num_users=1] = call_function[target=torch.relu](args = "
        "(%x,), kwargs = {})",
        "y = torch.relu(x)");
}

void tst_FxText::olderSpellingsAreRead()
{
    QFETCH(const std::string, line);
    QFETCH(const std::string, read);

    const auto document =
        documentFrom("graph(x) -> torch.Tensor:\n    %x : [#users=1] = placeholder[target=x]\n    "
                     + line + "\n    return y\n");

    const Graph& graph = *document->graphs.front().graph;
    QCOMPARE(document->problems.size(), std::size_t{1});
    QCOMPARE(toText(graph, graph.find("y")), read);
}

void tst_FxText::wholeGraphsOfAnyAgeAreRead_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("graph");
    const auto row = [](const char* name, const char* text, const char* graph) {
        QTest::newRow(name) << std::string(text) << std::string(graph);
    };
    const char* const sum = "x = placeholder\ny = placeholder\nz = operator.add(x, y)\nreturn z\n";
    row("2021: parameters in the header, no lines for them",
        "graph(x, y):\n    %z : [#users=1] = call_function[target=operator.add](args = (%x, %y), "
        "kwargs = "
        "{})\n    return z\n",
        sum);
    row("parameters with percent signs and types",
        "graph(%x : torch.Tensor, %y):\n    %z : [#users=1] = "
        "call_function[target=operator.add](args = "
        "(%x, %y), kwargs = {})\n    return %z\n",
        sum);
    row("without a header",
        "%x : [num_users=1] = placeholder[target=x]\n%y : [num_users=1] = "
        "placeholder[target=y]\n%z : "
        "[num_users=1] = call_function[target=operator.add](args = (%x, %y), kwargs = {})\nreturn "
        "z\n",
        sum);
    row("wrapped lines",
        "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %y : [num_users=1] = "
        "placeholder[target=y]\n    %z : [num_users=1] = call_function[target=operator.a\ndd](args "
        "= "
        "(%x,\n %y), kwargs = {})\n    return z\n",
        sum);
    row("old get_attr", "graph():\n    %w : [#users=1] = self.layer.w\n    return w\n",
        "w = get_attr(layer.w)\nreturn w\n");
    row("get_attr", "graph():\n    %w : [num_users=1] = get_attr[target=layer.w]\n    return [w]\n",
        "w = get_attr(layer.w)\nreturn [w]\n");
    row("stars and defaults",
        "graph():\n    %args : [num_users=0] = placeholder[target=*args]\n    %n : [num_users=0] = "
        "placeholder[target=n](default=3)\n    return None\n",
        "args = placeholder\nn = placeholder(3)\nreturn None\n");
    row("a dict",
        "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return {'k': x, 'l': (x, "
        "None)}\n",
        "x = placeholder\nreturn {'k': x, 'l': (x, None)}\n");
    row("nothing", "graph():\n    return ()\n", "return ()\n");
    row("operators as arguments",
        "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %y : [num_users=1] = "
        "call_function[target=torch.ops.higher_order.auto_functionalized](args = "
        "(demo.bump.default,), "
        "kwargs = {x: %x, s: sum})\n    return (y,)\n",
        "x = placeholder\ny = higher_order.auto_functionalized(torch.ops.demo.bump.default, x = x, "
        "s = "
        "'sum')\nreturn (y,)\n");
}

void tst_FxText::wholeGraphsOfAnyAgeAreRead()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, graph);

    const auto document = loadDocument(SourceText("ir", text));

    QVERIFY2(document.ok(), document.ok() ? "" : toText(document.error()).c_str());
    const Graph& read = *(*document)->graphs.front().graph;
    std::string lines;
    for (const NodeId id : read.order())
        lines +=
            (read[id].op == NodeOp::GetAttr ? read[id].name + " = get_attr(" + read[id].target + ")"
                 : read[id].op == NodeOp::Placeholder && !read[id].args.empty()
                 ? read[id].name + " = placeholder(" + toText(read, read[id].args[0]) + ")"
                 : toText(read, id))
            + "\n";
    COMPARE_TEXT(lines, graph);
    QCOMPARE((*document)->problems.size(), std::size_t{1});
}

void tst_FxText::writingAndReadingAgainIsEqual_data()
{
    QTest::addColumn<std::string>("name");
    for (const char* name :
         {"triton_dynamic.ir.txt", "custom_two_outs_v2.ir.txt", "foreach_adam.ir.txt"})
        QTest::newRow(name) << std::string(name);
}

void tst_FxText::writingAndReadingAgainIsEqual()
{
    QFETCH(const std::string, name);
    const std::string printed = testData(name);
    const auto document = documentFrom(printed);

    COMPARE_TEXT(writeIrText(*document->graphs.front().graph), printed + "\n");
}

QTEST_APPLESS_MAIN(tst_FxText)
#include "tst_fx_text.moc"
