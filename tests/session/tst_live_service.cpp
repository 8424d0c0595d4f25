// SPDX-License-Identifier: MIT
// Captures over a local socket: what a program of the same user sends arrives whole, and whatever is wrong is
// answered in words and leaves nothing behind.
#include <QSignalSpy>
#include <QTest>

#include "tests/support/live_client.h"
#include "views/models/live_capture_model.h"
#include "views/session/live_service.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>

using namespace reinspect;

class tst_LiveService : public QObject
{
    Q_OBJECT

private slots:
    void aCaptureArrivesWhole();
    void theFileIsForItsUserAlone();
    void theTokenIsNeverSent();
    void whatIsWrongIsAnswered_data();
    void whatIsWrongIsAnswered();
    void aWrongTokenIsRefused();
    void anOldTokenIsRefused();
    void aCaptureOverTheLimitIsRefusedBeforeItIsSent();
    void aGreetingThatNeverEndsIsRefused();
    void whatIsCutOffLeavesNothing();
    void moreThanAnnouncedIsRefused();
    void aSilentClientIsSentAway();
    void aCaptureThatCannotBeReadIsRefused_data();
    void aCaptureThatCannotBeReadIsRefused();
    void severalClientsAtOnce();
    void tooManyClientsAreTurnedAway();
    void offMeansNoPortAndNoFile();
    void theWindowOpenedLastReceives();
    void aPlaceThatCannotBeWrittenIsSaid();
    void theModelShowsTheNewestFirst();
};

namespace
{

struct Fixture
{
    QTemporaryDir folder;
    LiveService service;
    QString file = folder.filePath(QStringLiteral("run/live.json"));

