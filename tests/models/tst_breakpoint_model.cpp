// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "views/models/breakpoint_model.h"

#include <QAbstractItemModelTester>

using namespace reinspect;

class tst_BreakpointModel : public QObject
{
    Q_OBJECT

private slots:
    void followsTheSession();
    void aBoxSwitchesABreakpoint();
    void rowsCanBeRemoved();
};

static std::vector<Breakpoint> two()
{
    return {parseBreakpoint("verdict:kept").value(), parseBreakpoint("bytes>1M").value()};
}

void tst_BreakpointModel::followsTheSession()
{
    Session session;
    BreakpointModel model(&session);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);

    session.setBreakpoints(two());

    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(1).data().toString(), QStringLiteral("bytes>1M"));
    QCOMPARE(model.index(1).data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Checked));
}

void tst_BreakpointModel::aBoxSwitchesABreakpoint()
{
    Session session;
    session.setBreakpoints(two());
    BreakpointModel model(&session);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);

    QVERIFY(model.setData(model.index(0), Qt::Unchecked, Qt::CheckStateRole));

    QVERIFY(!session.breakpoints()[0].enabled);
    QVERIFY(session.breakpoints()[1].enabled);
    QCOMPARE(model.index(0).data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Unchecked));
    QVERIFY(model.index(0)
                .data(Qt::AccessibleTextRole)
                .toString()
                .contains(QStringLiteral("switched off")));
    QCOMPARE(resets.count(), 0); // the place in the list stays
    QVERIFY(!model.setData(model.index(0), QStringLiteral("x"), Qt::EditRole));
}

void tst_BreakpointModel::rowsCanBeRemoved()
{
    Session session;
    session.setBreakpoints(two());
    BreakpointModel model(&session);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);

    QVERIFY(model.removeRow(0));

    QCOMPARE(session.breakpoints().size(), std::size_t{1});
    QCOMPARE(session.breakpoints().front().text, std::string("bytes>1M"));
    QVERIFY(!model.removeRow(5));
}

QTEST_GUILESS_MAIN(tst_BreakpointModel)
#include "tst_breakpoint_model.moc"
