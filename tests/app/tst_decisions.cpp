// SPDX-License-Identifier: MIT
// The whole way through decisions: policies, overrides, the table, breakpoints and the comparison,
// each by key in the real window.
#include "tests/app/window_fixture.h"

#include "app/undo_log.h"
#include "app/window_options.h"
#include "views/canvas/graph_scene.h"
#include "views/panels/breakpoint_box.h"
#include "views/panels/compare_panel.h"
#include "views/panels/policy_panel.h"
#include "views/panels/step_panel.h"
#include "views/panels/term_edit.h"
#include "views/panels/verdict_panel.h"
#include "views/session/comparison.h"
#include "views/session/place.h"
#include "views/session/scope_history.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>

using namespace reinspect;

class tst_Decisions : public QObject
{
    Q_OBJECT

private slots:
    void everyPresetHasItsCommand();
    void aPolicyIsChosenByKey();
    void zoomAndFocusStayWithAnotherPolicy();
    void theLastPresetIsRemembered();
    void theRulesOfTheCapturesPyTorchAreFollowed();
    void aDecisionIsForcedAndForbiddenByKey();
    void theTableIsFilteredAndLeadsToADecision();
    void breakpointsAreSetAndRunToByKey();
    void whatWasDoneCanBeUndone();
    void breakpointsAreRemembered();
    void twoPoliciesAreComparedByKey();
    void thePolicyPanelChangesTheRun();
    void optionsNameAPolicyAndAPanel_data();
    void optionsNameAPolicyAndAPanel();
};

// sin is still read after the kernel, so torch 2.11 keeps its clone.
static QString keptFile()
{
    return sampleFile("triton_old_value_needed.json");
}

static const Decision& onlyDecision(const MainWindow& window)
{
    return window.session()->trace()->decisions.front();
}

static bool runs(MainWindow& window, std::string_view policy)
{
    return QTest::qWaitFor(
        [&] {
            const auto& trace = window.session()->trace();
            return trace && describe(trace->policy) == policy;
        },
        10'000);
}

void tst_Decisions::everyPresetHasItsCommand()
{
    MainWindow window;
    for (const PolicyPreset& preset : policyPresets())
    {
        const QAction* action =
            window.actions()->action(("policy." + std::string(preset.name)).c_str());
        QCOMPARE(action->text().remove(u'&'), toQString(preset.name));
        QVERIFY(!action->shortcuts().isEmpty());
        QCOMPARE(action->whatsThis(), toQString(preset.meaning));
    }
}

void tst_Decisions::aPolicyIsChosenByKey()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, keptFile()));
    QVERIFY(runs(window, "torch-2.11"));
    QVERIFY(window.policyButton()->text().contains(QStringLiteral("torch-2.11")));
    QVERIFY(!window.windowTitle().contains(QStringLiteral("torch-2.11"))); // nothing unusual
    const Place before = placeOf(*window.session()->trace(), window.session()->event());

    QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier | Qt::AltModifier);

    QVERIFY(runs(window, "pr-111627"));
    QTRY_VERIFY(window.policyButton()->text().contains(QStringLiteral("pr-111627")));
    QVERIFY(window.windowTitle().contains(QStringLiteral("pr-111627")));
    QVERIFY(window.windowTitle().startsWith(QStringLiteral("triton_old_value_needed.json")));
    QVERIFY(window.actions()->action("policy.pr-111627")->isChecked());
    const Place after = placeOf(*window.session()->trace(), window.session()->event());
    QCOMPARE(after.node, before.node);
    QCOMPARE(after.argument, before.argument);
    QVERIFY(after.part == before.part);
}

