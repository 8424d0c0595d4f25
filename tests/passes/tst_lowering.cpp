// SPDX-License-Identifier: MIT
// What later passes make of the wrappers: one small graph for each rule.
#include "core/ir/graph_verifier.h"

#include "tests/support/lowering_text.h"
#include "tests/support/test_data.h"

#include <QTest>

using namespace reinspect;

namespace
{

// Which operators the rows call.
CaptureFacts demoFacts()
{
    CaptureFacts facts;
    const auto add = [&facts](const char* target, const char* schema) {
        facts.operators.push_back({target, schema, nullptr});
    };
    add("demo.scale_.default", "demo::scale_(Tensor(a0!) x, float s) -> ()");
    add("demo.norm.default",
        "demo::norm(Tensor x, Tensor(a1!) out, float eps=1.0, *, str mode='a') -> Tensor");
    add("demo.pair.default", "demo::pair(Tensor(a0!) x, Tensor y) -> (Tensor, Tensor)");
    add("demo.many_.default", "demo::many_(Tensor(a0!)[] xs) -> ()");
    return facts;
}

} // namespace

class tst_Lowering : public QObject
{
    Q_OBJECT

private slots:
    void wrappersBecomeCopiesAndCalls_data();
    void wrappersBecomeCopiesAndCalls();
    void onlyWhatIsLeftToCloneIsCopied_data();
    void onlyWhatIsLeftToCloneIsCopied();
    void symbolicSizesBecomeNodes();
    void chainsOfResultsEndAtTheLastCopy();
    void unusedAttributesGo();
};

