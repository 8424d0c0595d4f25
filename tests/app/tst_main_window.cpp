// SPDX-License-Identifier: MIT
// The whole way: a file opens in the window, keys step through the pass, and the window says what
// the command line says.
#include "tests/app/window_fixture.h"

#include "app/start_page.h"
#include "views/panels/message_strip.h"
#include "views/panels/step_panel.h"

#include <QDropEvent>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QProcess>

using namespace reinspect;

class tst_MainWindow : public QObject
{
    Q_OBJECT

private slots:
    void stepsByKeySayWhatTheCommandLineSays_data();
    void stepsByKeySayWhatTheCommandLineSays();
    void backAtTheStartTheGraphIsTheFirstOne();
    void keysReachEachKindOfStep();
    void noTwoCommandsShareAKey();
    void commandsAreEnabledWhenTheyCanAct();
    void everyCommandOfAStepHasAKeyAndAnIcon();
    void opensOnTheFirstRefusal();
    void aDroppedFileIsOpened();
    void openedFilesAreRemembered();
    void samplesAreNotRecentFiles();
    void theStartPageOpensSamples();
    void theProgramCarriesEverySample();
    void everySampleCanBeOpened_data();
    void everySampleCanBeOpened();
    void theStatusLineSaysWhereWeAre();
    void theThemeCanBeChosen();
};

static QStringList sentencesOfCommandLine(const QString& path)
{
    QProcess cli;
    cli.start(QStringLiteral(REINSPECT_CLI_PROGRAM), {QStringLiteral("explain"), path});
    if (!cli.waitForFinished() || cli.exitCode() != 0)
        return {};
    QStringList lines;
    // Behind an empty line stands what the kernels do, which are no steps.
    const QString text = QString::fromUtf8(cli.readAllStandardOutput());
    const QStringList printed =
        text.section(QStringLiteral("\n\n"), 0, 0).split(u'\n', Qt::SkipEmptyParts);
    for (const QString& line : printed)
        lines.append(line.trimmed());
    return lines;
}

void tst_MainWindow::stepsByKeySayWhatTheCommandLineSays_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("a Triton kernel that is refused") << sampleFile("triton_old_value_needed.json");
    QTest::newRow("two outputs") << sampleFile("triton_two_outputs.json");
    QTest::newRow("nested scatters") << sampleFile("slice_scatter_nested.json");
    QTest::newRow("a lesson in text") << sampleFile("03_view_read_later.fx");
}

void tst_MainWindow::stepsByKeySayWhatTheCommandLineSays()
{
    QFETCH(const QString, path);
    const QStringList expected = sentencesOfCommandLine(path);
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, path));
    QTest::keyClick(&window, Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(static_cast<std::size_t>(expected.size()), window.session()->trace()->events.size());

    for (qsizetype i = 0; i < expected.size(); ++i)
    {
        QCOMPARE(window.steps()->sentence(), expected[i]);
        QTest::keyClick(&window, Qt::Key_N);
    }
    for (qsizetype i = expected.size(); i-- > 0;)
    {
        QCOMPARE(window.steps()->sentence(), expected[i]);
        QTest::keyClick(&window, Qt::Key_P);
    }
    QVERIFY(sameGraph(window.session()->cursor()->graph(), *window.session()->trace()->initial));
}

void tst_MainWindow::backAtTheStartTheGraphIsTheFirstOne()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("slice_scatter_nested.json")));
    const PassTrace& trace = *window.session()->trace();

    QTest::keyClick(&window, Qt::Key_End, Qt::ControlModifier);
    QVERIFY(sameGraph(window.session()->cursor()->graph(), *trace.result));
    QVERIFY(!sameGraph(window.session()->cursor()->graph(), *trace.initial));

    QTest::keyClick(&window, Qt::Key_Home, Qt::ControlModifier);
    QVERIFY(sameGraph(window.session()->cursor()->graph(), *trace.initial));
}

