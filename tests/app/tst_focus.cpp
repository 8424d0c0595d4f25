// SPDX-License-Identifier: MIT
// Focus, hiding, folding: by keys in the whole window, on a graph too large to open whole.
#include "tests/app/window_fixture.h"

#include "views/canvas/graph_scene.h"
#include "views/panels/find_bar.h"
#include "views/panels/scope_bar.h"
#include "views/session/scope_history.h"

using namespace reinspect;

class tst_Focus : public QObject
{
    Q_OBJECT

private slots:
    void aLargeGraphOpensOnANeighborhoodAndWShowsAll();
    void aStepOutOfTheFocusMovesTheFocus();
    void stepsInAFocusNeverMoveABox();
    void theChosenNodeStaysWhereItIs();
    void growingByKeyAddsNeighbors();
    void hidingCanBeUndone();
    void foldingMakesOneBoxAndCountsWhatIsInside();
    void levelsOfModulesFoldInsideOfEachOther();
    void foundNodesCanBeShownAlone();
};

#define OPEN_LARGE(window)                                                                         \
    MainWindow window;                                                                             \
    QVERIFY(showAndWait(window));                                                                  \
    QVERIFY(openAndWait(window, sampleFile("kv_cache_12_layers.json")));                           \
    window.canvas()->cancelLayout()

void tst_Focus::aLargeGraphOpensOnANeighborhoodAndWShowsAll()
{
    OPEN_LARGE(window);
    const GraphScene& scene = window.canvas()->scene();
    const std::size_t focused = scene.boxCount();
    QVERIFY(focused > 5 && focused <= 400);
    QVERIFY(window.scopeBar()->isVisible());
    QVERIFY(window.scopeBar()->text().startsWith(QStringLiteral("Around ")));
    QTest::keyClick(window.canvas(), Qt::Key_W);
    QVERIFY(scene.boxCount() > 2 * focused);
    QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(scene.boxCount(), focused);
}

void tst_Focus::aStepOutOfTheFocusMovesTheFocus()
{
    OPEN_LARGE(window);
    const PassTrace& trace = *window.session()->trace();
    const NodeId last = trace.decisions.back().node;
    QVERIFY(!window.canvas()->scene().isDrawn(last));
    window.session()->goTo(trace.decisions.back().decided);
    QVERIFY(window.canvas()->scene().isDrawn(last));
    QVERIFY(window.canvas()->rect().contains(window.canvas()->screenRect(last).center().toPoint()));
}

void tst_Focus::stepsInAFocusNeverMoveABox()
{
    OPEN_LARGE(window);
    const GraphScene& scene = window.canvas()->scene();
    const QRectF first = scene.boxRect(0);
    const std::size_t count = scene.boxCount();
    const Scope scope = window.canvas()->scopes()->current();
    const DecisionIndex decision = window.session()->trace()->decisionAt(window.session()->event());
    while (window.session()->trace()->decisionAt(window.session()->event()) == decision)
    {
        QCOMPARE(scene.boxRect(0), first);
        QCOMPARE(scene.boxCount(), count);
        const EventIndex before = window.session()->event();
        QTest::keyClick(&window, Qt::Key_P);
        QVERIFY(window.session()->event() != before);
    }
}

void tst_Focus::theChosenNodeStaysWhereItIs()
{
    OPEN_LARGE(window);
    const NodeId node = window.session()->selection().primary();
    const QPointF before = window.canvas()->screenRect(node).center();
    QTest::keyClick(window.canvas(), Qt::Key_W);
    window.canvas()->cancelLayout();
    const QPointF after = window.canvas()->screenRect(node).center();
    QVERIFY((after - before).manhattanLength() <= 1);
}

void tst_Focus::growingByKeyAddsNeighbors()
{
    OPEN_LARGE(window);
    const std::size_t before = window.canvas()->scopes()->current().only.size();
    QTest::keyClick(window.canvas(), Qt::Key_Up, Qt::ShiftModifier);
    const std::size_t byInputs = window.canvas()->scopes()->current().only.size();
    QVERIFY(byInputs > before);
    QTest::keyClick(window.canvas(), Qt::Key_Down, Qt::ShiftModifier);
    QVERIFY(window.canvas()->scopes()->current().only.size() > byInputs);
}

