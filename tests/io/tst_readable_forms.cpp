// SPDX-License-Identifier: MIT
// print_readable's forms over the years: what each text's graph is. Rows are named by the fact they stand
// for.
#include "core/io/document.h"

#include "tests/support/graph_text.h"
#include "tests/support/test_data.h"

using namespace reinspect;

class tst_ReadableForms : public QObject
{
    Q_OBJECT

private slots:
    void aFormOfAnyAgeIsRead_data();
    void aFormOfAnyAgeIsRead();
    void annotationsOfAnyAgeAreRead_data();
    void annotationsOfAnyAgeAreRead();
    void commentsOfAnyAgeAreRead_data();
    void commentsOfAnyAgeAreRead();
    void printsTellTheirStage_data();
    void printsTellTheirStage();
};

void tst_ReadableForms::aFormOfAnyAgeIsRead_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("graph");

    const auto row = [](const char* name, const std::string& text, const char* graph) {
        QTest::newRow(name) << dedented(text) << std::string(graph);
    };
    row("boxed arguments", R"(
        def forward(self, args_list):
            args_iter = iter(args_list)
            a_1: "f32[2]" = next(args_iter)
            b_1 = next(args_iter)
            args_list.clear()
            y = a_1 + b_1
            return (y,)
    )",
        "a_1 = placeholder|b_1 = placeholder|y = operator.add(a_1, b_1)|return (y,)");
    row("pytrees of a joint graph", R"(
        class joint_helper(torch.nn.Module):
            def forward(self, primals, tangents):
                primals_1: "f32[2]"; tangents_1: "f32[]"; 

                primals_1, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)
                y: "f32[2]" = torch.ops.aten.mul.Tensor(primals_1, tangents_1)
                return pytree.tree_unflatten([y, None], self._out_spec)
    )",
        "primals_1 = placeholder|tangents_1 = placeholder|y = aten.mul.Tensor(primals_1, "
        "tangents_1)|return [y, None]");
    row("pytrees up to 2.0", R"(
        class joint_forward_backward(torch.nn.Module):
            def forward(self, primals, tangents):
                primals_1: f32[2, 3], tangents_1: f32[], = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)
                y: f32[2] = torch.ops.aten.mul.Tensor(primals_1, tangents_1)
                return pytree.tree_unflatten([y], self._out_spec)
    )",
        "primals_1 = placeholder|tangents_1 = placeholder|y = aten.mul.Tensor(primals_1, "
        "tangents_1)|return [y]");
    row("pytrees with keywords", R"(
        def forward(self, x, k):
            x_1, k_1, = fx_pytree.tree_flatten_spec(([x], {'k':k}), self._in_spec)
            y = x_1 + k_1
            return pytree.tree_unflatten([y], self._out_spec)
    )",
        "x_1 = placeholder|k_1 = placeholder|y = operator.add(x_1, k_1)|return [y]");
    row("export with a shuffle", R"(
        def forward(self, x, y):
            a, b, = pytree.tree_leaves((x, y,))
            c, d, = self._in_shuffle_graph(a, b)
            z = c + d
            return self._out_shuffle_graph(z)
    )",
        "c = placeholder|d = placeholder|z = operator.add(c, d)|return (z,)");
    row("one parameter a line with descriptions", R"(
        def forward(
            self,
            x: "f32[2]",  # PARAM: layer.weight (it's "w")
            y: "f32[2]",  # USER_INPUT
        ):
            z = x + y
            return (
                z,  # BUFFER_MUTATION: 'a' (b)
                x,
            )
    )",
        "x = placeholder|y = placeholder|z = operator.add(x, y)|return (z, x)");
    row("only pass", "def forward(self):\n    pass\n", "");
    row("only return", "def forward(self):\n    return ()\n", "return ()");
    row("a return type", "def forward(self, x) -> (torch.Tensor):\n    return x\n",
        "x = placeholder|return x");
    row("types of symbolic_trace",
        "def forward(self, x : torch.Tensor, n : typing.Optional[int] = None):\n    return x\n",
        "x = placeholder|n = placeholder(None)|return x");
    row("wrap lines", "wrap(\"f\")\nwrap(\"g\")\n\ndef forward(self, x):\n    return x\n",
        "x = placeholder|return x");
    row("a name for a target",
        "def forward(self, L_x_ : torch.Tensor):\n    l_x_ = L_x_\n    y = "
        "l_x_.view(-1)\n    return (y,)\n",
        "l_x_ = placeholder(L_x_)|y = view(l_x_, -1)|return (y,)");
    row("star arguments", "def forward(self, *args):\n    args_1 = args\n    return (args_1,)\n",
        "args_1 = placeholder(*args)|return (args_1,)");
    row("operators",
        "def forward(self, x, y):\n    a = x // y\n    b = -a\n    c = a <= b\n    d = ~c\n    e = "
        "x ** "
        "2\n    f = x @ y\n    g = x[(slice(None, None, None), 0)]\n    return (d, e, f, g)\n",
        "x = placeholder|y = placeholder|a = operator.floordiv(x, y)|b = operator.neg(a)|c = "
        "operator.le(a, b)|d = operator.invert(c)|e = operator.pow(x, 2)|f = operator.matmul(x, "
        "y)|g = "
        "operator.getitem(x, (slice(None, None, None), 0))|return (d, e, f, g)");
    row("in-place operators",
        "def forward(self, x, y):\n    x += y;  iadd = x;  x = None\n    y[0] = iadd;  setitem = "
        "y;  "
        "setitem = None\n    return (iadd,)\n",
        "x = placeholder|y = placeholder|iadd = operator.iadd(x, y)|setitem = operator.setitem(y, "
        "0, "
        "iadd)|return (iadd,)");
    row("attributes",
        "def forward(self, x):\n    s = x.shape\n    w = getattr(self.layers, \"0\").w\n    "
        "y = getattr(self, \"1\")(x)\n    return (s, w, y)\n",
        "x = placeholder|s = builtins.getattr(x, 'shape')|w = self.layers.0.w|y = self.1(x)|return "
        "(s, w, "
        "y)");
    row("profiling lines",
        "def forward(self, x):\n    _rf_y = torch._C._profiler._RecordFunctionFast('## 3 ##'); "
        "_rf_y.__enter__()\n    y = x + 1\n    _rf_y.__exit__(None, None, None)\n    return (y,)\n",
        "x = placeholder|y = operator.add(x, 1)|return (y,)");
    row("meta blocks",
        "def forward(self, x):\n    \"\"\"\n    val: 'y = None'\n    \"\"\"\n    y = x + 1\n "
        "   return (y,)\n",
        "x = placeholder|y = operator.add(x, 1)|return (y,)");
    row("old paths of higher-order operators",
        "def forward(self, x):\n    a = "
        "torch._higher_order_ops.auto_functionalize.auto_functionalized("
        "torch.ops.demo.f.default, x = x)\n    return (a,)\n",
        "x = placeholder|a = higher_order.auto_functionalized(torch.ops.demo.f.default, x = "
        "x)|return (a,)");
    row("Triton, October 2023",
        "def forward(self, x):\n    t = torch._higher_order_ops.triton_kernel_wrap."
        "triton_kernel_wrapper_functional(kernel_idx = 0, grid = (5,), kwargs = {'a': x, 'BLOCK': "
        "16})\n"
        "    g = t['a'];  t = None\n    return (g,)\n",
        "x = placeholder|t = higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, "
        "grid = (5,), "
        "kwargs = {'a': x, 'BLOCK': 16})|g = operator.getitem(t, 'a')|return (g,)");
    row("Triton with descriptors",
        "def forward(self, x, n):\n    t = torch.ops.higher_order.triton_kernel_wrapper_functional("
        "kernel_idx = 0, constant_args_idx = 0, grid = [(n, 1, 1)], tma_descriptor_metadata = "
        "{'d': "
        "('stable', ([64, 32],))}, kwargs = {'d': x}, tensors_to_clone = ['d'])\n    return (t,)\n",
        "x = placeholder|n = placeholder|t = "
        "higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, "
        "constant_args_idx = 0, grid = [(n, 1, 1)], tma_descriptor_metadata = {'d': ('stable', "
        "([64, "
        "32],))}, "
        "kwargs = {'d': x}, tensors_to_clone = ['d'])|return (t,)");
    row("v2 with slices and lists",
        "def forward(self, x):\n    t = torch.ops.higher_order.auto_functionalized_v2("
        "torch.ops.demo.f.default, _y_base_index = 0, _y_slice_dim = 0, _y_slice_start = 1, "
        "_y_slice_end "
        "= 3, _ys_length = 2, _ys_0_base_index = 0, _ys_1_base_index = None, _all_bases = [x])\n   "
        " "
        "return (t,)\n",
        "x = placeholder|t = higher_order.auto_functionalized_v2(torch.ops.demo.f.default, "
        "_y_base_index = 0, "
        "_y_slice_dim = 0, _y_slice_start = 1, _y_slice_end = 3, _ys_length = 2, _ys_0_base_index "
        "= 0, "
        "_ys_1_base_index = None, _all_bases = [x])|return (t,)");
    row("effects and string ids",
        "def forward(self, x):\n    g0 = self.g0\n    a = torch.ops.higher_order.with_effects(x, "
        "torch.ops.demo.f.default, x)\n    b = torch.ops.higher_order.invoke_subgraph(g0, "
        "'subgraph_0', "
        "x)\n    return (a, b)\n",
        "x = placeholder|g0 = self.g0|a = higher_order.with_effects(x, torch.ops.demo.f.default, "
        "x)|b = "
        "higher_order.invoke_subgraph(g0, 'subgraph_0', x)|return (a, b)");
    row("constants",
        "def forward(self, x):\n    a = f(x, -inf, 1e-05, True, None, 9223372036854775807, "
        "(1.0+2.0j), "
        "device(type='cuda', index=0), torch.channels_last, dtype = torch.float32, s = 'it\\'s')\n "
        "   "
        "return (a,)\n",
        "x = placeholder|a = f(x, -inf, 1e-05, True, None, 9223372036854775807, (1.0+2.0j), "
        "device(type='cuda', index=0), torch.channels_last, dtype = torch.float32, "
        "s = \"it's\")|return (a,)");
    row("c10d names",
        "def forward(self, x):\n    a = torch.ops._c10d_functional.all_reduce.default(x, 'sum', "
        "'0')\n    "
        "w = torch.ops._c10d_functional.wait_tensor.default(a);  a = None\n    return (w,)\n",
        "x = placeholder|a = _c10d_functional.all_reduce.default(x, 'sum', '0')|w = "
        "_c10d_functional.wait_tensor.default(a)|return (w,)");
    row("names with trailing underscores",
        "def forward(self, x):\n    copy_ = torch.ops.aten.copy_.default(x, x);  copy_ = None\n    "
        "copy__1 "
        "= torch.ops.aten.copy_.default(x, x);  copy__1 = None\n    return ()\n",
        "x = placeholder|copy_ = aten.copy_.default(x, x)|copy__1 = aten.copy_.default(x, "
        "x)|return ()");
    row("holes in indices",
        "def forward(self, x, i):\n    p = torch.ops.aten.index_put.default(x, [None, i], x, "
        "True)\n    "
        "return (p,)\n",
        "x = placeholder|i = placeholder|p = aten.index_put.default(x, [None, i], x, True)|return "
        "(p,)");
    row("old bodies named by their class",
        "class GraphModule(torch.nn.Module):\n    def forward(self, x):\n        g = "
        "self.true_graph_0\n     "
        "   h = self.false_graph_0\n        y = torch.ops.cond(x, g, h, [x])\n        return "
        "(y,)\n\n    "
        "class GraphModule(torch.nn.Module):\n        def forward(self, x):\n            return "
        "x\n\n    "
        "class GraphModule(torch.nn.Module):\n        def forward(self, x):\n            return "
        "(x,)\n",
        "x = placeholder|g = self.true_graph_0|h = self.false_graph_0|y = higher_order.cond(x, g, "
        "h, "
        "[x])|return (y,)|false_graph_0:return (x,)|true_graph_0:return x");
}