void tst_MainWindow::keysReachEachKindOfStep()
{
    struct Press
    {
        Qt::Key key;
        Qt::KeyboardModifiers modifiers;
        Move move;
    };
    const Press presses[] = {
        {Qt::Key_Home, Qt::ControlModifier, Move::ToStart},
        {Qt::Key_BracketRight, {}, Move::NextDecision},
        {Qt::Key_R, {}, Move::NextRefusal},
        {Qt::Key_R, Qt::ShiftModifier, Move::PreviousRefusal},
        {Qt::Key_BracketLeft, {}, Move::PreviousDecision},
        {Qt::Key_F11, {}, Move::Into},
        {Qt::Key_F10, {}, Move::Over},
        {Qt::Key_F11, Qt::ShiftModifier, Move::Out},
        {Qt::Key_F10, Qt::ShiftModifier, Move::BackOver},
        {Qt::Key_P, {}, Move::BackInto},
        {Qt::Key_End, Qt::ControlModifier, Move::ToEnd},
    };
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("triton_views_of_one_base.json")));
    for (const Press& press : presses)
    {
        const EventIndex before = window.session()->event();
        const auto expected = destination(*window.session()->trace(), before, press.move);
        QTest::keyClick(&window, press.key, press.modifiers);
        QCOMPARE(window.session()->event(), expected.value_or(before));
    }
}

void tst_MainWindow::noTwoCommandsShareAKey()
{
    MainWindow window;
    QHash<QKeySequence, QString> owners;
    const QList<QAction*> actions = window.findChildren<QAction*>();
    for (const QAction* action : actions)
    {
        if (action->shortcutContext() == Qt::WidgetShortcut)
            continue; // of one list, while it has the focus
        for (const QKeySequence& key : action->shortcuts())
        {
            QVERIFY2(!owners.contains(key),
                     qPrintable(key.toString() + action->text() + owners.value(key)));
            owners.insert(key, action->text());
        }
    }
    // The picture walks along edges with these.
    for (const Qt::Key arrow : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down})
    {
        const QString owner = owners.value(QKeySequence(arrow));
        for (const QAction* action : actions)
            QVERIFY(action->text() != owner || owner.isEmpty()
                    || action->shortcutContext() == Qt::WidgetShortcut);
    }
}

void tst_MainWindow::commandsAreEnabledWhenTheyCanAct()
{
    MainWindow window;
    const auto isEnabled = [&window](const char* id) {
        return window.actions()->action(id)->isEnabled();
    };
    QVERIFY(isEnabled("file.open"));
    QVERIFY(!isEnabled("file.export"));
    QVERIFY(!isEnabled("step.into"));

    QVERIFY(openAndWait(window, sampleFile("01_dead_intermediate.fx")));
    QVERIFY(isEnabled("file.export"));
    window.session()->step(Move::ToStart);
    QVERIFY(!isEnabled("step.back"));
    QVERIFY(isEnabled("step.into"));
    window.session()->step(Move::ToEnd);
    QVERIFY(!isEnabled("step.into"));
    QVERIFY(isEnabled("step.back"));
}

void tst_MainWindow::everyCommandOfAStepHasAKeyAndAnIcon()
{
    MainWindow window;
    for (const char* id : {"step.start", "step.back", "step.backOver", "step.into", "step.over",
                           "step.out", "step.nextDecision", "step.previousDecision",
                           "step.nextRefusal", "step.previousRefusal", "step.end"})
    {
        const QAction* action = window.actions()->action(id);
        QVERIFY2(!action->shortcuts().isEmpty(), id);
        QVERIFY2(!action->icon().isNull(), id);
        QVERIFY2(!Actions::keysText(*action).isEmpty(), id);
    }
}

void tst_MainWindow::opensOnTheFirstRefusal()
{
    MainWindow window;
    QVERIFY(openAndWait(window, openingSample()));
    const PassTrace& trace = *window.session()->trace();
    QCOMPARE(window.session()->event(), openingEvent(trace));
    QCOMPARE(trace.decision(trace.decisionAt(window.session()->event())).verdict, Verdict::Kept);
    QCOMPARE(chosenName(*window.session()), "triton_kernel_wrapper_functional_proxy");
}

void tst_MainWindow::aDroppedFileIsOpened()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(sampleFile("02_live_intermediate.fx"))});
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());

    QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &drop);

    QTRY_VERIFY(window.session()->trace());
    QTRY_VERIFY(window.windowTitle().startsWith(QStringLiteral("02_live_intermediate.fx")));
}

