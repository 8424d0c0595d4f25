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
    void partsMoveWithTheirBase();
    void missingStridesAreAssumed();
    void clonesKeepDenseStrides();
    void clonesCloseGaps();
    void copiesKeepTheirStrides();
    void pointwiseResultsFollowTheirOperands_data();
    void pointwiseResultsFollowTheirOperands();
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

void tst_ViewGeometry::partsMoveWithTheirBase()
{
    const Graph graph = graphFrom(R"(
        def forward(self, x: "f32[4, 3][8, 1]"):
            s = torch.ops.aten.split.Tensor(x, 2)
            u = torch.ops.aten.unbind.int(x, -1)
            c = torch.ops.aten.chunk.default(x, 2)
            return (s, u, c)
    )");
    TensorMeta base = denseMeta({4, 3}, {3, 1});
    base.offset = SymExpr(5);
    const auto part = [&](const char* name, const TensorMeta& known, std::size_t index) {
        const auto result = partResult(graph[graph.find(name)], base, known, index);
        return result ? geometryText(*result) : "unknown";
    };

    QCOMPARE(part("s", denseMeta({2, 3}, {8, 1}), 1), std::string("[2, 3][3, 1]+11"));
    QCOMPARE(part("u", denseMeta({4}, {8}), 2), std::string("[4][3]+7"));
    QCOMPARE(part("u", denseMeta({4, 1}, {8, 1}), 2),
             std::string("unknown")); // not what unbind makes
    QCOMPARE(part("c", denseMeta({2, 3}, {8, 1}), 1), std::string("unknown"));
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

void tst_ViewGeometry::copiesKeepTheirStrides()
{
    TensorMeta column = denseMeta({3, 2}, {8, 1});
    column.offset = SymExpr(4);
    QCOMPARE(geometryText(sameStridesResult(column)), std::string("[3, 2][8, 1]+0"));
    QCOMPARE(toText(*sameStridesResult(column).storageBytes), std::string("72"));
    QCOMPARE(toText(requiredLength(column)), std::string("22"));
    // An expanded tensor cannot be written: its copy is dense.
    QCOMPARE(geometryText(sameStridesResult(denseMeta({3, 2}, {0, 1}))),
             std::string("[3, 2][2, 1]+0"));
    QCOMPARE(toText(requiredLength(denseMeta({0, 2}, {2, 1}))), std::string("0"));
}

void tst_ViewGeometry::pointwiseResultsFollowTheirOperands_data()
{
    using Operands = std::vector<TensorMeta>;
    QTest::addColumn<Operands>("operands");
    QTest::addColumn<std::string>("expected"); // of a result [2, 3]

    QTest::newRow("one dense layout is kept")
        << Operands{denseMeta({2, 3}, {1, 2}), denseMeta({2, 3}, {1, 2})}
        << std::string("[2, 3][1, 2]+0");
    QTest::newRow("gaps are closed in their order")
        << Operands{denseMeta({2, 3}, {1, 8})} << std::string("[2, 3][1, 2]+0");
    QTest::newRow("the first operand decides")
        << Operands{denseMeta({2, 3}, {1, 2}), denseMeta({2, 3}, {3, 1})}
        << std::string("[2, 3][1, 2]+0");
    QTest::newRow("a repeated operand does not say")
        << Operands{denseMeta({3}, {1}), denseMeta({2, 3}, {1, 2})}
        << std::string("[2, 3][1, 2]+0");
    QTest::newRow("a single number does not say")
        << Operands{denseMeta({}, {}), denseMeta({2, 1}, {1, 1})} << std::string("[2, 3][3, 1]+0");
    QTest::newRow("strides that are symbols and differ")
        << Operands{denseMeta({2, 3}, {SymExpr::symbol("s0"), 1}), denseMeta({2, 3}, {3, 1})}
        << std::string("unknown");
    QTest::newRow("no operands") << Operands{} << std::string("unknown");
}

void tst_ViewGeometry::pointwiseResultsFollowTheirOperands()
{
    QFETCH(std::vector<TensorMeta>, operands);
    QFETCH(std::string, expected);
    std::vector<const TensorMeta*> pointers;
    for (const TensorMeta& operand : operands)
        pointers.push_back(&operand);

    const auto result = pointwiseResult(denseMeta({2, 3}, {9, 9}), pointers);

    QCOMPARE(result ? geometryText(*result) : "unknown", expected);
}

QTEST_APPLESS_MAIN(tst_ViewGeometry)
#include "tst_view_geometry.moc"
