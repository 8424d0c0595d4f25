// SPDX-License-Identifier: MIT
#include "core/layout/row_layout.h"
#include "tests/canvas/canvas_fixture.h"
#include "views/canvas/edge_walk.h"
#include "views/session/union_graph.h"

#include <QTest>

using namespace reinspect;

class tst_GraphScene : public QObject
{
    Q_OBJECT

private slots:
    void everyNodeHasABoxOfItsOwn();
    void textFitsItsBox();
    void aCandidateIsMarkedBeforeAndAfterItsDecision();
    void aBlockingUseIsMarkedAtItsEvent();
    void aReinplacedNodeShowsBothOperators();
    void aRemovedCopyStaysAsAGhostWithoutEdges();
    void steppingMovesNothing();
    void theChosenNodeLightsItsStorageAndItsViews();
    void edgesOfTheChosenNodeStandOut();
    void whatIsUnderThePointerIsFound();
    void arrowKeysFollowEdges();
    void unionOrderKeepsEveryEdgeForward();

private:
    struct Fixture
    {
        explicit Fixture(std::string_view code)
            : trace(traceOf(code))
            , cursor(trace)
        {
            scene.setTrace(trace);
            scene.setLayout(rowLayout(scene.layoutRequest()));
            show(EventIndex(0));
        }
        void show(EventIndex event, const Selection& selection = {})
        {
            cursor.goTo(event);
            scene.update(cursor, selection, {});
        }
        RoleSet roles(std::string_view name) const
        {
            return scene.marks().of(nodeNamed(*trace, name)).roles;
        }
        EdgeState edge(std::string_view from, std::string_view to) const
        {
            for (std::uint32_t i = 0; i < scene.edges().size(); ++i)
            {
                if (scene.edges()[i].from == nodeNamed(*trace, from)
                    && scene.edges()[i].to == nodeNamed(*trace, to))
                    return scene.edgeState(i);
            }
            return EdgeState::Hidden;
        }

        std::shared_ptr<const PassTrace> trace;
        TraceCursor cursor;
        GraphScene scene;
    };
};

void tst_GraphScene::everyNodeHasABoxOfItsOwn()
{
    const Fixture fixture(kKeptCode);
    QCOMPARE(fixture.scene.boxCount(), fixture.trace->result->slotCount());
    for (std::uint32_t a = 0; a < fixture.scene.boxCount(); ++a)
    {
        QVERIFY(fixture.scene.bounds().contains(fixture.scene.boxRect(a)));
        for (std::uint32_t b = 0; b < a; ++b)
            QVERIFY(!fixture.scene.boxRect(a).intersects(fixture.scene.boxRect(b)));
    }
}

void tst_GraphScene::textFitsItsBox()
{
    const Fixture fixture(kKeptCode);
    const BoxMetrics& metrics = fixture.scene.metrics();
    for (std::uint32_t box = 0; box < fixture.scene.boxCount(); ++box)
    {
        const NodeLabel label = labelOf(*fixture.trace->result, fixture.scene.boxNode(box));
        const double room = fixture.scene.boxRect(box).width() - 2 * BoxMetrics::kPadding;
        QVERIFY(QFontMetricsF(metrics.name().font())
                    .horizontalAdvance(QString::fromStdString(label.name))
                <= room);
        QVERIFY(metrics.detail().width(label.shape) <= room);
    }
}

void tst_GraphScene::aCandidateIsMarkedBeforeAndAfterItsDecision()
{
    Fixture fixture(kKeptCode);
    QVERIFY(fixture.roles("p").has(Role::Candidate));
    QVERIFY(!fixture.roles("p").has(Role::Kept));
    fixture.show(lastEvent(*fixture.trace));
    QVERIFY(fixture.roles("p").has(Role::Kept));
    QVERIFY(!fixture.roles("p").has(Role::Candidate));
}

void tst_GraphScene::aBlockingUseIsMarkedAtItsEvent()
{
    Fixture fixture(kKeptCode);
    for (std::size_t i = 0; i < fixture.trace->events.size(); ++i)
    {
        const UseExamined* use = fixture.trace->events[i].as<UseExamined>();
        if (!use || use->verdict != UseVerdict::Blocks)
            continue;
        fixture.show(EventIndex(i));
        QVERIFY(fixture.roles("y").has(Role::Blocking));
        QVERIFY(fixture.roles("p").has(Role::Current));
        QVERIFY(fixture.roles("c").has(Role::Mutated));
        return;
    }
    QFAIL("No event says that a use blocks.");
}