void tst_MainWindow::openedFilesAreRemembered()
{
    MainWindow window;
    QSignalSpy changes(&window, &MainWindow::preferencesChanged);
    for (const char* name :
         {"01_dead_intermediate.fx", "02_live_intermediate.fx", "01_dead_intermediate.fx"})
        QVERIFY(openAndWait(window, sampleFile(name)));

    QCOMPARE(window.preferences().recentFiles,
             (QStringList{sampleFile("01_dead_intermediate.fx"),
                          sampleFile("02_live_intermediate.fx")}));
    QCOMPARE(window.startPage()->recentFiles()->count(), 2);
    QVERIFY(changes.count() >= 3);

    MainWindow next(window.preferences());
    QCOMPARE(next.startPage()->recentFiles()->count(), 2);
    emit next.startPage()->recentFiles()->itemActivated(next.startPage()->recentFiles()->item(1));
    QTRY_VERIFY(next.session()->trace());
    QTRY_VERIFY(next.windowTitle().startsWith(QStringLiteral("02_live_intermediate.fx")));
}

void tst_MainWindow::samplesAreNotRecentFiles()
{
    MainWindow window;
    QVERIFY(openAndWait(window, openingSample()));
    QVERIFY(window.preferences().recentFiles.isEmpty());
}

void tst_MainWindow::theStartPageOpensSamples()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(!window.startPage()->isVisible());
    window.actions()->action("file.startPage")->trigger();
    QTRY_VERIFY(window.startPage()->isVisible());
    QListWidget* samples = window.startPage()->samples();
    QVERIFY(samples->count() >= 10);

    QTest::mouseClick(samples->viewport(), Qt::LeftButton, {},
                      samples->visualItemRect(samples->item(1)).center());

    QTRY_VERIFY(window.session()->trace());
    QVERIFY(window.startPage()->isVisible()); // it stays, to try the next one
}

void tst_MainWindow::theProgramCarriesEverySample()
{
    const QDir folder(QStringLiteral(REINSPECT_SOURCE_DIR "/samples"));
    const QStringList files = folder.entryList(
        {QStringLiteral("*.fx"), QStringLiteral("*.json"), QStringLiteral("*.txt")}, QDir::Files);
    QVERIFY(files.size() > 10);
    for (const QString& file : files)
        QVERIFY2(QFile::exists(samplePath(file)), qPrintable(file));
}

void tst_MainWindow::everySampleCanBeOpened_data()
{
    QTest::addColumn<QString>("path");
    for (const Sample& sample : sampleIndex())
    {
        QVERIFY(!sample.title.isEmpty() && !sample.teaches.isEmpty());
        QTest::newRow(qPrintable(sample.title)) << sample.path;
    }
}

void tst_MainWindow::everySampleCanBeOpened()
{
    QFETCH(const QString, path);
    Session session;
    session.open(path);
    QTRY_VERIFY_WITH_TIMEOUT(session.trace() || !session.message().isEmpty(), 20'000);
    QVERIFY2(session.message().isEmpty(), qPrintable(session.message()));
}

void tst_MainWindow::theStatusLineSaysWhereWeAre()
{
    MainWindow window;
    QVERIFY(window.statusText()->text().contains(QStringLiteral("Open a file")));
    QVERIFY(openAndWait(window, sampleFile("triton_old_value_needed.json")));
    QTRY_VERIFY(!window.session()->isBusy());

    const QString text = window.statusText()->text();
    QVERIFY2(text.contains(QStringLiteral("5 nodes")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("Step 11 of 12: kept")), qPrintable(text));
}

void tst_MainWindow::theThemeCanBeChosen()
{
    MainWindow window;
    window.actions()->action("theme.dark")->trigger();
    QVERIFY(window.canvas()->theme().isDark());
    QVERIFY(QApplication::palette().color(QPalette::Window).lightness() < 128);
    QCOMPARE(window.preferences().theme, ThemeChoice::Dark);

    window.actions()->action("theme.light")->trigger();
    QVERIFY(!window.canvas()->theme().isDark());
}

QTEST_MAIN(tst_MainWindow)
#include "tst_main_window.moc"
