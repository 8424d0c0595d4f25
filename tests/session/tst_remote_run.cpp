// SPDX-License-Identifier: MIT
// Runs on another machine, over a script that stands for ssh and calls the built reinspect-cli: the results are
// those of a local run, and every way to fail is told in words.
#include "tests/support/fake_ssh.h"
#include "tests/support/session_fixture.h"
#include "tests/support/test_data.h"
#include "views/models/run_rows.h"
#include "views/session/read_document.h"
#include "views/session/run_service.h"

#include <QProcess>
#include <QStandardPaths>

using namespace reinspect;

// p is kept, since y reads c later. Forced in place, y sees what p wrote.
static constexpr std::string_view kProgram = R"(
    def forward(self, x: "f32[4]", i: "i64[1]", src: "f32[1]"):
        c: "f32[4]" = torch.ops.aten.cos.default(x)
        p: "f32[4]" = torch.ops.aten.index_put.default(c, [i], src)
        y: "f32[4]" = torch.ops.aten.add.Tensor(c, 1)
        return (p, y)
)";

class tst_RemoteRun : public QObject
{
    Q_OBJECT

private slots:
    void aRunThereFindsWhatARunHereFinds_data();
    void aRunThereFindsWhatARunHereFinds();
    void inputsOfAFileAreSent();
    void forcedDecisionsAreTakenThere();
    void progressIsTold();
    void failuresAreToldInTheWordsOfTheHost_data();
    void failuresAreToldInTheWordsOfTheHost();
    void cancellingEndsIt_data();
    void cancellingEndsIt();
    void aNewRunEndsTheOneBefore();
    void withoutAHostNothingIsStarted();
    void theVersionCanBeAsked();
    void archivesAreUnpackedByTar();
    void argumentsSurviveTheShell();
};

namespace
{

struct Fixture
{
    FakeSsh ssh;
    Session session;
    RunService runs{&session};

