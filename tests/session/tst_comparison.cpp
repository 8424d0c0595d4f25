// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "views/session/comparison.h"

using namespace reinspect;

class tst_Comparison : public QObject
{
    Q_OBJECT

private slots:
    void nothingRunsWhileNobodyLooks();
    void comparesWithTheSecondPolicy();
    void followsTheSession();
    void sidesCanBeSwapped();
    void anotherDocumentDropsTheResult();
    void closingWhileItRunsIsSafe();
};

static bool waitForResult(Session& session, Comparison& comparison)
{
    return QTest::qWaitFor(
        [&] {
            return !session.isBusy() && !comparison.isBusy() && comparison.result()
                && comparison.result()->first == session.trace()
                && comparison.result()->second->policy == comparison.policy();
        },
        10'000);
}

void tst_Comparison::nothingRunsWhileNobodyLooks()
{
    Session session;
    Comparison comparison(&session);
    QVERIFY(show(session, kKeptCode));
    comparison.setPolicy(policyNamed("pr-111627").value());
    QVERIFY(!comparison.isBusy());
    QVERIFY(!comparison.result());

    comparison.setActive(true);
    QVERIFY(comparison.isBusy());
    QVERIFY(waitForResult(session, comparison));
}

void tst_Comparison::comparesWithTheSecondPolicy()
{
    Session session;
    Comparison comparison(&session);
    comparison.setActive(true);
    QVERIFY(show(session, kKeptCode));
    ReinplacePolicy second;
    QVERIFY(setSwitch(second, "later-uses=off").ok());

    comparison.setPolicy(second);

    QVERIFY(waitForResult(session, comparison));
    const TraceDiff& diff = comparison.result()->diff;
    QCOMPARE(diff.rows.size(), std::size_t{1});
    QVERIFY(diff.rows.front().verdictDiffers);
    QCOMPARE(diff.firstBytes, 16);
    QCOMPARE(diff.secondBytes, 0);
}

void tst_Comparison::followsTheSession()
{
    Session session;
    Comparison comparison(&session);
    comparison.setActive(true);
    comparison.setPolicy({});
    QVERIFY(show(session, kKeptCode));
    QVERIFY(waitForResult(session, comparison));
    QCOMPARE(comparison.result()->diff.same, std::size_t{1});

    ReinplacePolicy changed;
    QVERIFY(setSwitch(changed, "later-uses=off").ok());
    session.setPolicy(changed);

    QVERIFY(waitForResult(session, comparison));
    QCOMPARE(comparison.result()->diff.differing, std::size_t{1});
}

void tst_Comparison::sidesCanBeSwapped()
{
    Session session;
    Comparison comparison(&session);
    comparison.setActive(true);
    comparison.setPolicy(policyNamed("pr-111627").value());
    QVERIFY(show(session, kKeptCode));
    QVERIFY(waitForResult(session, comparison));

    comparison.swap();

    QCOMPARE(session.policy().name, std::string("pr-111627"));
    QCOMPARE(comparison.policy().name, std::string("torch-2.11"));
    QVERIFY(waitForResult(session, comparison));
    QCOMPARE(comparison.result()->first->policy.name, std::string("pr-111627"));
    QCOMPARE(comparison.result()->second->policy.name, std::string("torch-2.11"));
}

void tst_Comparison::anotherDocumentDropsTheResult()
{
    Session session;
    Comparison comparison(&session);
    comparison.setActive(true);
    QVERIFY(show(session, kKeptCode));
    QVERIFY(waitForResult(session, comparison));

    session.setDocument(documentFrom(kCopiedBackCode));
    QVERIFY(!comparison.result());
    QVERIFY(QTest::qWaitFor([&] { return session.trace() != nullptr; }, 10'000));
    QVERIFY(waitForResult(session, comparison));
}

void tst_Comparison::closingWhileItRunsIsSafe()
{
    Session session;
    QVERIFY(show(session, kKeptCode));
    for (int i = 0; i < 20; ++i)
    {
        Comparison comparison(&session);
        comparison.setActive(true);
    }
}

QTEST_GUILESS_MAIN(tst_Comparison)
#include "tst_comparison.moc"
