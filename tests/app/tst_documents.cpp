// SPDX-License-Identifier: MIT
// Tabs, pasting, sessions, reloading, comparing: in the whole window.
#include "tests/app/window_fixture.h"

#include "app/compare_window.h"
#include "app/document_tabs.h"
#include "app/editor_command.h"
#include "app/session_file.h"
#include "app/undo_log.h"
#include "views/canvas/graph_scene.h"
#include "views/models/change_list_model.h"
#include "views/models/graph_list_model.h"
#include "views/panels/diff_view.h"
#include "views/session/scope_history.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QTableView>
#include <QTemporaryDir>

using namespace reinspect;

class tst_Documents : public QObject
{
    Q_OBJECT

private slots:
    void tabsKeepThePlaceInEachDocument();
    void closingTheLastTabLeavesAnEmptyWindow();
    void aPastedGraphOpens();
    void pastingNothingUsefulIsSaid();
    void aSessionComesBackAsItWas();
    void brokenSessionsAreSaidAndNothingIsLost_data();
    void brokenSessionsAreSaidAndNothingIsLost();
    void aSessionThatCannotBeWrittenIsSaid();
    void aChangedFileIsReadAgainAtTheSamePlace();
    void aDeletedFileIsSaidAndStaysOpen();
    void workCanBeStopped();
    void editorCommands_data();
    void editorCommands();
    void stagesAreComparedSideBySide();
    void loweredStagesAreCompared();
    void whatWasClosedOpensAgain();
    void aGraphComparedWithItselfHasNoDifference();
    void graphsOfAFileAreListed();
};

static void choose(MainWindow& window, std::string_view name)
{
    window.session()->setSelection({.nodes = {nodeNamed(*window.session(), name)}, .storage = {}});
}

void tst_Documents::tabsKeepThePlaceInEachDocument()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("03_view_read_later.fx")));
    window.session()->step(Move::ToStart);
    choose(window, "x");
    QVERIFY(openAndWait(window, sampleFile("triton_two_outputs.json")));
    QCOMPARE(window.tabs()->count(), 2);
    QVERIFY(window.tabs()->isVisible());

    QTest::keyClick(&window, Qt::Key_Tab, Qt::ControlModifier);
    QTRY_VERIFY(window.session()->trace());
    QTRY_COMPARE(chosenName(*window.session()), std::string("x"));
    QCOMPARE(window.session()->event(), EventIndex(0));
    QTRY_VERIFY(window.windowTitle().startsWith(QStringLiteral("03_view_read_later.fx")));

    // The same file again is the same tab.
    QVERIFY(openAndWait(window, sampleFile("triton_two_outputs.json")));
    QCOMPARE(window.tabs()->count(), 2);
    QCOMPARE(window.tabs()->currentIndex(), 1);
}

void tst_Documents::closingTheLastTabLeavesAnEmptyWindow()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("03_view_read_later.fx")));
    QVERIFY(openAndWait(window, sampleFile("triton_two_outputs.json")));
    QTest::keyClick(&window, Qt::Key_W, Qt::ControlModifier);
    QTRY_VERIFY(window.session()->trace());
    QCOMPARE(window.tabs()->count(), 1);
    QTRY_VERIFY(window.windowTitle().startsWith(QStringLiteral("03_view_read_later.fx")));
    QTest::keyClick(&window, Qt::Key_W, Qt::ControlModifier);
    QVERIFY(!window.session()->document());
    QVERIFY(window.canvas()->scene().isEmpty());
    QCOMPARE(window.windowTitle(), QStringLiteral("Reinspect"));
}

void tst_Documents::whatWasClosedOpensAgain()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("03_view_read_later.fx")));
    window.session()->step(Move::ToStart);
    choose(window, "x");
    QTest::keyClick(&window, Qt::Key_W, Qt::ControlModifier);
    QCOMPARE(window.tabs()->count(), 0);
    QTest::keyClick(&window, Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(window.session()->trace());
    QTRY_COMPARE(chosenName(*window.session()), std::string("x"));
    QCOMPARE(window.session()->event(), EventIndex(0));
    QVERIFY(!window.actions()->action("file.reopenTab")->isEnabled());
}

