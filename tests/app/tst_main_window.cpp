// SPDX-License-Identifier: MIT
// The whole way: a file opens in the window, keys step through the pass, and the window says what the
// command line says.
#include "app/actions.h"
#include "app/main_window.h"
#include "core/passes/explain.h"
#include "views/panels/step_panel.h"
#include "views/session/session.h"

#include <QLabel>
#include <QMimeData>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace reinspect;

class tst_MainWindow : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void stepsByKeySayWhatTheCommandLineSays_data();
    void stepsByKeySayWhatTheCommandLineSays();
    void backAtTheStartTheGraphIsTheFirstOne();
    void opensOnTheFirstRefusal();
    void aBrokenFileLeavesTheOpenDocument_data();
    void aBrokenFileLeavesTheOpenDocument();
    void everySampleOfTheMenuExists();
};

namespace
{

QString samplePath(const char* name)
{
    return QStringLiteral(REINSPECT_SOURCE_DIR "/samples/") + QLatin1String(name);
}

void openAndWait(MainWindow& window, const QString& path)
{
    window.open(path);
    QTRY_VERIFY_WITH_TIMEOUT(!window.session()->isBusy() && window.session()->trace(), 20'000);
}

QStringList sentencesOfCommandLine(const QString& path)
{
    QProcess cli;
    cli.start(QStringLiteral(REINSPECT_CLI_PROGRAM), {QStringLiteral("explain"), path});
    cli.waitForFinished();
    QStringList lines;
    for (const QString& line : QString::fromUtf8(cli.readAllStandardOutput()).split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        lines.append(line.trimmed());
    return lines;
}

} // namespace

void tst_MainWindow::initTestCase()
{
    QCoreApplication::setOrganizationName(QStringLiteral("Reinspect"));
    QCoreApplication::setApplicationName(QStringLiteral("reinspect-tests"));
}

void tst_MainWindow::stepsByKeySayWhatTheCommandLineSays_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("a Triton kernel that is refused") << samplePath("triton_old_value_needed.json");
    QTest::newRow("nested scatters") << samplePath("slice_scatter_nested.json");
    QTest::newRow("a lesson in text") << samplePath("03_view_read_later.fx");
}

void tst_MainWindow::stepsByKeySayWhatTheCommandLineSays()
{
    QFETCH(QString, path);
    MainWindow window;
    window.show();
    openAndWait(window, path);
    window.session()->step(Move::ToStart);
    auto* steps = window.findChild<StepPanel*>();
    const auto sentence = [steps] { return steps->sentence(); };

    const QStringList expected = sentencesOfCommandLine(path);
    const auto count = static_cast<qsizetype>(window.session()->trace()->events.size());
    QVERIFY(expected.size() >= count);
    // The command line may print headings before the first sentence.
    const QStringList lines = expected.mid(expected.size() - count);
    for (qsizetype i = 0; i < count; ++i)
    {
        QString line = lines[i];
        QCOMPARE(sentence().remove(QLatin1Char('"')), line.remove(QLatin1Char('"')));
        QTest::keyClick(&window, Qt::Key_N);
    }
    QCOMPARE(window.session()->event().index(), static_cast<std::size_t>(count) - 1);
}

void tst_MainWindow::backAtTheStartTheGraphIsTheFirstOne()
{
    MainWindow window;
    window.show();
    openAndWait(window, samplePath("slice_scatter_nested.json"));
    QTest::keyClick(&window, Qt::Key_F5);
    QVERIFY(sameGraph(window.session()->cursor()->graph(), *window.session()->trace()->result));
    QVERIFY(!sameGraph(window.session()->cursor()->graph(), *window.session()->trace()->initial));
    while (window.session()->event().index() > 0)
    {
        const EventIndex before = window.session()->event();
        QTest::keyClick(&window, Qt::Key_P);
        QVERIFY(window.session()->event() < before);
    }
    QVERIFY(sameGraph(window.session()->cursor()->graph(), *window.session()->trace()->initial));
}

void tst_MainWindow::opensOnTheFirstRefusal()
{
    MainWindow window;
    openAndWait(window, samplePath("triton_old_value_needed.json"));
    const PassTrace& trace = *window.session()->trace();
    QCOMPARE(window.session()->event(), openingEvent(trace));
    QCOMPARE(trace.decision(trace.decisionAt(window.session()->event())).verdict, Verdict::Kept);
}

void tst_MainWindow::aBrokenFileLeavesTheOpenDocument_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("a PNG") << QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    QTest::newRow("JSON that is not ours") << QByteArray("{\"a\": 1}");
    QTest::newRow("a newer version") << QByteArray("{\"format\":\"reinspect-graph\",\"version\":99,\"graph\":{\"name\":\"g\",\"nodes\":[]}}");
    QTest::newRow("a dangling name")
        << QByteArray("{\"format\":\"reinspect-graph\",\"version\":1,\"stage\":\"before\",\"graph\":{\"name\":\"g\",\"nodes\":["
                      "{\"name\":\"a\",\"op\":\"call_function\",\"target\":\"aten.sin.default\",\"args\":[{\"$node\":\"b\"}]}]}}");
}

void tst_MainWindow::aBrokenFileLeavesTheOpenDocument()
{
    QFETCH(QByteArray, content);
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("broken.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    MainWindow window;
    window.show();
    openAndWait(window, samplePath("01_dead_intermediate.fx"));
    const auto document = window.session()->document();

    window.open(file.fileName());

    QTRY_VERIFY2(window.session()->message().contains(QStringLiteral("broken.json")),
                 qPrintable(window.session()->message()));
    QVERIFY(window.findChild<QLabel*>(QStringLiteral("messageText"))->isVisible());
    QCOMPARE(window.session()->document(), document);
}

void tst_MainWindow::everySampleOfTheMenuExists()
{
    QVERIFY(!samplesFolder().isEmpty());
    QVERIFY(QFile::exists(samplePath("triton_old_value_needed.json")));
}

QTEST_MAIN(tst_MainWindow)
#include "tst_main_window.moc"