void tst_Lowering::wrappersBecomeCopiesAndCalls_data()
{
    QTest::addColumn<std::string>("x");
    QTest::addColumn<std::string>("statements");
    QTest::addColumn<std::string>("expected");

    const auto row = [](const char* name, const char* x, const std::string& statements,
                        const std::string& expected) {
        QTest::newRow(name) << std::string(x) << statements << expected;
    };
    row("triton: written in place", "f32[8][1]cuda:0",
        "    w = " + triton("") + "\n    return (x,)",
        "triton_kernel_wrapper_mutation = " + std::string(kLaunch) + "x})\nreturn (x,)\n");
    row("triton: copied", "f32[8][1]cuda:0",
        "    w = " + triton("'out'") + "\n    r: \"f32[8][1]cuda:0\" = w['out']\n    return (r, x)",
        "as_strided_default = aten.as_strided.default(x, [8], [1], 0)\n"
        "clone_default = aten.clone.default(as_strided_default)\n"
        "as_strided_default_1 = aten.as_strided.default(clone_default, [8], [1], 0)\n"
        "triton_kernel_wrapper_mutation = "
            + std::string(kLaunch) + "as_strided_default_1})\nreturn (as_strided_default_1, x)\n");
    row("triton: gaps and repeats are copied as they are", "f32[2, 4][0, 3]cuda:0",
        "    w = " + triton("'out'") + "\n    return (x,)",
        "as_strided_default = aten.as_strided.default(x, [10], [1], 0)\n"
        "clone_default = aten.clone.default(as_strided_default)\n"
        "as_strided_default_1 = aten.as_strided.default(clone_default, [2, 4], [0, 3], 0)\n"
        "triton_kernel_wrapper_mutation = "
            + std::string(kLaunch) + "as_strided_default_1})\nreturn (x,)\n");
    row("triton: nothing to copy in an empty tensor", "f32[0, 4][4, 1]cuda:0",
        "    w = " + triton("'out'") + "\n    return (x,)",
        "as_strided_default = aten.as_strided.default(x, [0], [1], 0)\n"
        "clone_default = aten.clone.default(as_strided_default)\n"
        "as_strided_default_1 = aten.as_strided.default(clone_default, [0, 4], [4, 1], 0)\n"
        "triton_kernel_wrapper_mutation = "
            + std::string(kLaunch) + "as_strided_default_1})\nreturn (x,)\n");
    row("triton: a result of what is written in place is the argument", "f32[8][1]cuda:0",
        "    w = " + triton("") + "\n    r: \"f32[8][1]cuda:0\" = w['out']\n    return (r,)",
        "triton_kernel_wrapper_mutation = " + std::string(kLaunch) + "x})\nreturn (x,)\n");
    row("the last wrapper is named first", "f32[8][1]cuda:0",
        "    w = " + triton("") + "\n    w_1 = " + triton("") + "\n    return (x,)",
        "triton_kernel_wrapper_mutation_1 = " + std::string(kLaunch)
            + "x})\ntriton_kernel_wrapper_mutation = " + std::string(kLaunch)
            + "x})\nreturn (x,)\n");
    row("v1: no list, no copy", "f32[8][1]cuda:0",
        "    w = " + std::string(kFunctionalV1)
            + "scale_.default, x = x, s = 2.0)\n    r: \"f32[8][1]cuda:0\" = w[1]\n    return (r,)",
        "scale__default = demo.scale_.default(x, 2.0)\nreturn (x,)\n");
    row("v1: a value, defaults left out, keywords kept", "f32[8][1]cuda:0",
        "    w = " + std::string(kFunctionalV1)
            + "norm.default, x = x, out = y, eps = 1.0, mode = 'b')\n    r: \"f32[8][1]cuda:0\" = "
              "w[0]\n    o: \"f32[8][1]cuda:0\" = w[1]\n    return (r, o)",
        "norm_default = demo.norm.default(x, y, mode = 'b')\nreturn (norm_default, y)\n");
    row("v1: an argument that is not given", "f32[8][1]cuda:0",
        "    w = " + std::string(kFunctionalV1)
            + "norm.default, x = x, out = None, eps = 2.0, mode = 'a')\n    r: "
              "\"f32[8][1]cuda:0\" = w[0]\n    return (r,)",
        "norm_default = demo.norm.default(x, None, 2.0)\nreturn (norm_default,)\n");
    row("v1: two values", "f32[8][1]cuda:0",
        "    w = " + std::string(kFunctionalV1)
            + "pair.default, x = x, y = y)\n    b: \"f32[8][1]cuda:0\" = w[1]\n    c: "
              "\"f32[8][1]cuda:0\" = w[2]\n    return (b, c)",
        "pair_default = demo.pair.default(x, y)\n"
        "getitem = operator.getitem(pair_default, 0)\n"
        "getitem_1 = operator.getitem(pair_default, 1)\nreturn (getitem_1, x)\n");
    row("v1: a list", "f32[8][1]cuda:0",
        "    w = " + std::string(kFunctionalV1)
            + "many_.default, xs = [x, y])\n    l = w[1]\n    b: \"f32[8][1]cuda:0\" = l[1]\n    "
              "return (b,)",
        "many__default = demo.many_.default([x, y])\nreturn (y,)\n");
    row("v2: the base itself", "f32[8][1]cuda:0",
        "    w = " + std::string(kFunctionalV2)
            + "scale_.default, s = 2.0, _x_base_index = 0, _all_bases = [x])\n    r: "
              "\"f32[8][1]cuda:0\" = w[1]\n    return (r,)",
        "scale__default = demo.scale_.default(x, 2.0)\nreturn (x,)\n");
    row("v2: a slice", "f32[8][1]cuda:0",
        "    w = " + std::string(kFunctionalV2)
            + "scale_.default, s = 2.0, _x_base_index = 0, _x_slice_dim = 0, _x_slice_start = 2, "
              "_x_slice_end = 4, _all_bases = [x])\n    return (x,)",
        "slice_tensor = aten.slice.Tensor(x, 0, 2, 4)\n"
        "scale__default = demo.scale_.default(slice_tensor, 2.0)\nreturn (x,)\n");
    row("v2: any view", "f32[8][1]cuda:0",
        "    w = " + std::string(kFunctionalV2)
            + "scale_.default, s = 2.0, _x_base_index = 0, _x_size = (2, 2), _x_stride = (1, 2), "
              "_x_storage_offset = 3, _all_bases = [x])\n    return (x,)",
        "as_strided_default = aten.as_strided.default(x, [2, 2], [1, 2], 3)\n"
        "scale__default = demo.scale_.default(as_strided_default, 2.0)\nreturn (x,)\n");
    row("v2: an alias", "f32[8][1]cuda:0",
        "    w = " + std::string(kFunctionalV2)
            + "scale_.default, s = 2.0, _x_base_index = 0, _x_alias = True, _all_bases = [x])\n"
              "    return (x,)",
        "alias_default = aten.alias.default(x)\n"
        "scale__default = demo.scale_.default(alias_default, 2.0)\nreturn (x,)\n");
    row("v2: an argument that is not given", "f32[8][1]cuda:0",
        "    w = " + std::string(kFunctionalV2)
            + "norm.default, x = x, eps = 2.0, mode = 'a', _out_base_index = None, _all_bases = "
              "[])\n    r: \"f32[8][1]cuda:0\" = w[0]\n    return (r,)",
        "norm_default = demo.norm.default(x, None, 2.0)\nreturn (norm_default,)\n");
    row("v2: a list of views", "f32[8][1]cuda:0",
        "    w = " + std::string(kFunctionalV2)
            + "many_.default, _xs_length = 2, _xs_0_base_index = 1, _xs_1_base_index = 0, "
              "_xs_1_slice_dim = 0, _xs_1_slice_start = 0, _xs_1_slice_end = 4, _all_bases = [x, "
              "y])\n    r: \"f32[8][1]cuda:0\" = w[2]\n    return (r,)",
        "slice_tensor = aten.slice.Tensor(x, 0, 0, 4)\n"
        "many__default = demo.many_.default([y, slice_tensor])\nreturn (y,)\n");
}

