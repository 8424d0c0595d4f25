// SPDX-License-Identifier: MIT
#include "tests/layout/layout_checks.h"

#include "core/layout/layers.h"
#include "core/layout/part_processes.h"

#include <QTest>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

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
    void processesPlaceAsOneDoes_data();
    void processesPlaceAsOneDoes();
    void aProcessThatEndsEarlyIsSaid();
    void whatAnEngineRefusesIsSaid();
    void aStopEndsTheProcesses();
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

static Result<PartPlan> byRows(const Part& part, const LayoutOptions& options)
{
    return planRows(part, options);
}

// A graph of many different parts, so that there is something to deal.
static std::vector<RequestPart> manyParts()
{
    return splitIntoParts(randomProgram(900, 5));
}

static std::vector<const Part*> pointersTo(const std::vector<RequestPart>& parts)
{
    std::vector<const Part*> pointers;
    for (const RequestPart& part : parts)
        pointers.push_back(&part.part);
    return pointers;
}

void tst_RowLayout::processesPlaceAsOneDoes_data()
{
    QTest::addColumn<unsigned>("atOnce");
    QTest::addColumn<unsigned>("mostParts");
    QTest::newRow("one after the other") << 1u << 4u;
    QTest::newRow("several at once") << 3u << 2u;
    QTest::newRow("more than there are parts") << 64u << 40u;
}

void tst_RowLayout::processesPlaceAsOneDoes()
{
    QFETCH(const unsigned, atOnce);
    QFETCH(const unsigned, mostParts);
    const std::vector<RequestPart> parts = manyParts();
    QVERIFY(parts.size() > 8);
    const auto plans = inProcesses(byRows, {atOnce, mostParts})(pointersTo(parts), {}, {});
    QVERIFY(plans.ok());
    QCOMPARE(plans->size(), parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
    {
        const PartPlan alone = planRows(parts[i].part, {});
        QVERIFY((*plans)[i].corners == alone.corners);
        QVERIFY((*plans)[i].routes == alone.routes);
        QCOMPARE((*plans)[i].width, alone.width);
        QCOMPARE((*plans)[i].height, alone.height);
    }
}

void tst_RowLayout::aProcessThatEndsEarlyIsSaid()
{
    const std::vector<RequestPart> parts = manyParts();
    const Part* fatal = &parts[3].part;
    const PartEngine engine = [fatal](const Part& part, const LayoutOptions& options) {
        if (&part == fatal)
            std::raise(SIGKILL); // as if somebody killed it in the middle
        return byRows(part, options);
    };
    const auto plans = inProcesses(engine, {2, 3})(pointersTo(parts), {}, {});
    QVERIFY(!plans.ok());
    QCOMPARE(plans.error().message, std::string("a layout process ended before it was done"));
    QCOMPARE(plans.error().kind, ErrorKind::CannotRunHere);
}

void tst_RowLayout::whatAnEngineRefusesIsSaid()
{
    const std::vector<RequestPart> parts = manyParts();
    const Part* refused = &parts[1].part;
    const PartEngine engine = [refused](const Part& part,
                                        const LayoutOptions& options) -> Result<PartPlan> {
        if (&part == refused)
            return Error{.message = "not this one"};
        return byRows(part, options);
    };
    const auto plans = inProcesses(engine, {2, 3})(pointersTo(parts), {}, {});
    QVERIFY(!plans.ok());
    QCOMPARE(plans.error().message, std::string("not this one"));
}

void tst_RowLayout::aStopEndsTheProcesses()
{
    const std::vector<RequestPart> parts = manyParts();
    const PartEngine engine = [](const Part& part, const LayoutOptions& options) {
        ::pause(); // for ever, but for the stop
        return byRows(part, options);
    };
    std::stop_source stop;
    int reports = 0;
    const RunControl control{stop.get_token(), [&](double) {
                                 if (++reports == 3)
                                     stop.request_stop();
                             }};
    const auto plans = inProcesses(engine, {2, 3})(pointersTo(parts), {}, control);
    QVERIFY(!plans.ok());
    QCOMPARE(plans.error().message, std::string("the layout was stopped"));
    QCOMPARE(::waitpid(-1, nullptr, WNOHANG), -1); // none is left
}

QTEST_APPLESS_MAIN(tst_RowLayout)
#include "tst_row_layout.moc"
