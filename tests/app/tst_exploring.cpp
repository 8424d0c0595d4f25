// SPDX-License-Identifier: MIT
// Finding, walking, the palette and the way back, by keys in the whole window.
#include "tests/app/window_fixture.h"

#include "app/command_palette.h"
#include "app/compare_sources.h"
#include "app/compare_window.h"
#include "app/document_tabs.h"
#include "app/keys_dialog.h"
#include "app/palette_model.h"
#include "views/canvas/graph_scene.h"
#include "views/panels/find_bar.h"
#include "views/session/run_service.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QTreeWidget>

using namespace reinspect;

class tst_Exploring : public QObject
{
    Q_OBJECT

private slots:
    void slashFindsAndEnterGoesToTheNext();
    void badQueryIsSaidInTheBar();
    void escapeClosesTheBarAndTheMarks();
    void digitsWalkToInputs();
    void programOrderByKeys();
    void backAndForwardKeepNodeAndStep();
    void thePaletteReachesCommandsAndNodes();
    void scoresPreferRunsAndBeginnings();
    void keysCanBeChangedAndAreRemembered();
    void everyCommandHasAWayByKey();
    void everyModelHoldsWhileOneWorks();
    void whatALoweringAssumedIsListed();
};

static void choose(MainWindow& window, std::string_view name)
{
    window.session()->setSelection({.nodes = {nodeNamed(*window.session(), name)}, .storage = {}});
}

#define OPEN_LESSON(window)                                                                        \
    MainWindow window;                                                                             \
    QVERIFY(showAndWait(window));                                                                  \
    QVERIFY(openAndWait(window, sampleFile("03_view_read_later.fx")))

