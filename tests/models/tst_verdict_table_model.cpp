// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "tests/support/verdict_trace.h"
#include "views/models/verdict_table_model.h"

#include <QAbstractItemModelTester>

using namespace reinspect;

class tst_VerdictTableModel : public QObject
{
    Q_OBJECT

private slots:
    void isEmptyWithoutATrace();
    void showsADecisionInEachRow();
    void cellsSayWhatTheDecisionSays_data();
    void cellsSayWhatTheDecisionSays();
    void marksAreShapesBesideWords();
    void sortsByAnyColumn_data();
    void sortsByAnyColumn();
    void namesCountTheirDigits();
    void filtersAndCountsWhatIsShown();
    void filterAndOrderStayForTheNextTrace();
    void onlyTheRowsLookedAtChange();
    void indexesSurviveSorting();
    void tablesCanBePasted();
    void standsTenThousandDecisions();
};

static Breakpoint terms(const char* text)
{
    return parseBreakpoint(text).value();
}

// The first column of the rows, as shown.
static QString shownNodes(const VerdictTableModel& model)
{
    QStringList names;
    for (int row = 0; row < model.rowCount(); ++row)
        names.append(model.index(row, 0).data().toString());
    return names.join(u' ');
}

void tst_VerdictTableModel::isEmptyWithoutATrace()
{
    VerdictTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.columnCount(), kVerdictColumns);
    model.setFilter(terms("is:missed"));
    model.sort(static_cast<int>(VerdictColumn::Bytes));
    QVERIFY(!model.indexOf(DecisionIndex(0)).isValid());
}

void tst_VerdictTableModel::showsADecisionInEachRow()
{
    const auto trace = verdictTrace();
    VerdictTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);

    model.setTrace(trace);

    QCOMPARE(shownNodes(model), QStringLiteral("p2 p10 s"));
    for (std::size_t i = 0; i < trace->decisions.size(); ++i)
        QCOMPARE(model.decisionAt(model.indexOf(DecisionIndex(i))), DecisionIndex(i));
}

void tst_VerdictTableModel::cellsSayWhatTheDecisionSays_data()
{
    QTest::addColumn<int>("row");
    QTest::addColumn<VerdictColumn>("column");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, int at, VerdictColumn column, const char* text) {
        QTest::newRow(name) << at << column << QString::fromLatin1(text);
    };
    row("kept", 0, VerdictColumn::Verdict, "kept");
    row("why", 0, VerdictColumn::Reason, "UsedLater");
    row("missed", 0, VerdictColumn::Missed, "missed");
    row("opportunity", 0, VerdictColumn::Opportunity, "opportunity");
    row("bytes", 0, VerdictColumn::Bytes, "64 B");
    row("written", 0, VerdictColumn::Written, "a");
    row("kind", 0, VerdictColumn::Kind, "table");
    row("forced", 1, VerdictColumn::Verdict, "reinplaced, forced");
    row("no reason", 1, VerdictColumn::Reason, "");
    row("hazards, each kind once", 1, VerdictColumn::Hazards, "OldValueRead, NewAlias");
    row("large", 1, VerdictColumn::Bytes, "2.0 MiB");
    row("not missed", 1, VerdictColumn::Missed, "");
    row("symbolic", 2, VerdictColumn::Bytes, "4*s0 B");
    row("assumed", 2, VerdictColumn::Certainty, "assumed");
}

void tst_VerdictTableModel::cellsSayWhatTheDecisionSays()
{
    QFETCH(const int, row);
    QFETCH(const VerdictColumn, column);
    QFETCH(const QString, expected);
    VerdictTableModel model;
    model.setTrace(verdictTrace());

    const QModelIndex cell = model.index(row, static_cast<int>(column));

    QCOMPARE(cell.data().toString(), expected);
    QVERIFY(cell.data(Qt::AccessibleTextRole).toString().startsWith(verdictHeading(column)));
}

