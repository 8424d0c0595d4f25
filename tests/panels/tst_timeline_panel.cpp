// SPDX-License-Identifier: MIT
#include "core/proof/proof_report.h"
#include "tests/support/session_fixture.h"
#include "views/canvas/theme.h"
#include "views/panels/hint_stack.h"
#include "views/panels/timeline_chart.h"
#include "views/panels/timeline_panel.h"
#include "views/session/run_service.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QTemporaryDir>
#include <QTreeView>
#include <QWheelEvent>

using namespace reinspect;

// p may write k in place, a copy of c that the graph itself makes; so both stay.
static constexpr std::string_view kProgram = R"(
    def forward(self, x: "f32[1024]", i: "i64[1]", src: "f32[1]"):
        c: "f32[1024]" = torch.ops.aten.cos.default(x)
        k: "f32[1024]" = torch.ops.aten.clone.default(c)
        p: "f32[1024]" = torch.ops.aten.index_put.default(k, [i], src)
        y: "f32[1024]" = torch.ops.aten.add.Tensor(p, 1)
        return (y, c)
)";

class tst_TimelinePanel : public QObject
{
    Q_OBJECT

private slots:
    void saysWhatWouldFillIt();
    void aRunFillsALaneForEachGraph();
    void timesThatWereNotMeasuredAreNotMadeUp();
    void aClickChoosesTheNodeEverywhere();
    void theChosenNodeIsMarkedInEveryView();
    void keysWalkAndZoom();
    void theWheelKeepsTheTimeUnderTheCursor();
    void nodesOfAnotherStageAreChosenInTheLanes();
    void rowsSortAndAreCopied();
    void modelsKeepTheirPromises();
    void narrowNodesShareAPixel();
    void stepsOfTheAxisAreRound();
};

namespace
{

// 1 ms a node and 2 ms a copy, whatever they took.
void setTimes(proof::Equivalence& proof)
{
    for (proof::StageRun& run : proof.runs)
        for (exec::NodeTime& time : run.run.nodeTimes)
        {
            const Node& node = run.graph->node(time.node);
            time.seconds = node.op != NodeOp::CallFunction ? 0
                : node.target.starts_with("aten.clone")    ? 2e-3
                                                           : 1e-3;
        }
}

struct Fixture
{
    Session session;
    RunService runs{&session};
    TimelinePanel panel{&runs};

    Fixture()
    {
        panel.resize(1000, 300);
        panel.setSeen(true);
        panel.show();
    }
    bool wait()
    {
        return QTest::qWaitFor([this] { return !runs.isBusy(); }, 20'000);
    }
    bool run(std::string_view program = kProgram)
    {
        if (!show(session, program))
            return false;
        runs.run();
        return wait() && runs.result() && !runs.result()->failure;
    }
    // As if it had been made elsewhere, with times that are known.
    bool runWithTimes()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("run.json"));
        if (!run())
            return false;
        proof::Equivalence proof = runs.result()->proof;
        setTimes(proof);
        return open(path, proof);
    }
    bool open(const QString& path, const proof::Equivalence& proof)
    {
        QFile file(path);
        const std::string json = proof::proofJson(proof,
                                                  {.file = "f",
                                                   .graph = "g",
                                                   .policy = describe(session.trace()->policy),
                                                   .inputs = "seed 0"});
        if (!file.open(QIODevice::WriteOnly) || file.write(json.data()) < 0)
            return false;
        file.close();
        runs.openResults(path);
        return wait() && !runs.result()->failure;
    }
    const Timeline& timeline() const { return *panel.chart()->timeline(); }
    std::size_t laneOf(const char* stage) const
    {
        return static_cast<std::size_t>(timeline().stage(stage) - timeline().stages.data());
    }
    TimelineChart::Place placeOf(const char* stage, const char* node) const
    {
        return {laneOf(stage), timeline().stage(stage)->placeOf.at(node)};
    }
    void choose(const char* name)
    {
        session.setSelection({.nodes = {nodeNamed(session, name)}, .storage = {}});
    }
};

QStringList namesOf(const TimelineStage& stage)
{
    QStringList names;
    for (const TimelineNode& node : stage.nodes)
        names.append(toQString(node.name));
    return names;
}

// A timeline of one stage with these nodes.
std::shared_ptr<const Timeline> laneWith(std::vector<TimelineNode> nodes)
{
    auto timeline = std::make_shared<Timeline>();
    timeline->kinds = QStringList{QStringLiteral("elementwise"), QStringLiteral("copy")};
    TimelineStage stage;
    stage.stage = "after";
    for (TimelineNode& node : nodes)
    {
        node.begin = stage.seconds;
        stage.seconds += node.seconds;
        stage.placeOf.emplace(node.name, stage.nodes.size());
        stage.nodes.push_back(std::move(node));
    }
    timeline->stages.push_back(std::move(stage));
    return timeline;
}

} // namespace