void tst_GraphScene::aReinplacedNodeShowsBothOperators()
{
    Fixture fixture(kCopiedBackCode);
    const NodeId p = nodeNamed(*fixture.trace, "p");
    QCOMPARE(fixture.scene.operation(p), "index_put");
    fixture.show(lastEvent(*fixture.trace));
    QCOMPARE(fixture.scene.operation(p), "index_put \u2192 index_put_");
    QVERIFY(fixture.roles("p").has(Role::Reinplaced));
}

void tst_GraphScene::aRemovedCopyStaysAsAGhostWithoutEdges()
{
    Fixture fixture(kCopiedBackCode);
    const NodeId copy = nodeNamed(*fixture.trace, "b");
    const QRectF place = fixture.scene.rectOf(copy);
    QCOMPARE(fixture.edge("p", "b"), EdgeState::Plain);
    QVERIFY(fixture.roles("b").has(Role::CopyBack));

    fixture.show(lastEvent(*fixture.trace));
    QCOMPARE(fixture.scene.marks().of(copy).presence, Presence::Removed);
    QCOMPARE(bodyRole(fixture.scene.marks().of(copy)), Role::Removed);
    QCOMPARE(fixture.edge("p", "b"), EdgeState::Hidden);
    QCOMPARE(fixture.scene.rectOf(copy), place);
}

void tst_GraphScene::steppingMovesNothing()
{
    Fixture fixture(kCopiedBackCode);
    std::vector<QRectF> places;
    for (std::uint32_t box = 0; box < fixture.scene.boxCount(); ++box)
        places.push_back(fixture.scene.boxRect(box));
    for (std::size_t event = 0; event < fixture.trace->events.size(); ++event)
    {
        fixture.show(EventIndex(event));
        for (std::uint32_t box = 0; box < fixture.scene.boxCount(); ++box)
            QCOMPARE(fixture.scene.boxRect(box), places[box]);
    }
}

void tst_GraphScene::theChosenNodeLightsItsStorageAndItsViews()
{
    Fixture fixture(kKeptCode);
    fixture.show(EventIndex(0), {{nodeNamed(*fixture.trace, "v")}, {}});
    QVERIFY(fixture.roles("v").has(Role::Selected));
    QVERIFY(fixture.roles("v").has(Role::View));
    QVERIFY(fixture.roles("c").has(Role::SameMemory));
    QVERIFY(!fixture.roles("x").has(Role::SameMemory));
    QCOMPARE(fixture.edge("c", "v"), EdgeState::View);
}

void tst_GraphScene::edgesOfTheChosenNodeStandOut()
{
    Fixture fixture(kKeptCode);
    fixture.show(EventIndex(0), {{nodeNamed(*fixture.trace, "p")}, {}});
    QCOMPARE(fixture.edge("c", "p"), EdgeState::Chosen);
    QCOMPARE(fixture.edge("v", "y"), EdgeState::Plain);
}

void tst_GraphScene::whatIsUnderThePointerIsFound()
{
    const Fixture fixture(kKeptCode);
    const NodeId y = nodeNamed(*fixture.trace, "y");
    QCOMPARE(fixture.scene.nodeAt(fixture.scene.rectOf(y).center()), y);
    QVERIFY(!fixture.scene.nodeAt({-1000, -1000}));
}

void tst_GraphScene::arrowKeysFollowEdges()
{
    const Fixture fixture(kKeptCode);
    const Graph& graph = fixture.cursor.graph();
    const auto go = [&](std::string_view from, WalkDirection direction) {
        const NodeId to = walk(fixture.scene, graph, nodeNamed(*fixture.trace, from), direction);
        return to ? fixture.trace->nameOf(to) : std::string();
    };
    QCOMPARE(go("p", WalkDirection::Up), "c");
    QCOMPARE(go("c", WalkDirection::Down), "v");
    QCOMPARE(go("v", WalkDirection::Right), "p"); // both use c
    QCOMPARE(go("p", WalkDirection::Left), "v");
    QCOMPARE(go("p", WalkDirection::Right), "y"); // no more siblings: program order
    QCOMPARE(go("x", WalkDirection::Up), "");
}

void tst_GraphScene::unionOrderKeepsEveryEdgeForward()
{
    const std::shared_ptr<const PassTrace> trace = traceOf(kCopiedBackCode);
    const UnionGraph all = unionGraph(*trace);
    QCOMPARE(all.nodes.size(), trace->result->slotCount());
    for (const LayoutEdge& edge : all.edges)
        QVERIFY(edge.from < edge.to);
}

QTEST_MAIN(tst_GraphScene)
#include "tst_graph_scene.moc"
