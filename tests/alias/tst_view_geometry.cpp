// SPDX-License-Identifier: MIT
#include "core/alias/view_geometry.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace reinspect;

class tst_ViewGeometry : public QObject
{
    Q_OBJECT

private slots:
    void viewsHaveTheirGeometry_data();
    void viewsHaveTheirGeometry();
    void offsetsAddUpAlongTheChain();
    void partsOfASplitFollowEachOther();
    void missingStridesAreAssumed();
    void clonesKeepDenseStrides();
    void clonesCloseGaps();
};

// "[2, 4][4, 1]+4": sizes, strides, offset.
static std::string geometryText(const TensorMeta& meta)
{
    const auto list = [](const std::vector<SymExpr>& values) {
        std::string text;
        for (const SymExpr& value : values)
            text += (text.empty() ? "" : ", ") + toText(value);
        return "[" + text + "]";
    };
    return list(meta.sizes) + (meta.strides ? list(*meta.strides) : "[?]")
        + (meta.offset ? "+" + toText(*meta.offset) : "+?");
}

static TensorMeta denseMeta(const std::vector<SymExpr>& sizes, const std::vector<SymExpr>& strides)
{
    TensorMeta meta;
    meta.dtype = DType::Float32;
    meta.sizes = sizes;
    meta.strides = strides;
    meta.offset = SymExpr(0);
    return meta;
}

void tst_ViewGeometry::viewsHaveTheirGeometry_data()
{
    QTest::addColumn<std::string>("call");
    QTest::addColumn<std::string>("expected");

    const auto row = [](const char* call, const char* expected) {
        QTest::newRow(call) << std::string(call) << std::string(expected);
    };
    row("aten.slice.Tensor(x, 0, 2, 5)", "[3, 8][8, 1]+16");
    row("aten.slice.Tensor(x, 1, 1, 7, 2)", "[8, 3][8, 2]+1");
    row("aten.slice.Tensor(x, 0, -3, 9223372036854775807)", "[3, 8][8, 1]+40");
    row("aten.slice.Tensor(x, 0, -100, 100)", "[8, 8][8, 1]+0");
    row("aten.slice.Tensor(x, -1, 6, -1)", "[8, 1][8, 1]+6");
    row("aten.slice.Tensor(x, 0, 5, 2)", "[0, 8][8, 1]+40");
    row("aten.select.int(x, 0, 3)", "[8][1]+24");
    row("aten.select.int(x, -1, -1)", "[8][8]+7");
    row("aten.diagonal.default(x)", "[8][9]+0");
    row("aten.diagonal.default(x, 2)", "[6][9]+2");
    row("aten.diagonal.default(x, -1)", "[7][9]+8");
    row("aten.as_strided.default(x, [2, 2], [8, 2], 5)", "[2, 2][8, 2]+5");
    row("aten.permute.default(x, [1, 0])", "[8, 8][1, 8]+0");
}

void tst_ViewGeometry::viewsHaveTheirGeometry()
{
    QFETCH(const std::string, call);
    QFETCH(const std::string, expected);

    const Graph graph =
        graphFrom("def forward(self, x: \"f32[8, 8][8, 1]cpu\"):\n    r = torch.ops." + call
                  + "\n    return (r,)\n");
    const Node& view = graph[graph.find("r")];
    const std::optional<TensorMeta> result = viewResult(
        view.target, denseMeta({8, 8}, {8, 1}), std::span(view.args).subspan(1), view.kwargs);

    QVERIFY(result.has_value());
    QCOMPARE(geometryText(*result), expected);
}

void tst_ViewGeometry::offsetsAddUpAlongTheChain()
{
    const Graph graph = graphFrom(R"(
        def forward(self, x: "f32[8, 8][8, 1]cpu"):
            rows: "f32[3, 8][8, 1]cpu" = torch.ops.aten.slice.Tensor(x, 0, 2, 5)
            part: "f32[3, 2][8, 1]cpu" = torch.ops.aten.slice.Tensor(rows, 1, 1, 3)
            one: "f32[2][1]cpu" = torch.ops.aten.select.int(part, 0, 2)
            return (one,)
    )");
    const ViewGeometry geometry(graph);

    QCOMPARE(geometryText(geometry.of(graph.find("part"))->meta), std::string("[3, 2][8, 1]+17"));
    QCOMPARE(geometryText(geometry.of(graph.find("one"))->meta), std::string("[2][1]+33"));
    QVERIFY(geometry.of(graph.find("one"))->assumed.empty());
    QVERIFY(!geometry.of(graph.output()));
}

void tst_ViewGeometry::partsOfASplitFollowEachOther()
{
    const Graph graph = graphFrom(R"(
        def forward(self, x: "f32[8, 8][8, 1]cpu"):
            split = torch.ops.aten.split.Tensor(x, 3, 1)
            last: "f32[8, 2][8, 1]cpu" = split[2]
            sizes = torch.ops.aten.split_with_sizes.default(x, [1, 4, 3])
            tail: "f32[3, 8][8, 1]cpu" = sizes[2]
            return (last, tail)
    )");
    const ViewGeometry geometry(graph);

    QCOMPARE(geometryText(geometry.of(graph.find("last"))->meta), std::string("[8, 2][8, 1]+6"));
    QCOMPARE(geometryText(geometry.of(graph.find("tail"))->meta), std::string("[3, 8][8, 1]+40"));
    QVERIFY(!geometry.of(graph.find("split")));
}

void tst_ViewGeometry::missingStridesAreAssumed()
{
    const Graph graph = graphFrom(R"(
        def forward(self, x: "f32[2, 4]"):
            return (x,)
    )");
    const ViewGeometry geometry(graph);
    const ResolvedMeta* resolved = geometry.of(graph.find("x"));

    QVERIFY(resolved);
    QCOMPARE(geometryText(resolved->meta), std::string("[2, 4][4, 1]+0"));
    QVERIFY(!resolved->assumed.empty());
}

void tst_ViewGeometry::clonesKeepDenseStrides()
{
    QCOMPARE(geometryText(cloneResult(denseMeta({2, 4}, {1, 2}))), std::string("[2, 4][1, 2]+0"));
}

void tst_ViewGeometry::clonesCloseGaps()
{
    QCOMPARE(geometryText(cloneResult(denseMeta({3, 2}, {8, 1}))), std::string("[3, 2][2, 1]+0"));
    QCOMPARE(geometryText(cloneResult(denseMeta({2, 3}, {1, 8}))), std::string("[2, 3][1, 2]+0"));
}

QTEST_APPLESS_MAIN(tst_ViewGeometry)
#include "tst_view_geometry.moc"
