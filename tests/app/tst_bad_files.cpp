// SPDX-License-Identifier: MIT
// What cannot be opened: the window says what, where and what to do, and keeps what was open; the
// command line says the same and answers 3.
#include "tests/app/window_fixture.h"

#include "views/panels/message_strip.h"

#include <QProcess>
#include <QTemporaryDir>

using namespace reinspect;

class tst_BadFiles : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void theOpenDocumentStays_data();
    void theOpenDocumentStays();
    void programsAnswerThree_data() { theOpenDocumentStays_data(); }
    void programsAnswerThree();
    void aTextCutInItsBodyOpensAndSaysSo();

private:
    QString write(const QString& name, const QByteArray& content);

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
};

static QByteArray capture(const QByteArray& nodes, int version = 1)
{
    return "{\"format\": \"reinspect-graph\", \"version\": " + QByteArray::number(version)
        + ", \"stage\": \"before\", \"graph\": {\"name\": \"g\", \"nodes\": [" + nodes + "]}}";
}

static QByteArray call(const QByteArray& name, const QByteArray& input)
{
    return "{\"name\": \"" + name
        + "\", \"op\": \"call_function\", \"target\": \"aten.sin.default\", "
          "\"args\": [{\"$node\": \""
        + input + "\"}]}";
}

QString tst_BadFiles::write(const QString& name, const QByteArray& content)
{
    QFile file(m_folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("the test cannot write its files");
    return file.fileName();
}

void tst_BadFiles::initTestCase()
{
    m_window = std::make_unique<MainWindow>();
    QVERIFY(showAndWait(*m_window));
    QVERIFY(openAndWait(*m_window, sampleFile("01_dead_intermediate.fx")));
}

void tst_BadFiles::theOpenDocumentStays_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const QString& path, const char* said) {
        QTest::newRow(name) << path << QString::fromUtf8(said);
    };
    row("missing", m_folder.filePath(QStringLiteral("missing.json")), "missing.json");
    row("a directory", m_folder.path(), "folder");
    row("empty", write(QStringLiteral("empty.json"), ""), "empty");
    row("a PNG",
        write(QStringLiteral("picture.png"),
              QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1", 20)),
        "picture.png");
    row("JSON of others", write(QStringLiteral("other.json"), "{\"a\": 1}"), "other.json");
    row("a newer version", write(QStringLiteral("newer.json"), capture("", 99)), "99");
    row("a dangling name", write(QStringLiteral("dangling.json"), capture(call("a", "b"))), "b");
    row("a cycle",
        write(QStringLiteral("cyclic.json"), capture(call("a", "b") + "," + call("b", "a"))),
        "cyclic.json");
    row("cut JSON", write(QStringLiteral("cut.json"), capture(call("a", "b")).left(70)),
        "cut.json:1:");
    row("cut text",
        write(QStringLiteral("cut.txt"),
              "class f(torch.nn.Module):\n    def forward(self, x: \"f32[4"),
        "cut.txt:2:26");
    row("no graph at all", write(QStringLiteral("notes.txt"), "Buy milk.\n"), "notes.txt");
}

void tst_BadFiles::theOpenDocumentStays()
{
    QFETCH(const QString, path);
    QFETCH(const QString, said);
    Session& session = *m_window->session();
    const auto document = session.document();
    const auto trace = session.trace();
    session.setMessage({});

    m_window->open(path);
    QTRY_VERIFY(!session.message().isEmpty());

    const QString text = m_window->strip()->text();
    QVERIFY2(text.contains(said), qPrintable(text));
    QVERIFY(m_window->strip()->isVisible());
    QVERIFY(!text.contains(u'\n'));
    QCOMPARE(session.document(), document);
    QCOMPARE(session.trace(), trace);
}

void tst_BadFiles::programsAnswerThree()
{
    QFETCH(const QString, path);
    QFETCH(const QString, said);
    const QStringList picture{QStringLiteral("--screenshot"),
                              m_folder.filePath(QStringLiteral("out.png"))};
    for (const auto& [program, arguments] :
         {std::pair{QStringLiteral(REINSPECT_PROGRAM), picture + QStringList{path}},
          {QStringLiteral(REINSPECT_CLI_PROGRAM), {QStringLiteral("explain"), path}}})
    {
        QProcess process;
        process.start(program, arguments);
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 3);
        const QString printed = QString::fromUtf8(process.readAllStandardError());
        QVERIFY2(printed.contains(said), qPrintable(printed));
    }
    QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("out.png"))));
}

// What can be read of a text that ends early is shown, and what is missing is said.
void tst_BadFiles::aTextCutInItsBodyOpensAndSaysSo()
{
    const QString path = write(QStringLiteral("half.txt"),
                               "class f(torch.nn.Module):\n    def forward(self, x: \"f32[4]\"):\n"
                               "        a: \"f32[4]\" = torch.ops.aten.sin.default(x)\n"
                               "        b: \"f32[4]\" = torch.ops.aten.cos.defa");
    QVERIFY(openAndWait(*m_window, path));

    const QString text = m_window->strip()->text();
    QVERIFY2(text.contains(QStringLiteral("half.txt:4:9")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("cut")), qPrintable(text));
    QVERIFY(m_window->session()->trace()->initial->find("a"));
}

QTEST_MAIN(tst_BadFiles)
#include "tst_bad_files.moc"
