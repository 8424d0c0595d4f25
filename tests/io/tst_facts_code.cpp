// SPDX-License-Identifier: MIT
// Facts of print_readable's code that other tests have no row for; docs of all rows: format_facts.md.
#include "tests/support/graph_facts.h"
#include "tests/support/test_data.h"

using namespace reinspect;

class tst_FactsCode : public QObject
{
    Q_OBJECT

private slots:
    void statementsAreRead_data();
    void statementsAreRead();
    void wholeTextsAreRead_data();
    void wholeTextsAreRead();
};

void tst_FactsCode::statementsAreRead_data()
{
    QTest::addColumn<std::string>("statement");
    QTest::addColumn<std::string>("read"); // of y; empty: as it is written
    const auto row = [](const char* name, const char* statement, const char* read = "") {
        QTest::newRow(name) << std::string(statement) << std::string(read);
    };
    row("1.3 an overload packet", "y = torch.ops.aten.add(a, b)", "y = aten.add(a, b)");
    for (const auto& [sign, name] : {std::pair{"+", "add"},
                                     {"-", "sub"},
                                     {"*", "mul"},
                                     {"/", "truediv"},
                                     {"//", "floordiv"},
                                     {"%", "mod"},
                                     {"**", "pow"},
                                     {"@", "matmul"},
                                     {"<<", "lshift"},
                                     {">>", "rshift"},
                                     {"&", "and_"},
                                     {"|", "or_"},
                                     {"^", "xor"},
                                     {"==", "eq"},
                                     {"!=", "ne"},
                                     {"<", "lt"},
                                     {"<=", "le"},
                                     {">", "gt"},
                                     {">=", "ge"}})
        QTest::newRow((std::string("2.3 infix ") + sign).c_str())
            << "y = a " + std::string(sign) + " b"
            << "y = operator." + std::string(name) + "(a, b)";
    for (const auto& [sign, name] : {std::pair{"-", "neg"}, {"~", "invert"}, {"+", "pos"}})
        QTest::newRow((std::string("2.3 prefix ") + sign).c_str())
            << "y = " + std::string(sign) + "a"
            << "y = operator." + std::string(name) + "(a)";
    for (const auto& [sign, name] : {std::pair{"+=", "iadd"},
                                     {"-=", "isub"},
                                     {"*=", "imul"},
                                     {"/=", "itruediv"},
                                     {"//=", "ifloordiv"},
                                     {"%=", "imod"},
                                     {"**=", "ipow"},
                                     {"@=", "imatmul"},
                                     {"<<=", "ilshift"},
                                     {">>=", "irshift"},
                                     {"&=", "iand"},
                                     {"|=", "ior"},
                                     {"^=", "ixor"}})
        QTest::newRow((std::string("2.3 in place ") + sign).c_str())
            << "a " + std::string(sign) + " b;  y = a"
            << "y = operator." + std::string(name) + "(a, b)";
    row("2.3 calls that are not infix", "y = torch.sym_not(a)", "y = torch.sym_not(a)");
    row("2.3 sym_float", "y = torch.sym_float(a)", "y = torch.sym_float(a)");
    row("2.3 a module whose name is no identifier", "y = getattr(self.layer, \"0\").conv(a)",
        "y = self.layer.0.conv(a)");
    row("2.4 enum members", "y = f(a, Reduction.SUM)");
    row("2.4 enum members, older", "y = f(a, <Reduction.SUM: 1>)");
    row("2.4 enum members, older, as keywords", "y = f(a, mode = <Cls.NAME: 1>, b = <Cls.B: 'x'>)");
    row("2.4 enum members of enums of strings", "y = f(a, [<Kind.A: 'a, b'>, 1])");
    row("2.4 named tuples", "y = f(a, mod_Point(x = 1, y = 2))");
    row("2.4 tensor constants, newer", "y = f(a, torch.Tensor(size=[2], dtype=float32))");
    row("2.4 tensor constants, older", "y = f(a, tensor([1., 2.]))");
    row("2.4 opaque reprs", "y = f(a, <torch.ScriptObject object at 0x7f>, 1)");
    row("2.4 opaque reprs with brackets inside",
        "y = f(a, <torch.distributed.ProcessGroup <nccl> at 0x7f>)");
    row("2.4 objects that print their constructor", "y = f(a, Config(x=[1, 2], y={'a': (1,)}))");
    row("2.4 TreeSpecs",
        "y = f(a, _in_spec = TreeSpec(tuple, None, [TreeSpec(list, None, [*, *]), *]))");
    row("2.4 strings with the other quote", "y = f(a, \"it's\")");
    row("2.4 escapes", "y = f(a, 'a\\n\\t\\\\\\x41\\u00e9')", "y = f(a, 'a\\n\\t\\\\A\xC3\xA9')");
    row("2.4 bytes", "y = f(a, b'\\x00ab')");
    row("2.4 imaginary numbers", "y = f(a, 1j)", "y = f(a, (0.0+1.0j))");
    row("2.4 minus zero", "y = f(a, -0.0)");
    row("2.4 a device by hand", "y = f(a, device = \"cuda\")", "y = f(a, device = 'cuda')");
    row("2.4 a device by hand, with its number", "y = f(a, device = 'cuda:0')");
    row("2.4 slices of nodes", "y = a[slice(b, None, None)]",
        "y = operator.getitem(a, slice(b, None, None))");
    row("2.4 nested containers", "y = f([(a,), {'k': [b, ()]}], ((), [None]))");
    row("2.4 operators as arguments", "y = f(torch.ops.demo.bump.default, a)");
    row("2.4 higher-order operators as arguments",
        "y = torch.ops.higher_order.auto_functionalized_v2(torch.ops.higher_order.wrap, a)",
        "y = higher_order.auto_functionalized_v2(torch.ops.higher_order.wrap, a)");
    row("2.7 ordering-only dependencies",
        "y = torch.ops.higher_order.control_deps((a,), self.sub, b)",
        "y = higher_order.control_deps((a,), self.sub, b)");
    row("2.8 the mutating form",
        "y = torch.ops.higher_order.triton_kernel_wrapper_mutation(kernel_idx = 0, "
        "constant_args_idx = 0, grid = [(1, 1, 1)], tma_descriptor_metadata = {}, "
        "kwargs = {'a': a, 'n': 3, 'f': 0.5, 'o': None})",
        "y = higher_order.triton_kernel_wrapper_mutation(kernel_idx = 0, constant_args_idx = 0, "
        "grid = [(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'a': a, 'n': 3, 'f': 0.5, "
        "'o': "
        "None})");
    row("2.8 experimental descriptors",
        "y = f(tma_descriptor_metadata = {'d': ('experimental', ([a, 64], [16, 16], 4))})");
    row("2.8 earliest descriptors", "y = f(tma_descriptor_metadata = {'d': ([64], [16], 4)})");
    row("2.8 a grid of nodes for each configuration", "y = f(grid = [(a, 1, 1), (b, 1, 1)])");
    row("2.8 nothing left to clone", "y = f(tensors_to_clone = [])");
    row("2.9 lists among the arguments",
        "y = torch.ops.higher_order.auto_functionalized(torch.ops.demo.f.default, a = a, b = [a, "
        "b], c = 2)",
        "y = higher_order.auto_functionalized(torch.ops.demo.f.default, a = a, b = [a, b], c = 2)");
    row("2.10 as_strided, and nodes as sizes",
        "y = f(_x_base_index = 0, _x_size = (2, b), _x_stride = (), _x_storage_offset = 4, "
        "_y_base_index = 0, _y_alias = True, _z_base_index = None, _zs_length = None, _all_bases "
        "= [a])");
    row("2.10 schemas of higher-order operators",
        "y = torch.ops.higher_order.auto_functionalized_v2(torch.ops.higher_order.cond, pred = a, "
        "_op_schema = cond(Any pred, GraphModule t, *Tensor xs) -> (), _all_bases = [b])",
        "y = higher_order.auto_functionalized_v2(torch.ops.higher_order.cond, pred = a, "
        "_op_schema = cond(Any pred, GraphModule t, *Tensor xs) -> (), _all_bases = [b])");
    row("2.10 out= operators",
        "y = f(_out_size = (2,), _out_stride = (1,), _out_dtype = torch.float32, _out_device = "
        "device(type='cpu'), _all_bases = [])");
    row("2.11 older collectives",
        "y = torch.ops.c10d_functional.all_reduce.default(a, 'sum', 'ptd:0', [0, 1], 2)",
        "y = c10d_functional.all_reduce.default(a, 'sum', 'ptd:0', [0, 1], 2)");
    row("2.11 coalesced collectives",
        "y = torch.ops._c10d_functional.all_reduce_coalesced.default([a, b], 'sum', 'group_name')",
        "y = _c10d_functional.all_reduce_coalesced.default([a, b], 'sum', 'group_name')");
    row("2.11 foreach copies", "y = torch.ops.aten._foreach_copy_.default([a], [b])",
        "y = aten._foreach_copy_.default([a], [b])");
    row("2.11 copies that do not block", "y = torch.ops.aten.copy_.default(a, b, True)",
        "y = aten.copy_.default(a, b, True)");
    row("2.11 defaults left out", "y = torch.ops.aten.diagonal_scatter.default(a, b)",
        "y = aten.diagonal_scatter.default(a, b)");
    row("2.11 slices to the end",
        "y = torch.ops.aten.slice_scatter.default(a, b, 0, 1, 9223372036854775807)",
        "y = aten.slice_scatter.default(a, b, 0, 1, 9223372036854775807)");
    row("2.11 accumulating", "y = torch.ops.aten.index_put.default(a, [None, b], a, True)",
        "y = aten.index_put.default(a, [None, b], a, True)");
}