void tst_TimelinePanel::saysWhatWouldFillIt()
{
    Fixture f;
    QVERIFY(f.panel.stack()->isEmpty());
    QVERIFY(f.panel.stack()->hint().contains(QStringLiteral("Open a graph")));
    QVERIFY(show(f.session, kProgram));
    f.panel.setSeen(true);
    QVERIFY(f.panel.stack()->hint().contains(QStringLiteral("F6")));
}

void tst_TimelinePanel::aRunFillsALaneForEachGraph()
{
    Fixture f;
    QVERIFY(f.run());
    QVERIFY(!f.panel.stack()->isEmpty());
    QCOMPARE(f.timeline().stages.size(), std::size_t(4));
    const TimelineStage& before = f.timeline().stages.front();
    QCOMPARE(namesOf(before).join(u' '), QStringLiteral("c k p y")); // no inputs, no output
    double sum = 0;
    for (const TimelineNode& node : before.nodes)
    {
        QVERIFY(node.seconds > 0);
        QCOMPARE(node.begin, sum);
        sum += node.seconds;
    }
    QCOMPARE(before.seconds, sum);
    QCOMPARE(before.nodes[0].bytes, std::int64_t(8192));
    QVERIFY(before.nodes[1].isCopy && !before.nodes[2].isCopy);
    // Of the pictures' kinds, so that both have one colour for each.
    QCOMPARE(f.timeline().kinds[before.nodes[1].kind], QStringLiteral("copy"));
    QCOMPARE(f.panel.stage()->count(), 4);
    QCOMPARE(f.panel.stage()->currentText(), QStringLiteral("after"));
    QCOMPARE(f.panel.table()->model()->rowCount(), 4);
}

void tst_TimelinePanel::timesThatWereNotMeasuredAreNotMadeUp()
{
    Fixture f;
    QTemporaryDir folder;
    QVERIFY(f.run());
    proof::Equivalence proof = f.runs.result()->proof;
    for (proof::StageRun& run : proof.runs)
        run.run.nodeTimes.clear();
    QVERIFY(f.open(folder.filePath(QStringLiteral("run.json")), proof));
    QVERIFY(f.panel.stack()->isEmpty());
    QVERIFY(f.panel.stack()->hint().contains(QStringLiteral("--times")));
    QCOMPARE(f.panel.saved()->text(), QString());
}

void tst_TimelinePanel::aClickChoosesTheNodeEverywhere()
{
    Fixture f;
    QVERIFY(f.runWithTimes());
    const QRectF rect = f.panel.chart()->rectOf(f.placeOf("before", "p"));
    QTest::mouseClick(f.panel.chart(), Qt::LeftButton, {}, rect.center().toPoint());
    QCOMPARE(chosenName(f.session), "p");
    QCOMPARE(f.panel.stage()->currentText(), QStringLiteral("before"));
    QCOMPARE(f.panel.sentence()->text(),
             QStringLiteral("p (index_put) in \"before\": 1 ms, 20.0 % of it, 8,204 B read and "
                            "written, 0.0082 GB/s."));
}

void tst_TimelinePanel::theChosenNodeIsMarkedInEveryView()
{
    Fixture f;
    QVERIFY(f.runWithTimes());
    f.choose("y");
    QCOMPARE(f.panel.chart()->chosen(), "y");
    QCOMPARE(f.panel.table()->currentIndex().siblingAtColumn(0).data().toString(),
             QStringLiteral("y"));
    QVERIFY(f.panel.chart()->accessibleDescription().startsWith(QStringLiteral("y (add)")));
}

void tst_TimelinePanel::keysWalkAndZoom()
{
    Fixture f;
    QVERIFY(f.runWithTimes());
    TimelineChart* chart = f.panel.chart();
    f.panel.stage()->setCurrentIndex(static_cast<int>(f.laneOf("before")));
    f.choose("c");
    QTest::keyClick(chart, Qt::Key_Right);
    QCOMPARE(chosenName(f.session), "k");
    QTest::keyClick(chart, Qt::Key_End);
    QCOMPARE(chosenName(f.session), "y");
    QTest::keyClick(chart, Qt::Key_Down); // the same node in the next graph
    QCOMPARE(chosenName(f.session), "y");
    QCOMPARE(f.panel.stage()->currentText(), QStringLiteral("after"));
    const double whole = chart->whole();
    for (int i = 0; i < 8; ++i)
        QTest::keyClick(chart, Qt::Key_Plus);
    QVERIFY(chart->span() < whole / 4);
    QTest::keyClick(chart, Qt::Key_Home); // what is chosen comes into sight
    QCOMPARE(chosenName(f.session), "c");
    QVERIFY(chart->from() < 1e-3);
    QTest::keyClick(chart, Qt::Key_PageDown);
    QVERIFY(chart->from() > 0);
    QTest::keyClick(chart, Qt::Key_0);
    QCOMPARE(chart->span(), whole);
}

