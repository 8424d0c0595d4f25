// SPDX-License-Identifier: MIT
// Facts of print(graph) text that other tests have no row for; all rows are listed in format_facts.md.
#include "tests/support/graph_facts.h"
#include "tests/support/test_data.h"

using namespace reinspect;

class tst_FactsIr : public QObject
{
    Q_OBJECT

private slots:
    void argumentsAreRead_data();
    void argumentsAreRead();
    void wholeTextsAreRead_data();
    void wholeTextsAreRead();
};

static const char* const kNoShapes =
    "1 print(graph) text has no shapes and no strides, so verdicts are assumed\n";

void tst_FactsIr::argumentsAreRead_data()
{
    QTest::addColumn<std::string>("call"); // target](args = (...), kwargs = {...}
    QTest::addColumn<std::string>("read");
    const auto row = [](const char* name, const char* call, const char* read) {
        QTest::newRow(name) << std::string(call) << std::string(read);
    };
    // A comma inside a string cannot be told from one between arguments; no other argument is lost.
    row("1.2 a string with a comma and a bracket",
        "torch.ops.demo.f.default](args = (%x, a, b), c), kwargs = {}",
        "y = demo.f.default(x, 'a', 'b)', 'c')");
    row("1.2 a string like the border of the arguments",
        "torch.ops.demo.f.default](args = (%x, ), kwargs = {), kwargs = {k: 1}",
        "y = demo.f.default(x, ')', 'kwargs = {', k = 1)");
    row("1.2 an empty string", "torch.ops.demo.f.default](args = (%x, , 1), kwargs = {}",
        "y = demo.f.default(x, '', 1)");
    row("1.2 a string that looks like a number",
        "torch.ops._c10d_functional.all_reduce.default](args = (%x, sum, 0), kwargs = {}",
        "y = _c10d_functional.all_reduce.default(x, 'sum', '0')");
    row("1.2 nested containers", "f](args = ([%x, [1]], (%x,), {k: (%x, [])}), kwargs = {}",
        "y = f([x, [1]], (x,), {'k': (x, [])})");
    row("1.2 empty containers", "f](args = ([], (), {}), kwargs = {}", "y = f([], (), {})");
    row("1.2 numbers", "f](args = (0.1, 1e-05, inf, -inf, nan, -3), kwargs = {}",
        "y = f(0.1, 1e-05, inf, -inf, nan, -3)");
    row("1.2 named constants",
        "f](args = (torch.float32, cpu, cuda:0, torch.strided, torch.contiguous_format, True, "
        "None), kwargs = {}",
        "y = f(torch.float32, device(type='cpu'), device(type='cuda', index=0), torch.strided, "
        "torch.contiguous_format, True, None)");
    row("1.2 the end of a slice",
        "torch.ops.aten.slice.Tensor](args = (%x, 0, 1, 9223372036854775807), kwargs = {}",
        "y = aten.slice.Tensor(x, 0, 1, 9223372036854775807)");
    row("1.2 slices", "operator.getitem](args = (%x, (slice(None, 4, None), 0)), kwargs = {}",
        "y = operator.getitem(x, (slice(None, 4, None), 0))");
    row("1.2 a node inside a slice",
        "operator.getitem](args = (%x, slice(None, x, None)), kwargs = {}",
        "y = operator.getitem(x, slice(None, x, None))");
    row("1.2 operators without their namespace",
        "torch.ops.higher_order.auto_functionalized_v2](args = (demo.bump.default,), kwargs = "
        "{_x_base_index: 0, _all_bases: [%x]}",
        "y = higher_order.auto_functionalized_v2(torch.ops.demo.bump.default, _x_base_index = 0, "
        "_all_bases = [x])");
    row("1.2 symbols", "f](args = (s0, 2*s0, ((s0 + 3)//4), u0), kwargs = {}",
        "y = f(s0, 2*s0, ((s0 + 3)//4), u0)");
    row("1.3 an overload packet", "torch.ops.aten.add](args = (%x, 1), kwargs = {}",
        "y = aten.add(x, 1)");
    row("1.3 builtins", "builtins.getattr](args = (%x, shape), kwargs = {}",
        "y = builtins.getattr(x, 'shape')");
    row("1.3 overloads of every spelling",
        "torch.ops.aten.sum.dim_IntList](args = (%x, [0]), kwargs = {}",
        "y = aten.sum.dim_IntList(x, [0])");
    row("1.3 torch._ops", "torch._ops.aten.copy_.default](args = (%x, %x), kwargs = {}",
        "y = aten.copy_.default(x, x)");
    row("2.7 the older path of a higher-order operator",
        "torch._higher_order_ops.triton_kernel_wrap.triton_kernel_wrapper_functional](args = (), "
        "kwargs = {kernel_idx: 0, grid: [(1, 1, 1)], kwargs: {in_ptr0: %x}, tensors_to_clone: "
        "[in_ptr0]}",
        "y = higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, grid = [(1, 1, 1)], "
        "kwargs = {'in_ptr0': x}, tensors_to_clone = ['in_ptr0'])");
}

