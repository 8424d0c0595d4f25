// SPDX-License-Identifier: MIT
// Pictures, the report, copies, settings, the tour: in the whole window.
#include "tests/app/window_fixture.h"

#include "app/export_dialog.h"
#include "app/settings_dialog.h"
#include "app/tour.h"
#include "views/canvas/graph_scene.h"
#include "views/session/run_service.h"
#include "views/session/scope_history.h"

#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QImage>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTemporaryDir>
#include <QXmlStreamReader>

using namespace reinspect;

class tst_Evidence : public QObject
{
    Q_OBJECT

private slots:
    void picturesAreWritten_data();
    void picturesAreWritten();
    void pngComesInAnyScale();
    void onlyWhatIsSeenIsSmallerThanTheWhole();
    void anUnwritablePathIsSaidInTheDialog();
    void theReportIsOneWellFormedPage();
    void anUnwritableReportIsSaid();
    void copies_data();
    void copies();
    void settingsChangeACopy();
    void theTourHasFiveStepsAndCanBeLeft();
    void everyPanelSaysWhatItIsFor();
};

#define OPEN_LESSON(window)                                                                        \
    MainWindow window;                                                                             \
    QVERIFY(openAndWait(window, sampleFile("03_view_read_later.fx")));                             \
    window.canvas()->cancelLayout()

static QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void tst_Evidence::picturesAreWritten_data()
{
    QTest::addColumn<QString>("ending");
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("svg") << "svg" << QByteArray("<?xml");
    QTest::newRow("pdf") << "pdf" << QByteArray("%PDF");
    QTest::newRow("png") << "png" << QByteArray("\x89PNG");
    QTest::newRow("dot") << "dot" << QByteArray("digraph");
}

void tst_Evidence::picturesAreWritten()
{
    QFETCH(const QString, ending);
    QFETCH(const QByteArray, start);
    OPEN_LESSON(window);
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("picture.") + ending);
    ExportDialog dialog(window.canvas(), path, &window);
    dialog.save();
    QCOMPARE(dialog.problem(), QString());
    QVERIFY(contentOf(path).startsWith(start));
}

void tst_Evidence::pngComesInAnyScale()
{
    OPEN_LESSON(window);
    QTemporaryDir folder;
    int widths[2] = {};
    for (const int scale : {1, 3})
    {
        ExportDialog dialog(window.canvas(), folder.filePath(QStringLiteral("a.png")), &window);
        dialog.scale()->setValue(scale);
        dialog.save();
        widths[scale / 3] = QImage(dialog.path()->text()).width();
    }
    QVERIFY(widths[0] > 100);
    QVERIFY(std::abs(widths[1] - 3 * widths[0]) <= 3);
}

void tst_Evidence::onlyWhatIsSeenIsSmallerThanTheWhole()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("kv_cache_12_layers.json")));
    window.canvas()->cancelLayout();
    QTemporaryDir folder;
    std::vector<qsizetype> boxes;
    for (const PictureExtent extent :
         {PictureExtent::Seen, PictureExtent::Drawn, PictureExtent::Whole})
    {
        ExportDialog dialog(window.canvas(), folder.filePath(QStringLiteral("a.dot")), &window);
        dialog.extent()->setCurrentIndex(dialog.extent()->findData(static_cast<int>(extent)));
        dialog.save();
        boxes.push_back(contentOf(dialog.path()->text()).count("shape=ellipse")
                        + contentOf(dialog.path()->text()).count("[label="));
    }
    QVERIFY(boxes[0] <= boxes[1]);
    QVERIFY(boxes[1] < boxes[2]);
}

void tst_Evidence::anUnwritablePathIsSaidInTheDialog()
{
    OPEN_LESSON(window);
    for (const char* path : {"/nonexistent/folder/a.svg", "/nonexistent/a.pdf",
                             "/nonexistent/a.png", "/nonexistent/a.dot", "/tmp/a.jpeg2000"})
    {
        ExportDialog dialog(window.canvas(), QLatin1String(path), &window);
        dialog.save();
        QVERIFY2(!dialog.problem().isEmpty(), path);
        QCOMPARE(dialog.result(), static_cast<int>(QDialog::Rejected));
    }
}