void tst_Documents::aPastedGraphOpens()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QGuiApplication::clipboard()->setText(QString::fromStdString(dedented(kKeptCode)));
    for (const char* title : {"pasted text", "pasted text 2"})
    {
        QTest::keyClick(window.canvas(), Qt::Key_V, Qt::ControlModifier);
        QTRY_VERIFY(window.windowTitle().startsWith(QLatin1String(title) + QStringLiteral(" -")));
        QTRY_VERIFY(window.session()->trace());
        QCOMPARE(window.session()->trace()->decisions.size(), std::size_t(1));
    }
    QCOMPARE(window.tabs()->count(), 2);
    QVERIFY(window.preferences().recentFiles.isEmpty());
}

void tst_Documents::pastingNothingUsefulIsSaid()
{
    MainWindow window;
    QVERIFY(openAndWait(window, sampleFile("03_view_read_later.fx")));
    for (const char* text : {"", "Dear all, see you at eight."})
    {
        window.session()->setMessage({});
        QGuiApplication::clipboard()->setText(QLatin1String(text));
        window.actions()->action("file.paste")->trigger();
        QTRY_VERIFY(!window.session()->message().isEmpty());
        QVERIFY(window.session()->trace());
        QCOMPARE(window.tabs()->count(), 1);
    }
}

void tst_Documents::aSessionComesBackAsItWas()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("work.reinspect"));
    Scope scope;
    ReinplacePolicy policy = policyNamed("precise").value();
    QVERIFY(setSwitch(policy, "overlap-test=off").ok());
    {
        MainWindow window;
        QVERIFY(showAndWait(window));
        QVERIFY(openAndWait(window, sampleFile("03_view_read_later.fx")));
        QVERIFY(openAndWait(window, sampleFile("kv_cache_12_layers.json")));
        setOverride(
            policy,
            {window.session()->trace()->nameOf(window.session()->trace()->decisions.front().node),
             {},
             false});
        window.session()->setPolicy(policy);
        QTRY_VERIFY(!window.session()->isBusy());
        window.session()->setBreakpoints({parseBreakpoint("verdict:kept").value()});
        window.session()->goTo(window.session()->trace()->decisions.back().decided);
        window.setColoring(ClassBy::DType);
        window.canvas()->cancelLayout();
        scope = window.canvas()->scopes()->current();
        QVERIFY(window.saveSession(path));
    }
    MainWindow window;
    QVERIFY(showAndWait(window));
    window.open(path);
    QTRY_VERIFY(window.session()->trace());
    QCOMPARE(window.tabs()->count(), 2);
    QCOMPARE(window.tabs()->currentIndex(), 1);
    QVERIFY(window.session()->policy() == policy);
    QVERIFY(window.session()->trace()->policy == policy);
    QCOMPARE(window.session()->breakpoints().size(), std::size_t(1));
    QVERIFY(!window.undoLog()->canUndo());
    QTRY_COMPARE(window.session()->event(), window.session()->trace()->decisions.back().decided);
    QCOMPARE(window.canvas()->scopes()->current(), scope);
    QCOMPARE(window.coloring(), ClassBy::DType);
    QVERIFY(!window.canvas()->scene().classes().isEmpty());

    // The other document is read when it is looked at.
    window.tabs()->setCurrentIndex(0);
    QTRY_VERIFY(window.session()->trace());
    QTRY_VERIFY(window.windowTitle().startsWith(QStringLiteral("03_view_read_later.fx")));
}

void tst_Documents::brokenSessionsAreSaidAndNothingIsLost_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("no JSON") << QByteArray("{\"format\": \"reinspect-sess");
    QTest::newRow("something else") << QByteArray("{\"nodes\": []}");
    QTest::newRow("no documents") << QByteArray(
        "{\"format\": \"reinspect-session\", \"tabs\": []}");
    QTest::newRow("a document without a name")
        << QByteArray("{\"format\": \"reinspect-session\", \"tabs\": [{\"event\": 3}]}");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("a policy that nobody knows")
        << QByteArray("{\"format\": \"reinspect-session\", \"tabs\": [{\"path\": \"a.fx\"}], "
                      "\"policy\": {\"preset\": \"torch-9\"}}");
    QTest::newRow("a switch that nobody knows")
        << QByteArray("{\"format\": \"reinspect-session\", \"tabs\": [{\"path\": \"a.fx\"}], "
                      "\"policy\": {\"preset\": \"precise\", \"switches\": {\"luck\": true}}}");
}

