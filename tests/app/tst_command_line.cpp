// SPDX-License-Identifier: MIT
#include "app/command_line.h"

#include "tests/support/test_data.h"

using namespace reinspect;

class tst_CommandLine : public QObject
{
    Q_OBJECT

private slots:
    void optionsAndFilesAreRead();
    void optionsMayHoldTheirValue();
    void aDashIsStandardInput();
    void helpAndVersionNeedNoFile();
    void mistakesAreNamed_data();
    void mistakesAreNamed();
};

using Arguments = std::vector<std::string>;

void tst_CommandLine::optionsAndFilesAreRead()
{
    const auto line =
        parseCommandLine({"apply", "--stage", "core", "a.json", "--policy", "torch-2.11", "--graph",
                          "2", "--to", "ir", "-o", "out.txt"});

    QVERIFY(line.ok());
    QVERIFY(line->command == Command::Apply);
    QVERIFY(line->files == Arguments{"a.json"});
    QCOMPARE(line->stage, std::string("core"));
    QCOMPARE(line->policy, std::string("torch-2.11"));
    QCOMPARE(line->graph, std::optional<std::size_t>(2));
    QCOMPARE(line->to, std::string("ir"));
    QCOMPARE(line->output, std::string("out.txt"));
}

void tst_CommandLine::optionsMayHoldTheirValue()
{
    const auto line = parseCommandLine({"convert", "a.json", "--to=dot", "--output=out.dot"});

    QVERIFY(line.ok());
    QCOMPARE(line->to, std::string("dot"));
    QCOMPARE(line->output, std::string("out.dot"));
}

void tst_CommandLine::aDashIsStandardInput()
{
    QVERIFY(parseCommandLine({"info", "-"})->files == Arguments{"-"});
    QVERIFY(parseCommandLine({"info", "--", "--json"})->files == Arguments{"--json"});
    QVERIFY(parseCommandLine({"bench", "a", "b"})->files == (Arguments{"a", "b"}));
}

void tst_CommandLine::helpAndVersionNeedNoFile()
{
    QVERIFY(parseCommandLine({"--version"})->command == Command::Version);
    QVERIFY(parseCommandLine({"--help"})->command == Command::Help);
    QVERIFY(parseCommandLine({"decide", "--help"})->topic == Command::Decide);
    QVERIFY(usageText().find("bench") != std::string::npos);
    QVERIFY(usageText(Command::Convert).starts_with("Usage: reinspect-cli convert FILE --to"));
}

void tst_CommandLine::mistakesAreNamed_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("message");

    QTest::newRow("nothing") << QStringList() << QStringLiteral("no command");
    QTest::newRow("command") << QStringList{QStringLiteral("frob")}
                             << QStringLiteral("unknown command 'frob'");
    const auto row = [](const char* arguments, const char* message) {
        QTest::newRow(arguments) << QString::fromLatin1(arguments).split(QLatin1Char(' '))
                                 << QString::fromLatin1(message);
    };
    row("--frob", "unknown option '--frob'");
    row("info a.json --frob", "unknown option '--frob'");
    row("info", "'info' needs a file");
    row("info a b", "'info' takes one file, and 'b' is a second");
    row("info a --policy x", "'info' has no option '--policy'");
    row("decide a --graph", "'--graph' needs a value: a number from 0");
    row("decide a --graph -1", "'-1' is no value of '--graph', which takes a number from 0");
    row("decide a --json=1", "'--json' takes no value");
    row("convert a", "'convert' needs --to");
    row("convert a --to pdf", "'pdf' is no value of '--to', which takes json|readable|ir|dot|svg");
    row("apply a", "'apply' needs --stage");
    row("apply a --stage x",
        "'x' is no value of '--stage', which takes canonical|core|after|final|baseline");
    row("apply a --stage core --to svg", "'apply' does not write svg");
    row("run a --backend tpu", "'tpu' is no value of '--backend', which takes cpu|cuda");
}

void tst_CommandLine::mistakesAreNamed()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QString, message);
    Arguments given;
    for (const QString& argument : arguments)
        given.push_back(argument.toStdString());

    const auto line = parseCommandLine(given);

    QVERIFY(!line.ok());
    COMPARE_TEXT(line.error().message, message.toStdString());
    QVERIFY(line.error().kind == ErrorKind::BadUsage);
    QVERIFY(line.error().hint.starts_with("Usage: reinspect-cli "));
}

QTEST_APPLESS_MAIN(tst_CommandLine)
#include "tst_command_line.moc"