void tst_Evidence::theReportIsOneWellFormedPage()
{
    OPEN_LESSON(window);
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("report.html"));
    QVERIFY(window.saveReport(path));
    QVERIFY(!contentOf(path).contains("<h2>Times</h2>")); // no run was made
    window.runs()->run();
    QVERIFY(QTest::qWaitFor([&] { return !window.runs()->isBusy(); }, 20'000));
    QVERIFY(window.saveReport(path));
    const QString html = QString::fromUtf8(contentOf(path));
    QVERIFY(html.contains(QStringLiteral("<h2>Times</h2>")));
    QVERIFY(html.contains(QStringLiteral("<svg")));
    QVERIFY(html.contains(QStringLiteral("must not write")));
    QVERIFY(html.contains(QStringLiteral("UsedLater")));
    // Nothing from elsewhere, and nothing that runs.
    QVERIFY(!html.contains(QStringLiteral("<script")));
    QVERIFY(!html.contains(QStringLiteral("src=\"http")));
    QVERIFY(!html.contains(QStringLiteral("href=\"http")));
    // Elements nest: as XML, less the two that HTML does not close.
    QString xml = html.mid(html.indexOf(QStringLiteral("<html")));
    xml.replace(QStringLiteral("<br>"), QString());
    xml.replace(QStringLiteral("<meta charset=\"utf-8\">"), QString());
    QXmlStreamReader reader(xml);
    while (!reader.atEnd())
        reader.readNext();
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
}

void tst_Evidence::anUnwritableReportIsSaid()
{
    OPEN_LESSON(window);
    QVERIFY(!window.saveReport(QStringLiteral("/nonexistent/report.html")));
    QVERIFY(window.session()->message().contains(QStringLiteral("could not be written")));
}

void tst_Evidence::copies_data()
{
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<QString>("part");
    QTest::newRow("node") << QByteArray("edit.copyNode") << "updated = aten.index_put.default(";
    QTest::newRow("sentence") << QByteArray("edit.copySentence") << "must not write";
    QTest::newRow("table") << QByteArray("edit.copyTable") << "| kept | UsedLater | 512 B |";
}

void tst_Evidence::copies()
{
    QFETCH(const QByteArray, id);
    QFETCH(const QString, part);
    OPEN_LESSON(window);
    window.actions()->action(id.constData())->trigger();
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY2(text.contains(part), qPrintable(text));
}

void tst_Evidence::settingsChangeACopy()
{
    const Preferences before{.theme = ThemeChoice::Light, .colorRules = {QStringLiteral("op:add")}};
    SettingsDialog dialog(before, nullptr);
    dialog.theme()->setCurrentIndex(2);
    dialog.editor()->setText(QStringLiteral(" kate -l %l %f "));
    dialog.rules()->setPlainText(QStringLiteral("op:add\n\nverdict:kept"));
    QCOMPARE(dialog.problem(), QString());
    const Preferences after = dialog.preferences();
    QCOMPARE(after.theme, ThemeChoice::Dark);
    QCOMPARE(after.editorCommand, QStringLiteral("kate -l %l %f"));
    QCOMPARE(after.colorRules,
             QStringList({QStringLiteral("op:add"), QStringLiteral("verdict:kept")}));
    dialog.rules()->setPlainText(QStringLiteral("op:add\ncolour:red"));
    QVERIFY(dialog.problem().startsWith(QStringLiteral("Rule 2: ")));
}

void tst_Evidence::theTourHasFiveStepsAndCanBeLeft()
{
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(openAndWait(window, sampleFile("03_view_read_later.fx")));
    window.startTour();
    QVERIFY(window.tour());
    QCOMPARE(window.tour()->stepCount(), 5);
    for (int step = 0; step < 5; ++step)
    {
        QCOMPARE(window.tour()->step(), step);
        QVERIFY(window.rect().contains(window.tour()->geometry()));
        window.tour()->next();
    }
    QVERIFY(!window.tour());
    QVERIFY(window.preferences().tourShown);

    window.startTour();
    QTest::keyClick(window.tour(), Qt::Key_Escape);
    QVERIFY(!window.tour());
}

void tst_Evidence::everyPanelSaysWhatItIsFor()
{
    MainWindow window;
    for (const QDockWidget* dock : window.findChildren<QDockWidget*>())
    {
        QVERIFY2(!dock->widget()->whatsThis().isEmpty(), qPrintable(dock->windowTitle()));
        QVERIFY(!dock->windowTitle().isEmpty());
    }
    QVERIFY(!window.canvas()->whatsThis().isEmpty());
}

QTEST_MAIN(tst_Evidence)
#include "tst_evidence.moc"
