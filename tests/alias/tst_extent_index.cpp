// SPDX-License-Identifier: MIT
#include "core/alias/extent_index.h"

#include "tests/support/graph_text.h"

#include <QTest>

#include <random>
#include <set>

using namespace reinspect;

namespace
{

TensorMeta strided(std::vector<SymExpr> sizes, std::vector<SymExpr> strides, SymExpr offset)
{
    TensorMeta meta;
    meta.sizes = std::move(sizes);
    meta.strides = std::move(strides);
    meta.offset = std::move(offset);
    return meta;
}

// A base of 100 elements and slices of it, some of them with a step.
std::string manySlices(std::mt19937& random)
{
    std::string code = "def forward(self, x: \"f32[100][1]cpu\"):\n";
    for (int i = 0; i < 80; ++i)
    {
        const int start = static_cast<int>(random() % 100);
        const int length = static_cast<int>(random() % 20);
        const int step = 1 + static_cast<int>(random() % 3);
        const int end = std::min(start + length, 100);
        const int size = (end - start + step - 1) / step;
        code += "    s" + std::to_string(i) + ": \"f32[" + std::to_string(size) + "]["
            + std::to_string(step) + "]cpu\" = torch.ops.aten.slice.Tensor(x, 0, "
            + std::to_string(start) + ", " + std::to_string(end) + ", " + std::to_string(step)
            + ")\n";
    }
    return code + "    return (x,)\n";
}

bool meets(const TensorMeta& a, const TensorMeta& b)
{
    const auto one = extentOf(a);
    const auto other = extentOf(b);
    return one && other && one->first <= one->last && other->first <= other->last
        && one->first <= other->last && other->first <= one->last;
}

} // namespace

class tst_ExtentIndex : public QObject
{
    Q_OBJECT

private slots:
    void extentsAreOfFirstAndLastElement();
    void theIndexFindsWhatLookingAtEachFinds();
};

void tst_ExtentIndex::extentsAreOfFirstAndLastElement()
{
    const auto rows = extentOf(strided({3, 4}, {10, 1}, 5));
    QVERIFY(rows);
    QCOMPARE(rows->first, std::int64_t{5});
    QCOMPARE(rows->last, std::int64_t{28});

    const auto empty = extentOf(strided({3, 0}, {10, 1}, 5));
    QVERIFY(empty && empty->last < empty->first);

    QVERIFY(!extentOf(strided({SymExpr::symbol("s0")}, {1}, 0)));
    QVERIFY(!extentOf(strided({std::int64_t{1} << 40}, {std::int64_t{1} << 40}, 0)));
    TensorMeta unplaced = strided({3}, {1}, 0);
    unplaced.offset.reset();
    QVERIFY(!extentOf(unplaced));
}

void tst_ExtentIndex::theIndexFindsWhatLookingAtEachFinds()
{
    std::mt19937 random(20231020);
    for (int round = 0; round < 20; ++round)
    {
        const Graph graph = graphFrom(manySlices(random));
        const ViewGeometry geometry(graph);
        std::vector<NodeId> members;
        for (const NodeId id : graph.order())
            if (geometry.of(id))
                members.push_back(id);
        const ExtentIndex index(members, geometry);
        for (const NodeId node : members)
        {
            std::set<NodeId> expected;
            for (const NodeId other : members)
                if (meets(geometry.of(node)->meta, geometry.of(other)->meta))
                    expected.insert(other);
            const auto found = index.meeting(node, geometry);
            QVERIFY(found);
            QCOMPARE(std::set<NodeId>(found->begin(), found->end()), expected);
        }
    }
}

QTEST_APPLESS_MAIN(tst_ExtentIndex)
#include "tst_extent_index.moc"
