// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "views/panels/hint_stack.h"
#include "views/panels/memory_chart.h"
#include "views/panels/memory_panel.h"
#include "views/session/run_service.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QToolButton>
#include <QTreeWidget>

using namespace reinspect;

// p may write c in place: nothing reads c later. 4096 bytes a tensor.
static constexpr std::string_view kProgram = R"(
    def forward(self, x: "f32[1024]", i: "i64[1]", src: "f32[1]"):
        c: "f32[1024]" = torch.ops.aten.cos.default(x)
        p: "f32[1024]" = torch.ops.aten.index_put.default(c, [i], src)
        y: "f32[1024]" = torch.ops.aten.add.Tensor(p, 1)
        return (y,)
)";

class tst_MemoryPanel : public QObject
{
    Q_OBJECT

private slots:
    void predictsWithoutARun();
    void aRunAddsWhatItMeasured();
    void countsOnlyWhileItIsSeen();
    void aClickChoosesTheNode();
    void keysWalkAlongTheAxis();
    void nodesOfTheLoweringAreOnTheAxis();
    void savedBytesLeadToTheDecision();
    void linesAreHiddenAndStacked();
    void byteStepsAreRound_data();
    void byteStepsAreRound();
};

namespace
{

struct Fixture
{
    Session session;
    RunService runs{&session};
    MemoryPanel panel{&runs};

