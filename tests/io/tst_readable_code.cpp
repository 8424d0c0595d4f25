// SPDX-License-Identifier: MIT
#include "core/io/readable_code.h"

#include "tests/support/graph_text.h"
#include "tests/support/test_data.h"

using namespace reinspect;

class tst_ReadableCode : public QObject
{
    Q_OBJECT

private slots:
    void aCallBecomesANode();
    void targetsAreSpelledAsCapturesSpellThem_data();
    void targetsAreSpelledAsCapturesSpellThem();
    void deletionsAreNoNodes();
    void commentsTellTheSource();
    void operatorsBecomeCallsOfTheOperatorModule_data();
    void operatorsBecomeCallsOfTheOperatorModule();
    void inPlaceOperatorsAreNamedBehindTheSemicolon();
    void valuesAreRead_data();
    void valuesAreRead();
    void methodsModulesAndAttributesAreRead();
    void theReturnIsTheOutputsArgument_data();
    void theReturnIsTheOutputsArgument();
    void aRenamedPlaceholderKeepsItsTarget();
    void annotationsWithoutQuotesAreRead();
    void aWrappedCallIsOneStatement();
    void nestedClassesAreSubgraphs();
    void severalClassesAreSeveralGraphs();
};

// The node `y` of a forward with the inputs a, b and this statement.
static std::shared_ptr<const Document> withStatement(const std::string& statement)
{
    return documentFrom("def forward(self, a: \"f32[4]\", b: \"i64[1]\"):\n    " + statement
                        + "\n    return (y,)\n");
}

static std::string nodeText(const Document& document, const char* name = "y")
{
    const Graph& graph = *document.graphs.front().graph;
    return toText(graph, graph.find(name));
}

void tst_ReadableCode::aCallBecomesANode()
{
    const Graph graph = graphFrom(R"py(
        class <lambda>(torch.nn.Module):
            def forward(self, arg0_1: "f32[8, 4][4, 1]cuda:0", arg1_1: "Sym(s0)"):
                y: "f32[8][1]cuda:0" = torch.ops.aten.sum.dim_IntList(arg0_1, [1], dtype = torch.float32)
                return (y,)
    )py");

    QCOMPARE(graph.name, std::string("<lambda>"));
    QCOMPARE(graph.size(), std::size_t{4});
    const Node& y = graph[graph.find("y")];
    QCOMPARE(y.op, NodeOp::CallFunction);
    QCOMPARE(toText(graph, graph.find("y")),
             std::string("y = aten.sum.dim_IntList(arg0_1, [1], dtype = torch.float32)"));
    QCOMPARE(toText(y.meta.value), std::string("f32[8][1]cuda:0"));
    QCOMPARE(y.meta.span.line, 3u);
    QVERIFY(graph[graph.output()].args.front().sequence()->front().node() == graph.find("y"));
}

void tst_ReadableCode::targetsAreSpelledAsCapturesSpellThem_data()
{
    QTest::addColumn<std::string>("printed");
    QTest::addColumn<std::string>("target");

    const auto row = [](const char* printed, const char* target) {
        QTest::newRow(printed) << std::string(printed) << std::string(target);
    };
    row("torch.ops.aten.add.Tensor", "aten.add.Tensor");
    row("torch.ops._c10d_functional.all_reduce.default", "_c10d_functional.all_reduce.default");
    row("torch.ops.higher_order.auto_functionalized_v2", "higher_order.auto_functionalized_v2");
    // Higher-order operators have moved; the last part is what they are.
    row("torch._higher_order_ops.auto_functionalize.auto_functionalized",
        "higher_order.auto_functionalized");
    row("torch.ops.cond", "higher_order.cond");
    row("torch.sym_max", "torch.sym_max");
    row("math.ceil", "math.ceil");
}

void tst_ReadableCode::targetsAreSpelledAsCapturesSpellThem()
{
    QFETCH(const std::string, printed);
    QFETCH(const std::string, target);

    const auto document = withStatement("y = " + printed + "(a)");

    const Graph& graph = *document->graphs.front().graph;
    QCOMPARE(graph[graph.find("y")].target, target);
}

void tst_ReadableCode::deletionsAreNoNodes()
{
    const Graph graph = graphFrom(R"(
        def forward(self, a: "f32[4]", b: "f32[4]"):
            c: "f32[4]" = torch.ops.aten.add.Tensor(a, b);  b = None
            copy_: "f32[4]" = torch.ops.aten.copy_.default(a, c);  a = c = copy_ = None
            copy_ = None
            return ()
    )");

    QCOMPARE(graph.size(), std::size_t{5});
}