    explicit Fixture(const LiveLimits& limits = {})
    {
        service.setFile(file);
        service.setStore(folder.filePath(QStringLiteral("store")));
        service.setLimits(limits);
    }
    QStringList stored() const
    {
        return QDir(folder.filePath(QStringLiteral("store")))
            .entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
    }
    bool isEmpty() const
    {
        return QTest::qWaitFor([&] { return stored().isEmpty(); }, 10'000)
            && service.captures().empty();
    }
};

} // namespace

void tst_LiveService::aCaptureArrivesWhole()
{
    Fixture f;
    QVERIFY(f.service.start());
    QSignalSpy arrived(&f.service, &LiveService::captureArrived);
    QByteArray data(3'000'000, '\0'); // more than one piece
    for (qsizetype i = 0; i < data.size(); ++i)
        data[i] = static_cast<char>(i * 7);
    LiveClient client(f.file);
    const QJsonObject answer = client.send(QStringLiteral("graph.0"),
                                           {{kBefore, kCapture},
                                            {QStringLiteral("data.safetensors"), data},
                                            {QStringLiteral("empty.ptx"), {}}});
    QCOMPARE(why(answer), QStringLiteral("accepted"));
    QCOMPARE(arrived.count(), 1);
    const LiveCapture& capture = f.service.captures().front();
    QCOMPARE(capture.name, QStringLiteral("graph.0"));
    QCOMPARE(capture.origin, QStringLiteral("/home/user/captures/graph.0"));
    QCOMPARE(capture.nodes, 2);
    QCOMPARE(capture.producer, QStringLiteral("torch 2.11.0"));
    QCOMPARE(capture.bytes, kCapture.size() + data.size());
    const QDir folder = QFileInfo(capture.path).dir();
    QCOMPARE(contentOf(capture.path), kCapture);
    QVERIFY(contentOf(folder.filePath(QStringLiteral("data.safetensors"))) == data);
    QCOMPARE(contentOf(folder.filePath(QStringLiteral("empty.ptx"))), QByteArray());
}

void tst_LiveService::theFileIsForItsUserAlone()
{
    Fixture f;
    QVERIFY(f.service.start());
    const auto others = QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ReadOther
        | QFileDevice::WriteOther | QFileDevice::ExeGroup | QFileDevice::ExeOther;
    QVERIFY(QFileInfo(f.file).permissions() & QFileDevice::ReadOwner);
    for (const QString& path :
         {f.file, QFileInfo(f.file).absolutePath(), f.folder.filePath(QStringLiteral("store"))})
        QVERIFY2(!(QFileInfo(path).permissions() & others), qPrintable(path));
}

void tst_LiveService::theTokenIsNeverSent()
{
    Fixture f;
    QVERIFY(f.service.start());
    const QString token = QJsonDocument::fromJson(contentOf(f.file))[u"token"].toString();
    QCOMPARE(token.size(), 64);
    LiveClient client(f.file);
    client.write(LiveClient::hello(QByteArray(64, 'a')));
    QTRY_VERIFY(client.socket().canReadLine());
    const QByteArray challenge = client.socket().readLine();
    QVERIFY(challenge.contains("proof") && !challenge.contains(token.toLatin1()));
}

void tst_LiveService::whatIsWrongIsAnswered_data()
{
    QTest::addColumn<QByteArray>("hello"); // empty: a good one
    QTest::addColumn<QJsonArray>("files");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("expected");
    const QString good = QStringLiteral("graph.0");
    const auto greeting = [&](const char* row, const QByteArray& hello, const char* expected) {
        QTest::newRow(row) << hello << QJsonArray() << good << QString::fromLatin1(expected);
    };
    greeting("not JSON", "GET / HTTP/1.1\r\n", "not a line of JSON");
    greeting("no object", "[1]\n", "no JSON object");
    greeting("binary", QByteArray("\0\1\2\n", 4), "not a line of JSON");
    greeting("somebody else", "{\"hello\": 1}\n", "takes captures of reinspect_capture.py");
    greeting("older tool", LiveClient::hello(QByteArray(64, 'a'), 1), "speaks protocol 2, not 1");
    greeting("no nonce", LiveClient::hello(""), "no nonce");
    greeting("deeply nested", QByteArray(2000, '[') + '\n', "not a line of JSON");

    const QJsonObject before = LiveClient::listed(kBefore, 9);
    const auto header = [&](const char* row, const QJsonArray& files, const char* expected) {
        QTest::newRow(row) << QByteArray() << files << good << QString::fromUtf8(expected);
    };
    header("no files", {}, "has no before.json");
    header("no object", {before, 7}, "no plain file name");
    for (const char* name :
         {"", "../x", "/etc/x", "a/b", "..", ".hidden", "c:x", "a\\b", "x\n", "y."})
        QTest::addRow("name %s", name)
            << QByteArray() << QJsonArray{before, LiveClient::listed(QString::fromLatin1(name), 1)}
            << good << QStringLiteral("is no plain file name");
    header("twice", {before, LiveClient::listed(QStringLiteral("Before.JSON"), 9)}, "listed twice");
    header("negative", {LiveClient::listed(kBefore, -1)}, "has no size");
    header("half a byte", {LiveClient::listed(kBefore, 1.5)}, "has no size");
    header("beyond any disk", {LiveClient::listed(kBefore, 1e300)}, "has no size");
    header("too large", {LiveClient::listed(kBefore, 1e12)}, "the window takes");
    QTest::newRow("a capture out of the folder")
        << QByteArray() << QJsonArray{before} << QStringLiteral("../../x")
        << QStringLiteral("no plain name");
    QJsonArray many{before};
    for (int i = 0; i < 5000; ++i)
        many.append(LiveClient::listed(QString::number(i), 1));
    header("too many", many, "more than the window takes");
}

void tst_LiveService::whatIsWrongIsAnswered()
{
    QFETCH(const QByteArray, hello);
    QFETCH(const QJsonArray, files);
    QFETCH(const QString, name);
    QFETCH(const QString, expected);
    Fixture f;
    QVERIFY(f.service.start());
    LiveClient client(f.file);
    if (hello.isEmpty())
    {
        QVERIFY(client.greet());
        client.write(client.header(name, files));
    }
    else
        client.write(hello);
    const QString answer = why(client.answer());
    QVERIFY2(answer.contains(expected), qPrintable(answer));
    QVERIFY(f.service.statusText().contains(expected));
    QVERIFY(f.isEmpty());
}

void tst_LiveService::aWrongTokenIsRefused()
{
    Fixture f;
    QVERIFY(f.service.start());
    LiveClient client(f.file);
    client.setToken(QByteArray(64, '0'));
    QVERIFY(!client.greet()); // nor does the window know that one
    client.write(client.header(QStringLiteral("graph.0"), {LiveClient::listed(kBefore, 9)}));
    QCOMPARE(why(client.answer()), QStringLiteral("wrong token"));
    QVERIFY(f.isEmpty());
}

void tst_LiveService::anOldTokenIsRefused()
{
    Fixture f;
    QVERIFY(f.service.start());
    const QByteArray old =
        QJsonDocument::fromJson(contentOf(f.file))[u"token"].toString().toLatin1();
    f.service.stop();
    QVERIFY(f.service.start());
    LiveClient client(f.file);
    client.setToken(old);
    QCOMPARE(why(client.send(QStringLiteral("graph.0"), {{kBefore, kCapture}})),
             QStringLiteral("wrong token"));
}

void tst_LiveService::aCaptureOverTheLimitIsRefusedBeforeItIsSent()
{
    Fixture f({.bytes = 10});
    QVERIFY(f.service.start());
    LiveClient client(f.file);
    QVERIFY(client.greet());
    client.write(client.header(QStringLiteral("g"), {LiveClient::listed(kBefore, 11)}));
    QVERIFY(why(client.answer())
                .startsWith(QStringLiteral("the capture has 11 bytes, the window takes 10")));
    QVERIFY(f.isEmpty());
}

void tst_LiveService::aGreetingThatNeverEndsIsRefused()
{
    Fixture f;
    QVERIFY(f.service.start());
    LiveClient client(f.file);
    client.write(QByteArray(kLongestHello + 1, ' '));
    QVERIFY(why(client.answer()).contains(QStringLiteral("a line of more than")));
}

void tst_LiveService::whatIsCutOffLeavesNothing()
{
    Fixture f;
    QVERIFY(f.service.start());
    LiveClient client(f.file);
    QVERIFY(client.greet());
    client.write(client.header(QStringLiteral("g"), {LiveClient::listed(kBefore, 100)}));
    QVERIFY(client.answer()[QStringLiteral("ok")].toBool());
    client.write(kCapture.left(40));
    QTRY_COMPARE(f.stored().size(), 1); // the folder of what is coming
    client.socket().disconnectFromHost();
    QTRY_VERIFY(f.service.statusText().contains(
        QStringLiteral("\"g\" was refused: the client went away after 40 of 100 bytes")));
    QVERIFY(f.isEmpty());
}

void tst_LiveService::moreThanAnnouncedIsRefused()
{
    Fixture f;
    QVERIFY(f.service.start());
    LiveClient client(f.file);
    QVERIFY(client.greet());
    client.write(client.header(QStringLiteral("g"), {LiveClient::listed(kBefore, 3)}));
    QVERIFY(client.answer()[QStringLiteral("ok")].toBool());
    client.write("four");
    QVERIFY(why(client.answer()).contains(QStringLiteral("more bytes")));
    QVERIFY(f.isEmpty());
}

void tst_LiveService::aSilentClientIsSentAway()
{
    Fixture f({.quietMilliseconds = 50});
    QVERIFY(f.service.start());
    LiveClient client(f.file);
    QCOMPARE(why(client.answer()), QStringLiteral("nothing more arrived"));
    QTRY_COMPARE(client.socket().state(), QAbstractSocket::UnconnectedState);
}

void tst_LiveService::aCaptureThatCannotBeReadIsRefused_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("not JSON") << QByteArray("\x7f"
                                            "ELF");
    QTest::newRow("cut off") << kCapture.left(120);
    QTest::newRow("newer") << QByteArray(kCapture).replace("\"version\": 1", "\"version\": 99");
}