void tst_ReadableForms::aFormOfAnyAgeIsRead()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, graph);

    const auto document = loadDocument(SourceText("form", text));

    QVERIFY2(document.ok(), document.ok() ? "" : toText(document.error()).c_str());
    const Graph& read = *(*document)->graphs.front().graph;
    std::string lines;
    for (const NodeId id : read.order())
    {
        const Node& node = read[id];
        const bool named = node.op == NodeOp::Placeholder && node.name != node.target;
        const bool valued = node.op == NodeOp::Placeholder && !node.args.empty();
        lines += (lines.empty() ? "" : "|")
            + (named        ? node.name + " = placeholder(" + node.target + ")"
                   : valued ? node.name + " = placeholder(" + toText(read, node.args[0]) + ")"
                   : node.op == NodeOp::GetAttr ? node.name + " = self." + node.target
                   : node.op == NodeOp::CallModule
                   ? node.name + " = self." + node.target + "(" + toText(read, node.args[0]) + ")"
                   : toText(read, id));
    }
    for (const auto& [name, body] : read.subgraphs)
        lines += "|" + name + ":" + toText(*body, body->output());
    COMPARE_TEXT(lines, graph);
    for (const Problem& problem : (*document)->problems)
        QVERIFY2(problem.text == "this graph has no return", problem.text.c_str());
}

