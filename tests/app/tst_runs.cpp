// SPDX-License-Identifier: MIT
#include "tests/app/window_fixture.h"
#include "tests/support/fake_ssh.h"

#include "app/remote_dialog.h"
#include "views/canvas/graph_scene.h"
#include "views/panels/memory_chart.h"
#include "views/panels/memory_panel.h"
#include "views/panels/run_panel.h"
#include "views/panels/value_panel.h"
#include "views/panels/verdict_panel.h"
#include "views/session/run_service.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>

using namespace reinspect;

class tst_Runs : public QObject
{
    Q_OBJECT

private slots:
    void theActionShowsThePanelAndRuns();
    void aDecisionIsProvedFromItsRow();
    void valuesAreAskedForTheChosenNode();
    void panelsAreFoundByName();
    void aSessionFileRemembersTheSeed();
    void aRemoteHostIsTestedAndRemembered();
    void timesOfARunOnAGpuColorTheNodes();
};

static bool waitForRun(MainWindow& window)
{
    return QTest::qWaitFor([&] { return !window.runs()->isBusy() && window.runs()->result(); },
                           30'000);
}

void tst_Runs::theActionShowsThePanelAndRuns()
{
    MainWindow window;
    QVERIFY(!window.actions()->action("run.compare")->isEnabled());
    QVERIFY(!window.actions()->action("run.cancel")->isEnabled());
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("01_dead_intermediate.fx")));
    window.actions()->action("run.compare")->trigger();
    QVERIFY(window.actions()->action("run.cancel")->isEnabled());
    QVERIFY(waitForRun(window));
    QTRY_VERIFY(!window.runPanel()->visibleRegion().isEmpty());
    QVERIFY(!window.actions()->action("run.cancel")->isEnabled());
    QVERIFY(!window.actions()->action("run.bisect")->isEnabled()); // nothing differs
    QCOMPARE(window.runs()->result()->proof.isEqual(), std::optional(true));
}

void tst_Runs::aDecisionIsProvedFromItsRow()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("01_dead_intermediate.fx")));
    window.session()->goToDecision(DecisionIndex(0));
    emit window.verdicts()->proofRequested();
    QVERIFY(QTest::qWaitFor([&] { return !window.runs()->isBusy(); }, 30'000));
    QVERIFY(window.runs()->proofOf(DecisionIndex(0)));
    QCOMPARE(window.runs()->lastProven(), DecisionIndex(0));
}

void tst_Runs::valuesAreAskedForTheChosenNode()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("01_dead_intermediate.fx")));
    window.session()->goToDecision(DecisionIndex(0));
    window.actions()->action("run.values")->trigger();
    QVERIFY(QTest::qWaitFor([&] { return window.runs()->values() != nullptr; }, 30'000));
    QCOMPARE(window.runs()->values()->node, chosenName(*window.session()));
}

void tst_Runs::panelsAreFoundByName()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    for (const auto& [name, panel] : {std::pair<const char*, QWidget*>{"run", window.runPanel()},
                                      {"memory", window.memoryPanel()},
                                      {"values", window.valuePanel()}})
    {
        QVERIFY(window.showPanelNamed(name));
        QTRY_VERIFY(!panel->visibleRegion().isEmpty());
    }
}

void tst_Runs::aSessionFileRemembersTheSeed()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("s.reinspect"));
    {
        MainWindow window;
        QVERIFY(openAndWait(window, sampleFile("01_dead_intermediate.fx")));
        window.runs()->setSeed(41);
        QVERIFY(window.saveSession(path));
    }
    MainWindow window;
    QVERIFY(openAndWait(window, path));
    QCOMPARE(window.runs()->seed(), std::uint64_t(41));
}

void tst_Runs::aRemoteHostIsTestedAndRemembered()
{
    FakeSsh ssh;
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("01_dead_intermediate.fx")));
    const RemoteHost host = ssh.host("good");
    QTimer::singleShot(0, &window, [&] {
        auto* dialog = window.findChild<RemoteDialog*>();
        QVERIFY(dialog);
        QVERIFY(dialog->connection()->text().startsWith(QStringLiteral("ssh ")));
        dialog->testButton()->click();
        QVERIFY(dialog->answer()->text().contains(QStringLiteral("No remote host")));
        dialog->host()->setText(host.host);
        dialog->connection()->setText(host.connection);
        dialog->program()->setText(host.program);
        dialog->backend()->setCurrentIndex(1);
        dialog->testButton()->click();
        QTRY_VERIFY(dialog->answer()->text().startsWith(QStringLiteral("It answers: reinspect")));
        dialog->accept();
    });
    window.actions()->action("run.remote")->trigger();
    QVERIFY(window.preferences().remote == host);
    QVERIFY(window.preferences().runsRemotely);
    window.actions()->action("run.compare")->trigger();
    QVERIFY(waitForRun(window));
    QCOMPARE(window.runs()->result()->place, QStringLiteral("good (CPU)"));
    QCOMPARE(window.runs()->result()->proof.isEqual(), std::optional(true));
    MainWindow next(window.preferences());
    QCOMPARE(next.runs()->place(), RunPlace::Remote);
}

void tst_Runs::timesOfARunOnAGpuColorTheNodes()
{
    FakeSsh ssh;
    MainWindow window({.remote = ssh.host("gpu"), .runsRemotely = true});
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("03_view_read_later.fx")));
    window.actions()->action("run.compare")->trigger();
    QVERIFY(waitForRun(window));
    const RunResult& result = *window.runs()->result();
    QVERIFY2(!result.failure, result.failure ? toText(*result.failure).c_str() : "");
    QCOMPARE(result.place, QStringLiteral("gpu, NVIDIA H200"));
    QCOMPARE(result.proof.runs.front().run.memory.devicePeakBytes,
             std::optional<std::int64_t>(1024));
    QCOMPARE(result.proof.runs.front().run.hostRuns.size(), std::size_t(1));
    const QString notes = runNotes(result).join(u' ');
    for (const char* told :
         {"own count: 1,024 B before", "\"updated\" 400", "aten.sin.default ran on "})
        QVERIFY2(notes.contains(QLatin1String(told)), qPrintable(notes));
    window.setColoring(ClassBy::Time);
    const NodeClasses& classes = window.canvas()->scene().classes();
    QCOMPARE(classes.of(nodeNamed(*window.session(), "updated")), std::uint8_t(6));
    QCOMPARE(classes.of(nodeNamed(*window.session(), "buffer")), std::uint8_t(0));
}

QTEST_MAIN(tst_Runs)
#include "tst_runs.moc"