void tst_LiveService::aCaptureThatCannotBeReadIsRefused()
{
    QFETCH(const QByteArray, content);
    Fixture f;
    QVERIFY(f.service.start());
    LiveClient client(f.file);
    const QString answer = why(client.send(QStringLiteral("g"), {{kBefore, content}}));
    QVERIFY2(answer.startsWith(kBefore), qPrintable(answer));
    QVERIFY(f.isEmpty());
}

void tst_LiveService::severalClientsAtOnce()
{
    Fixture f;
    QVERIFY(f.service.start());
    LiveClient first(f.file);
    LiveClient second(f.file);
    QVERIFY(first.greet());
    QVERIFY(second.greet());
    const QJsonArray files{LiveClient::listed(kBefore, static_cast<double>(kCapture.size()))};
    for (LiveClient* client : {&first, &second})
    {
        client->write(client->header(QStringLiteral("graph.0"), files));
        QVERIFY(client->answer()[QStringLiteral("ok")].toBool());
        client->write(kCapture.left(50));
    }
    for (LiveClient* client : {&second, &first})
        client->write(kCapture.mid(50));
    QCOMPARE(why(first.answer()), QStringLiteral("accepted"));
    QCOMPARE(why(second.answer()), QStringLiteral("accepted"));
    QCOMPARE(f.service.captures().size(), std::size_t(2));
    QVERIFY(f.service.captures()[0].path != f.service.captures()[1].path);
    for (const LiveCapture& capture : f.service.captures())
        QCOMPARE(contentOf(capture.path), kCapture);
}