    bool open(std::string_view program)
    {
        panel.resize(900, 300);
        panel.setSeen(true);
        return show(session, program) && wait();
    }
    bool wait()
    {
        return QTest::qWaitFor(
            [this] {
                return !runs.isBusy() && !panel.service()->isBusy() && panel.service()->curves();
            },
            20'000);
    }
    const MemoryCurve& curve(std::size_t index) const
    {
        return panel.service()->curves()->curves[index];
    }
    void choose(const char* name)
    {
        session.setSelection({.nodes = {nodeNamed(session, name)}, .storage = {}});
    }
};

} // namespace

void tst_MemoryPanel::predictsWithoutARun()
{
    Fixture f;
    QVERIFY(f.panel.stack()->isEmpty());
    QVERIFY(f.open(kProgram));
    QVERIFY(!f.panel.stack()->isEmpty());
    QVERIFY(!f.panel.service()->curves()->isMeasured());
    QCOMPARE(f.curve(0).stage, "before");
    QCOMPARE(f.curve(0).predicted.peakBytes, 8192); // two of c, p, y
    QCOMPARE(f.curve(0).atPeak.size(), std::size_t(2));
    QCOMPARE(f.panel.atPeak()->topLevelItemCount(), 2);
    QVERIFY(f.panel.button(0)->text().contains(QStringLiteral("8,192 B")));
}

void tst_MemoryPanel::aRunAddsWhatItMeasured()
{
    Fixture f;
    QVERIFY(f.open(kProgram));
    f.runs.run();
    QVERIFY(f.wait());
    QVERIFY(QTest::qWaitFor([&] { return f.panel.service()->curves()->isMeasured(); }, 10'000));
    for (std::size_t i = 0; i < 4; ++i)
    {
        const MemoryCurve& curve = f.curve(i);
        QCOMPARE(curve.measured.peakBytes, curve.predicted.peakBytes);
        QCOMPARE(curve.measured.live, curve.predicted.live);
        QCOMPARE(curve.measured.high, curve.predicted.high);
    }
}

void tst_MemoryPanel::countsOnlyWhileItIsSeen()
{
    Fixture f;
    QVERIFY(show(f.session, kProgram));
    QVERIFY(!f.panel.service()->isBusy());
    QVERIFY(!f.panel.service()->curves());
    f.panel.setSeen(true);
    QVERIFY(f.wait());
}

void tst_MemoryPanel::aClickChoosesTheNode()
{
    Fixture f;
    QVERIFY(f.open(kProgram));
    f.panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&f.panel));
    const MemoryCurves& curves = *f.panel.service()->curves();
    MemoryChart* chart = f.panel.chart();
    const QPoint point = chart->pointAt(curves.placeOf.at("p"), 100).toPoint();
    QTest::mouseClick(chart, Qt::LeftButton, {}, point);
    QCOMPARE(chosenName(f.session), "p");
    QCOMPARE(chart->chosenPlace(), curves.placeOf.at("p"));
    QVERIFY2(f.panel.sentence()->text().contains(QStringLiteral("p: ")),
             qPrintable(f.panel.sentence()->text()));
}

void tst_MemoryPanel::keysWalkAlongTheAxis()
{
    Fixture f;
    QVERIFY(f.open(kProgram));
    f.choose("c");
    QTest::keyClick(f.panel.chart(), Qt::Key_Right);
    QCOMPARE(chosenName(f.session), "p");
    QTest::keyClick(f.panel.chart(), Qt::Key_Home);
    QCOMPARE(chosenName(f.session), "x");
    QTest::keyClick(f.panel.chart(), Qt::Key_PageDown);
    QCOMPARE(chosenName(f.session), f.curve(0).best().peakNode);
}

void tst_MemoryPanel::nodesOfTheLoweringAreOnTheAxis()
{
    Fixture f;
    QVERIFY(f.open(kProgram));
    const MemoryCurves& curves = *f.panel.service()->curves();
    for (const MemoryCurve& curve : curves.curves)
    {
        QVERIFY(std::ranges::is_sorted(curve.places));
        QCOMPARE(curve.places.size(), curve.predicted.live.size());
        for (const MemoryBand& band : curve.bands)
            QVERIFY(band.born < band.died && band.died <= curves.axis.size());
    }
    QCOMPARE(curves.placeOf.size(), curves.axis.size());
}

void tst_MemoryPanel::savedBytesLeadToTheDecision()
{
    Fixture f;
    QVERIFY(f.open(kProgram));
    QVERIFY(QTest::qWaitFor([&] { return f.panel.service()->saved() != nullptr; }, 10'000));
    QCOMPARE(f.panel.saved()->topLevelItemCount(), 1);
    QTreeWidgetItem* row = f.panel.saved()->topLevelItem(0);
    QCOMPARE(row->text(1), QStringLiteral("4,096 B")); // allocated less
    QCOMPARE(row->text(2), QStringLiteral("0 B"));     // the peak lies elsewhere, and is as high
    emit f.panel.saved()->itemActivated(row, 0);
    QCOMPARE(f.session.event(), f.session.trace()->decisionFor("p")->decided);
}

void tst_MemoryPanel::linesAreHiddenAndStacked()
{
    Fixture f;
    QVERIFY(f.open(kProgram));
    f.panel.show();
    f.choose("p");
    QVERIFY(QTest::qWaitForWindowExposed(&f.panel));
    const QImage lines = f.panel.chart()->grab().toImage();
    f.panel.stacked()->setChecked(true);
    const QImage stacked = f.panel.chart()->grab().toImage();
    QVERIFY(lines != stacked);
    f.panel.button(0)->setChecked(false);
    QVERIFY(!f.panel.chart()->isShown(0));
    QVERIFY(!f.panel.sentence()->text().contains(QStringLiteral("before")));
    QVERIFY(f.panel.chart()->grab().toImage() != stacked);
}

void tst_MemoryPanel::byteStepsAreRound_data()
{
    QTest::addColumn<qint64>("most");
    QTest::addColumn<int>("lines");
    QTest::addColumn<qint64>("step");
    QTest::newRow("nothing") << qint64(0) << 4 << qint64(1);
    QTest::newRow("few") << qint64(1024) << 4 << qint64(512);
    QTest::newRow("many") << (qint64(3) << 30) << 5 << (qint64(1) << 30);
}

void tst_MemoryPanel::byteStepsAreRound()
{
    QFETCH(qint64, most);
    QFETCH(int, lines);
    QFETCH(qint64, step);
    QCOMPARE(qint64(byteStep(most, lines)), step);
}

QTEST_MAIN(tst_MemoryPanel)
#include "tst_memory_panel.moc"