void tst_Lowering::wrappersBecomeCopiesAndCalls()
{
    QFETCH(std::string, x);
    QFETCH(std::string, statements);
    QFETCH(std::string, expected);

    const Result<StageGraph> lowered = lowerWrappers(program(x, statements), demoFacts());

    QVERIFY2(lowered, lowered ? "" : toText(lowered.error()).c_str());
    const std::string difference = firstDifference(body(lowered->graph), expected);
    QVERIFY2(difference.empty(), difference.c_str());
    QVERIFY(lowered->assumptions.empty());
    QVERIFY(verifyGraph(lowered->graph));
}

void tst_Lowering::onlyWhatIsLeftToCloneIsCopied_data()
{
    QTest::addColumn<std::string>("call");
    QTest::addColumn<std::string>("final");

    const std::string copy = "as_strided_default = aten.as_strided.default(c, [8], [1], 0)\n"
                             "clone_default = aten.clone.default(as_strided_default)\n"
                             "as_strided_default_1 = aten.as_strided.default(clone_default, [8], "
                             "[1], 0)\n";
    QTest::newRow("v1") << std::string(kFunctionalV1) + "scale_.default, x = c, s = 2.0)"
                        << copy
            + "scale__default = demo.scale_.default(as_strided_default_1, 2.0)\n";
    QTest::newRow("v2") << std::string(kFunctionalV2)
            + "scale_.default, s = 2.0, _x_base_index = 0, _x_slice_dim = 0, _x_slice_start = 0, "
              "_x_slice_end = 4, _all_bases = [c])"
                        << copy
            + "slice_tensor = aten.slice.Tensor(as_strided_default_1, 0, 0, 4)\n"
              "scale__default = demo.scale_.default(slice_tensor, 2.0)\n";
}