void tst_ReadableCode::commentsTellTheSource()
{
    const Graph graph = graphFrom(R"(
        def forward(self, a: "f32[4]"):
            # File: model.py:12 in forward, code: y = x; z = None  # 'odd'
            b = torch.ops.aten.sin.default(a)
            c = torch.ops.aten.cos.default(b)

            # No stacktrace found for following nodes
            d = torch.ops.aten.cos.default(c)  # a remark

            # Annotation: {'k': 'v'} File: a b.py:3, code: w
            e = torch.ops.aten.cos.default(d)
            return (e,)
    )");

    const auto meta = [&graph](const char* name) { return graph[graph.find(name)].meta; };
    QCOMPARE(meta("a").source.str(), std::string());
    QCOMPARE(meta("b").sourceFile.str(), std::string("model.py:12 in forward"));
    QCOMPARE(meta("c").source.str(), std::string("y = x; z = None  # 'odd'"));
    QCOMPARE(meta("d").source.str(), std::string());
    QCOMPARE(meta("e").sourceFile.str(), std::string("a b.py:3"));
    QCOMPARE(meta("e").source.str(), std::string("w"));
}

void tst_ReadableCode::operatorsBecomeCallsOfTheOperatorModule_data()
{
    QTest::addColumn<std::string>("expression");
    QTest::addColumn<std::string>("call");

    const auto row = [](const char* expression, const char* call) {
        QTest::newRow(expression) << std::string(expression) << std::string(call);
    };
    row("a + b", "operator.add(a, b)");
    row("a // 64", "operator.floordiv(a, 64)");
    row("2 * b", "operator.mul(2, b)");
    row("a ** -1", "operator.pow(a, -1)");
    row("a & b", "operator.and_(a, b)");
    row("a >= 0.5", "operator.ge(a, 0.5)");
    row("-a", "operator.neg(a)");
    row("~a", "operator.invert(a)");
    row("a[0]", "operator.getitem(a, 0)");
    row("a['out_ptr']", "operator.getitem(a, 'out_ptr')");
    row("a[(slice(None, None, None), 0)]", "operator.getitem(a, (slice(None, None, None), 0))");
    row("a[1:, b]", "operator.getitem(a, (slice(1, None, None), b))");
    row("a.shape", "builtins.getattr(a, 'shape')");
}

void tst_ReadableCode::operatorsBecomeCallsOfTheOperatorModule()
{
    QFETCH(const std::string, expression);
    QFETCH(const std::string, call);

    QCOMPARE(nodeText(*withStatement("y = " + expression)), "y = " + call);
}

void tst_ReadableCode::inPlaceOperatorsAreNamedBehindTheSemicolon()
{
    QCOMPARE(nodeText(*withStatement("a += b;  y = a;  b = None")),
             std::string("y = operator.iadd(a, b)"));
    QCOMPARE(nodeText(*withStatement("a[0] = b;  y = a")),
             std::string("y = operator.setitem(a, 0, b)"));
}

void tst_ReadableCode::valuesAreRead_data()
{
    QTest::addColumn<std::string>("value");
    QTest::addColumn<std::string>("read");

    const auto row = [](const char* value, const char* read = nullptr) {
        QTest::newRow(value) << std::string(value) << std::string(read ? read : value);
    };
    row("None");
    row("True");
    row("-inf");
    row("nan");
    row("1e-05");
    row("9223372036854775807");
    row("-9223372036854775808");
    row("99999999999999999999");
    row("(1+2j)", "(1.0+2.0j)");
    row("'it\\'s \\x00 \\n'", "\"it's \\x00 \\n\"");
    row("b'raw'");
    row("[]");
    row("(a,)");
    row("((a, b), [None, b])");
    row("{'k': a, 'l': {}}");
    row("torch.bfloat16");
    row("torch.strided");
    row("torch.channels_last");
    row("torch.ops.aten.sin.default");
    row("device(type='cuda', index=0)");
    row("torch.device('cpu')", "device(type='cpu')");
    row("slice(None, 4, None)");
    row("slice(b)", "slice(None, b, None)");
    row("s77");
    row("((s0 + 3)//4)");
    row("Reduction.SUM");
    row("TreeSpec(tuple, None, [*, *])");
    row("<ProcessGroup at 0x7f>");
    row("<OpOverload(op='aten.slice', overload='Tensor')>", "torch.ops.aten.slice.Tensor");
    row("float('-inf')", "-inf");
    row("(a)", "a");
    row("...");
}

void tst_ReadableCode::valuesAreRead()
{
    QFETCH(const std::string, value);
    QFETCH(const std::string, read);

    const auto document = withStatement("y = f(" + value + ")");

    QCOMPARE(document->problems.size(), std::size_t{0});
    QCOMPARE(nodeText(*document), "y = f(" + read + ")");
}

void tst_ReadableCode::methodsModulesAndAttributesAreRead()
{
    const Graph graph = graphFrom(R"(
        def forward(self, x):
            w = self.layer.w
            c = getattr(getattr(self.layers, "0"), "1").conv(x)
            v = x.view(2, -1)
            return (w, c, v)
    )");

    const auto node = [&graph](const char* name) { return graph[graph.find(name)]; };
    QCOMPARE(node("w").op, NodeOp::GetAttr);
    QCOMPARE(node("w").target, std::string("layer.w"));
    QCOMPARE(node("c").op, NodeOp::CallModule);
    QCOMPARE(node("c").target, std::string("layers.0.1.conv"));
    QCOMPARE(node("v").op, NodeOp::CallMethod);
    QCOMPARE(node("v").args.size(), std::size_t{3});
    COMPARE_TEXT(writeReadableCode(graph), writeReadableCode(graphFrom(writeReadableCode(graph))));
}

