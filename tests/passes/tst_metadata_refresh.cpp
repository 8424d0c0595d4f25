// SPDX-License-Identifier: MIT
// Phase 2: how far a change of layout travels, and what stops it.
#include "core/passes/lowering.h"
#include "core/passes/reinplace_pass.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace reinspect;

class tst_MetadataRefresh : public QObject
{
    Q_OBJECT

private slots:
    void aChangeOfLayoutTravels_data();
    void aChangeOfLayoutTravels();
    void nothingChangesNothingIsRefreshed();
};

void tst_MetadataRefresh::aChangeOfLayoutTravels_data()
{
    QTest::addColumn<std::string>("statements");
    QTest::addColumn<std::string>("refreshed");

    const auto row = [](const char* name, const char* statements, const char* refreshed) {
        QTest::newRow(name) << std::string(statements) << std::string(refreshed);
    };
    // The scatter of a slice with gaps is dense where slice_scatter kept the gaps.
    row("a view", "    n: \"f32[2, 3][8, 1]cuda:0\" = torch.ops.aten.slice.Tensor(s, 0, 1, 3)\n",
        "f32[2, 3][3, 1]cuda:0 +3");
    row("a view of a view",
        "    m: \"f32[4, 2][8, 1]cuda:0\" = torch.ops.aten.slice.Tensor(s, 1, 1, 3)\n"
        "    n: \"f32[4][8]cuda:0\" = torch.ops.aten.select.int(m, 1, 1)\n",
        "f32[4][3]cuda:0 +2");
    row("a pointwise operator",
        "    n: \"f32[4, 3][8, 1]cuda:0\" = torch.ops.aten.cos.default(s)\n",
        "f32[4, 3][3, 1]cuda:0 +0");
    row("two operands",
        "    t: \"f32[3, 4][1, 8]cuda:0\" = torch.ops.aten.permute.default(s, [1, 0])\n"
        "    n: \"f32[3, 4][1, 3]cuda:0\" = torch.ops.aten.add.Tensor(t, 1)\n",
        "f32[3, 4][1, 3]cuda:0 +0");
    row("a part of a split",
        "    p = torch.ops.aten.split.Tensor(s, 2)\n"
        "    n: \"f32[2, 3][8, 1]cuda:0\" = p[1]\n",
        "f32[2, 3][8, 1]cuda:0 +?"); // readable code prints no metadata of the tuple: nothing to move
    row("an operator without a rule",
        "    n: \"f32[4, 3][8, 1]cuda:0\" = torch.ops.aten.cumsum.default(s, 0)\n",
        "f32[4, 3][8, 1]cuda:0 +?");
}

void tst_MetadataRefresh::aChangeOfLayoutTravels()
{
    QFETCH(std::string, statements);
    QFETCH(std::string, refreshed);
    const Graph graph = graphFrom(
        "def forward(self, x: \"f32[4, 8][8, 1]cuda:0\", y: \"f32[2, 3][3, 1]cuda:0\"):\n"
        "    v: \"f32[4, 3][8, 1]cuda:0\" = torch.ops.aten.slice.Tensor(x, 1, 0, 3)\n"
        "    s: \"f32[4, 3][8, 1]cuda:0\" = torch.ops.aten.slice_scatter.default(v, y, 0, 0, 2)\n"
        + statements + "    return (n,)");

    const auto trace = runReinplace({std::make_shared<const Graph>(graph)}).value();
    const Graph canonical = graphAtStage(*trace, PassStage::Canonical).value();

    const TensorMeta* meta = canonical[canonical.find("n")].meta.value.tensor();
    QVERIFY(meta);
    const std::string found = toText(*meta) + " +" + (meta->offset ? toText(*meta->offset) : "?");
    QVERIFY2(found == refreshed, found.c_str());
}

void tst_MetadataRefresh::nothingChangesNothingIsRefreshed()
{
    const Graph graph = graphFrom("def forward(self, x: \"f32[8][1]cuda:0\"):\n"
                                  "    a: \"f32[8][1]cuda:0\" = torch.ops.aten.cos.default(x)\n"
                                  "    return (a,)");

    const auto trace = runReinplace({std::make_shared<const Graph>(graph)}).value();

    QVERIFY(trace->edits.empty());
}

QTEST_APPLESS_MAIN(tst_MetadataRefresh)
#include "tst_metadata_refresh.moc"