void tst_Decisions::zoomAndFocusStayWithAnotherPolicy()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("kv_cache_2_layers.json")));
    QTRY_VERIFY_WITH_TIMEOUT(window.canvas()->isLayoutSettled(), 30'000);
    window.actions()->action("scope.focus")->trigger();
    window.actions()->action("view.zoomReset")->trigger();
    window.canvas()->zoomIn();
    const double zoom = window.canvas()->zoom();
    const std::string scope = window.canvas()->scopes()->current().name;
    QVERIFY(!scope.empty());

    window.actions()->action("policy.pr-111627")->trigger();

    QVERIFY(runs(window, "pr-111627"));
    QCOMPARE(window.canvas()->zoom(), zoom);
    QCOMPARE(window.canvas()->scopes()->current().name, scope);
    QTRY_VERIFY_WITH_TIMEOUT(window.canvas()->isLayoutSettled(), 30'000);
    QCOMPARE(window.canvas()->zoom(), zoom);
}

void tst_Decisions::theLastPresetIsRemembered()
{
    MainWindow window;
    QSignalSpy changes(&window, &MainWindow::preferencesChanged);
    window.actions()->action("policy.alias-aware")->trigger();
    QCOMPARE(window.preferences().policy, QStringLiteral("alias-aware"));
    QCOMPARE(changes.count(), 1);

    MainWindow next(window.preferences());
    QCOMPARE(next.session()->policy().name, std::string("alias-aware"));
    MainWindow unknown({.policy = QStringLiteral("no-such-policy")});
    QCOMPARE(unknown.session()->policy(), ReinplacePolicy{});
}

// Until another preset is chosen; a session remembers it, and there is nothing to undo.
void tst_Decisions::theRulesOfTheCapturesPyTorchAreFollowed()
{
    QTemporaryDir folder;
    const QString capture = folder.filePath(QStringLiteral("later.json"));
    const QString path = folder.filePath(QStringLiteral("work.reinspect"));
    QFile sample(sampleFile("index_put_input.json"));
    QFile later(capture);
    QVERIFY(sample.open(QIODevice::ReadOnly) && later.open(QIODevice::WriteOnly));
    later.write(sample.readAll().replace("\"2.11.0+cu130\"", "\"2.15.0\""));
    later.close();
    {
        MainWindow window;
        QVERIFY(showAndWait(window));
        QVERIFY(openAndWait(window, capture));
        QCOMPARE(window.session()->trace()->policy.name, std::string("torch-2.15"));
        QVERIFY(!window.undoLog()->canUndo());
        QVERIFY(window.saveSession(path));
    }
    MainWindow window;
    QVERIFY(showAndWait(window));
    window.open(path);
    QTRY_VERIFY(window.session()->trace());
    QCOMPARE(window.session()->trace()->policy.name, std::string("torch-2.15"));
    QVERIFY(window.session()->followsCapture());
    QTest::keyClick(&window, Qt::Key_6, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(window.session()->policy().name, std::string("precise"));
    QVERIFY(!window.session()->followsCapture());
    QTest::keyClick(&window, Qt::Key_0, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(window.session()->policy().name, std::string("torch-2.15"));
    QVERIFY(window.session()->followsCapture());
}

void tst_Decisions::aDecisionIsForcedAndForbiddenByKey()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(!window.actions()->action("decision.force")->isEnabled());
    QVERIFY(openAndWait(window, keptFile()));
    QCOMPARE(onlyDecision(window).verdict, Verdict::Kept);

    QTest::keyClick(&window, Qt::Key_I, Qt::ShiftModifier);
    QTRY_COMPARE(onlyDecision(window).verdict, Verdict::Reinplaced);
    QVERIFY2(window.steps()->sentence().contains(QStringLiteral("is made to write")),
             qPrintable(window.steps()->sentence()));
    QVERIFY(window.windowTitle().contains(u'+'));

    QTest::keyClick(&window, Qt::Key_K, Qt::ShiftModifier);
    QTRY_COMPARE(onlyDecision(window).verdict, Verdict::Kept);
    QCOMPARE(*onlyDecision(window).reason, Reason::ForbiddenByUser);

    QTest::keyClick(&window, Qt::Key_U, Qt::ShiftModifier);
    QTRY_VERIFY(window.session()->trace()->policy.overrides.empty());
    QCOMPARE(onlyDecision(window).verdict, Verdict::Kept);
}

void tst_Decisions::theTableIsFilteredAndLeadsToADecision()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("09_same_tensor_twice.fx")));
    QTRY_VERIFY(window.verdicts()->visibleRegion().isEmpty()); // behind another tab

    QTest::keyClick(&window, Qt::Key_V);
    QTRY_VERIFY(!window.verdicts()->visibleRegion().isEmpty());
    const PassTrace& trace = *window.session()->trace();
    QCOMPARE(window.verdicts()->model()->rowCount(), static_cast<int>(trace.decisions.size()));
    QTest::keyClicks(window.verdicts()->filter()->line(), QStringLiteral("verdict:kept"));
    const std::vector<DecisionIndex> kept = window.verdicts()->model()->shown();
    QVERIFY(!kept.empty() && kept.size() < trace.decisions.size());

    QTreeView* table = window.verdicts()->table();
    table->setCurrentIndex(window.verdicts()->model()->indexOf(kept.back()));
    QTest::keyClick(table, Qt::Key_Return);

    QCOMPARE(window.session()->event(), trace.decision(kept.back()).decided);
    QCOMPARE(window.session()->selection().primary(), trace.decision(kept.back()).node);
}

