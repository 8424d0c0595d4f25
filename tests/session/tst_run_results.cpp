// SPDX-License-Identifier: MIT
// The results of a run as reinspect-cli prints them, read again: those of another machine are shown as those of this
// one, and what does not fit is refused in words.
#include "core/proof/proof_report.h"
#include "core/proof/report_reader.h"
#include "core/proof/run_bundle.h"
#include "tests/support/session_fixture.h"
#include "tests/support/test_data.h"
#include "views/models/timeline_words.h"
#include "views/session/read_document.h"
#include "views/session/run_service.h"

#include <QTemporaryDir>

using namespace reinspect;

class tst_RunResults : public QObject
{
    Q_OBJECT

private slots:
    void reportsComeBackAsTheyWereWritten_data();
    void reportsComeBackAsTheyWereWritten();
    void resultsOfAFileAreShownAsOfARun();
    void resultsThatDoNotFitAreRefused_data();
    void resultsThatDoNotFitAreRefused();
    void tf32IsAskedForOnGpus();
    void savedTimeAndCopiesAreSaid_data();
    void savedTimeAndCopiesAreSaid();
};

namespace
{

struct Fixture
{
    Session session;
    RunService runs{&session};

    std::shared_ptr<const RunResult> runHere()
    {
        runs.run();
        return QTest::qWaitFor([this] { return !runs.isBusy(); }, 60'000) ? runs.result() : nullptr;
    }
    bool open(const char* sample)
    {
        const auto document =
            readDocument(QStringLiteral(REINSPECT_SOURCE_DIR "/samples/") + QLatin1String(sample));
        return document.ok() && show(session, *document);
    }
};

} // namespace

void tst_RunResults::reportsComeBackAsTheyWereWritten_data()
{
    QTest::addColumn<QString>("device");
    QTest::newRow("of the CPU") << QString();
    QTest::newRow("of a GPU") << QStringLiteral("NVIDIA H200");
}

void tst_RunResults::reportsComeBackAsTheyWereWritten()
{
    QFETCH(QString, device);
    Fixture f;
    QVERIFY(f.open("triton_into_input.json"));
    const auto result = f.runHere();
    QVERIFY(result && !result->failure);
    const proof::ReportFacts facts{
        .file = "f", .graph = "g", .policy = "p", .inputs = "seed 0", .trace = result->trace.get()};
    proof::Equivalence proof = result->proof;
    for (proof::StageRun& run : proof.runs)
    {
        QVERIFY(!run.run.nodeTimes.empty());
        run.run.device = toStdString(device);
        run.run.usesTf32 = !device.isEmpty();
        run.run.nodeTimes.back().isOnHost = !device.isEmpty();
    }
    const std::string json = proof::proofJson(proof, facts);
    const Document& document = *f.session.document();
    const auto read = proof::readProofJson(json, document.graphs[0].graph, *result->trace,
                                           document.facts, document.shapes);
    QVERIFY2(read.ok(), read.ok() ? "" : toText(read.error()).c_str());
    COMPARE_TEXT(proof::proofJson(read->proof, facts), json);
}

// What reinspect-cli run --json printed, on whatever machine.
static QString writeResults(const QTemporaryDir& folder, const Session& session,
                            const RunResult& result, const std::string& policy)
{
    QFile file(folder.filePath(QStringLiteral("run.json")));
    proof::Equivalence proof = result.proof;
    for (proof::StageRun& run : proof.runs)
    {
        run.run.device = "NVIDIA H200";
        run.run.usesTf32 = true;
    }
    const std::string json = proof::proofJson(proof,
                                              {.file = "f",
                                               .graph = "g",
                                               .policy = policy,
                                               .inputs = "seed 0",
                                               .trace = session.trace().get()});
    if (!file.open(QIODevice::WriteOnly) || file.write(json.data()) < 0)
        return {};
    return file.fileName();
}

void tst_RunResults::resultsOfAFileAreShownAsOfARun()
{
    Fixture f;
    QTemporaryDir folder;
    QVERIFY(f.open("triton_into_input.json"));
    const auto here = f.runHere();
    QVERIFY(here && !here->failure);
    f.runs.openResults(writeResults(folder, f.session, *here, describe(here->trace->policy)));
    QVERIFY(QTest::qWaitFor([&] { return !f.runs.isBusy(); }, 20'000));
    const RunResult& read = *f.runs.result();
    QVERIFY2(!read.failure, read.failure ? toText(*read.failure).c_str() : "");
    QCOMPARE(read.place, QStringLiteral("NVIDIA H200, with TF32"));
    QCOMPARE(read.proof.isEqual(), here->proof.isEqual());
    QCOMPARE(read.proof.runs.front().run.nodeTimes.size(),
             here->proof.runs.front().run.nodeTimes.size());
}

void tst_RunResults::resultsThatDoNotFitAreRefused_data()
{
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QString>("content"); // in place of what was written
    QTest::addColumn<QString>("said");
    QTest::newRow("another policy") << "of long ago" << QString() << "of the policy of long ago";
    QTest::newRow("no results") << QString() << "{}"
                                << "this is no result of a run";
    QTest::newRow("no file") << QString() << "gone"
                             << "No such file";
}

void tst_RunResults::resultsThatDoNotFitAreRefused()
{
    QFETCH(QString, policy);
    QFETCH(QString, content);
    QFETCH(QString, said);
    Fixture f;
    QTemporaryDir folder;
    QVERIFY(f.open("triton_into_input.json"));
    const auto here = f.runHere();
    QVERIFY(here && !here->failure);
    const QString path = writeResults(folder, f.session, *here, toStdString(policy));
    if (!content.isEmpty())
        QVERIFY(QFile::remove(path));
    if (content == QStringLiteral("{}"))
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{}") == 2);
    }
    f.runs.openResults(path);
    QVERIFY(QTest::qWaitFor([&] { return !f.runs.isBusy(); }, 20'000));
    QVERIFY(f.runs.result()->failure);
    const QString message = stripText(*f.runs.result()->failure);
    QVERIFY2(message.contains(said), qPrintable(message));
}

void tst_RunResults::tf32IsAskedForOnGpus()
{
    Fixture f;
    QVERIFY(f.open("triton_into_input.json"));
    proof::BundleOptions options;
    options.policy = f.session.trace()->policy;
    options.tf32 = true;
    const auto asks = [&] {
        const auto bundle = proof::bundleRun(*f.session.document(), options);
        return bundle.ok() && std::ranges::find(bundle->options, "--tf32") != bundle->options.end();
    };
    QVERIFY(!asks());
    options.backend = "cuda";
    QVERIFY(asks());
    options.tf32 = false;
    QVERIFY(!asks());
}

void tst_RunResults::savedTimeAndCopiesAreSaid_data()
{
    QTest::addColumn<double>("without");
    QTest::addColumn<double>("with");
    QTest::addColumn<qint64>("copied"); // without the pass
    QTest::addColumn<bool>("isGone");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("quicker")
        << 4e-3 << 3e-3 << qint64(8192) << true
        << "The pass saves 1 ms (25.0 %) and 4,096 B of copies: nodes take 4 ms "
           "without it (baseline) and 3 ms with it (final). Gone: 1 of 1 "
           "copies, which took 500 \u00b5s.";
    QTest::newRow("slower")
        << 4e-3 << 5e-3 << qint64(8192) << true
        << "The pass saves 4,096 B of copies, but no time in this run: nodes take "
           "4 ms without it (baseline) and 5 ms with it (final). Gone: 1 of 1 "
           "copies, which took 500 \u00b5s.";
    QTest::newRow("nothing to do") << 4e-3 << 3.9e-3 << qint64(4096) << false
                                   << "The pass removes no copies: nodes take 4 ms without it "
                                      "(baseline) and 3.9 ms with it (final).";
}

void tst_RunResults::savedTimeAndCopiesAreSaid()
{
    QFETCH(double, without);
    QFETCH(double, with);
    QFETCH(qint64, copied);
    QFETCH(bool, isGone);
    Timeline timeline;
    const TimelineNode clone{
        .name = "k", .target = "aten.clone.default", .seconds = 5e-4, .isCopy = true};
    for (const char* stage : {"final", "baseline"})
    {
        const bool isWithout = QLatin1String(stage) == QLatin1String("baseline");
        timeline.stages.push_back({.stage = stage,
                                   .seconds = isWithout ? without : with,
                                   .copiedBytes = isWithout ? copied : 4096});
        if (isWithout || !isGone)
        {
            timeline.stages.back().nodes = {clone};
            timeline.stages.back().placeOf = {{"k", 0}};
            timeline.stages.back().copies = 1;
        }
    }
    QTEST(savedText(timeline), "sentence");
    timeline.stages.pop_back(); // nothing to compare with
    QCOMPARE(savedText(timeline), QString());
}

QTEST_GUILESS_MAIN(tst_RunResults)
#include "tst_run_results.moc"
