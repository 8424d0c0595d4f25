// SPDX-License-Identifier: MIT
#include "core/io/graph_writers.h"

#include "tests/support/golden.h"
#include "tests/support/graph_text.h"

using namespace reinspect;

class tst_GraphWriters : public QObject
{
    Q_OBJECT

private slots:
    void irTextIsWhatPyTorchPrints_data();
    void irTextIsWhatPyTorchPrints();
    void irTextHasNoQuotesAroundStrings();
    void dotHasAStatementForEachNodeAndEdge();
    void dotEscapesLabels();
};

void tst_GraphWriters::irTextIsWhatPyTorchPrints_data()
{
    QTest::addColumn<std::string>("name");
    for (const char* name : {"triton_dynamic", "custom_two_outs_v2", "foreach_adam"})
        QTest::newRow(name) << std::string(name);
}

void tst_GraphWriters::irTextIsWhatPyTorchPrints()
{
    QFETCH(const std::string, name);
    const auto document = loadDocument(testDataPath(name + ".json"));
    QVERIFY(document.ok());

    // str(graph) does not end its last line.
    COMPARE_TEXT(writeIrText(*(*document)->graphs.front().graph),
                 testData(name + ".ir.txt") + "\n");
}

void tst_GraphWriters::irTextHasNoQuotesAroundStrings()
{
    const Graph graph = graphFrom(R"(
        def forward(self, x, n = 3):
            w = self.layer.w
            y = torch.ops._c10d_functional.all_reduce.default(x, 'sum', '0')
            z = y[slice(None, n, None)]
            v = z.view(w, device = device(type='cuda', index=0))
            return {'k': v}
    )");

    const std::string expected = dedented(R"(
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %n : [num_users=1] = placeholder[target=n](default=3)
            %w : [num_users=1] = get_attr[target=layer.w]
            %y : [num_users=1] = call_function[target=torch.ops._c10d_functional.all_reduce.default](args = (%x, sum, 0), kwargs = {})
            %z : [num_users=1] = call_function[target=operator.getitem](args = (%y, slice(None, n, None)), kwargs = {})
            %v : [num_users=1] = call_method[target=view](args = (%z, %w), kwargs = {device: cuda:0})
            return {'k': v}
    )");
    COMPARE_TEXT(writeIrText(graph), expected);
}

void tst_GraphWriters::dotHasAStatementForEachNodeAndEdge()
{
    const Graph graph = graphFrom(R"(
        class Example(torch.nn.Module):
            def forward(self, x: "f32[4][1]cuda:0"):
                y: "f32[4][1]cuda:0" = torch.ops.aten.add.Tensor(x, x)
                z: "f32[4][1]cuda:0" = torch.ops.aten.mul.Tensor(y, x)
                return (z,)
    )");

    COMPARE_GOLDEN("io/example.dot", writeDot(graph));
}

void tst_GraphWriters::dotEscapesLabels()
{
    Graph graph;
    graph.append({.name = "a",
                  .op = NodeOp::Placeholder,
                  .target = "say \"{x}\"\\",
                  .args = {},
                  .kwargs = {},
                  .meta = {}});

    const std::string label = "label=\"a\\nsay \\\"{x}\\\"\\\\\"";
    QVERIFY(writeDot(graph).find(label) != std::string::npos);
}

QTEST_APPLESS_MAIN(tst_GraphWriters)
#include "tst_graph_writers.moc"