void tst_LiveService::tooManyClientsAreTurnedAway()
{
    Fixture f({.clients = 1});
    QVERIFY(f.service.start());
    LiveClient first(f.file);
    QVERIFY(first.greet());
    LiveClient second(f.file);
    QTRY_COMPARE(second.socket().state(), QAbstractSocket::UnconnectedState);
    first.socket().disconnectFromHost();
    QTRY_VERIFY(f.service.statusText().contains(QStringLiteral("went away")));
    LiveClient third(f.file);
    QVERIFY(third.greet());
}

void tst_LiveService::offMeansNoPortAndNoFile()
{
    Fixture f;
    QVERIFY(!QFileInfo::exists(f.file));
    QVERIFY(f.service.start());
    QVERIFY(QFileInfo::exists(f.file));
    LiveClient client(f.file);
    QVERIFY(client.greet());
    f.service.stop();
    QVERIFY(!QFileInfo::exists(f.file));
    QTRY_COMPARE(client.socket().state(), QAbstractSocket::UnconnectedState);
    QVERIFY(f.service.statusText().startsWith(QStringLiteral("Off")));
}

void tst_LiveService::theWindowOpenedLastReceives()
{
    Fixture f;
    QVERIFY(f.service.start());
    {
        LiveService later;
        later.setFile(f.file);
        later.setStore(f.folder.filePath(QStringLiteral("store")));
        QVERIFY(later.start());
        f.service.stop(); // must not take the other's file away
        LiveClient client(f.file);
        QCOMPARE(why(client.send(QStringLiteral("g"), {{kBefore, kCapture}})),
                 QStringLiteral("accepted"));
        QCOMPARE(later.captures().size(), std::size_t(1));
    }
    QVERIFY(!QFileInfo::exists(f.file));
}

void tst_LiveService::aPlaceThatCannotBeWrittenIsSaid()
{
    Fixture f;
    QFile blocker(f.folder.filePath(QStringLiteral("run")));
    QVERIFY(blocker.open(QIODevice::WriteOnly));
    QVERIFY(!f.service.start());
    QVERIFY(!f.service.isOn());
    QVERIFY(f.service.statusText().contains(QStringLiteral("cannot be written")));
}

void tst_LiveService::theModelShowsTheNewestFirst()
{
    Fixture f;
    QVERIFY(f.service.start());
    LiveCaptureModel model(&f.service);
    QAbstractItemModelTester tester(&model);
    for (const char* name : {"a", "b"})
        QCOMPARE(why(LiveClient(f.file).send(QString::fromLatin1(name), {{kBefore, kCapture}})),
                 QStringLiteral("accepted"));
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(0, LiveCaptureModel::Name).data().toString(), QStringLiteral("b (new)"));
    QCOMPARE(model.captureAt(model.index(1, 0))->name, QStringLiteral("a"));
    f.service.markOpened(model.captureAt(model.index(0, 0))->path);
    QCOMPARE(model.index(0, LiveCaptureModel::Name).data().toString(), QStringLiteral("b"));
}

QTEST_GUILESS_MAIN(tst_LiveService)
#include "tst_live_service.moc"
