// SPDX-License-Identifier: MIT
#include "tests/app/window_fixture.h"

#include "app/window_options.h"

#include <QProcess>
#include <QTemporaryDir>

using namespace reinspect;

class tst_Screenshot : public QObject
{
    Q_OBJECT

private slots:
    void writesAPictureOfTheAskedSize();
    void themesDiffer();
    void stepsAndSelectionsDiffer();
    void worksWithoutAFile();
    void mistakesAreAnswered_data();
    void mistakesAreAnswered();
    void optionsAreRead();

private:
    struct Outcome
    {
        int code = -1;
        QString errors;
    };
    Outcome run(const QStringList& arguments) const;
    QImage picture(QStringList arguments) const;

    QTemporaryDir m_folder;
};

tst_Screenshot::Outcome tst_Screenshot::run(const QStringList& arguments) const
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("QT_QPA_PLATFORM")); // a machine without a screen
    environment.remove(QStringLiteral("DISPLAY"));
    environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(REINSPECT_PROGRAM), arguments);
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit)
        return {};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardError())};
}

QImage tst_Screenshot::picture(QStringList arguments) const
{
    const QString out = m_folder.filePath(QStringLiteral("out.png"));
    QFile::remove(out);
    arguments = QStringList{QStringLiteral("--screenshot"), out} + arguments;
    const Outcome outcome = run(arguments);
    if (outcome.code != 0)
        qWarning("%s", qPrintable(outcome.errors));
    return QImage(out);
}

void tst_Screenshot::writesAPictureOfTheAskedSize()
{
    const QString file = sampleFile("03_view_read_later.fx");
    QCOMPARE(picture({file}).size(), QSize(1600, 1000));
    QCOMPARE(picture({QStringLiteral("--size"), QStringLiteral("1280x800"), file}).size(),
             QSize(1280, 800));
}

void tst_Screenshot::themesDiffer()
{
    const QString file = sampleFile("03_view_read_later.fx");
    const auto corner = [&](const char* theme) {
        const QImage image = picture({QStringLiteral("--theme"), QLatin1String(theme), file});
        return image.pixelColor(image.width() - 3, 3).lightness();
    };
    QVERIFY(corner("light") > 200);
    QVERIFY(corner("dark") < 60);
}

void tst_Screenshot::stepsAndSelectionsDiffer()
{
    const QString file = sampleFile("triton_views_of_one_base.json");
    const QImage plain = picture({file});
    QVERIFY(!plain.isNull());
    QCOMPARE(picture({file}), plain); // the same each time
    QVERIFY(picture({QStringLiteral("--step"), QStringLiteral("1"), file}) != plain);
    QVERIFY(picture({QStringLiteral("--step"), QStringLiteral("end"), file}) != plain);
    QCOMPARE(picture({QStringLiteral("--step"), QStringLiteral("next-refusal"), file}), plain);
    QVERIFY(picture({QStringLiteral("--select"), QStringLiteral("full"), file}) != plain);
}

void tst_Screenshot::worksWithoutAFile()
{
    QVERIFY(!picture({}).isNull());
}

void tst_Screenshot::mistakesAreAnswered_data()
{
    QTest::addColumn<QString>("arguments"); // parted by blanks; OUT and FILE are filled in
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* arguments, int code, const char* said) {
        QTest::newRow(arguments) << QString::fromUtf8(arguments) << code << QString::fromUtf8(said);
    };
    row("--screenshot", 2, "needs a value");
    row("--screenshot OUT --size big FILE", 2, "WIDTHxHEIGHT");
    row("--screenshot OUT --size 0x10 FILE", 2, "WIDTHxHEIGHT");
    row("--screenshot OUT --theme pink FILE", 2, "light or dark");
    row("--screenshot OUT --step sideways FILE", 2, "next-refusal");
    row("--screenshot OUT --step 999 FILE", 3, "steps");
    row("--screenshot OUT --select nobody FILE", 3, "no node 'nobody'");
    row("--screenshot /nowhere/at/all.png FILE", 3, "could not be written");
    row("--step 3 FILE", 2, "goes with --screenshot");
    row("--colour FILE", 2, "unknown option");
    row("FILE FILE", 2, "one file");
}

void tst_Screenshot::mistakesAreAnswered()
{
    QFETCH(QString, arguments);
    QFETCH(const int, code);
    QFETCH(const QString, said);
    arguments.replace(QStringLiteral("OUT"), m_folder.filePath(QStringLiteral("out.png")));
    arguments.replace(QStringLiteral("FILE"), sampleFile("01_dead_intermediate.fx"));

    const Outcome outcome = run(arguments.split(u' '));

    QVERIFY2(outcome.errors.contains(said), qPrintable(outcome.errors));
    QCOMPARE(outcome.code, code);
}

void tst_Screenshot::optionsAreRead()
{
    const auto options = parseWindowOptions({"--screenshot", "a.png", "--size", "800x600", "--step",
                                             "7", "--select", "x", "--theme", "dark", "g.json"});
    QVERIFY(options.ok());
    QCOMPARE(options->screenshot, "a.png");
    QCOMPARE(options->width, 800);
    QCOMPARE(options->height, 600);
    QCOMPARE(options->step, "7");
    QCOMPARE(options->select, "x");
    QCOMPARE(options->theme, "dark");
    QCOMPARE(options->file, "g.json");
    QVERIFY(parseWindowOptions({"--bench", "--json"})->bench);
    QVERIFY(parseWindowOptions({"--help"})->help);
}

QTEST_MAIN(tst_Screenshot)
#include "tst_screenshot.moc"