    explicit Fixture(const char* behaviour = "good")
    {
        runs.setRemoteHost(ssh.host(behaviour));
        runs.setPlace(RunPlace::Remote);
    }
    std::shared_ptr<const RunResult> run()
    {
        runs.run();
        return QTest::qWaitFor([this] { return !runs.isBusy(); }, 60'000) ? runs.result() : nullptr;
    }
    std::shared_ptr<const RunResult> runHere()
    {
        runs.setPlace(RunPlace::Cpu);
        return run();
    }
    bool open(const char* sample)
    {
        const auto document =
            readDocument(QStringLiteral(REINSPECT_SOURCE_DIR "/samples/") + QLatin1String(sample));
        return document.ok() && show(session, *document);
    }
};

// All that the panels show of a run but for how long it took.
QString told(const RunResult& result)
{
    RunResult here = result;
    here.place.clear();
    QStringList lines{runVerdict(here), runMemoryText(here)};
    for (const RunRow& row : runRows(here))
        lines.append(
            QStringList{row.result, row.node, row.against, row.words,
                        row.difference ? QString::number(row.difference->maxAbsolute) : QString()}
                .join(u'|'));
    for (const proof::StageRun& run : here.proof.runs)
        lines.append(QStringLiteral("%1 %2 %3 %4 %5")
                         .arg(toQString(run.stage))
                         .arg(run.forecast.peakBytes)
                         .arg(run.run.memory.allocations)
                         .arg(run.run.memory.copiedBytes)
                         .arg(run.run.nodesRun));
    return (lines + runNotes(here)).join(u'\n');
}

} // namespace

void tst_RemoteRun::aRunThereFindsWhatARunHereFinds_data()
{
    QTest::addColumn<QByteArray>("sample");
    QTest::addColumn<QByteArray>("behaviour");
    QTest::newRow("a text") << QByteArray("03_view_read_later.fx") << QByteArray("good");
    QTest::newRow("a capture") << QByteArray("index_put_input.json") << QByteArray("good");
    // Its kernel's TTIR goes along.
    QTest::newRow("a Triton kernel") << QByteArray("triton_into_input.json") << QByteArray("good");
    QTest::newRow("symbolic sizes")
        << QByteArray("triton_dynamic_shapes.json") << QByteArray("good");
    QTest::newRow("a host that greets")
        << QByteArray("03_view_read_later.fx") << QByteArray("banner");
}

void tst_RemoteRun::aRunThereFindsWhatARunHereFinds()
{
    QFETCH(const QByteArray, sample);
    QFETCH(const QByteArray, behaviour);
    Fixture f(behaviour.constData());
    QVERIFY(f.open(sample.constData()));
    const auto there = f.run();
    QVERIFY(there);
    QVERIFY2(!there->failure, there->failure ? toText(*there->failure).c_str() : "");
    QCOMPARE(there->place, QString::fromLatin1(behaviour) + QStringLiteral(" (CPU)"));
    QVERIFY(runVerdict(*there).startsWith(QStringLiteral("On %1").arg(there->place)));
    QVERIFY(f.ssh.left().isEmpty());

    const auto here = f.runHere();
    QVERIFY(here);
    COMPARE_TEXT(told(*there).toStdString(), told(*here).toStdString());
    QVERIFY(here->place.isEmpty());
}

void tst_RemoteRun::inputsOfAFileAreSent()
{
    Fixture f;
    QVERIFY(show(f.session, kProgram));
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("my inputs.safetensors"));
    const QByteArray header = R"({"input.i":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},)"
                              R"("input.src":{"dtype":"F32","shape":[1],"data_offsets":[8,12]},)"
                              R"("input.x":{"dtype":"F32","shape":[4],"data_offsets":[12,28]},)"
                              R"("output.1":{"dtype":"F32","shape":[4],"data_offsets":[28,44]}})";
    QByteArray content(8, '\0');
    content[0] = static_cast<char>(header.size() % 256);
    content[1] = static_cast<char>(header.size() / 256);
    const float numbers[9] = {5, 0, 0, 0, 0, 2, 2, 2, 3}; // cos(0) + 1, and one that is wrong
    content += header + QByteArray(8, '\0')
        + QByteArray(reinterpret_cast<const char*>(numbers), sizeof(numbers));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    file.close();
    f.runs.setInputsPath(path);
    const auto there = f.run();
    QVERIFY(there);
    QVERIFY2(!there->failure, there->failure ? toText(*there->failure).c_str() : "");
    QVERIFY(there->proof.reference.isThere && !there->proof.reference.isEqual);
    const auto here = f.runHere();
    QVERIFY(here);
    COMPARE_TEXT(told(*there).toStdString(), told(*here).toStdString());
}

void tst_RemoteRun::forcedDecisionsAreTakenThere()
{
    Fixture f;
    ReinplacePolicy policy;
    setOverride(policy, overrideFrom("p", true));
    QVERIFY(setSwitch(policy, "overlap-test=off").ok());
    f.session.setPolicy(policy);
    QVERIFY(show(f.session, kProgram));
    const auto there = f.run();
    QVERIFY(there);
    QVERIFY2(!there->failure, there->failure ? toText(*there->failure).c_str() : "");
    QCOMPARE(there->proof.isEqual(), std::optional(false));
    QVERIFY(f.runs.canFindDecision());
    const auto here = f.runHere();
    QVERIFY(here);
    COMPARE_TEXT(told(*there).toStdString(), told(*here).toStdString());
}

void tst_RemoteRun::progressIsTold()
{
    Fixture f;
    QVERIFY(show(f.session, kProgram));
    QStringList activities;
    connect(&f.runs, &RunService::progressChanged, &f.runs, [&] {
        if (activities.isEmpty() || activities.last() != f.runs.activity())
            activities.append(f.runs.activity());
        QVERIFY(f.runs.progress() >= 0 && f.runs.progress() <= 1);
    });
    QVERIFY(f.run());
    QVERIFY2(activities.contains(QStringLiteral("Sending files to good"))
                 && activities.contains(QStringLiteral("Running on good: before"))
                 && activities.contains(QStringLiteral("Running on good: baseline")),
             qPrintable(activities.join(u'\n')));
}