void tst_ReadableForms::annotationsOfAnyAgeAreRead_data()
{
    QTest::addColumn<std::string>("parameter");
    QTest::addColumn<std::string>("meta");
    const auto row = [](const char* parameter, const char* meta) {
        QTest::newRow(parameter) << std::string(parameter) << std::string(meta);
    };
    row("x: \"f32[s0, 64][64, 1]cuda:0\"", "f32[s0, 64][64, 1]cuda:0");
    row("x: \"f32[4]cuda:0\"", "f32[4]cuda:0"); // a device without strides
    row("x: \"f32[4][1]\"", "f32[4][1]");
    row("x: \"f32[][]cpu\"", "f32[][]cpu");
    row("x: \"b8[2]\"", "b8[2]");
    row("x: f32[2, 4]", "f32[2, 4]"); // up to the middle of 2023
    row("x: Sym(s0)", "Sym(s0)");
    row("x: \"Sym(((s77 + 63)//64))\"", "Sym(((s77 + 63)//64))");
    row("x: \"Sym(s0 > 2)\"", "Sym(s0 > 2)");
    row("x: \"f32[Max(1, s0), 2]\"", "f32[Max(1, s0), 2]");
    row("x: \"TwoTensor(f32[3][1]cpu)\"", "TwoTensor(f32[3][1]cpu)");
    row("x: \"DTensor(f32[8], S(0))\"", "DTensor(f32[8], S(0))");
    row("x: \"f8e4m3fn[2]hpu:0\"", "f8e4m3fn[2]hpu:0");
    row("x : torch.Tensor", "");
    row("x", "");
}