void tst_FactsCode::statementsAreRead()
{
    QFETCH(const std::string, statement);
    QFETCH(const std::string, read);

    const auto document =
        documentFrom("def forward(self, a, b):\n    " + statement + "\n    return (y,)\n");

    COMPARE_TEXT(problemsOf(*document), "");
    COMPARE_TEXT(factsOf(*document),
                 "a = placeholder|b = placeholder|" + (read.empty() ? statement : read)
                     + "|return (y,)");
}

void tst_FactsCode::wholeTextsAreRead_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("graphs");
    const auto row = [](const char* name, const std::string& text, const char* graphs) {
        QTest::newRow(name) << dedented(text) << std::string(graphs);
    };
    for (const char* name : {"<lambda>", "GraphModule", "joint_helper", "joint_fn", "inner_f",
                             "CompiledAutograd0", "Repro", "true_graph_0"})
        row((std::string("2.1 class ") + name).c_str(),
            std::string("class ") + name
                + "(torch.nn.Module):\n    def forward(self, x):\n        return (x,)\n        \n",
            "x = placeholder|return (x,)");
    row("2.1 pytrees of export", R"(
        def forward(self, x):
            a, b, = pytree.tree_leaves((self, x,))
            c, d, = self._in_shuffle_graph(a, b)
            return self._out_shuffle_graph(c)
    )",
        "c = placeholder|d = placeholder|return (c,)");
    row("2.3 deletions on lines of their own", R"(
        def forward(self, x):
            y = x + 1
            x = None
            z = y + 1
            y = None
            return (z,)
    )",
        "x = placeholder|y = operator.add(x, 1)|z = operator.add(y, 1)|return (z,)");
    row("2.3 deletions cut with dots", R"(
        def forward(self, x):
            y = x + 1;  x = ...
            return (y,)
    )",
        "x = placeholder|y = operator.add(x, 1)|return (y,)");
    row("2.3 names that shadow nothing", R"(
        def forward(self, x):
            slice_1 = torch.ops.aten.slice.Tensor(x, 0, 0, 2)
            sum_1 = torch.ops.aten.sum.default(slice_1)
            where_self = torch.ops.aten.where.self(x, x, x)
            _foreach_mul = torch.ops.aten._foreach_mul.Scalar([x], 2)
            _tensor_constant0 = self._tensor_constant0
            return (sum_1, where_self, _foreach_mul, _tensor_constant0)
    )",
        "x = placeholder|slice_1 = aten.slice.Tensor(x, 0, 0, 2)|sum_1 = aten.sum.default(slice_1)|"
        "where_self = aten.where.self(x, x, x)|_foreach_mul = aten._foreach_mul.Scalar([x], 2)|"
        "_tensor_constant0 = self._tensor_constant0|return (sum_1, where_self, _foreach_mul, "
        "_tensor_constant0)");
    row("2.3 a line wrapped inside a name", R"(
        def forward(self, some_long_name, x):
            y = torch.ops.aten.index_put.default(some_lo
        ng_name, [x], x)
            return (y,)
    )",
        "some_long_name = placeholder|x = placeholder|y = "
        "aten.index_put.default(some_long_name, [x], x)|return (y,)");
    row("2.3 a line wrapped inside an operator's name", R"(
        def forward(self, x):
            y = torch.ops.aten.inde
        x_put.default(x, [x], x)
            return (y,)
    )",
        "x = placeholder|y = aten.index_put.default(x, [x], x)|return (y,)");
    row("2.3 a line wrapped inside an annotation", R"(
        def forward(self, x: "f32[4, 8][8,
         1]cuda:0"):
            y: "f32[4, 8][8, 1]cu
        da:0" = torch.ops.aten.sin.default(x)
            return (y,)
    )",
        "x = placeholder|y = aten.sin.default(x)|return (y,)");
    row("2.3 a line wrapped behind the equals sign", R"(
        def forward(self, x):
            y =
        torch.ops.aten.sin.default(x)
            return (y,)
    )",
        "x = placeholder|y = aten.sin.default(x)|return (y,)");
    row("2.3 a line wrapped in its deletions", R"(
        def forward(self, x, z):
            y = torch.ops.aten.add.Tensor(x, z);  x
        = z = None
            w = torch.ops.aten.sin.default(y);  y =
        None
            return (w,)
    )",
        "x = placeholder|z = placeholder|y = aten.add.Tensor(x, z)|w = aten.sin.default(y)|return "
        "(w,)");
    std::string names;
    for (int i = 0; i < 2000; ++i)
        names += "x, ";
    row("2.3 lines of many thousands of characters",
        "def forward(self, x):\n    y = f([" + names + "])\n    return (y,)\n",
        ("x = placeholder|y = f([" + names.substr(0, names.size() - 2) + "])|return (y,)").c_str());
    row("2.5 a multi-line meta block", R"(
        def forward(self, x):
            """
            val: 'FakeTensor(f32[2])'
            y = 'x = None'
            """
            y = x + 1
            return (y,)
    )",
        "x = placeholder|y = operator.add(x, 1)|return (y,)");
    row("2.6 one child module used twice", R"(
        class <lambda>(torch.nn.Module):
            def forward(self, x):
                repeated_subgraph0 = self.repeated_subgraph0
                a = torch.ops.higher_order.invoke_subgraph(repeated_subgraph0, 'subgraph_0', x);  repeated_subgraph0 = None
                repeated_subgraph0_1 = self.repeated_subgraph0
                b = torch.ops.higher_order.invoke_subgraph(repeated_subgraph0_1, 'subgraph_0', a)
                return (b,)

            class repeated_subgraph0(torch.nn.Module):
                def forward(self, arg0_1):
                    sin = torch.ops.aten.sin.default(arg0_1);  arg0_1 = None
                    return (sin,)
    )",
        "x = placeholder|repeated_subgraph0 = self.repeated_subgraph0|a = "
        "higher_order.invoke_subgraph(repeated_subgraph0, 'subgraph_0', x)|repeated_subgraph0_1 = "
        "self.repeated_subgraph0|b = higher_order.invoke_subgraph(repeated_subgraph0_1, "
        "'subgraph_0', a)|return (b,)|repeated_subgraph0:{arg0_1 = placeholder|sin = "
        "aten.sin.default(arg0_1)|return (sin,)}");
    row("2.6 names of children restart, and children have children", R"(
        class <lambda>(torch.nn.Module):
            def forward(self, arg0_1):
                g = self.g
                h = self.h
                y = torch.ops.higher_order.cond(arg0_1, g, h, (arg0_1,))
                return (y,)

            class g(torch.nn.Module):
                def forward(self, arg0_1):
                    k = self.k
                    y = torch.ops.higher_order.map(k, arg0_1)
                    return (y,)

                class k(torch.nn.Module):
                    def forward(self, arg0_1):
                        return (arg0_1,)

            class h(torch.nn.Module):
                def forward(self, arg0_1):
                    return (arg0_1,)
    )",
        "arg0_1 = placeholder|g = self.g|h = self.h|y = higher_order.cond(arg0_1, g, h, "
        "(arg0_1,))|return (y,)|g:{arg0_1 = placeholder|k = self.k|y = higher_order.map(k, "
        "arg0_1)|return (y,)|k:{arg0_1 = placeholder|return (arg0_1,)}}|h:{arg0_1 = "
        "placeholder|return (arg0_1,)}");
    for (const char* name :
         {"cond_true_0", "cond_fn_0", "body_fn_0", "while_loop_cond_graph_0", "fw_graph0",
          "joint_graph0", "sdpa_score0", "sdpa_mask0", "scan_combine_graph_0", "wrap_body_0",
          "auto_functionalized_subgraph_0"})
        row((std::string("2.7 body ") + name).c_str(),
            std::string("class <lambda>(torch.nn.Module):\n    def forward(self, x):\n        g = "
                        "self.")
                + name + "\n        y = f(g, x)\n        return (y,)\n\n    class " + name
                + "(torch.nn.Module):\n        def forward(self, x):\n            return x\n",
            (std::string("x = placeholder|g = self.") + name + "|y = f(g, x)|return (y,)|" + name
             + ":{x = placeholder|return x}")
                .c_str());
    row("2.8 results by key", R"(
        def forward(self, x):
            t = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, constant_args_idx = 0, grid = [(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'o': x}, tensors_to_clone = ['o'])
            getitem = t['o'];  t = None
            return (getitem,)
    )",
        "x = placeholder|t = higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, "
        "constant_args_idx = 0, grid = [(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'o': "
        "x}, tensors_to_clone = ['o'])|getitem = operator.getitem(t, 'o')|return (getitem,)");
}

void tst_FactsCode::wholeTextsAreRead()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, graphs);

    const auto document = documentFrom(text);

    COMPARE_TEXT(problemsOf(*document), "");
    COMPARE_TEXT(factsOf(*document), graphs);
}

QTEST_APPLESS_MAIN(tst_FactsCode)
#include "tst_facts_code.moc"
