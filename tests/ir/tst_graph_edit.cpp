// SPDX-License-Identifier: MIT
#include "core/ir/graph_edit.h"

#include "core/ir/graph_verifier.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace reinspect;

class tst_GraphEdit : public QObject
{
    Q_OBJECT

private slots:
    void editsAndTheirReversalsAreInverses();
    void usesAreReplacedAtEveryPlace();
    void anErasedNodeKeepsItsSlot();
    void theVerifierFindsAUseBeforeItsDefinition();
};

static constexpr std::string_view kCode = R"(
    def forward(self, x: "f32[8][1]cpu"):
        cos: "f32[8][1]cpu" = torch.ops.aten.cos.default(x)
        add: "f32[8][1]cpu" = torch.ops.aten.add.Tensor(cos, cos)
        mul: "f32[8][1]cpu" = torch.ops.aten.mul.Tensor(add, cos)
        return (mul, cos)
)";

// Order and users of every slot, by name: what sameGraph does not compare.
static std::string wiring(const Graph& graph)
{
    std::string text;
    for (const NodeId id : graph.order())
    {
        text += graph[id].name + ":";
        for (const NodeId user : graph.users(id))
            text += " " + graph[user].name;
        text += "\n";
    }
    return text;
}

static Node sinOf(NodeId input)
{
    return {"cos", NodeOp::CallFunction, "aten.sin.default", {{input}}, {}, {}};
}

void tst_GraphEdit::editsAndTheirReversalsAreInverses()
{
    const Graph before = graphFrom(kCode);
    Graph graph = before;
    std::vector<GraphEdit> edits;
    EditRecorder recorder(graph, edits);
    const NodeId inserted = recorder.insertBefore(graph.find("mul"), sinOf(graph.find("x")));
    recorder.setTarget(graph.find("mul"), "aten.mul_.Tensor");
    recorder.replaceUses(graph.find("cos"), inserted);
    QVERIFY(!verifyGraph(graph)); // "add" stands before the new node
    recorder.setArguments(graph.find("add"), {{graph.find("x")}, {graph.find("x")}}, {});
    NodeMeta meta = graph[inserted].meta;
    meta.source = "y = x.sin()";
    recorder.setMeta(inserted, meta);
    recorder.erase(graph.find("cos"));
    QVERIFY(verifyGraph(graph));
    QCOMPARE(graph[inserted].name, std::string("cos_1"));

    Graph replayed = before;
    std::vector<Graph> stages{replayed};
    for (const GraphEdit& edit : edits)
    {
        applyEdit(replayed, edit);
        stages.push_back(replayed);
    }
    QVERIFY(sameGraph(replayed, graph));
    QCOMPARE(wiring(replayed), wiring(graph));
    for (std::size_t i = edits.size(); i-- > 0;)
    {
        revertEdit(replayed, edits[i]);
        QVERIFY(sameGraph(replayed, stages[i]));
        QCOMPARE(wiring(replayed), wiring(stages[i]));
    }
    QCOMPARE(wiring(replayed), wiring(before));
    for (const GraphEdit& edit : edits)
        applyEdit(replayed, edit);
    QVERIFY(sameGraph(replayed, graph));
    QCOMPARE(replayed.slotCount(), graph.slotCount());
}

void tst_GraphEdit::usesAreReplacedAtEveryPlace()
{
    Graph graph = graphFrom(kCode);
    std::vector<GraphEdit> edits;
    EditRecorder(graph, edits).replaceUses(graph.find("cos"), graph.find("x"));

    QCOMPARE(edits.size(), std::size_t{3}); // add, mul, output
    QCOMPARE(graph[editedNode(edits.front())].name, std::string("add"));
    QVERIFY(graph.users(graph.find("cos")).empty());
    QCOMPARE(graph.users(graph.find("x")).size(), std::size_t{4});
    QVERIFY(verifyGraph(graph));
}

void tst_GraphEdit::anErasedNodeKeepsItsSlot()
{
    Graph graph = graphFrom(kCode);
    const NodeId cos = graph.find("cos");
    std::vector<GraphEdit> edits;
    EditRecorder recorder(graph, edits);
    recorder.replaceUses(cos, graph.find("x"));
    recorder.erase(cos);

    QVERIFY(!graph.contains(cos));
    QVERIFY(!graph.find("cos"));
    QCOMPARE(graph[cos].name, std::string("cos"));
    QCOMPARE(graph.slotCount(), graph.size() + 1);
    QCOMPARE(graph.users(graph.find("x")).size(), std::size_t{3});
    QCOMPARE(graph.uniqueName("cos"), std::string("cos_1")); // the name stays taken
}

void tst_GraphEdit::theVerifierFindsAUseBeforeItsDefinition()
{
    Graph graph = graphFrom(kCode);
    std::vector<GraphEdit> edits;
    EditRecorder(graph, edits).setArguments(graph.find("cos"), {{graph.find("add")}}, {});

    const Result<void> verified = verifyGraph(graph);
    QVERIFY(!verified);
    QVERIFY(verified.error().message.find("'cos' uses 'add', which is not defined before it")
            != std::string::npos);
}

QTEST_APPLESS_MAIN(tst_GraphEdit)
#include "tst_graph_edit.moc"
