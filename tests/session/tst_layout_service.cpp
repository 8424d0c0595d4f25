// SPDX-License-Identifier: MIT
#include "tests/layout/layout_checks.h"
#include "views/session/layout_service.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace reinspect;

class tst_LayoutService : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void rowsComeAtOnceAndGraphvizLater();
    void aMissingHelperIsSaid();
    void helpersThatFailAreSaid_data();
    void helpersThatFailAreSaid();
    void howFarAHelperIsIsTold();
    void aHelperThatTakesTooLongIsStopped();
    void cancellingStopsTheHelperAtOnce();
    void aNewerRequestReplacesTheOlder();
    void aKnownAnswerNeedsNoHelper();
    void aBrokenCacheFileIsPlacedAnew();

private:
    void useScript(const QByteArray& script);

    QTemporaryDir m_folder;
    std::unique_ptr<LayoutService> m_service;
    QStringList m_engines;
};

void tst_LayoutService::init()
{
    m_engines.clear();
    m_service = std::make_unique<LayoutService>();
    connect(m_service.get(), &LayoutService::resultReady, this, [this](const LayoutResult& result) {
        m_engines.append(QString::fromStdString(result.engine));
    });
}

void tst_LayoutService::useScript(const QByteArray& script)
{
    QFile file(m_folder.filePath(QStringLiteral("helper")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\n" + script + '\n');
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    file.close();
    qputenv("REINSPECT_LAYOUT", file.fileName().toLocal8Bit());
}

void tst_LayoutService::rowsComeAtOnceAndGraphvizLater()
{
#ifdef REINSPECT_LAYOUT_PROGRAM
    qputenv("REINSPECT_LAYOUT", REINSPECT_LAYOUT_PROGRAM);
#else
    QSKIP("reinspect-layout is not built: there is no Graphviz.");
#endif
    QSignalSpy busy(m_service.get(), &LayoutService::busyChanged);
    m_service->place(randomProgram(80, 1));
    QCOMPARE(m_engines, QStringList{QStringLiteral("rows")});
    QVERIFY(m_service->isBusy());
    QTRY_VERIFY(!m_service->isBusy());
    QCOMPARE(m_engines.last(), QStringLiteral("graphviz"));
    QCOMPARE(busy.count(), 2);
}

void tst_LayoutService::aMissingHelperIsSaid()
{
    qputenv("REINSPECT_LAYOUT", "/nonexistent/helper");
    QSignalSpy failed(m_service.get(), &LayoutService::failed);
    m_service->place(randomProgram(8, 1));
    QCOMPARE(m_engines, QStringList{QStringLiteral("rows")});
    QCOMPARE(failed.count(), 1);
    QVERIFY(failed[0][0].toString().contains(QStringLiteral("/nonexistent/helper")));
    QVERIFY(!m_service->isBusy());
}

void tst_LayoutService::helpersThatFailAreSaid_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QString>("said");
    QTest::newRow("refuses") << QByteArray("cat > /dev/null; echo too many boxes >&2; exit 4")
                             << QStringLiteral("too many boxes");
    QTest::newRow("refuses in the middle")
        << QByteArray("cat > /dev/null; echo progress 20 >&2; printf 'too many edges' >&2; exit 4")
        << QStringLiteral("simple rows: too many edges.");
    QTest::newRow("crashes") << QByteArray("kill -SEGV $$") << QStringLiteral("crashed");
    QTest::newRow("is killed in the middle")
        << QByteArray("cat > /dev/null; kill -KILL $$") << QStringLiteral("crashed");
    QTest::newRow("one of its processes is killed")
        << QByteArray("cat > /dev/null; echo a layout process ended before it was done >&2; exit 4")
        << QStringLiteral("a layout process ended before it was done");
    QTest::newRow("answers nonsense")
        << QByteArray("cat > /dev/null; echo yes") << QStringLiteral("no usable answer");
    QTest::newRow("answers another question")
        << QByteArray("cat > /dev/null; echo '{\"boxes\":[],\"routes\":[],\"groups\":[],"
                      "\"width\":0,\"height\":0,\"engine\":\"x\"}'")
        << QStringLiteral("no usable answer");
}

void tst_LayoutService::helpersThatFailAreSaid()
{
    QFETCH(QByteArray, script);
    QFETCH(QString, said);
    useScript(script);
    QSignalSpy failed(m_service.get(), &LayoutService::failed);
    m_service->place(randomProgram(8, 1));
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY2(failed[0][0].toString().contains(said), qPrintable(failed[0][0].toString()));
    QVERIFY(!m_service->isBusy());
    QCOMPARE(m_engines, QStringList{QStringLiteral("rows")});
}

void tst_LayoutService::howFarAHelperIsIsTold()
{
    useScript("cat > /dev/null; echo progress 12 >&2; echo progress 40 >&2; exec sleep 600");
    m_service->place(randomProgram(8, 1));
    QVERIFY(!m_service->percent());
    QTRY_COMPARE(m_service->percent(), std::optional(40));
    m_service->cancel();
    QVERIFY(!m_service->percent());
}

void tst_LayoutService::aHelperThatTakesTooLongIsStopped()
{
    useScript("exec sleep 600");
    QSignalSpy failed(m_service.get(), &LayoutService::failed);
    m_service->setTimeLimit(50);
    m_service->place(randomProgram(8, 1));
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(!m_service->isBusy());
}

void tst_LayoutService::cancellingStopsTheHelperAtOnce()
{
    useScript("exec sleep 600");
    QSignalSpy failed(m_service.get(), &LayoutService::failed);
    m_service->place(randomProgram(8, 1));
    QVERIFY(m_service->isBusy());
    m_service->cancel();
    QVERIFY(!m_service->isBusy());
    QCOMPARE(failed.count(), 0); // it was asked for
}

void tst_LayoutService::aNewerRequestReplacesTheOlder()
{
    useScript("exec sleep 600");
    m_service->place(randomProgram(8, 1));
    useScript("cat > /dev/null; echo newer >&2; exit 4");
    QSignalSpy failed(m_service.get(), &LayoutService::failed);
    m_service->place(randomProgram(9, 1));
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(failed[0][0].toString().contains(QStringLiteral("newer")));
}

// A folder that only this test writes to.
static QString cacheOf(const QTemporaryDir& folder)
{
    return folder.filePath(QStringLiteral("cache"));
}

void tst_LayoutService::aKnownAnswerNeedsNoHelper()
{
#ifdef REINSPECT_LAYOUT_PROGRAM
    qputenv("REINSPECT_LAYOUT", REINSPECT_LAYOUT_PROGRAM);
#else
    QSKIP("reinspect-layout is not built: there is no Graphviz.");
#endif
    QTemporaryDir folder;
    m_service->setCacheFolder(cacheOf(folder));
    m_service->place(randomProgram(40, 1));
    QTRY_VERIFY(!m_service->isBusy());
    m_engines.clear();
    qputenv("REINSPECT_LAYOUT", "/nonexistent/helper");
    m_service->place(randomProgram(40, 1));
    QCOMPARE(m_engines, QStringList{QStringLiteral("graphviz")});
    m_service->place(randomProgram(41, 1)); // another question
    QCOMPARE(m_engines.last(), QStringLiteral("rows"));
}

void tst_LayoutService::aBrokenCacheFileIsPlacedAnew()
{
    useScript("cat > /dev/null; echo asked >&2; exit 4");
    QTemporaryDir folder;
    m_service->setCacheFolder(cacheOf(folder));
    const LayoutRequest request = randomProgram(8, 1);
    const QString path = m_service->cacheFile(toJson(request));
    QVERIFY(QDir().mkpath(cacheOf(folder)));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"boxes\":[]}");
    file.close();
    QSignalSpy failed(m_service.get(), &LayoutService::failed);
    m_service->place(request);
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(failed[0][0].toString().contains(QStringLiteral("asked")));
    QCOMPARE(m_engines, QStringList{QStringLiteral("rows")});
}

QTEST_GUILESS_MAIN(tst_LayoutService)
#include "tst_layout_service.moc"
