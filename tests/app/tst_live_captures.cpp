// SPDX-License-Identifier: MIT
// Captures of running programs in the whole window, and the tool that sends them.
#include "tests/app/window_fixture.h"
#include "tests/support/live_client.h"

#include "app/capture_dialog.h"
#include "app/document_tabs.h"
#include "views/panels/live_panel.h"
#include "views/session/live_service.h"

#include <QCheckBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTableView>
#include <QTemporaryDir>

using namespace reinspect;

class tst_LiveCaptures : public QObject
{
    Q_OBJECT

private slots:
    void aLiveCaptureIsListedAndOpenedWhenAsked();
    void receivingIsTurnedOnAndOffAndRemembered();
    void theCaptureToolIsSavedAndItsLinesNameItsFolder();
};

void tst_LiveCaptures::aLiveCaptureIsListedAndOpenedWhenAsked()
{
    QTemporaryDir folder;
    MainWindow window;
    window.live()->setFile(folder.filePath(QStringLiteral("live.json")));
    window.live()->setStore(folder.filePath(QStringLiteral("store")));
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("03_view_read_later.fx")));
    window.setReceiving(true);
    const auto document = window.session()->document();
    const EventIndex event = window.session()->event();
    window.canvas()->setFocus();
    QVERIFY(window.canvas()->hasFocus());

    LiveClient client(window.live()->file());
    const QJsonObject answer = client.send(
        QStringLiteral("layer.0"),
        {{QStringLiteral("before.json"), contentOf(sampleFile("index_put_input.json"))}});
    QVERIFY(answer[QStringLiteral("ok")].toBool());
    // It is listed; what was looked at stays, and so does the focus.
    QTableView* list = window.livePanel()->list();
    QCOMPARE(list->model()->rowCount(), 1);
    QVERIFY(!window.livePanel()->parentWidget()->isHidden());
    QCOMPARE(window.session()->document(), document);
    QCOMPARE(window.session()->event(), event);
    QVERIFY(window.canvas()->hasFocus());

    QSignalSpy opened(window.session(), &Session::opened);
    emit list->clicked(list->model()->index(0, 0));
    QVERIFY(QTest::qWaitFor([&] { return opened.count() > 0 && window.session()->trace(); }));
    QCOMPARE(window.tabs()->count(), 2);
    QCOMPARE(window.tabs()->tabText(1), QStringLiteral("layer.0/before.json"));
    QVERIFY(window.live()->captures().front().isOpened);
}

void tst_LiveCaptures::receivingIsTurnedOnAndOffAndRemembered()
{
    QTemporaryDir folder;
    MainWindow window;
    window.live()->setFile(folder.filePath(QStringLiteral("live.json")));
    window.live()->setStore(folder.filePath(QStringLiteral("store")));
    QVERIFY(!window.live()->isOn());
    QAction* action = window.actions()->action("live.receive");
    action->trigger();
    QVERIFY(window.live()->isOn() && action->isChecked() && window.preferences().live);
    QVERIFY(window.livePanel()->receive()->isChecked());
    window.livePanel()->receive()->click();
    QVERIFY(!window.live()->isOn() && !action->isChecked() && !window.preferences().live);
}

void tst_LiveCaptures::theCaptureToolIsSavedAndItsLinesNameItsFolder()
{
    QTemporaryDir folder;
    const QString name = QStringLiteral("my \"tools\"");
    QVERIFY(QDir(folder.path()).mkdir(name));
    const QString path = folder.filePath(name + QStringLiteral("/reinspect_capture.py"));
    CaptureDialog dialog({}, false, nullptr);
    QVERIFY(dialog.lines()->toPlainText().startsWith(QStringLiteral("import reinspect_capture\n")));
    QVERIFY(dialog.toolLabel()->text().contains(QStringLiteral("not saved yet")));
    dialog.save(path);
    QCOMPARE(
        contentOf(path),
        contentOf(QStringLiteral(REINSPECT_SOURCE_DIR "/resources/capture/reinspect_capture.py")));
    const QString quoted = folder.path() + QStringLiteral("/my \\\"tools\\\"");
    QCOMPARE(dialog.lines()->toPlainText().split(u'\n')[0],
             QStringLiteral("import sys; sys.path.append(\"%1\")").arg(quoted));
    dialog.setReceiving(true, {});
    QVERIFY(dialog.lines()->toPlainText().contains(QStringLiteral("live=True")));
    QCOMPARE(dialog.command()->text(),
             QStringLiteral("python '%1' --inputs --live script.py").arg(path));

    QFile changed(path);
    QVERIFY(changed.open(QIODevice::Append) && changed.write("#") == 1);
    changed.close();
    CaptureDialog again(path, false, nullptr);
    QVERIFY(again.toolLabel()->text().contains(QStringLiteral("another version")));
    again.save(QStringLiteral("/no/such/folder/x.py"));
    QVERIFY(again.toolLabel()->text().contains(QStringLiteral("cannot be written")));
}

QTEST_MAIN(tst_LiveCaptures)
#include "tst_live_captures.moc"