void tst_FactsIr::argumentsAreRead()
{
    QFETCH(const std::string, call);
    QFETCH(const std::string, read);

    const auto document =
        documentFrom("graph():\n    %x : [num_users=1] = placeholder[target=x]\n  "
                     "  %y : [num_users=1] = call_function[target="
                     + call + ")\n    return (y,)\n");

    COMPARE_TEXT(factsOf(*document), "x = placeholder|" + read + "|return (y,)");
    COMPARE_TEXT(problemsOf(*document), kNoShapes);
}

void tst_FactsIr::wholeTextsAreRead_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("graph");
    const auto row = [](const char* name, const std::string& text, const char* graph) {
        QTest::newRow(name) << text << std::string(graph);
    };
    const std::string input = "    %x : [num_users=1] = placeholder[target=x]\n";
    for (const char* returned :
         {"x", "(x,)", "[x]", "{'k': x}", "()", "None", "((x, None), [x])", "(None, x)"})
        row((std::string("1.1 return ") + returned).c_str(),
            "graph():\n" + input + "    return " + returned + "\n",
            (std::string("x = placeholder|return ") + returned).c_str());
    row("1.1 a type and a default",
        "graph():\n    %n : int [num_users=0] = placeholder[target=n](default=3)\n    return "
        "None\n",
        "n = placeholder = 3|return None");
    row("1.1 a name that was made unique",
        "graph():\n    %sum_1 : [num_users=1] = placeholder[target=sum]\n    return sum_1\n",
        "sum_1 = placeholder(sum)|return sum_1");
    row("1.1 metadata of 2024 and later",
        "graph():\n" + input
            + "    %y : Tensor \"f32[4, 8][8, 1]cuda:0\"[num_users=1] = "
              "call_function[target=torch.ops.aten.sin.default](args = (%x,), kwargs = {})\n    "
              "return (y,)\n",
        "x = placeholder|y = aten.sin.default(x)|return (y,)");
    row("1.1 modules and methods",
        "graph():\n" + input
            + "    %y : [num_users=1] = call_module[target=layers.0.w](args = (%x,), kwargs = {})\n"
              "    %z : [num_users=1] = call_method[target=view](args = (%y, -1), kwargs = {})\n   "
              " "
              "return z\n",
        "x = placeholder|y = self.layers.0.w(x)|z = .view(y, -1)|return z");
    row("1.1 a fragment with several returns and constants",
        "# Graph fragment:\n"
        "#   %a : Tensor \"f32[4][1]cuda:0\" = PlaceHolder[target=a]\n"
        "#   %_tensor_constant0 : Tensor \"i64[2][1]cpu\" = PlaceHolder[target=_tensor_constant0]\n"
        "#   %buf1 : Tensor \"f32[4][1]cuda:0\" = PlaceHolder[target=buf1]\n"
        "#   %y : Tensor \"f32[4][1]cuda:0\"[num_users=1] = "
        "call_function[target=torch.ops.aten.add.Tensor](args = (%a, %buf1), kwargs = {})\n"
        "#   return %y\n#   return %buf1\n",
        "a = placeholder|_tensor_constant0 = placeholder|buf1 = placeholder|y = aten.add.Tensor(a, "
        "buf1)|return (y, buf1)");
}

void tst_FactsIr::wholeTextsAreRead()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, graph);

    const auto document = documentFrom(text);

    COMPARE_TEXT(factsOf(*document), graph);
    QCOMPARE(document->problems.size(), std::size_t{1});
}

QTEST_APPLESS_MAIN(tst_FactsIr)
#include "tst_facts_ir.moc"
