// SPDX-License-Identifier: MIT
#include "core/passes/written_arguments.h"

#include "core/passes/reinplace_pass.h"
#include "tests/support/graph_text.h"
#include "tests/support/test_data.h"

using namespace reinspect;

class tst_WrittenArguments : public QObject
{
    Q_OBJECT

private slots:
    void theGraphTellsWhatACallWrites_data();
    void theGraphTellsWhatACallWrites();
    void whatIsInferredIsAssumed();
};

static Graph graphOf(const std::string& arguments, const std::string& rest)
{
    return graphFrom(
        "def forward(self, x: \"f32[8][1]cpu\", y: \"f32[8][1]cpu\", n: \"i64[2][1]cpu\"):\n"
        "    e: \"f32[8][1]cpu\" = torch.ops.aten.empty.memory_format([8])\n"
        "    s: \"f32[8][1]cpu\" = torch.ops.aten.sin.default(x)\n"
        "    w = torch.ops.higher_order.auto_functionalized(torch.ops.demo.op"
        + arguments + ")\n" + rest);
}

void tst_WrittenArguments::theGraphTellsWhatACallWrites_data()
{
    QTest::addColumn<std::string>("arguments");
    QTest::addColumn<std::string>("rest");
    QTest::addColumn<std::string>("written");

    const auto row = [](const char* name, const char* arguments, const char* rest,
                        const char* written) {
        QTest::newRow(name) << std::string(arguments) << std::string(rest) << std::string(written);
    };
    const char* const one = "    r: \"f32[8][1]cpu\" = w[1]\n    return (r,)\n";
    row("the only tensor", ".default, a = s, k = 2.0", one, "a ");
    row("an allocation, not an input", ".default, a = x, b = e", one, "b ");
    row("an allocation before an input", ".default, b = e, a = x", one, "b ");
    row("the input that is copied back", ".default, a = x, b = y",
        "    r: \"f32[8][1]cpu\" = w[1]\n    c = torch.ops.aten.copy_.default(y, r)\n    return "
        "()\n",
        "b ");
    row("both", ".default, a = s, b = e",
        "    p: \"f32[8][1]cpu\" = w[1]\n    q: \"f32[8][1]cpu\" = w[2]\n    return (p, q)\n",
        "a b ");
    row("a result of its own comes first", ".default, a = x, b = e, c = None",
        "    p: \"f32[3][1]cpu\" = w[0]\n    q: \"f32[8][1]cpu\" = w[1]\n    return (p, q)\n",
        "b ");
    row("the shape excludes", ".default, a = n, b = s, c = s", one, "b ");
    row("read again under the old name", ".default, a = s, b = e",
        "    r: \"f32[8][1]cpu\" = w[1]\n    t = s + r\n    return (t,)\n", "b ");
    row("two results of its own", ".default, a = n, out = e",
        "    p: \"f32[3][1]cpu\" = w[0]\n    q: \"f32[4][1]cpu\" = w[1]\n"
        "    r: \"f32[8][1]cpu\" = w[2]\n    return (p, q, r)\n",
        "out ");
    row("nothing is read: the name of the operator", "_.default, a = s, b = x", "    return ()\n",
        "a ");
    row("nothing is read, nothing is said", ".default, a = s, b = x", "    return ()\n", "");
}

void tst_WrittenArguments::theGraphTellsWhatACallWrites()
{
    QFETCH(const std::string, arguments);
    QFETCH(const std::string, rest);
    QFETCH(const std::string, written);

    const Graph graph = graphOf(arguments, rest);

    std::string names;
    WrittenArguments inferred;
    for (const std::string& name : inferred.of(graph, graph.find("w")))
        names += name + " ";
    COMPARE_TEXT(names, written);
}

void tst_WrittenArguments::whatIsInferredIsAssumed()
{
    const auto graph = std::make_shared<const Graph>(
        graphOf(".default, a = x, b = e", "    r: \"f32[8][1]cpu\" = w[1]\n    return (r,)\n"));

    const auto trace = runReinplace(PassInput{graph, {}, {}}, {});

    QVERIFY(trace.ok());
    QCOMPARE((*trace)->decisions.size(), std::size_t{1});
    QVERIFY((*trace)->decisions[0].verdict == Verdict::Reinplaced);
    QVERIFY((*trace)->decisions[0].certainty == Certainty::Assumed);
}

QTEST_APPLESS_MAIN(tst_WrittenArguments)
#include "tst_written_arguments.moc"