void tst_Documents::brokenSessionsAreSaidAndNothingIsLost()
{
    QFETCH(const QByteArray, text);
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("broken.reinspect")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    MainWindow window;
    QVERIFY(openAndWait(window, sampleFile("03_view_read_later.fx")));
    window.open(file.fileName());
    QVERIFY(window.session()->message().contains(QStringLiteral("broken.reinspect")));
    QVERIFY(window.session()->trace());
    QCOMPARE(window.tabs()->count(), 1);
}

void tst_Documents::aSessionThatCannotBeWrittenIsSaid()
{
    MainWindow window;
    QVERIFY(openAndWait(window, sampleFile("03_view_read_later.fx")));
    QVERIFY(!window.saveSession(QStringLiteral("/nonexistent/folder/a.reinspect")));
    QVERIFY(window.session()->message().contains(QStringLiteral("could not be saved")));
}

static bool writeFile(const QString& path, const QByteArray& text)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

void tst_Documents::aChangedFileIsReadAgainAtTheSamePlace()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("changing.py"));
    QByteArray code = QByteArray::fromStdString(dedented(kKeptCode));
    QVERIFY(writeFile(path, code));
    MainWindow window;
    QVERIFY(openAndWait(window, path));
    choose(window, "v");
    const std::shared_ptr<const Document> before = window.session()->document();
    code.replace("aten.cos.default", "aten.sin.default");
    QVERIFY(writeFile(path, code));
    QTRY_VERIFY_WITH_TIMEOUT(window.session()->document() != before, 20'000);
    QTRY_VERIFY(window.session()->trace());
    QTRY_COMPARE(chosenName(*window.session()), std::string("v"));
    QCOMPARE(window.tabs()->count(), 1);
}

void tst_Documents::aDeletedFileIsSaidAndStaysOpen()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("going.py"));
    QVERIFY(writeFile(path, QByteArray::fromStdString(dedented(kKeptCode))));
    MainWindow window;
    QVERIFY(openAndWait(window, path));
    QVERIFY(QFile::remove(path));
    QTRY_VERIFY_WITH_TIMEOUT(window.session()->message().contains(QStringLiteral("was deleted")),
                             20'000);
    QVERIFY(window.session()->trace());
}

void tst_Documents::workCanBeStopped()
{
    MainWindow window;
    QVERIFY(openAndWait(window, sampleFile("03_view_read_later.fx")));
    const std::shared_ptr<const Document> before = window.session()->document();
    window.open(sampleFile("kv_cache_32_layers.txt"));
    QVERIFY(window.actions()->action("file.stop")->isEnabled());
    window.actions()->action("file.stop")->trigger();
    QVERIFY(!window.session()->isBusy());
    QCOMPARE(window.session()->document(), before);
    QCOMPARE(window.session()->message(), QStringLiteral("Reading was stopped."));
    QVERIFY(!window.actions()->action("file.stop")->isEnabled());
}

void tst_Documents::editorCommands_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("arguments"); // parted by bars
    QTest::newRow("both places") << "code -g %f:%l"
                                 << "code|-g|/a b/m.py:7";
    QTest::newRow("the file is appended") << "gedit +%l"
                                          << "gedit|+7|/a b/m.py";
    QTest::newRow("a program with a blank") << "\"/opt/my editor\" %f"
                                            << "/opt/my editor|/a b/m.py";
}

void tst_Documents::editorCommands()
{
    QFETCH(const QString, command);
    QFETCH(const QString, arguments);
    QCOMPARE(editorArguments(command, {QStringLiteral("/a b/m.py"), 7}).join(u'|'), arguments);
    QVERIFY(!openInEditor({}, {QStringLiteral("/a b/m.py"), 7}).ok());
    QVERIFY(
        !openInEditor(QStringLiteral("/nonexistent/editor"), {QStringLiteral("/m.py"), 7}).ok());
}