void tst_Focus::hidingCanBeUndone()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("03_view_read_later.fx")));
    const NodeId node = window.session()->selection().primary();
    QTest::keyClick(window.canvas(), Qt::Key_H);
    QVERIFY(!window.canvas()->scopes()->current().shows(node));
    QVERIFY(!window.session()->selection().primary());
    QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(window.canvas()->scene().isDrawn(node));
    QVERIFY(!window.scopeBar()->isVisible());
}

void tst_Focus::foldingMakesOneBoxAndCountsWhatIsInside()
{
    OPEN_LARGE(window);
    const GraphScene& scene = window.canvas()->scene();
    window.canvas()->showWhole();
    QVERIFY(scene.groupCount() >= 12);
    window.canvas()->setAllFolded(true);
    QVERIFY(scene.boxCount() < scene.groupCount() + 10);
    std::size_t nodes = 0;
    std::size_t candidates = 0;
    for (std::uint32_t group = 0; group < scene.groupCount(); ++group)
    {
        if (!scene.group(group).isFramed)
            continue;
        const GroupFacts& facts = scene.groupFacts(group);
        nodes += facts.nodes;
        candidates += facts.undecided + facts.inPlace + facts.kept;
    }
    QCOMPARE(candidates, window.session()->trace()->decisions.size());
    QVERIFY(nodes > 500);

    const NodeId node = window.session()->trace()->decisions.front().node;
    window.session()->setSelection({.nodes = {node}, .storage = {}});
    const std::size_t before = scene.boxCount();
    QTest::keyClick(window.canvas(), Qt::Key_X);
    QVERIFY(scene.boxCount() > before + 20);
    QTest::keyClick(window.canvas(), Qt::Key_X);
    QCOMPARE(scene.boxCount(), before);
}

void tst_Focus::levelsOfModulesFoldInsideOfEachOther()
{
    OPEN_LARGE(window);
    const GraphScene& scene = window.canvas()->scene();
    window.canvas()->showWhole();
    const NodeId node = window.session()->trace()->decisions.front().node;
    window.session()->setSelection({.nodes = {node}, .storage = {}});
    const std::size_t whole = scene.boxCount();
    const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(window.canvas(), key, modifiers);
        return scene.boxCount();
    };
    const auto folded = [&] {
        const std::uint32_t group = scene.foldedGroupOf(node);
        return group == kNoGroup ? std::string() : scene.groupName(group);
    };
    const std::size_t withoutAttention = press(Qt::Key_I);
    QCOMPARE(folded(), std::string("b.0.a"));
    QVERIFY(withoutAttention < whole - 10);
    const std::size_t withoutLayer = press(Qt::Key_Z);
    QCOMPARE(folded(), std::string("b.0"));
    QVERIFY(withoutLayer < withoutAttention - 10);
    const std::size_t withoutLayers = press(Qt::Key_Z);
    QCOMPARE(folded(), std::string("b"));
    QVERIFY2(withoutLayers < 60, qPrintable(QString::number(withoutLayers)));
    // The whole story of its decisions is on its badge.
    const GroupFacts& facts = scene.groupFacts(scene.foldedGroupOf(node));
    QCOMPARE(facts.undecided + facts.inPlace + facts.kept,
             window.session()->trace()->decisions.size());

    // Unfolding goes level by level.
    QCOMPARE(press(Qt::Key_X), withoutLayers + 11);
    QCOMPARE(folded(), std::string("b.0"));
    press(Qt::Key_X);
    QCOMPARE(folded(), std::string("b.0.a"));
    press(Qt::Key_X);
    QCOMPARE(folded(), std::string());

    // All frames, then all that is around them; and back.
    press(Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(scene.boxCount(), whole);
    const std::size_t frames = press(Qt::Key_X, Qt::ShiftModifier);
    QCOMPARE(folded(), std::string("b.0"));
    QVERIFY(press(Qt::Key_X, Qt::ShiftModifier) < frames - 8);
    QCOMPARE(folded(), std::string("b"));
    QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(scene.boxCount(), frames);
}

void tst_Focus::foundNodesCanBeShownAlone()
{
    OPEN_LARGE(window);
    window.find()->open();
    window.find()->setQuery(QStringLiteral("op:index_put"));
    emit window.find()->showOnlyRequested();
    QCOMPARE(window.canvas()->scopes()->current().only.size(), window.find()->found().size());
    QVERIFY(window.scopeBar()->text().endsWith(QStringLiteral("Found: op:index_put")));
}

QTEST_MAIN(tst_Focus)
#include "tst_focus.moc"
