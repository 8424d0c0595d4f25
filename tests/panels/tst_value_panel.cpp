// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "views/panels/hint_stack.h"
#include "views/panels/value_panel.h"
#include "views/panels/value_plots.h"
#include "views/session/run_service.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTreeWidget>

using namespace reinspect;

// Forced in place, p changes c, and y sees it: one row of y differs.
static constexpr std::string_view kProgram = R"(
    def forward(self, x: "f32[4, 3]", i: "i64[1]", src: "f32[3]"):
        c: "f32[4, 3]" = torch.ops.aten.cos.default(x)
        p: "f32[4, 3]" = torch.ops.aten.index_put.default(c, [i], src)
        y: "f32[4, 3]" = torch.ops.aten.add.Tensor(c, 1)
        n: "f32[4, 3]" = torch.ops.aten.full.default([4, 3], 2.0)
        return (p, y, n)
)";

class tst_ValuePanel : public QObject
{
    Q_OBJECT

private slots:
    void saysWhatWouldFillIt();
    void aNodeIsSummed();
    void theTableShowsAPlane();
    void differencesAreBoldAndMapped();
    void followsTheChoiceOnlyWhileSeen();
    void anotherGraphForgets();
};

namespace
{

struct Fixture
{
    Session session;
    RunService runs{&session};
    ValuePanel panel{&runs};

    void choose(const char* name)
    {
        session.setSelection({.nodes = {nodeNamed(session, name)}, .storage = {}});
    }
    bool ask(const char* name)
    {
        choose(name);
        panel.askButton()->click();
        return wait();
    }
    bool wait()
    {
        return QTest::qWaitFor([this] { return !runs.isAsking() && runs.values(); }, 20'000);
    }
    bool forced()
    {
        ReinplacePolicy policy;
        setOverride(policy, overrideFrom("p", true));
        session.setPolicy(policy);
        return show(session, kProgram);
    }
    QString fact(int row, int column) const
    {
        return panel.facts()->topLevelItem(row)->text(column);
    }
};

} // namespace

void tst_ValuePanel::saysWhatWouldFillIt()
{
    Fixture f;
    QVERIFY(f.panel.stack()->hint().contains(QStringLiteral("Open a graph")));
    QVERIFY(!f.panel.askButton()->isEnabled());
    QVERIFY(show(f.session, kProgram));
    f.choose("y");
    QCOMPARE(f.panel.askButton()->text(), QStringLiteral("Values of y"));
}

void tst_ValuePanel::aNodeIsSummed()
{
    Fixture f;
    QVERIFY(show(f.session, kProgram));
    QVERIFY(f.ask("n"));
    QVERIFY(!f.panel.stack()->isEmpty());
    QCOMPARE(f.fact(0, 1), QStringLiteral("float32[4, 3]"));
    QCOMPARE(f.fact(1, 1), QStringLiteral("12"));
    for (int column : {1, 2})
        for (int row : {2, 3, 4})
            QCOMPARE(f.fact(row, column), QStringLiteral("2"));
    QCOMPARE(f.fact(5, 1), QStringLiteral("0"));
    QVERIFY(f.panel.title()->text().contains(QStringLiteral("bit for bit")));
    QVERIFY(f.panel.heatMap()->isHidden());
}

void tst_ValuePanel::theTableShowsAPlane()
{
    Fixture f;
    QVERIFY(show(f.session, kProgram));
    QVERIFY(f.ask("n"));
    QCOMPARE(f.panel.model()->rowCount(), 4);
    QCOMPARE(f.panel.model()->columnCount(), 3);
    QCOMPARE(f.panel.model()->index(3, 2).data().toString(), QStringLiteral("2"));

    proof::Plane plane = f.panel.model()->plane();
    std::swap(plane.rowDimension, plane.columnDimension);
    f.panel.model()->setPlane(plane);
    QCOMPARE(f.panel.model()->rowCount(), 3);
    QCOMPARE(f.panel.model()->columnCount(), 4);
}

void tst_ValuePanel::differencesAreBoldAndMapped()
{
    Fixture f;
    QVERIFY(f.forced());
    QVERIFY(f.ask("y"));
    QVERIFY2(f.panel.title()->text().contains(QStringLiteral("differs in 3 elements")),
             qPrintable(f.panel.title()->text()));
    QVERIFY(!f.panel.heatMap()->isHidden());
    QVERIFY(f.panel.heatMap()->most() > 0);
    int bold = 0;
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 3; ++column)
            bold += f.panel.model()->index(row, column).data(Qt::FontRole).value<QFont>().bold();
    QCOMPARE(bold, 3);
    f.panel.shown()->setCurrentIndex(static_cast<int>(ShownValue::Difference));
    int zeros = 0;
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 3; ++column)
            zeros += f.panel.model()->index(row, column).data().toString() == QStringLiteral("0");
    QCOMPARE(zeros, 9);
}

void tst_ValuePanel::followsTheChoiceOnlyWhileSeen()
{
    Fixture f;
    QVERIFY(show(f.session, kProgram));
    f.panel.follow()->setChecked(true);
    f.choose("y");
    QVERIFY(!f.runs.isAsking());
    f.panel.setSeen(true);
    QVERIFY(f.wait());
    QCOMPARE(f.runs.values()->node, "y");
    f.choose("c");
    QVERIFY(f.wait());
    QCOMPARE(f.runs.values()->node, "c");
}

void tst_ValuePanel::anotherGraphForgets()
{
    Fixture f;
    QVERIFY(show(f.session, kProgram));
    QVERIFY(f.ask("y"));
    f.session.setDocument(documentFrom(kProgram));
    QVERIFY(!f.runs.values());
    QVERIFY(f.panel.stack()->isEmpty());
}

QTEST_MAIN(tst_ValuePanel)
#include "tst_value_panel.moc"
