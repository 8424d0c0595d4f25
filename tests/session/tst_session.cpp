// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"

#include <QTemporaryDir>

#include <fstream>

using namespace reinspect;

class tst_Session : public QObject
{
    Q_OBJECT

private slots:
    void aDocumentIsTracedAndOpensOnItsFirstRefusal();
    void aSetterSignalsOnlyADifference();
    void steppingMovesTheGraphAndTheSelection();
    void aStepThatLeadsNowhereSaysSo();
    void aFileIsOpenedInTheBackground();
    void aFileThatCannotBeReadKeepsTheDocument();
    void theLastOpenedFileWins();
    void anotherDocumentDropsTraceAndSelection();
    void aDumpTakenAfterThePassSaysSo();
    void anotherGraphOfTheFileCanBeChosen();
    void closingWhileThePassRunsIsSafe();
    void whatIsOutOfRangeIsIgnored();
};

void tst_Session::aDocumentIsTracedAndOpensOnItsFirstRefusal()
{
    Session session;
    QSignalSpy documents(&session, &Session::documentChanged);
    QSignalSpy traces(&session, &Session::traceChanged);
    QVERIFY(!session.cursor());

    QVERIFY(show(session, kKeptCode));

    QCOMPARE(documents.count(), 1);
    QCOMPARE(traces.count(), 1);
    QCOMPARE(session.event(), openingEvent(*session.trace()));
    const Decided* decided = session.trace()->event(session.event()).as<Decided>();
    QVERIFY(decided);
    QCOMPARE(session.trace()->decision(decided->decision).verdict, Verdict::Kept);
    QCOMPARE(chosenName(session), "p");
    QVERIFY(!session.isBusy());
}

void tst_Session::aSetterSignalsOnlyADifference()
{
    Session session;
    QVERIFY(show(session, kKeptCode));
    QSignalSpy selections(&session, &Session::selectionChanged);
    QSignalSpy events(&session, &Session::eventChanged);
    QSignalSpy messages(&session, &Session::messageChanged);
    const NodeId node = nodeNamed(session, "v");

    for (int i = 0; i < 2; ++i)
    {
        session.setSelection({.nodes = {node}, .storage = {}});
        session.setMessage(QStringLiteral("once"));
        session.goTo(session.event());
    }

    QCOMPARE(selections.count(), 1);
    QCOMPARE(messages.count(), 1);
    QCOMPARE(events.count(), 0);
}

void tst_Session::steppingMovesTheGraphAndTheSelection()
{
    Session session;
    QVERIFY(show(session, kCopiedBackCode));

    session.step(Move::ToEnd);
    QVERIFY(sameGraph(session.cursor()->graph(), *session.trace()->result));
    QVERIFY(!session.cursor()->graph().find("b"));

    session.step(Move::ToStart);
    QVERIFY(sameGraph(session.cursor()->graph(), *session.trace()->initial));

    session.goTo(firstEvent<CopyBackFound>(*session.trace()));
    QCOMPARE(chosenName(session), "b");
}

void tst_Session::aStepThatLeadsNowhereSaysSo()
{
    Session session;
    QVERIFY(show(session, kKeptCode));
    const EventIndex before = session.event();

    session.step(Move::NextRefusal);
    QCOMPARE(session.event(), before);
    QVERIFY(session.message().contains(QStringLiteral("no later refusal")));

    // The next step that leads somewhere takes the remark away.
    session.step(Move::BackInto);
    QVERIFY(session.message().isEmpty());
}

void tst_Session::aFileIsOpenedInTheBackground()
{
    Session session;
    QSignalSpy opened(&session, &Session::opened);
    const QString path = QStringLiteral(REINSPECT_SOURCE_DIR "/samples/triton_into_input.json");

    session.open(path);
    QVERIFY(session.isBusy());
    QVERIFY(!session.document());

    QTRY_VERIFY(session.trace());
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened.first().first().toString(), path);
    QVERIFY(session.message().isEmpty());
}

void tst_Session::aFileThatCannotBeReadKeepsTheDocument()
{
    Session session;
    QVERIFY(show(session, kKeptCode));
    const auto before = session.trace();

    session.open(QStringLiteral("/nowhere/at all.json"));

    QTRY_VERIFY(!session.message().isEmpty());
    QVERIFY(session.message().contains(QStringLiteral("/nowhere/at all.json")));
    QCOMPARE(session.trace(), before);
    QVERIFY(!session.isBusy());
}

void tst_Session::theLastOpenedFileWins()
{
    Session session;
    QSignalSpy opened(&session, &Session::opened);
    const QString folder = QStringLiteral(REINSPECT_SOURCE_DIR "/samples/");
    const QString last = folder + QStringLiteral("02_live_intermediate.fx");

    for (const char* name : {"kv_cache_12_layers.json", "01_dead_intermediate.fx"})
        session.open(folder + QLatin1String(name));
    session.open(last);

    QTRY_VERIFY(session.trace());
    QTRY_VERIFY(!session.isBusy());
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened.first().first().toString(), last);
}

void tst_Session::anotherDocumentDropsTraceAndSelection()
{
    Session session;
    QVERIFY(show(session, kKeptCode));

    session.setDocument(documentFrom(kCopiedBackCode));

    QVERIFY(!session.trace());
    QVERIFY(!session.cursor());
    QVERIFY(session.selection().nodes.empty());
    QTRY_VERIFY(session.trace());
}

static QString writtenFile(const QTemporaryDir& folder, const QString& name, std::string_view text)
{
    const QString path = folder.filePath(name);
    std::ofstream(path.toStdString(), std::ios::binary) << text;
    return path;
}

void tst_Session::aDumpTakenAfterThePassSaysSo()
{
    QTemporaryDir folder;
    const std::string capture =
        R"({"format": "reinspect-graph", "version": 1, "stage": "after", "graph": {"name": "g", "nodes": [
           {"name": "x", "op": "placeholder", "target": "x", "args": []},
           {"name": "output", "op": "output", "target": "output", "args": [{"$tuple": [{"$node": "x"}]}]}]}})";
    Session session;

    session.open(writtenFile(folder, QStringLiteral("after.json"), capture));

    QTRY_VERIFY(session.trace());
    QVERIFY(session.message().contains(QStringLiteral("after the pass")));
}

void tst_Session::anotherGraphOfTheFileCanBeChosen()
{
    auto document = std::make_shared<Document>(*documentFrom(kKeptCode));
    document->graphs.push_back(documentFrom(kCopiedBackCode)->graphs.front());
    Session session;
    QVERIFY(show(session, document));

    session.setGraphIndex(1);
    QVERIFY(!session.trace());
    QTRY_VERIFY(session.trace());
    QVERIFY(session.trace()->initial->find("b"));

    session.setGraphIndex(7);
    QCOMPARE(session.graphIndex(), std::size_t{1});
}

void tst_Session::closingWhileThePassRunsIsSafe()
{
    for (int i = 0; i < 20; ++i)
    {
        Session session;
        session.setDocument(documentFrom(kKeptCode));
        session.open(QStringLiteral(REINSPECT_SOURCE_DIR "/samples/kv_cache_12_layers.json"));
    }
}

void tst_Session::whatIsOutOfRangeIsIgnored()
{
    Session session;
    session.step(Move::Into);
    session.goTo(EventIndex(3));
    QVERIFY(session.message().isEmpty());

    QVERIFY(show(session, kKeptCode));
    const EventIndex before = session.event();
    session.goTo(EventIndex(100'000));
    session.goTo({});
    QCOMPARE(session.event(), before);
}

QTEST_GUILESS_MAIN(tst_Session)
#include "tst_session.moc"