void tst_Documents::stagesAreComparedSideBySide()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("triton_fresh_buffer.json")));
    QTest::keyClick(window.canvas(), Qt::Key_D, Qt::ControlModifier);
    auto* compare = window.findChild<CompareWindow*>();
    QVERIFY(compare);
    QTRY_VERIFY(compare->isReady());
    QAbstractItemModelTester tester(compare->changes()->model());
    const int changes = compare->changes()->model()->rowCount();
    QVERIFY(changes > 0);
    QCOMPARE(compare->summary(), QStringLiteral("1 removed, 2 rewired"));
    QVERIFY(compare->text()->toPlainText().contains(QStringLiteral("\n+ ")));

    // One selection, one place on both sides.
    const NodeId both = nodeNamed(*compare->session(0), "output");
    compare->session(0)->setSelection({.nodes = {both}, .storage = {}});
    QCOMPARE(chosenName(*compare->session(1)), std::string("output"));
    compare->view(0)->centerOn(both);
    const QPointF away = compare->view(0)->screenRect(both).center()
        - compare->view(1)->screenRect(nodeNamed(*compare->session(1), "output")).center();
    QVERIFY(away.manhattanLength() < 1);
    compare->close();
    QTRY_VERIFY(!window.findChild<CompareWindow*>());
}

void tst_Documents::loweredStagesAreCompared()
{
    MainWindow window;
    QVERIFY(openAndWait(window, sampleFile("triton_fresh_buffer.json")));
    const auto document = window.session()->document();
    const auto sources = stagesOf(document, 0, QStringLiteral("it"));
    CompareWindow compare(sources, kFinishedStage, kFinishedStage + 1);
    QTRY_VERIFY(compare.isReady());
    // The wrapper became a call that writes.
    QVERIFY(compare.summary() != QStringLiteral("No difference"));
    QVERIFY(
        compare.text()->toPlainText().contains(QStringLiteral("triton_kernel_wrapper_mutation")));

    // What the pass saved: the baseline has the clones that the final graph has not.
    compare.choice(0)->setCurrentIndex(static_cast<int>(kFinishedStage) + 2);
    emit compare.choice(0)->activated(static_cast<int>(kFinishedStage) + 2);
    QTRY_VERIFY(compare.isReady());
    QVERIFY2(compare.summary().contains(QStringLiteral("removed")), qPrintable(compare.summary()));

    // What is forced and forbidden holds there, too.
    ReinplacePolicy policy;
    for (const Decision& decision : window.session()->trace()->decisions)
        setOverride(policy, {window.session()->trace()->nameOf(decision.node), {}, false});
    const auto forbidden = stagesOf(document, 0, QStringLiteral("it"), policy);
    CompareWindow same(forbidden, kFinishedStage + 1, kFinishedStage + 2);
    QTRY_VERIFY(same.isReady());
    QCOMPARE(same.summary(), QStringLiteral("No difference"));
}

void tst_Documents::aGraphComparedWithItselfHasNoDifference()
{
    MainWindow window;
    QVERIFY(openAndWait(window, sampleFile("triton_fresh_buffer.json")));
    const auto sources = stagesOf(window.session()->document(), 0, QStringLiteral("it"));
    CompareWindow compare(sources, 3, 3);
    QTRY_VERIFY(compare.isReady());
    QCOMPARE(compare.changes()->model()->rowCount(), 0);
    QCOMPARE(compare.summary(), QStringLiteral("No difference"));
    QCOMPARE(compare.text()->toPlainText(), QStringLiteral("The readable code is the same."));
}

void tst_Documents::graphsOfAFileAreListed()
{
    const std::shared_ptr<const Document> document = documentFrom(kKeptCode);
    GraphListModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setDocument(document);
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.index(0, GraphListModel::Nodes).data().toString(), QStringLiteral("8"));
    QCOMPARE(model.index(0, GraphListModel::Calls).data().toString(), QStringLiteral("4"));
    model.setDocument(nullptr);
    QCOMPARE(model.rowCount(), 0);
}

QTEST_MAIN(tst_Documents)
#include "tst_documents.moc"