void tst_ReadableForms::annotationsOfAnyAgeAreRead()
{
    QFETCH(const std::string, parameter);
    QFETCH(const std::string, meta);

    const Graph graph = graphFrom("def forward(self, " + parameter + ", y):\n    return (x,)\n");

    const MetaValue& value = graph[graph.find("x")].meta.value;
    COMPARE_TEXT(value.isKnown() ? toText(value) : std::string(), meta);
}

void tst_ReadableForms::commentsOfAnyAgeAreRead_data()
{
    QTest::addColumn<std::string>("comment");
    QTest::addColumn<std::string>("file");
    QTest::addColumn<std::string>("code");
    const auto row = [](const char* comment, const char* file, const char* code) {
        QTest::newRow(comment) << std::string(comment) << std::string(file) << std::string(code);
    };
    row("# File: /a b/c.py:12 in f, code: y = x", "/a b/c.py:12 in f", "y = x");
    row("# File: c.py:12, code: y = x;  # z = None", "c.py:12", "y = x;  # z = None");
    row(" # File: <ipython-input-1-abc>:3 in <lambda>, code: y = \"(\"",
        "<ipython-input-1-abc>:3 in <lambda>", "y = \"(\"");
    row("# Annotation: {'k': 'v'} File: c.py:12 in f, code: y = x", "c.py:12 in f", "y = x");
    row("# # ac_graph_id: 2 - MUST_SAVE File: c.py:12 in f, code: y", "c.py:12 in f", "y");
    row("# # recompute: PREFER_RECOMPUTE File: c.py:12 in f, code: y", "c.py:12 in f", "y");
    row("# No stacktrace found for following nodes", "", "");
    row("# Annotation: {'k': 'v'}", "", "");
}

void tst_ReadableForms::commentsOfAnyAgeAreRead()
{
    QFETCH(const std::string, comment);
    QFETCH(const std::string, file);
    QFETCH(const std::string, code);

    const Graph graph =
        graphFrom("def forward(self, x):\n    " + comment + "\n    y = x + 1\n    return (y,)\n");

    COMPARE_TEXT(graph[graph.find("y")].meta.sourceFile, file);
    COMPARE_TEXT(graph[graph.find("y")].meta.source, code);
}

void tst_ReadableForms::printsTellTheirStage_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("stage");
    const auto row = [](const char* name, const char* text, const char* stage) {
        QTest::newRow(name) << std::string(text) << std::string(stage);
    };
    row("Dynamo's inputs",
        "def forward(self, L_x_ : torch.Tensor):\n    l_x_ = L_x_\n    return (l_x_,)\n", "dynamo");
    row("methods", "def forward(self, x):\n    y = x.view(-1)\n    return (y,)\n", "dynamo");
    row("writes", "def forward(self, x):\n    x[0] = 1;  setitem = x\n    return (x,)\n", "dynamo");
    row("a joint graph",
        "class joint_helper(torch.nn.Module):\n    def forward(self, x):\n        return (x,)\n",
        "joint");
    row("functional",
        "def forward(self, x):\n    y = torch.ops.aten.sin.default(x)\n    return (y,)\n",
        "before");
}

void tst_ReadableForms::printsTellTheirStage()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, stage);

    const auto document = documentFrom(text);

    COMPARE_TEXT(std::string(stageName(document->graphs.front().stage)), stage);
    QCOMPARE(stageAdvice(document->graphs.front().stage).empty(), stage == "before");
}

QTEST_APPLESS_MAIN(tst_ReadableForms)
#include "tst_readable_forms.moc"