void tst_Exploring::slashFindsAndEnterGoesToTheNext()
{
    OPEN_LESSON(window);
    QTest::keyClick(window.canvas(), Qt::Key_Slash);
    QVERIFY(window.find()->isVisible());
    QTest::keyClicks(window.find()->line(), QStringLiteral("kind:call"));
    const std::vector<NodeId> found = window.find()->found();
    QVERIFY(found.size() >= 3);
    QVERIFY(window.canvas()->scene().marks().of(found[0]).roles.has(Role::Found));
    choose(window, "x");
    for (const NodeId node : {found[0], found[1], found[2]})
    {
        QTest::keyClick(window.find()->line(), Qt::Key_Return);
        QCOMPARE(window.session()->selection().primary(), node);
    }
    QCOMPARE(window.find()->countText(), QStringLiteral("3 of %1").arg(found.size()));
    QTest::keyClick(window.find()->line(), Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(window.session()->selection().primary(), found[1]);
    QTest::keyClick(&window, Qt::Key_F3);
    QCOMPARE(window.session()->selection().primary(), found[2]);
}

void tst_Exploring::badQueryIsSaidInTheBar()
{
    OPEN_LESSON(window);
    window.find()->open();
    window.find()->setQuery(QStringLiteral("colour:red"));
    QVERIFY(window.find()->countText().contains(QStringLiteral("colour")));
    QVERIFY(window.find()->found().empty());
}

void tst_Exploring::escapeClosesTheBarAndTheMarks()
{
    OPEN_LESSON(window);
    window.find()->open();
    window.find()->setQuery(QStringLiteral("sin"));
    QVERIFY(!window.find()->found().empty());
    const NodeId found = window.find()->found().front();
    QVERIFY(window.canvas()->scene().marks().of(found).roles.has(Role::Found));
    QTest::keyClick(window.find()->line(), Qt::Key_Escape);
    QVERIFY(!window.find()->isVisible());
    QVERIFY(!window.canvas()->scene().marks().of(found).roles.has(Role::Found));
}

void tst_Exploring::digitsWalkToInputs()
{
    OPEN_LESSON(window);
    const Graph& graph = window.session()->cursor()->graph();
    NodeId user;
    for (const NodeId node : graph.order())
        user = graph.inputs(node).size() >= 3 ? node : user;
    QVERIFY(user.isValid());
    for (const std::size_t number : {1, 2, 3})
    {
        window.session()->setSelection({.nodes = {user}, .storage = {}});
        QTest::keyClick(window.canvas(), static_cast<char>('0' + number));
        QCOMPARE(window.session()->selection().primary(), graph.inputs(user)[number - 1]);
    }
}

void tst_Exploring::programOrderByKeys()
{
    OPEN_LESSON(window);
    const Graph& graph = window.session()->cursor()->graph();
    window.session()->setSelection({.nodes = {graph.first()}, .storage = {}});
    QTest::keyClick(window.canvas(), Qt::Key_J);
    QCOMPARE(window.session()->selection().primary(), graph.next(graph.first()));
    QTest::keyClick(window.canvas(), Qt::Key_K);
    QCOMPARE(window.session()->selection().primary(), graph.first());
}

void tst_Exploring::backAndForwardKeepNodeAndStep()
{
    OPEN_LESSON(window);
    const EventIndex event = window.session()->event();
    const NodeId node = window.session()->selection().primary();
    QTest::keyClick(&window, Qt::Key_N);
    choose(window, "x");
    QTest::keyClick(&window, Qt::Key_Left, Qt::AltModifier);
    QTest::keyClick(&window, Qt::Key_Left, Qt::AltModifier);
    // Two places may lie between: the step, and the node that it speaks of.
    while (window.actions()->action("node.back")->isEnabled())
        QTest::keyClick(&window, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(window.session()->event(), event);
    QCOMPARE(window.session()->selection().primary(), node);
    while (window.actions()->action("node.forward")->isEnabled())
        QTest::keyClick(&window, Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(chosenName(*window.session()), std::string("x"));
}

void tst_Exploring::thePaletteReachesCommandsAndNodes()
{
    OPEN_LESSON(window);
    const PassTrace& trace = *window.session()->trace();
    const std::string node = trace.nameOf(trace.decisions.front().node);
    for (const auto& [text, isCommand] : {std::pair(QStringLiteral("run to the end"), true),
                                          std::pair(QString::fromStdString(node + ' '), false)})
    {
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier);
        auto* palette = window.findChild<CommandPalette*>();
        QVERIFY(palette);
        QAbstractItemModelTester tester(palette->list()->model());
        QTest::keyClicks(palette->line(), text);
        QTest::keyClick(palette->line(), Qt::Key_Return);
        QTRY_VERIFY(!window.findChild<CommandPalette*>());
        if (isCommand)
            QCOMPARE(window.session()->event().index() + 1,
                     window.session()->trace()->events.size());
        else
            QCOMPARE(chosenName(*window.session()), node);
    }
}

void tst_Exploring::scoresPreferRunsAndBeginnings()
{
    const auto score = [](const char* text, const char* candidate) {
        return matchScore(QString::fromLatin1(text), QString::fromLatin1(candidate));
    };
    QVERIFY(score("nref", "Next Refusal") > score("nref", "Center from"));
    QVERIFY(score("fit", "Fit Graph") > score("fit", "Find to Intent"));
    QCOMPARE(score("xyz", "Fit Graph"), -1);
}

void tst_Exploring::keysCanBeChangedAndAreRemembered()
{
    MainWindow window;
    KeysDialog dialog(window.actions(), &window);
    const auto item = dialog.list()->findItems(QStringLiteral("Fit Graph"), Qt::MatchExactly);
    QCOMPARE(item.size(), 1);
    dialog.list()->setCurrentItem(item.first());
    QVERIFY(!dialog.setKey(QKeySequence(Qt::Key_N)));
    QVERIFY(dialog.problem().contains(QStringLiteral("Next Step")));
    QVERIFY(dialog.setKey(QKeySequence(Qt::CTRL | Qt::Key_9)));

    MainWindow later({.keys = window.actions()->changedKeys()});
    QCOMPARE(later.actions()->action("view.fit")->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_9));
    dialog.resetKey();
    QVERIFY(window.actions()->changedKeys().isEmpty());
}

// By letters that are underlined, from the menu bar on.
static void collectByLetter(const QList<QAction*>& entries, QSet<const QAction*>& reached)
{
    for (const QAction* entry : entries)
    {
        if (QKeySequence::mnemonic(entry->text()).isEmpty())
            continue;
        if (entry->menu())
            collectByLetter(entry->menu()->actions(), reached);
        else
            reached.insert(entry);
    }
}

// A shortcut, underlined letters of the menus, or the palette; and always one of the first two, since what
// is only found by its name has to be known first.
void tst_Exploring::everyCommandHasAWayByKey()
{
    MainWindow window;
    QVERIFY(openAndWait(window, sampleFile("03_view_read_later.fx")));
    QSet<const QAction*> byLetter;
    collectByLetter(window.menuBar()->actions(), byLetter);
    PaletteModel palette(window.actions()->all(), window.session()->trace());
    for (const QAction* action : window.actions()->all())
    {
        const QString id = action->objectName();
        QVERIFY2(!action->shortcuts().isEmpty() || byLetter.contains(action), qPrintable(id));
        QVERIFY2(!action->associatedObjects().isEmpty(), qPrintable(id)); // seen somewhere, too
        palette.setText(Actions::plainText(*action));
        bool isListed = false;
        for (int row = 0; row < palette.rowCount() && !isListed; ++row)
            isListed = palette.commandAt(row) == action;
        QVERIFY2(isListed, qPrintable(id));
    }
}

// Every list, table and tree of the window, with all panels open, through a day's work.
void tst_Exploring::everyModelHoldsWhileOneWorks()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    std::vector<std::unique_ptr<QAbstractItemModelTester>> testers;
    for (QDockWidget* dock : window.findChildren<QDockWidget*>())
        dock->show();
    for (const QAbstractItemView* view : window.findChildren<QAbstractItemView*>())
    {
        if (view->model())
            testers.push_back(std::make_unique<QAbstractItemModelTester>(
                view->model(), QAbstractItemModelTester::FailureReportingMode::QtTest));
    }
    QVERIFY2(testers.size() >= 9, qPrintable(QString::number(testers.size())));
    QVERIFY(openAndWait(window, sampleFile("triton_view_read_later.json")));
    window.find()->open();
    window.find()->setQuery(QStringLiteral("kind:call"));
    for (const Move move : {Move::ToStart, Move::Into, Move::NextDecision, Move::ToEnd})
        window.session()->step(move);
    window.session()->overrule(DecisionIndex(0), Overrule::Forbid);
    QTRY_VERIFY(!window.session()->isBusy());
    window.runs()->run();
    QTRY_VERIFY_WITH_TIMEOUT(!window.runs()->isBusy(), 60'000);
    QVERIFY(openAndWait(window, sampleFile("03_view_read_later.fx")));
    window.tabs()->closeTab(0);
    window.tabs()->closeTab(0);
    QVERIFY(!window.session()->document());
}

void tst_Exploring::whatALoweringAssumedIsListed()
{
    const auto document = documentFrom(R"(
        def forward(self, x: "f32[8]"):
            c: "f32[8]" = torch.ops.aten.cos.default(x)
            w = torch.ops.higher_order.auto_functionalized_v2(torch.ops.demo.scale_.default, s = 2.0, _x_base_index = 0, _all_bases = [c])
            r: "f32[8]" = w[1]
            return (r,)
    )");
    const auto sources = stagesOf(document, 0, QStringLiteral("it"));
    CompareWindow compare(sources, kFinishedStage, kFinishedStage + 1);
    QTRY_VERIFY(compare.isReady());
    QVERIFY(!compare.notes()->isHidden());
    QVERIFY2(compare.notes()->text().startsWith(QStringLiteral("Assumed: "))
                 && compare.notes()->text().contains(QStringLiteral("schema")),
             qPrintable(compare.notes()->text()));
    // A state of the pass's run assumes nothing.
    compare.choice(1)->setCurrentIndex(0);
    emit compare.choice(1)->activated(0);
    QTRY_VERIFY(compare.isReady());
    QVERIFY(compare.notes()->isHidden());
}

QTEST_MAIN(tst_Exploring)
#include "tst_exploring.moc"
