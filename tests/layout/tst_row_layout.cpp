// SPDX-License-Identifier: MIT
#include "tests/layout/layout_checks.h"

#include "core/layout/layers.h"

#include <QTest>

using namespace reinspect;

class tst_RowLayout : public QObject
{
    Q_OBJECT

private slots:
    void nothingIsPlacedAsNothing();
    void aChainRunsStraightDown();
    void anEdgeOverSeveralRanksPassesBesideTheBoxes();
    void aCrossingThatCanBeAvoidedIs();
    void aValueUsedLateStandsNearItsUser();
    void randomProgramsKeepTheRules_data();
    void randomProgramsKeepTheRules();
    void theSameRequestGivesTheSamePicture();
    void aLongProgramIsFoldedIntoColumns();
    void unconnectedBoxesFillRowsInOrder();
};

void tst_RowLayout::nothingIsPlacedAsNothing()
{
    const LayoutResult result = rowLayout({});
    QVERIFY(result.boxes.empty());
    QCOMPARE(result.width, 0.0);
    QCOMPARE(result.engine, "rows");
}

void tst_RowLayout::aChainRunsStraightDown()
{
    LayoutRequest request = plainRequest(3, {{0, 1}, {1, 2}});
    request.boxes[1] = {160, 90, 40}; // stubs above it
    const LayoutResult result = rowLayout(request);
    VERIFY_NO_FAULT(layoutFault(request, result));
    QCOMPARE(result.boxes[0].centerX(), result.boxes[1].centerX());
    QCOMPARE(result.boxes[1].centerX(), result.boxes[2].centerX());
    QCOMPARE(result.routes[0].size(), std::size_t(2));
}

void tst_RowLayout::anEdgeOverSeveralRanksPassesBesideTheBoxes()
{
    const LayoutRequest request = plainRequest(5, {{0, 1}, {0, 4}, {1, 2}, {2, 3}, {3, 4}});
    const LayoutResult result = rowLayout(request);
    VERIFY_NO_FAULT(layoutFault(request, result));
}

void tst_RowLayout::aCrossingThatCanBeAvoidedIs()
{
    // 0 and 1 are given in the order that makes their edges cross.
    Part part;
    part.boxes.assign(4, {100, 50, 0});
    part.edges = {{0, 3}, {1, 2}};
    Layers layers = makeLayers(part);
    QCOMPARE(crossingCount(layers), std::size_t(1));
    untangle(layers);
    QCOMPARE(crossingCount(layers), std::size_t(0));
}

void tst_RowLayout::aValueUsedLateStandsNearItsUser()
{
    // 3 has no inputs, so it could stand at the top; its only user is at the bottom.
    const LayoutRequest request = plainRequest(5, {{0, 1}, {1, 2}, {2, 4}, {3, 4}});
    const LayoutResult result = rowLayout(request);
    QCOMPARE(result.boxes[3].y, result.boxes[2].y);
}

void tst_RowLayout::randomProgramsKeepTheRules_data()
{
    QTest::addColumn<unsigned>("boxes");
    for (unsigned boxes : {2u, 7u, 30u, 59u, 61u, 150u, 400u})
        QTest::addRow("%u boxes", boxes) << boxes;
}

void tst_RowLayout::randomProgramsKeepTheRules()
{
    QFETCH(unsigned, boxes);
    for (unsigned seed = 0; seed < 5; ++seed)
    {
        const LayoutRequest request = randomProgram(boxes, seed);
        QVERIFY(checkRequest(request).ok());
        VERIFY_NO_FAULT(layoutFault(request, rowLayout(request)));
    }
}

void tst_RowLayout::theSameRequestGivesTheSamePicture()
{
    const LayoutRequest request = randomProgram(300, 7);
    QVERIFY(rowLayout(request) == rowLayout(request));
}

void tst_RowLayout::aLongProgramIsFoldedIntoColumns()
{
    std::vector<LayoutEdge> edges;
    for (std::uint32_t box = 1; box < 600; ++box)
        edges.push_back({box - 1, box});
    LayoutRequest request = plainRequest(600, edges);
    request.groupStarts = groupStarts(600, request.edges, 80);
    const LayoutResult result = rowLayout(request);
    VERIFY_NO_FAULT(layoutFault(request, result));
    // One column of 600 boxes would be 500 times as high as wide.
    QVERIFY2(result.height / result.width < 10, "the picture is a strip");
}

void tst_RowLayout::unconnectedBoxesFillRowsInOrder()
{
    const LayoutRequest request = plainRequest(9, {});
    const LayoutResult result = rowLayout(request);
    VERIFY_NO_FAULT(layoutFault(request, result));
    QVERIFY(result.width < 9 * 100);
    for (std::size_t box = 1; box < 9; ++box)
    {
        const LayoutRect& before = result.boxes[box - 1];
        const LayoutRect& here = result.boxes[box];
        QVERIFY(here.y > before.y || (here.y == before.y && here.x > before.x));
    }
}

QTEST_APPLESS_MAIN(tst_RowLayout)
#include "tst_row_layout.moc"
