// SPDX-License-Identifier: MIT
#include "views/session/lane.h"

#include <QSemaphore>
#include <QTest>

#include <atomic>
#include <memory>

using namespace reinspect;

class tst_Lane : public QObject
{
    Q_OBJECT

private slots:
    void aResultIsDeliveredOnTheThreadOfItsOwner();
    void theNewestJobWins();
    void aNewerJobStopsTheOlderOne();
    void aCancelledJobDeliversNothing();
    void destructionStopsTheJobAndWaitsForIt();
    void aJobMayStartTheNextOne();
};

void tst_Lane::aResultIsDeliveredOnTheThreadOfItsOwner()
{
    Lane lane;
    QThread* worker = nullptr;
    QThread* receiver = nullptr;

    lane.run([](std::stop_token) { return QThread::currentThread(); },
             [&](QThread* thread) {
                 worker = thread;
                 receiver = QThread::currentThread();
             });

    QVERIFY(lane.isBusy());
    QTRY_VERIFY(receiver);
    QCOMPARE(receiver, QThread::currentThread());
    QVERIFY(worker != receiver);
    QVERIFY(!lane.isBusy());
}

void tst_Lane::theNewestJobWins()
{
    Lane lane;
    QList<int> delivered;

    for (int i = 0; i < 50; ++i)
        lane.run([i](std::stop_token) { return i; },
                 [&delivered](int value) { delivered.append(value); });

    QTRY_VERIFY(!delivered.isEmpty());
    QCoreApplication::processEvents();
    QCOMPARE(delivered, QList<int>{49});
}

void tst_Lane::aNewerJobStopsTheOlderOne()
{
    Lane lane;
    QSemaphore started;
    auto sawStop = std::make_shared<std::atomic<bool>>(false);
    int result = 0;

    lane.run(
        [&started, sawStop](std::stop_token stop) {
            started.release();
            while (!stop.stop_requested())
                QThread::yieldCurrentThread();
            *sawStop = true;
            return 1;
        },
        [&result](int value) { result = value; });
    started.acquire();
    lane.run([](std::stop_token) { return 2; }, [&result](int value) { result = value; });

    QTRY_COMPARE(result, 2);
    QVERIFY(*sawStop);
}

void tst_Lane::aCancelledJobDeliversNothing()
{
    Lane lane;
    bool delivered = false;
    QSemaphore finished;

    lane.run(
        [&finished](std::stop_token) {
            finished.release();
            return 1;
        },
        [&delivered](int) { delivered = true; });
    finished.acquire();
    lane.cancel();
    QVERIFY(!lane.isBusy());

    // The next job can only run after the first one, whose result was dropped by then.
    bool isNextDone = false;
    lane.run([](std::stop_token) { return 2; }, [&isNextDone](int) { isNextDone = true; });
    QTRY_VERIFY(isNextDone);
    QVERIFY(!delivered);
}

void tst_Lane::destructionStopsTheJobAndWaitsForIt()
{
    std::atomic<bool> isOver = false;
    bool delivered = false;
    {
        Lane lane;
        QSemaphore started;
        lane.run(
            [&](std::stop_token stop) {
                started.release();
                while (!stop.stop_requested())
                    QThread::yieldCurrentThread();
                isOver = true;
                return 1;
            },
            [&delivered](int) { delivered = true; });
        started.acquire();
    }

    QVERIFY(isOver);
    QCoreApplication::processEvents();
    QVERIFY(!delivered);
}

void tst_Lane::aJobMayStartTheNextOne()
{
    Lane lane;
    int last = 0;

    lane.run([](std::stop_token) { return 1; },
             [&](int) {
                 lane.run([](std::stop_token) { return 2; }, [&last](int value) { last = value; });
             });

    QTRY_COMPARE(last, 2);
    QVERIFY(!lane.isBusy());
}

QTEST_GUILESS_MAIN(tst_Lane)
#include "tst_lane.moc"