void tst_Decisions::breakpointsAreSetAndRunToByKey()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("triton_views_of_one_base.json")));
    Session& session = *window.session();
    QTest::keyClick(&window, Qt::Key_Home, Qt::ControlModifier);

    QTest::keyClick(&window, Qt::Key_F9, Qt::ControlModifier);
    BreakpointBox* box = window.steps()->breakpoints();
    QVERIFY(!box->isFolded());
    QTest::keyClicks(box->edit()->line(), QStringLiteral("verdict:kept"));
    QTest::keyClick(box->edit()->line(), Qt::Key_Return);
    QCOMPARE(session.breakpoints().size(), std::size_t{1});

    QTest::keyClick(&window, Qt::Key_F5);
    const DecisionIndex first = session.trace()->decisionAt(session.event());
    QVERIFY(first);
    QCOMPARE(session.trace()->decision(first).verdict, Verdict::Kept);
    QCOMPARE(session.event(), session.trace()->decision(first).tried);

    QTest::keyClick(&window, Qt::Key_End, Qt::ControlModifier);
    QTest::keyClick(&window, Qt::Key_F5);
    QVERIFY(session.message().contains(QStringLiteral("ahead of this step")));
    QTest::keyClick(&window, Qt::Key_F5, Qt::ShiftModifier);
    QVERIFY(session.trace()->decisionAt(session.event()));
    QVERIFY(session.message().isEmpty());

    QTest::keyClick(&window, Qt::Key_F9);
    QCOMPARE(session.breakpoints().size(), std::size_t{2});
    QTest::keyClick(&window, Qt::Key_F9);
    QCOMPARE(session.breakpoints().size(), std::size_t{1});
}

void tst_Decisions::whatWasDoneCanBeUndone()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("triton_views_of_one_base.json")));
    Session& session = *window.session();
    QAction* undo = window.actions()->action("edit.undo");
    QVERIFY(!undo->isEnabled());
    const ReinplacePolicy before = session.policy();
    const std::size_t boxes = window.canvas()->scene().boxCount();

    // Forced, a node hidden, a breakpoint set, the colours changed: and back in the other order.
    const Verdict verdict = session.trace()->decision(session.decision()).verdict;
    QTest::keyClick(&window, verdict == Verdict::Kept ? Qt::Key_I : Qt::Key_K, Qt::ShiftModifier);
    QTRY_VERIFY(!session.isBusy());
    QCOMPARE(session.policy().overrides.size(), std::size_t(1));
    session.setSelection({.nodes = {nodeNamed(session, "slice_2")}, .storage = {}});
    QTest::keyClick(window.canvas(), Qt::Key_H);
    QCOMPARE(window.canvas()->scene().boxCount(), boxes - 1);
    session.setSelection({.nodes = {session.trace()->decisions.front().node}, .storage = {}});
    QTest::keyClick(&window, Qt::Key_F9);
    QCOMPARE(session.breakpoints().size(), std::size_t(1));
    QVERIFY(undo->text().contains(QStringLiteral("Breakpoint")));
    window.actions()->action("color.dtype")->trigger();
    QVERIFY(undo->text().contains(QStringLiteral("Coloring")));

    QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(window.coloring(), ClassBy::Nothing);
    QVERIFY(window.actions()->action("color.pass")->isChecked());
    QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(session.breakpoints().empty());
    QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(window.canvas()->scene().boxCount(), boxes);
    QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(!session.isBusy());
    QVERIFY(session.policy() == before);
    QVERIFY(!undo->isEnabled());
    QTest::keyClick(&window, Qt::Key_Y, Qt::ControlModifier);
    QTRY_VERIFY(!session.isBusy());
    QCOMPARE(session.policy().overrides.size(), std::size_t(1));
}