void tst_RemoteRun::failuresAreToldInTheWordsOfTheHost_data()
{
    QTest::addColumn<QByteArray>("behaviour");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* behaviour, const char* expected) {
        QTest::newRow(behaviour) << QByteArray(behaviour) << QString::fromUtf8(expected);
    };
    row("refused",
        "could not reach \"refused\": ssh: connect to host refused port 22: "
        "Connection refused");
    row("denied", "me@denied: Permission denied (publickey).");
    row("nowhere", "Could not resolve hostname nowhere");
    row("bare", "not found");
    row("noise", "something else than a result of a run: Last login: Monday");
    row("silent", "something else than a result of a run: nothing");
    row("torn", "this is no result of a run");
    row("odd", "this is no result of a run");
    row("other", "99 nodes there and 7 here");
    row("killed", "ended in the middle of the run");
}

void tst_RemoteRun::failuresAreToldInTheWordsOfTheHost()
{
    QFETCH(const QByteArray, behaviour);
    QFETCH(const QString, expected);
    Fixture f(behaviour.constData());
    QVERIFY(show(f.session, kProgram));
    const auto result = f.run();
    QVERIFY(result && result->failure);
    const QString verdict = runVerdict(*result);
    QVERIFY2(verdict.contains(expected), qPrintable(verdict));
    QVERIFY(runRows(*result).empty());
    QVERIFY(!f.runs.canFindDecision());
}

void tst_RemoteRun::cancellingEndsIt_data()
{
    QTest::addColumn<QByteArray>("behaviour");
    QTest::newRow("before it reads") << QByteArray("hang");
    QTest::newRow("after all is sent") << QByteArray("stuck");
}

void tst_RemoteRun::cancellingEndsIt()
{
    QFETCH(const QByteArray, behaviour);
    Fixture f(behaviour.constData());
    QVERIFY(show(f.session, kProgram));
    const auto before = f.runHere();
    f.runs.setPlace(RunPlace::Remote);
    f.runs.run();
    QTRY_VERIFY(f.runs.activity().startsWith(QStringLiteral("Sending")));
    QProcess* process = f.runs.findChild<QProcess*>();
    QVERIFY(process);
    const qint64 id = process->processId();
    f.runs.cancel();
    QVERIFY(!f.runs.isBusy());
    QCOMPARE(f.runs.result(), before);
    QTRY_VERIFY(!QFileInfo::exists(QStringLiteral("/proc/%1/exe").arg(id)));
}

void tst_RemoteRun::aNewRunEndsTheOneBefore()
{
    Fixture f("stuck");
    QVERIFY(show(f.session, kProgram));
    f.runs.run();
    QTRY_VERIFY(f.runs.findChild<QProcess*>());
    f.runs.setRemoteHost(f.ssh.host("good"));
    const auto result = f.run();
    QVERIFY(result && !result->failure);
    QVERIFY(result->place.startsWith(QStringLiteral("good")));
}

void tst_RemoteRun::withoutAHostNothingIsStarted()
{
    Fixture f;
    QVERIFY(show(f.session, kProgram));
    for (const auto& [host, expected] :
         {std::pair<RemoteHost, const char*>{RemoteHost{.host = QStringLiteral("-oProxyCommand=x")},
                                             "is no name of a host"},
          {RemoteHost{.host = QStringLiteral("h"), .connection = {}}, "No command is set"},
          {RemoteHost{.host = QStringLiteral("h"), .program = {}}, "No program is set"},
          {RemoteHost{.host = QStringLiteral("h"), .connection = QStringLiteral("/no/such/ssh")},
           "could not be started"}})
    {
        f.runs.setRemoteHost(host);
        const auto result = f.run();
        QVERIFY(result && result->failure);
        QVERIFY2(runVerdict(*result).contains(QLatin1String(expected)),
                 qPrintable(runVerdict(*result)));
    }
    f.runs.setRemoteHost({});
    QCOMPARE(f.runs.place(), RunPlace::Cpu);
}