void tst_Lowering::onlyWhatIsLeftToCloneIsCopied()
{
    QFETCH(std::string, call);
    QFETCH(std::string, final);

    const auto lowered = [&](const char* result) {
        const Graph graph =
            program("f32[8][1]cuda:0",
                    "    c: \"f32[8][1]cuda:0\" = torch.ops.aten.cos.default(x)\n"
                    "    w = "
                        + call + "\n    r: \"f32[8][1]cuda:0\" = w[1]\n    return " + result);
        const CaptureFacts facts = demoFacts();
        return graphAtStage(*traceOf(graph, facts), PassStage::Final, facts).value();
    };

    // c is returned as it was before the call: the pass leaves it to clone.
    const Graph kept = lowered("(r, c)");
    QCOMPARE(body(kept),
             "c = aten.cos.default(x)\n" + final + "return (as_strided_default_1, c)\n");
    QVERIFY(verifyGraph(kept));
    const Graph inPlace = lowered("(r,)");
    QVERIFY(!inPlace.find("clone_default"));
    QVERIFY(verifyGraph(inPlace));
}

void tst_Lowering::symbolicSizesBecomeNodes()
{
    const Graph graph =
        program("f32[s0, 4][4, 1]cuda:0", "    w = " + triton("'out'") + "\n    return (x,)");

    const StageGraph lowered = lowerWrappers(graph).value();

    QCOMPARE(body(lowered.graph),
             "sym_size_int = aten.sym_size.int(x, 0)\n"
             "sub = operator.sub(sym_size_int, 1)\n"
             "mul = operator.mul(sub, 4)\n"
             "add = operator.add(0, mul)\n"
             "add_1 = operator.add(add, 3)\n"
             "add_2 = operator.add(1, add_1)\n"
             "as_strided_default = aten.as_strided.default(x, [add_2], [1], 0)\n"
             "clone_default = aten.clone.default(as_strided_default)\n"
             "as_strided_default_1 = aten.as_strided.default(clone_default, [sym_size_int, 4], [4, "
             "1], 0)\n"
             "triton_kernel_wrapper_mutation = "
                 + std::string(kLaunch) + "as_strided_default_1})\nreturn (x,)\n");
    QVERIFY(verifyGraph(lowered.graph));
}

// Each wrapper writes what the one before it left.
void tst_Lowering::chainsOfResultsEndAtTheLastCopy()
{
    constexpr int kLength = 300;
    std::string code = "def forward(self, x: \"f32[8][1]cuda:0\"):\n";
    std::string last = "x";
    for (int i = 0; i < kLength; ++i)
    {
        const std::string number = std::to_string(i);
        code += "    w" + number
            + " = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, "
              "constant_args_idx = 0, grid = [(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = "
              "{'out': "
            + last + "}, tensors_to_clone = [])\n    g" + number + ": \"f32[8][1]cuda:0\" = w"
            + number + "['out']\n";
        last = "g" + number;
    }
    const Graph graph = graphFrom(code + "    return (" + last + ",)");

    const StageGraph lowered = lowerWrappers(graph).value();

    QCOMPARE(lowered.graph.size(), std::size_t{kLength + 2});
    QCOMPARE(toText(lowered.graph, lowered.graph.output()), std::string("return (x,)"));
    QVERIFY(verifyGraph(lowered.graph));
}

// A view, a factory and a copy into itself stay, though nothing uses them.
void tst_Lowering::unusedAttributesGo()
{
    const Graph graph =
        program("f32[8][1]cuda:0",
                "    _tensor_constant0: \"f32[][]cuda:0\" = self._tensor_constant0\n"
                "    used: \"f32[][]cuda:0\" = self.used\n"
                "    v: \"f32[4][1]cuda:0\" = torch.ops.aten.slice.Tensor(x, 0, 0, 4)\n"
                "    e: \"f32[4][1]cuda:0\" = torch.ops.aten.empty.memory_format([4])\n"
                "    c: \"f32[8][1]cuda:0\" = torch.ops.aten.copy_.default(x, x)\n"
                "    return (used,)");

    const StageGraph lowered = lowerWrappers(graph).value();

    QVERIFY(!lowered.graph.find("_tensor_constant0"));
    for (const char* name : {"used", "v", "e", "c"})
        QVERIFY2(lowered.graph.find(name), name);
}

QTEST_APPLESS_MAIN(tst_Lowering)
#include "tst_lowering.moc"