void tst_TimelinePanel::theWheelKeepsTheTimeUnderTheCursor()
{
    Fixture f;
    QVERIFY(f.runWithTimes());
    TimelineChart* chart = f.panel.chart();
    const TimelineChart::Place place = f.placeOf("before", "p");
    const QPointF point = chart->rectOf(place).center();
    for (int i = 0; i < 5; ++i)
    {
        QWheelEvent turn(point, chart->mapToGlobal(point), {}, {0, 120}, Qt::NoButton,
                         Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(chart, &turn);
    }
    QVERIFY(chart->span() < chart->whole() / 2);
    QVERIFY(chart->placeAt(point) == place);
    QVERIFY(f.panel.scrollBar()->maximum() > 0);
    f.panel.scrollBar()->setValue(0);
    QCOMPARE(chart->from(), 0.0);
}

void tst_TimelinePanel::nodesOfAnotherStageAreChosenInTheLanes()
{
    Fixture f;
    QVERIFY(f.runWithTimes());
    f.choose("c");
    // No node of the picture: as of the lowering.
    emit f.panel.chart()->nodeChosen(f.laneOf("final"), QStringLiteral("no_such_node"));
    QCOMPARE(chosenName(f.session), "c");
    QVERIFY(f.panel.table()->selectionModel()->selectedRows().isEmpty());
}

void tst_TimelinePanel::rowsSortAndAreCopied()
{
    Fixture f;
    QVERIFY(f.runWithTimes());
    f.session.setSelection({});
    const QAbstractItemModel* rows = f.panel.table()->model();
    QCOMPARE(rows->index(0, TimelineModel::Name).data().toString(), QStringLiteral("k")); // longest
    f.panel.table()->sortByColumn(TimelineModel::Name, Qt::AscendingOrder);
    QCOMPARE(f.panel.chosenText(TableText::Markdown).section(u'\n', 0, 3),
             QStringLiteral("| Node | Time | Share | Bytes | GB/s | On | Operator |\n"
                            "| --- | ---: | ---: | ---: | ---: | --- | --- |\n"
                            "| c | 1 ms | 20.0 % | 8,192 B | 0.00819 | CPU | cos |\n"
                            "| k | 2 ms | 40.0 % | 8,192 B | 0.0041 | CPU | clone |"));
    f.panel.table()->setFocus();
    f.panel.table()->selectAll();
    QCOMPARE(f.panel.chosenText(TableText::Tabs).count(u'\n'), 5);
}

void tst_TimelinePanel::modelsKeepTheirPromises()
{
    TimelineModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSortFilterProxyModel sorted;
    QAbstractItemModelTester other(&sorted, QAbstractItemModelTester::FailureReportingMode::QtTest);
    sorted.setSourceModel(&model);
    sorted.setSortRole(TimelineModel::SortRole);
    sorted.sort(TimelineModel::Time);
    const auto timeline = laneWith({{.name = "a", .target = "aten.add.Tensor", .seconds = 1e-3},
                                    {.name = "b", .target = "aten.mul.Tensor", .seconds = 2e-3}});
    model.setStage(timeline, 0);
    QCOMPARE(model.rowCount(), 2);
    model.setStage(timeline, 1); // there is no such stage
    QCOMPARE(model.rowCount(), 0);
    model.setStage(nullptr, 0);
    QCOMPARE(model.indexOf("a"), QModelIndex());
}

// Thousands of nodes on a few hundred pixels: the copies among them are still seen.
void tst_TimelinePanel::narrowNodesShareAPixel()
{
    std::vector<TimelineNode> nodes;
    for (int i = 0; i < 3000; ++i)
    {
        const bool isCopy = i == 1500;
        nodes.push_back({.name = "n" + std::to_string(i),
                         .target = isCopy ? "aten.clone.default" : "aten.add.Tensor",
                         .seconds = isCopy ? 1e-5 : 1e-6,
                         .kind = static_cast<std::uint8_t>(isCopy ? 1 : 0),
                         .isCopy = isCopy});
    }
    TimelineChart chart;
    chart.resize(700, 120);
    chart.setTimeline(laneWith(std::move(nodes)));
    const QImage picture = chart.grab().toImage();
    const QRectF rect = chart.rectOf({0, 1500});
    const QRgb copies = Theme::matching(chart.palette()).style(Role::Kept).border.rgb();
    int seen = 0;
    for (int x = static_cast<int>(rect.left()) - 1; x <= static_cast<int>(rect.right()) + 1; ++x)
        seen += picture.pixel(x, static_cast<int>(rect.bottom()) - 2) == copies ? 1 : 0;
    QVERIFY(seen > 0);
    QVERIFY(picture.pixel(static_cast<int>(rect.left()) - 40, static_cast<int>(rect.bottom()) - 2)
            != copies);
    chart.setChosen("n2999");
    chart.setView(0, chart.whole() / 100);
    chart.reveal();
    QVERIFY(chart.from() > chart.whole() * 0.9);
}

void tst_TimelinePanel::stepsOfTheAxisAreRound()
{
    QCOMPARE(timeStep(1.0, 1), 1.0);
    QCOMPARE(timeStep(7.3e-3, 5), 2e-3);
    QCOMPARE(timeStep(4.1e-5, 10), 5e-6);
    QCOMPARE(timeStep(0, 4), 1.0); // nothing took any time
}

QTEST_MAIN(tst_TimelinePanel)
#include "tst_timeline_panel.moc"
