// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "tests/support/verdict_trace.h"
#include "views/models/policy_diff_model.h"

#include <QAbstractItemModelTester>

using namespace reinspect;

class tst_PolicyDiffModel : public QObject
{
    Q_OBJECT

private slots:
    void isEmptyWithoutAResult();
    void showsBothSides();
    void differencesCanBeShownAlone();
    void saysWhereTheTwoPart();
    void standsTenThousandDecisions();
};

// The pass as torch 2.11 has it, beside one that lets later reads pass and tries fewer operators.
static std::shared_ptr<ComparedTraces> compared()
{
    auto traces = std::make_shared<ComparedTraces>();
    const auto input = verdictTrace()->initial;
    ReinplacePolicy second = policyNamed("pr-111627").value();
    second.countUsers = second.countAliases = false;
    traces->first = runReinplace({.graph = input}).value();
    traces->second = runReinplace({.graph = input}, second).value();
    traces->diff = diffTraces(*traces->first, *traces->second);
    return traces;
}

static QString cell(const PolicyDiffModel& model, int row, PolicyDiffModel::Column column)
{
    return model.index(row, column).data().toString();
}

void tst_PolicyDiffModel::isEmptyWithoutAResult()
{
    PolicyDiffModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(!model.diffAt({}));
    QVERIFY(model.sentence({}).isEmpty());
    model.setDifferencesOnly(true);
    QCOMPARE(model.rowCount(), 0);
}

void tst_PolicyDiffModel::showsBothSides()
{
    PolicyDiffModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setResult(compared());

    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(cell(model, 0, PolicyDiffModel::Node), QStringLiteral("p2"));
    QCOMPARE(cell(model, 0, PolicyDiffModel::First), QStringLiteral("kept (UsedLater)"));
    QCOMPARE(cell(model, 0, PolicyDiffModel::Second), QStringLiteral("reinplaced"));
    QCOMPARE(cell(model, 0, PolicyDiffModel::Difference), QStringLiteral("other verdict"));
    QCOMPARE(cell(model, 1, PolicyDiffModel::Difference), QStringLiteral("same"));
    QCOMPARE(cell(model, 2, PolicyDiffModel::Difference), QStringLiteral("only torch-2.11"));
    QCOMPARE(cell(model, 2, PolicyDiffModel::Second), QStringLiteral("not tried"));
    QCOMPARE(cell(model, 2, PolicyDiffModel::Bytes), QStringLiteral("64 B"));
    QCOMPARE(model.headerData(PolicyDiffModel::First, Qt::Horizontal, Qt::DisplayRole).toString(),
             QStringLiteral("torch-2.11"));
    QCOMPARE(model.headerData(PolicyDiffModel::Second, Qt::Horizontal, Qt::DisplayRole).toString(),
             QStringLiteral("pr-111627"));
    const auto badges = [&model](int row) {
        return model.index(row, PolicyDiffModel::Difference)
            .data(PolicyDiffModel::BadgesRole)
            .value<QList<Badge>>();
    };
    QCOMPARE(badges(0), QList<Badge>{Badge::Differs});
    QCOMPARE(badges(1), QList<Badge>{Badge::Same});
    QCOMPARE(badges(2), QList<Badge>{Badge::OnlyHere});
}

void tst_PolicyDiffModel::differencesCanBeShownAlone()
{
    PolicyDiffModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setResult(compared());

    model.setDifferencesOnly(true);
    QCOMPARE(model.rowCount(), 2);
    QVERIFY(!model.indexOf(DecisionIndex(1)).isValid());
    QCOMPARE(model.indexOf(DecisionIndex(2)).row(), 1);
    model.setDifferencesOnly(false);
    QCOMPARE(model.rowCount(), 3);
}

void tst_PolicyDiffModel::saysWhereTheTwoPart()
{
    const auto traces = compared();
    PolicyDiffModel model;
    model.setResult(traces);

    QCOMPARE(model.sentence(model.index(0, 0)),
             toQString(explainDiff(*traces->first, *traces->second, traces->diff.rows[0])));
    QVERIFY(
        model.sentence(model.index(1, 0)).startsWith(QStringLiteral("Both: \"p10\" may write")));
    QVERIFY(model.sentence(model.index(2, 0)).contains(QStringLiteral("does not try it")));
}

void tst_PolicyDiffModel::standsTenThousandDecisions()
{
    auto traces = compared();
    const std::vector<DecisionDiff> once = traces->diff.rows;
    while (traces->diff.rows.size() < 10'000)
        traces->diff.rows.insert(traces->diff.rows.end(), once.begin(), once.end());
    PolicyDiffModel model;
    model.setResult(traces);
    QCOMPARE(model.rowCount(), static_cast<int>(traces->diff.rows.size()));
    model.setDifferencesOnly(true);
    QCOMPARE(model.rowCount(), static_cast<int>(traces->diff.rows.size()) / 3 * 2);
}

QTEST_GUILESS_MAIN(tst_PolicyDiffModel)
#include "tst_policy_diff_model.moc"
