// SPDX-License-Identifier: MIT
#include "core/ir/graph.h"

#include "core/ir/graph_verifier.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace reinspect;

class tst_Graph : public QObject
{
    Q_OBJECT

private slots:
    void nodesKnowTheirUsersAndInputs();
    void namesAreMadeUniqueAsPyTorchDoes();
    void graphsCompareByContent();
    void theVerifierFindsAWrongOrder();
};

static constexpr std::string_view kCode = R"(
    def forward(self, x: "f32[8][1]cpu"):
        cos: "f32[8][1]cpu" = torch.ops.aten.cos.default(x)
        add: "f32[8][1]cpu" = torch.ops.aten.add.Tensor(cos, cos)
        mul: "f32[8][1]cpu" = torch.ops.aten.mul.Tensor(add, x)
        return (mul, cos)
)";

void tst_Graph::nodesKnowTheirUsersAndInputs()
{
    const Graph graph = graphFrom(kCode);
    const auto users = graph.users(graph.find("cos"));

    QCOMPARE(graph.size(), std::size_t{5});
    QVERIFY(std::vector<NodeId>(users.begin(), users.end())
            == (std::vector<NodeId>{graph.find("add"), graph.output()}));
    QVERIFY(graph.inputs(graph.find("add")) == std::vector<NodeId>{graph.find("cos")});
    QVERIFY(graph.inputs(graph.output())
            == (std::vector<NodeId>{graph.find("mul"), graph.find("cos")}));
    QCOMPARE(outputCount(graph), std::size_t{2});
    QVERIFY(!graph.find("nothing"));
    QVERIFY(verifyGraph(graph));
}

void tst_Graph::namesAreMadeUniqueAsPyTorchDoes()
{
    Graph graph;
    for (const char* name : {"slice", "slice_1", "view_7"})
        graph.append({name, NodeOp::Placeholder, name, {}, {}, {}});

    QCOMPARE(graph.uniqueName("add"), std::string("add"));
    QCOMPARE(graph.uniqueName("slice"), std::string("slice_2"));
    QCOMPARE(graph.uniqueName("slice_1"), std::string("slice_2"));
    QCOMPARE(graph.uniqueName("view_7"), std::string("view_8"));
}

void tst_Graph::graphsCompareByContent()
{
    const Graph graph = graphFrom(kCode);
    QVERIFY(sameGraph(graphFrom(kCode), graph));
    std::string changed(kCode);
    changed.replace(changed.find("Tensor(add, x)"), 14, "Tensor(x, add)");
    QVERIFY(!sameGraph(graphFrom(changed), graph));
}

void tst_Graph::theVerifierFindsAWrongOrder()
{
    Graph graph;
    graph.append({"out", NodeOp::Output, "output", {}, {}, {}});
    graph.append({"x", NodeOp::Placeholder, "x", {}, {}, {}});

    const Result<void> verified = verifyGraph(graph);
    QVERIFY(!verified);
    QVERIFY(verified.error().message.find("'out'") != std::string::npos);
}

QTEST_APPLESS_MAIN(tst_Graph)
#include "tst_graph.moc"
