// SPDX-License-Identifier: MIT
#include "core/layout/grouping.h"
#include "core/layout/stub_room.h"
#include "core/layout/visible_graph.h"

#include <QTest>

#include <algorithm>

using namespace reinspect;

class tst_VisibleGraph : public QObject
{
    Q_OBJECT

private slots:
    void inputsOfASmallGraphAreBoxes();
    void inputsOfALargeGraphAreStubsAtEachUse();
    void aValueWithManyUsesKeepsItsNearestEdge();
    void aUserOfManyValuesKeepsItsNearestEdge();
    void anEdgeOverManyRanksIsAStub();
    void noEdgePassesAWholeGroup();
    void everyArgumentIsAnEdgeOrAStub();
    void groupsAreCutWhereFewEdgesCross();
    void stubsLeaveTheMiddleFree();
    void stubsReadInArgumentOrder();
};

// `inputs` placeholders, then calls that each use the one before.
static UnionGraph chain(std::uint32_t inputs, std::uint32_t calls)
{
    UnionGraph graph;
    for (std::uint32_t i = 0; i < inputs + calls; ++i)
    {
        graph.nodes.push_back({NodeId(i), i < inputs});
        if (i > inputs)
            graph.edges.push_back({i - 1, i});
    }
    return graph;
}

void tst_VisibleGraph::inputsOfASmallGraphAreBoxes()
{
    UnionGraph graph = chain(2, 2);
    graph.edges = {{0, 2}, {2, 3}, {1, 3}};
    const VisibleGraph visible = visibleGraph(graph);
    QCOMPARE(visible.boxes.size(), std::size_t(4));
    QVERIFY(visible.stubs.empty());
}

void tst_VisibleGraph::inputsOfALargeGraphAreStubsAtEachUse()
{
    UnionGraph graph = chain(1, 80);
    graph.edges.push_back({0, 1});
    graph.edges.push_back({0, 40});
    std::sort(graph.edges.begin(), graph.edges.end(),
              [](const LayoutEdge& a, const LayoutEdge& b) { return a.to < b.to; });
    const VisibleGraph visible = visibleGraph(graph);
    QCOMPARE(visible.boxOf[0], kNoBox);
    QCOMPARE(visible.stubs.size(), std::size_t(2));
    QVERIFY(visible.stubs[0].kind == StubKind::Input);
    QCOMPARE(visible.boxes[visible.stubs[1].user], 40u);
}

void tst_VisibleGraph::aValueWithManyUsesKeepsItsNearestEdge()
{
    UnionGraph graph;
    graph.nodes.push_back({NodeId(0), false});
    for (std::uint32_t user = 1; user <= 9; ++user)
    {
        graph.nodes.push_back({NodeId(user), false});
        graph.edges.push_back({0, user});
    }
    const VisibleGraph visible = visibleGraph(graph);
    QCOMPARE(visible.edges, (std::vector<LayoutEdge>{{0, 1}}));
    QCOMPARE(visible.stubs.size(), std::size_t(8));
    QVERIFY(visible.stubs.front().kind == StubKind::Far);
}

void tst_VisibleGraph::aUserOfManyValuesKeepsItsNearestEdge()
{
    UnionGraph graph;
    for (std::uint32_t value = 0; value < 10; ++value)
    {
        graph.nodes.push_back({NodeId(value), false});
        if (value < 9)
            graph.edges.push_back({value, 9});
    }
    const VisibleGraph visible = visibleGraph(graph);
    QCOMPARE(visible.edges, (std::vector<LayoutEdge>{{8, 9}}));
    QCOMPARE(visible.stubs.size(), std::size_t(8));
}

void tst_VisibleGraph::anEdgeOverManyRanksIsAStub()
{
    UnionGraph graph = chain(0, 40);
    graph.edges.insert(graph.edges.end() - 1, {2, 39});
    const VisibleGraph visible = visibleGraph(graph);
    QCOMPARE(visible.stubs.size(), std::size_t(1));
    QCOMPARE(visible.stubs[0].value, 2u);
    QVERIFY(visible.stubs[0].kind == StubKind::Far);
}

void tst_VisibleGraph::noEdgePassesAWholeGroup()
{
    UnionGraph graph = chain(0, 300);
    // Three values used a little later: short enough to be edges, long enough to pass a small
    // group.
    for (std::uint32_t value = 0; value + 25 < 300; value += 10)
        graph.edges.push_back({value, value + 25});
    std::stable_sort(graph.edges.begin(), graph.edges.end(),
                     [](const LayoutEdge& a, const LayoutEdge& b) { return a.to < b.to; });
    const VisibleGraph visible = visibleGraph(graph, {.groupSize = 12});
    const auto groupOf = [&visible](std::uint32_t box) {
        return std::upper_bound(visible.groupStarts.begin(), visible.groupStarts.end(), box);
    };
    for (const LayoutEdge& edge : visible.edges)
        QVERIFY(groupOf(edge.to) - groupOf(edge.from) <= 1);
    QVERIFY(!visible.stubs.empty());
}

void tst_VisibleGraph::everyArgumentIsAnEdgeOrAStub()
{
    UnionGraph graph = chain(5, 200);
    for (std::uint32_t user = 6; user < 205; user += 3)
        graph.edges.push_back({user % 5, user});
    std::stable_sort(graph.edges.begin(), graph.edges.end(),
                     [](const LayoutEdge& a, const LayoutEdge& b) { return a.to < b.to; });
    const VisibleGraph visible = visibleGraph(graph);
    QCOMPARE(visible.edges.size() + visible.stubs.size(), graph.edges.size());
}

void tst_VisibleGraph::groupsAreCutWhereFewEdgesCross()
{
    // Two bundles of 20 boxes, each tied together, with one edge between them.
    std::vector<LayoutEdge> edges;
    for (std::uint32_t start : {0u, 20u})
    {
        for (std::uint32_t box = start + 1; box < start + 20; ++box)
        {
            edges.push_back({start, box});
            edges.push_back({box - 1, box});
        }
    }
    edges.push_back({19, 20});
    QCOMPARE(groupStarts(40, edges, 30), (std::vector<std::uint32_t>{0, 20}));
    QCOMPARE(groupStarts(40, edges, 40), (std::vector<std::uint32_t>{0}));
    QVERIFY(groupStarts(0, {}, 40).empty());
}

void tst_VisibleGraph::stubsLeaveTheMiddleFree()
{
    const std::vector<StubShape> stubs{{80, true}, {60, true}, {90, false}};
    const StubRoom room = stubRoom(120, 50, stubs, true);
    const double middle = room.room.width / 2;
    for (const LayoutRect& stub : room.stubs)
    {
        QVERIFY(stub.right() < middle - 5 || stub.x > middle + 5);
        QVERIFY(stub.x >= 0 && stub.right() <= room.room.width && stub.y >= 0);
        QVERIFY(stub.bottom() < room.box.y);
    }
    QCOMPARE(room.box.centerX(), middle);
    QCOMPARE(room.room.inset, room.box.y);
}

void tst_VisibleGraph::stubsReadInArgumentOrder()
{
    const std::vector<StubShape> stubs(7, StubShape{70, true});
    const StubRoom room = stubRoom(120, 50, stubs, false);
    for (std::size_t i = 1; i < stubs.size(); ++i)
    {
        const LayoutRect& before = room.stubs[i - 1];
        const LayoutRect& here = room.stubs[i];
        QVERIFY(here.y > before.y || (here.y == before.y && here.x > before.right()));
    }
}

QTEST_APPLESS_MAIN(tst_VisibleGraph)
#include "tst_visible_graph.moc"