void tst_RemoteRun::theVersionCanBeAsked()
{
    FakeSsh ssh;
    RemoteRun run;
    QSignalSpy versions(&run, &RemoteRun::versionReady);
    QSignalSpy failures(&run, &RemoteRun::failed);
    run.askVersion(ssh.host("good"));
    QTRY_COMPARE(versions.count(), 1);
    QVERIFY(versions[0][0].toString().startsWith(QStringLiteral("reinspect")));
    run.askVersion(ssh.host("refused"));
    QTRY_COMPARE(failures.count(), 1);
}

// What proofJson writes of a real run is read back as it was.
void tst_RemoteRun::archivesAreUnpackedByTar()
{
    const QString tar = QStandardPaths::findExecutable(QStringLiteral("tar"));
    if (tar.isEmpty())
        QSKIP("tar is not installed");
    QTemporaryDir folder;
    const std::string large(300'000, 'x');
    QFile onDisk(folder.filePath(QStringLiteral("disk")));
    QVERIFY(onDisk.open(QIODevice::WriteOnly) && onDisk.write(large.data(), 1000) == 1000);
    onDisk.close();
    const std::string longName = std::string(180, 'k') + ".ttir";
    const std::vector<proof::BundleFile> files{
        {"capture.json", "{}", {}, 2},
        {"empty", {}, {}, 0},
        {longName, large, {}, static_cast<std::int64_t>(large.size())},
        {"sub/disk", {}, onDisk.fileName().toStdString(), 1000},
        {std::string(100, 'n'), std::string(512, 'b'), {}, 512}};
    TarArchive archive(files);
    QByteArray stream;
    for (;;)
    {
        const auto piece = archive.read(70'000);
        QVERIFY(piece.ok());
        if (piece->isEmpty())
            break;
        stream += *piece;
    }
    QCOMPARE(stream.size(), archive.size());
    QDir(folder.path()).mkdir(QStringLiteral("out"));
    QProcess process;
    process.start(tar,
                  {QStringLiteral("-xf"), QStringLiteral("-"), QStringLiteral("-C"),
                   folder.filePath(QStringLiteral("out"))});
    process.write(stream);
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.readAllStandardError(), QByteArray());
    QCOMPARE(process.exitCode(), 0);
    for (const proof::BundleFile& file : files)
    {
        QFile made(folder.filePath(QStringLiteral("out/") + toQString(file.name)));
        QVERIFY2(made.open(QIODevice::ReadOnly), file.name.c_str());
        QCOMPARE(made.size(), file.bytes);
    }
    TarArchive gone({{"x", {}, "/no/such/file", 10}});
    QVERIFY(!gone.read(512).ok());
    TarArchive shorter({{"x", {}, onDisk.fileName().toStdString(), 2000}});
    QCOMPARE(shorter.read(512)->size(), 512);   // the header
    QCOMPARE(shorter.read(4096)->size(), 1000); // all that is there
    QVERIFY(!shorter.read(4096).ok());
}

void tst_RemoteRun::argumentsSurviveTheShell()
{
    const QStringList odd{QStringLiteral("it's"), QStringLiteral("a b"),     QStringLiteral("$(x)"),
                          QStringLiteral("`y`"),  QStringLiteral("\"q\"\\"), QString()};
    QStringList words;
    for (const QString& word : odd)
        words.append(shellQuoted(word));
    QProcess shell;
    shell.start(QStringLiteral("sh"),
                {QStringLiteral("-c"), QStringLiteral("printf '%s\\n' ") + words.join(u' ')});
    QVERIFY(shell.waitForFinished());
    QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), odd.join(u'\n') + u'\n');
}

QTEST_MAIN(tst_RemoteRun)
#include "tst_remote_run.moc"
