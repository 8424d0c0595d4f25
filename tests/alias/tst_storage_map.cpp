// SPDX-License-Identifier: MIT
#include "core/alias/storage_map.h"

#include "core/alias/view_chain.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace reinspect;

class tst_StorageMap : public QObject
{
    Q_OBJECT

private slots:
    void storagesAreShared_data();
    void storagesAreShared();
    void membersStandInProgramOrder();
    void partsOfASplitShareItsBase();
    void attributesOfOneTargetShare();
    void aViewChainEndsAtTheBase();
};

void tst_StorageMap::storagesAreShared_data()
{
    QTest::addColumn<std::string>("call");
    QTest::addColumn<bool>("shared");

    QTest::newRow("view") << std::string("aten.view.default(x, [8])") << true;
    QTest::newRow("slice") << std::string("aten.slice.Tensor(x, 0, 0, 8)") << true;
    QTest::newRow("unsafe view") << std::string("aten._unsafe_view.default(x, [8])") << true;
    QTest::newRow("copy_") << std::string("aten.copy_.default(x, y)") << true;
    QTest::newRow("index_put_") << std::string("aten.index_put_.default(x, [i], y)") << true;
    QTest::newRow("index_put") << std::string("aten.index_put.default(x, [i], y)") << false;
    QTest::newRow("copy") << std::string("aten.copy.default(x, y)") << false;
    QTest::newRow("clone") << std::string("aten.clone.default(x)") << false;
    QTest::newRow("sin") << std::string("aten.sin.default(x)") << false;
}

void tst_StorageMap::storagesAreShared()
{
    QFETCH(const std::string, call);
    QFETCH(const bool, shared);

    const Graph graph = graphFrom(
        "def forward(self, x: \"f32[8][1]cpu\", y: \"f32[8][1]cpu\", i: \"i64[8][1]cpu\"):\n"
        "    r: \"f32[8][1]cpu\" = torch.ops."
        + call + "\n    return (r,)\n");
    const StorageMap map = buildStorageMap(graph);
    const NodeId result = graph.find("r");

    QVERIFY(map.isDerived());
    QCOMPARE(map.storageOf(result) == map.storageOf(graph.find("x")), shared);
    QVERIFY(map.storageOf(result) != map.storageOf(graph.find("y")));
    QVERIFY(aliasedInput(graph, result) == (shared ? graph.find("x") : NodeId{}));
    QVERIFY(map.inputOf(graph, map.storageOf(result)) == (shared ? graph.find("x") : NodeId{}));
    QVERIFY(!map.storageOf(graph.output()));
}

void tst_StorageMap::membersStandInProgramOrder()
{
    const Graph graph = graphFrom(R"(
        def forward(self, x: "f32[8][1]cpu"):
            cos: "f32[8][1]cpu" = torch.ops.aten.cos.default(x)
            view: "f32[2, 4][4, 1]cpu" = torch.ops.aten.view.default(cos, [2, 4])
            sin: "f32[8][1]cpu" = torch.ops.aten.sin.default(x)
            part: "f32[4][1]cpu" = torch.ops.aten.select.int(view, 0, 1)
            return (part, sin)
    )");
    const StorageMap map = buildStorageMap(graph);

    std::vector<std::string> names;
    for (const NodeId member : map.nodesOf(map.storageOf(graph.find("cos"))))
        names.push_back(graph[member].name);
    QCOMPARE(names, (std::vector<std::string>{"cos", "view", "part"}));
    QCOMPARE(map.storageCount(), std::size_t{3});
    QVERIFY(map.nodesOf(StorageId{}).empty());
}

void tst_StorageMap::partsOfASplitShareItsBase()
{
    const Graph graph = graphFrom(R"(
        def forward(self, x: "f32[8][1]cpu"):
            split = torch.ops.aten.split.Tensor(x, 4)
            getitem: "f32[4][1]cpu" = split[0]
            getitem_1: "f32[4][1]cpu" = split[1]
            return (getitem, getitem_1)
    )");
    const StorageMap map = buildStorageMap(graph);

    QVERIFY(!map.storageOf(graph.find("split")));
    QVERIFY(map.storageOf(graph.find("getitem")) == map.storageOf(graph.find("x")));
    QVERIFY(map.storageOf(graph.find("getitem_1")) == map.storageOf(graph.find("x")));
}

void tst_StorageMap::attributesOfOneTargetShare()
{
    Graph graph;
    TensorMeta four;
    four.dtype = DType::Float32;
    four.sizes = {SymExpr(4)};
    const MetaValue value{four};
    for (const auto& [name, target] : {std::pair{"a", "buffer"}, {"b", "buffer"}, {"c", "other"}})
    {
        Node node{name, NodeOp::GetAttr, target, {}, {}, {}};
        node.meta.value = value;
        graph.append(node);
    }
    const StorageMap map = buildStorageMap(graph);

    QVERIFY(map.storageOf(graph.find("a")) == map.storageOf(graph.find("b")));
    QVERIFY(map.storageOf(graph.find("a")) != map.storageOf(graph.find("c")));
}

void tst_StorageMap::aViewChainEndsAtTheBase()
{
    const Graph graph = graphFrom(R"(
        def forward(self, x: "f32[8][1]cpu"):
            view: "f32[2, 4][4, 1]cpu" = torch.ops.aten.view.default(x, [2, 4])
            part: "f32[4][1]cpu" = torch.ops.aten.select.int(view, 0, 1)
            return (part,)
    )");

    QVERIFY(viewChain(graph, graph.find("part"))
            == (std::vector<NodeId>{graph.find("x"), graph.find("view"), graph.find("part")}));
    QVERIFY(viewChain(graph, graph.find("x")) == std::vector<NodeId>{graph.find("x")});
}

QTEST_APPLESS_MAIN(tst_StorageMap)
#include "tst_storage_map.moc"
