// SPDX-License-Identifier: MIT
// Wrappers of which the text does not say all: what is assumed, and what is refused.
#include "core/ir/graph_verifier.h"

#include "tests/support/lowering_text.h"
#include "tests/support/test_data.h"

#include <QTest>

using namespace reinspect;

class tst_LoweringAssumed : public QObject
{
    Q_OBJECT

private slots:
    void withoutASchemaTheCallIsAssumed_data();
    void withoutASchemaTheCallIsAssumed();
    void whatCannotBeToldIsRefused_data();
    void whatCannotBeToldIsRefused();
    void withoutSizesTheCopyIsPlain();
};

void tst_LoweringAssumed::withoutASchemaTheCallIsAssumed_data()
{
    QTest::addColumn<std::string>("statements");
    QTest::addColumn<std::string>("expected");

    const auto row = [](const char* name, const std::string& statements, const char* expected) {
        QTest::newRow(name) << statements << std::string(expected);
    };
    const std::string v1 = "    w = " + std::string(kFunctionalV1);
    const std::string v2 = "    w = " + std::string(kFunctionalV2);
    row("v2 names what it writes",
        v2
            + "scale_.default, s = 2.0, _x_base_index = 0, _all_bases = [x])\n    r = w[1]\n    "
              "return (r,)",
        "scale__default = demo.scale_.default(s = 2.0, x = x)\nreturn (x,)\n");
    row("v2: two values are read before the bases",
        v2
            + "scale_.default, s = 2.0, _x_base_index = 0, _all_bases = [x])\n    q = w[1]\n    r "
              "= "
              "w[2]\n    return (q, r)",
        "scale__default = demo.scale_.default(s = 2.0, x = x)\n"
        "getitem = operator.getitem(scale__default, 0)\n"
        "getitem_1 = operator.getitem(scale__default, 1)\nreturn (getitem_1, x)\n");
    row("v1: what is copied back was written",
        v1
            + "add_out.default, x = x, y = y, s = 1)\n    r = w[1]\n    c = "
              "torch.ops.aten.copy_.default(y, r)\n    return ()",
        "add_out_default = demo.add_out.default(x = x, y = y, s = 1)\n"
        "c = aten.copy_.default(y, y)\nreturn ()\n");
    row("v1: every tensor has a result",
        v1 + "scale_.default, x = x, y = y)\n    r = w[2]\n    return (r,)",
        "scale__default = demo.scale_.default(x = x, y = y)\nreturn (y,)\n");
    row("v1: an empty buffer is there to be written",
        "    e = torch.ops.aten.empty.memory_format([8])\n    c = torch.ops.aten.cos.default(x)\n"
            + v1 + "norm.default, x = c, out = e)\n    r = w[1]\n    return (r,)",
        "e = aten.empty.memory_format([8])\nc = aten.cos.default(x)\n"
        "norm_default = demo.norm.default(x = c, out = e)\nreturn (e,)\n");
    row("v1: what is read later was not written",
        "    c = torch.ops.aten.cos.default(x)\n    d = torch.ops.aten.sin.default(x)\n" + v1
            + "norm.default, a = c, b = d)\n    r = w[1]\n    return (r, c)",
        "c = aten.cos.default(x)\nd = aten.sin.default(x)\n"
        "norm_default = demo.norm.default(a = c, b = d)\nreturn (d, c)\n");
}

void tst_LoweringAssumed::withoutASchemaTheCallIsAssumed()
{
    QFETCH(std::string, statements);
    QFETCH(std::string, expected);

    const Result<StageGraph> lowered = lowerWrappers(program("f32[8][1]cuda:0", statements));

    QVERIFY2(lowered, lowered ? "" : toText(lowered.error()).c_str());
    const std::string difference = firstDifference(body(lowered->graph), expected);
    QVERIFY2(difference.empty(), difference.c_str());
    QCOMPARE(lowered->assumptions.size(), std::size_t{1});
    QVERIFY(lowered->assumptions.front().find("schema") != std::string::npos);
    QVERIFY(verifyGraph(lowered->graph));
}

void tst_LoweringAssumed::whatCannotBeToldIsRefused_data()
{
    QTest::addColumn<std::string>("statements");
    QTest::addColumn<std::string>("message");

    QTest::newRow("all results at once")
        << "    w = " + triton("'out'") + "\n    return (w,)"
        << std::string("'w' cannot be lowered: 'output' uses all its results at once");
    QTest::newRow("a result of no argument")
        << "    w = " + triton("'out'") + "\n    r = w['in']\n    return (r,)"
        << std::string("'w' cannot be lowered: what 'r' reads of it is not known");
    QTest::newRow("no operator")
        << std::string("    w = torch.ops.higher_order.auto_functionalized(x)\n    return (x,)")
        << std::string("'w' cannot be lowered: which operator it carries is not known");
}

void tst_LoweringAssumed::whatCannotBeToldIsRefused()
{
    QFETCH(std::string, statements);
    QFETCH(std::string, message);

    const Result<StageGraph> lowered = lowerWrappers(program("f32[8][1]cuda:0", statements));

    QVERIFY(!lowered);
    QCOMPARE(lowered.error().message, message);
    QCOMPARE(lowered.error().kind, ErrorKind::CannotRunHere);
}

void tst_LoweringAssumed::withoutSizesTheCopyIsPlain()
{
    const Graph graph = graphFrom("def forward(self, x, y):\n    w = " + triton("'out'")
                                  + "\n    r = w['out']\n    return (r, x)");

    const StageGraph lowered = lowerWrappers(graph).value();

    QCOMPARE(body(lowered.graph),
             "clone_default = aten.clone.default(x)\ntriton_kernel_wrapper_mutation = "
                 + std::string(kLaunch) + "clone_default})\nreturn (clone_default, x)\n");
    QCOMPARE(lowered.assumptions.size(), std::size_t{1});
}

QTEST_APPLESS_MAIN(tst_LoweringAssumed)
#include "tst_lowering_assumed.moc"