void tst_VerdictTableModel::marksAreShapesBesideWords()
{
    VerdictTableModel model;
    model.setTrace(verdictTrace());
    const auto badges = [&model](int row, VerdictColumn column) {
        return model.index(row, static_cast<int>(column))
            .data(VerdictTableModel::BadgesRole)
            .value<QList<Badge>>();
    };
    QCOMPARE(badges(0, VerdictColumn::Verdict), QList<Badge>{Badge::Kept});
    QCOMPARE(badges(0, VerdictColumn::Missed), QList<Badge>{Badge::Missed});
    QCOMPARE(badges(0, VerdictColumn::Opportunity), QList<Badge>{Badge::Opportunity});
    QCOMPARE(badges(1, VerdictColumn::Verdict), (QList<Badge>{Badge::InPlace, Badge::Overruled}));
    QCOMPARE(badges(1, VerdictColumn::Hazards), QList<Badge>{Badge::Hazard});
    QCOMPARE(badges(1, VerdictColumn::Missed), QList<Badge>{});
    for (int badge = 0; badge <= static_cast<int>(Badge::OnlyHere); ++badge)
        QVERIFY(!badgeWord(static_cast<Badge>(badge)).isEmpty());
}

void tst_VerdictTableModel::sortsByAnyColumn_data()
{
    QTest::addColumn<VerdictColumn>("column");
    QTest::addColumn<QString>("up");
    QTest::addColumn<QString>("down");
    const auto row = [](const char* name, VerdictColumn column, const char* up, const char* down) {
        QTest::newRow(name) << column << QString::fromLatin1(up) << QString::fromLatin1(down);
    };
    row("names by their numbers", VerdictColumn::Node, "p2 p10 s", "s p10 p2");
    row("symbolic bytes last", VerdictColumn::Bytes, "p2 p10 s", "p10 p2 s");
    row("no reason last", VerdictColumn::Reason, "s p2 p10", "p2 s p10");
    row("verdict", VerdictColumn::Verdict, "p10 p2 s", "p2 s p10");
    row("missed", VerdictColumn::Missed, "p10 s p2", "p2 p10 s");
    row("hazards by number", VerdictColumn::Hazards, "p2 s p10", "p10 p2 s");
    row("opportunity", VerdictColumn::Opportunity, "p10 s p2", "p2 p10 s");
    row("certainty", VerdictColumn::Certainty, "p2 p10 s", "s p2 p10");
    row("operator", VerdictColumn::Operator, "s p2 p10", "p2 p10 s");
    row("written", VerdictColumn::Written, "p2 p10 s", "s p10 p2");
    row("all the same", VerdictColumn::Argument, "p2 p10 s", "p2 p10 s");
    row("one kind", VerdictColumn::Kind, "p2 p10 s", "p2 p10 s");
}

void tst_VerdictTableModel::sortsByAnyColumn()
{
    QFETCH(const VerdictColumn, column);
    QFETCH(const QString, up);
    QFETCH(const QString, down);
    VerdictTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setTrace(verdictTrace());

    model.sort(static_cast<int>(column), Qt::AscendingOrder);
    QCOMPARE(shownNodes(model), up);
    model.sort(static_cast<int>(column), Qt::DescendingOrder);
    QCOMPARE(shownNodes(model), down);
    model.sort(-1);
    QCOMPARE(shownNodes(model), QStringLiteral("p2 p10 s"));
}

void tst_VerdictTableModel::namesCountTheirDigits()
{
    QVERIFY(naturallyLess("a2", "a10"));
    QVERIFY(!naturallyLess("a10", "a2"));
    QVERIFY(naturallyLess("a", "a0"));
    QVERIFY(naturallyLess("a_1_b2", "a_1_b11"));
    QVERIFY(!naturallyLess("a007", "a7")); // the same number
    QVERIFY(!naturallyLess("a7", "a007"));
    QVERIFY(naturallyLess("a99999999999999999999", "a100000000000000000000"));
    QVERIFY(!naturallyLess("", ""));
}