void tst_Decisions::breakpointsAreRemembered()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("preferences.ini"));
    {
        MainWindow window;
        std::vector<Breakpoint> breakpoints{
            parseBreakpoint("check:\"no later use\" bytes>1K").value(),
            parseBreakpoint("node:a").value()};
        breakpoints[1].enabled = false;
        window.session()->setBreakpoints(breakpoints);
        QSettings settings(file, QSettings::IniFormat);
        savePreferences(settings, window.preferences());
    }
    Preferences loaded = loadPreferences(QSettings(file, QSettings::IniFormat));
    loaded.breakpoints.append(QStringLiteral("+of:another version"));
    const MainWindow next(loaded);
    const std::vector<Breakpoint>& breakpoints = next.session()->breakpoints();
    QCOMPARE(breakpoints.size(), std::size_t{2});
    QCOMPARE(breakpoints[0].text, std::string("check:\"no later use\" bytes>1K"));
    QVERIFY(breakpoints[0].enabled);
    QVERIFY(!breakpoints[1].enabled);
}

void tst_Decisions::twoPoliciesAreComparedByKey()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("triton_views_of_one_base.json")));
    const Comparison& comparison = *window.compare()->comparison();
    QTRY_VERIFY(window.compare()->visibleRegion().isEmpty());
    QVERIFY(!comparison.isActive());

    QTest::keyClick(&window, Qt::Key_V, Qt::ShiftModifier);
    QTRY_VERIFY(comparison.isActive());
    QVERIFY(!window.compare()->visibleRegion().isEmpty());
    window.compare()->comparison()->setPolicy(policyNamed("alias-aware").value());
    QTRY_VERIFY(comparison.result() && !comparison.isBusy());
    QTRY_COMPARE(comparison.result()->second->policy.name, std::string("alias-aware"));
    QCOMPARE(comparison.result()->first, window.session()->trace());
    QVERIFY(!window.compare()->totals()->text().isEmpty());

    window.compare()->differencesOnly()->setChecked(true);
    const QAbstractItemModel* model = window.compare()->table()->model();
    QCOMPARE(
        model->rowCount(),
        static_cast<int>(comparison.result()->diff.rows.size() - comparison.result()->diff.same));
}

void tst_Decisions::thePolicyPanelChangesTheRun()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, keptFile()));
    QTest::keyClick(&window, Qt::Key_P, Qt::ShiftModifier);
    QTRY_VERIFY(window.policyPanel()->isVisible());
    for (std::size_t i = 0; i < policySwitches().size(); ++i)
        if (policySwitches()[i].name == "later-uses")
            window.policyPanel()->switchBox(i)->click();
    QVERIFY(runs(window, "torch-2.11 later-uses=off"));
    QCOMPARE(onlyDecision(window).verdict, Verdict::Reinplaced);
    QTRY_VERIFY(window.policyButton()->toolTip() == QStringLiteral("torch-2.11 later-uses=off"));
}

void tst_Decisions::optionsNameAPolicyAndAPanel_data()
{
    QTest::addColumn<std::vector<std::string>>("arguments");
    QTest::addColumn<QString>("problem"); // empty: understood
    const auto row = [](const char* name, std::vector<std::string> arguments, const char* problem) {
        QTest::newRow(name) << std::move(arguments) << QString::fromLatin1(problem);
    };
    row("policy", {"--policy", "pr-111627", "a.fx"}, "");
    row("unknown policy", {"--policy", "best"}, "unknown policy 'best'");
    row("no policy", {"--policy"}, "--policy needs a value");
    row("panel", {"--screenshot", "o.png", "--panel", "compare"}, "");
    row("panel without a picture", {"--panel", "compare"}, "--panel goes with --screenshot");
    row("where", {"--screenshot", "o.png", "--panel", "run", "--where", "cuda"}, "");
    row("unknown place", {"--screenshot", "o.png", "--where", "moon"}, "not 'moon'");
    row("unknown panel", {"--screenshot", "o.png", "--panel", "all"}, "not 'all'");
}

void tst_Decisions::optionsNameAPolicyAndAPanel()
{
    QFETCH(const std::vector<std::string>, arguments);
    QFETCH(const QString, problem);
    const Result<WindowOptions> options = parseWindowOptions(arguments);
    QCOMPARE(options.ok(), problem.isEmpty());
    if (!options)
        QVERIFY2(toQString(options.error().message).contains(problem),
                 options.error().message.c_str());
}

QTEST_MAIN(tst_Decisions)
#include "tst_decisions.moc"