void tst_ReadableCode::theReturnIsTheOutputsArgument_data()
{
    QTest::addColumn<std::string>("returned");
    QTest::addColumn<int>("outputs");

    QTest::newRow("tuple") << std::string("(a, None, [b])") << 3;
    QTest::newRow("list") << std::string("[a, b]") << 2;
    QTest::newRow("one value") << std::string("a") << 1;
    QTest::newRow("nothing in it") << std::string("()") << 0;
    QTest::newRow("dict") << std::string("{'k': a}") << 1;
    QTest::newRow("None") << std::string("None") << -1; // how it counts is the graph's business
}

void tst_ReadableCode::theReturnIsTheOutputsArgument()
{
    QFETCH(const std::string, returned);
    QFETCH(const int, outputs);

    const Graph graph = graphFrom("def forward(self, a, b):\n    return " + returned + "\n");

    const Node& output = graph[graph.output()];
    QCOMPARE(output.name, std::string("output"));
    QCOMPARE(toText(graph, output.args.front()), returned);
    if (outputs >= 0)
        QCOMPARE(static_cast<int>(outputCount(graph)), outputs);
}

void tst_ReadableCode::aRenamedPlaceholderKeepsItsTarget()
{
    const Graph graph = graphFrom(R"(
        def forward(self, L_x_ : torch.Tensor, *args, s = 3):
            l_x_ = L_x_
            y = l_x_ + s
            return (y,)
    )");

    QCOMPARE(graph.size(), std::size_t{5});
    QCOMPARE(graph[graph.find("l_x_")].target, std::string("L_x_"));
    QCOMPARE(graph[graph.find("args")].target, std::string("*args"));
    QCOMPARE(graph[graph.find("s")].args.front().integer(), std::optional<std::int64_t>(3));
    QVERIFY(sameGraph(graph, graphFrom(writeReadableCode(graph))));
}

void tst_ReadableCode::annotationsWithoutQuotesAreRead()
{
    const Graph graph = graphFrom(R"(
        def forward(self, x: f32[2, 4], n: Sym(s0)):
            y: f32[2] = torch.ops.aten.sum.dim_IntList(x, [1])
            return [y]
    )");

    QCOMPARE(toText(graph[graph.find("x")].meta.value), std::string("f32[2, 4]"));
    QCOMPARE(toText(graph[graph.find("n")].meta.value), std::string("Sym(s0)"));
    COMPARE_TEXT(toText(asPrinted(graph[graph.find("y")].meta.value)), "f32[2]");
}

void tst_ReadableCode::aWrappedCallIsOneStatement()
{
    const auto document = withStatement("y = torch.ops.aten.index_put.default(\n"
                                        "        a,  # the base\n        [None,\n         b], a)");

    QCOMPARE(nodeText(*document), std::string("y = aten.index_put.default(a, [None, b], a)"));
}

void tst_ReadableCode::nestedClassesAreSubgraphs()
{
    const Graph graph = graphFrom(R"(
        class GraphModule(torch.nn.Module):
            def forward(self, p: "b8[]", x: "f32[4]"):
                true_graph_0 = self.true_graph_0
                false_graph_0 = self.false_graph_0
                cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, (x,));  p = None
                getitem: "f32[4]" = cond[0];  cond = None
                return (getitem,)

            class true_graph_0(torch.nn.Module):
                def forward(self, x: "f32[4]"):
                    sin: "f32[4]" = torch.ops.aten.sin.default(x);  x = None
                    return (sin,)

            class false_graph_0(torch.nn.Module):
                def forward(self, x: "f32[4]"):
                    return (x,)
    )");

    QCOMPARE(graph.size(), std::size_t{7});
    QCOMPARE(graph.subgraphs.size(), std::size_t{2});
    QVERIFY(graph.subgraphs.at("true_graph_0")->find("sin").isValid());
    QVERIFY(sameGraph(graph, graphFrom(writeReadableCode(graph))));
}

void tst_ReadableCode::severalClassesAreSeveralGraphs()
{
    const auto document = documentFrom(R"(
        class A(torch.nn.Module):
            def forward(self, x):
                return (x,)

        class B(torch.nn.Module):
            def forward(self, x):
                y = x * 2
                return (y,)
    )");

    QCOMPARE(document->graphs.size(), std::size_t{2});
    QCOMPARE(document->graphs[1].graph->name, std::string("B"));
    QCOMPARE(document->graphs[1].graph->size(), std::size_t{3});
}

QTEST_APPLESS_MAIN(tst_ReadableCode)
#include "tst_readable_code.moc"