void tst_VerdictTableModel::filtersAndCountsWhatIsShown()
{
    const auto trace = verdictTrace();
    VerdictTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setTrace(trace);

    model.setFilter(terms("verdict:kept"));
    QCOMPARE(shownNodes(model), QStringLiteral("p2 s"));
    QVERIFY(!model.indexOf(DecisionIndex(1)).isValid());
    const VerdictTotals kept = totalsOf(*trace, model.shown());
    QCOMPARE(kept.candidates, std::size_t{2});
    QCOMPARE(kept.kept, std::size_t{2});
    QCOMPARE(kept.missed, std::size_t{1});
    QCOMPARE(kept.opportunities, std::size_t{1});
    QCOMPARE(kept.hazards, std::size_t{0});
    QCOMPARE(kept.keptBytes, 64);
    QCOMPARE(kept.symbolicallyKept, std::size_t{1});

    model.setFilter(terms("bytes>1M"));
    QCOMPARE(shownNodes(model), QStringLiteral("p10"));
    QCOMPARE(totalsOf(*trace, model.shown()).hazards, std::size_t{1});
    model.setFilter(terms("hazard:OperandAlias"));
    QCOMPARE(model.rowCount(), 0);
    model.setFilter({});
    QCOMPARE(model.rowCount(), 3);
}

void tst_VerdictTableModel::filterAndOrderStayForTheNextTrace()
{
    VerdictTableModel model;
    model.setTrace(verdictTrace());
    model.setFilter(terms("verdict:kept"));
    model.sort(static_cast<int>(VerdictColumn::Node), Qt::DescendingOrder);
    QCOMPARE(shownNodes(model), QStringLiteral("s p2"));

    model.setTrace(verdictTrace());

    QCOMPARE(shownNodes(model), QStringLiteral("s p2"));
}

void tst_VerdictTableModel::onlyTheRowsLookedAtChange()
{
    VerdictTableModel model;
    model.setTrace(verdictTrace());
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.setCurrent(DecisionIndex(1));
    QCOMPARE(changes.count(), 1);
    QVERIFY(model.index(1, 3).data(VerdictTableModel::CurrentRole).toBool());
    model.setCurrent(DecisionIndex(2));
    QCOMPARE(changes.count(), 3);
    model.setCurrent(DecisionIndex(2));
    QCOMPARE(changes.count(), 3);
}

void tst_VerdictTableModel::indexesSurviveSorting()
{
    VerdictTableModel model;
    model.setTrace(verdictTrace());
    const QPersistentModelIndex chosen(model.index(0, 4));
    model.sort(static_cast<int>(VerdictColumn::Node), Qt::DescendingOrder);
    QCOMPARE(chosen.row(), 2);
    QCOMPARE(chosen.column(), 4);
    QCOMPARE(model.decisionAt(chosen), DecisionIndex(0));
}

void tst_VerdictTableModel::tablesCanBePasted()
{
    const auto trace = verdictTrace();
    const std::vector<DecisionIndex> rows{DecisionIndex(0), DecisionIndex(2)};

    const QStringList tabs = verdictTable(*trace, rows, TableText::Tabs).split(u'\n');
    QCOMPARE(tabs.size(), 4); // headings, two rows, and what follows the last line's end
    QCOMPARE(tabs[0].split(u'\t').size(), kVerdictColumns);
    QVERIFY2(tabs[1].startsWith(QStringLiteral("p2\t0\tkept\tUsedLater\t64 B\tmissed")),
             qPrintable(tabs[1]));

    const QStringList lines = verdictTable(*trace, rows, TableText::Markdown).split(u'\n');
    QCOMPARE(lines.size(), 5);
    QVERIFY(lines[0].startsWith(QStringLiteral("| Node | Argument | Verdict |")));
    QVERIFY(lines[1].startsWith(QStringLiteral("| --- | --- | --- | --- | ---: |")));
    QCOMPARE(lines[2].count(QStringLiteral(" | ")), kVerdictColumns - 1);
}

void tst_VerdictTableModel::standsTenThousandDecisions()
{
    auto trace = std::make_shared<PassTrace>(*verdictTrace());
    const std::vector<Decision> once = trace->decisions;
    while (trace->decisions.size() < 10'000)
        trace->decisions.insert(trace->decisions.end(), once.begin(), once.end());
    VerdictTableModel model;
    model.setTrace(trace);
    model.sort(static_cast<int>(VerdictColumn::Bytes), Qt::DescendingOrder);
    QCOMPARE(model.rowCount(), static_cast<int>(trace->decisions.size()));
    QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("p10"));
    model.setFilter(terms("is:missed"));
    QCOMPARE(model.rowCount(), static_cast<int>(trace->decisions.size()) / 3);
}

QTEST_GUILESS_MAIN(tst_VerdictTableModel)
#include "tst_verdict_table_model.moc"
