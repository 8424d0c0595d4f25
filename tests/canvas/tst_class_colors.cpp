// SPDX-License-Identifier: MIT
// Classes of nodes and their colours; own rules.
#include "tests/canvas/canvas_fixture.h"

#include "views/canvas/class_colors.h"
#include "views/models/rule_classes.h"
#include "views/session/time_classes.h"

#include <QTest>

#include <set>

using namespace reinspect;

class tst_ClassColors : public QObject
{
    Q_OBJECT

private slots:
    void nodesHaveClasses_data();
    void nodesHaveClasses();
    void amountsAreAScale();
    void timesOfARunAreAScale();
    void theMemoryInUseFallsWhenTheLastReaderIsDone();
    void rulesColorTheFirstThatMatches();
    void everyColoringHasItsOwnName();
    void textOnEveryFillCanBeRead_data();
    void textOnEveryFillCanBeRead();
    void boxesOfTheSceneHaveTheirClass();
};

static QString classOf(const NodeClasses& classes, NodeId node)
{
    const std::uint8_t number = classes.of(node);
    return number == kNoClass ? QString() : classes.labels[number];
}

void tst_ClassColors::nodesHaveClasses_data()
{
    QTest::addColumn<ClassBy>("by");
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("label");
    QTest::newRow("view") << ClassBy::OperatorKind << "v"
                          << "view (1)";
    QTest::newRow("scatter") << ClassBy::OperatorKind << "p"
                             << "gather or scatter (1)";
    QTest::newRow("input") << ClassBy::OperatorKind << "x"
                           << "input or constant (3)";
    QTest::newRow("dtype") << ClassBy::DType << "i"
                           << "int64 (1)";
    QTest::newRow("shared memory") << ClassBy::Storage << "v"
                                   << "memory of c (2)";
    QTest::newRow("memory of its own") << ClassBy::Storage << "y"
                                       << "";
    QTest::newRow("verdict") << ClassBy::Verdict << "p"
                             << "kept: clone (1)";
    QTest::newRow("no candidate") << ClassBy::Verdict << "c"
                                  << "";
}

void tst_ClassColors::nodesHaveClasses()
{
    QFETCH(const ClassBy, by);
    QFETCH(const QString, node);
    QFETCH(const QString, label);
    const auto trace = traceOf(kKeptCode);
    QCOMPARE(classOf(classify(*trace, by), nodeNamed(*trace, node.toStdString())), label);
}

void tst_ClassColors::amountsAreAScale()
{
    const auto trace = traceOf(kKeptCode);
    const NodeClasses classes = classify(*trace, ClassBy::Bytes);
    QVERIFY(classes.isScale);
    // 8 bytes are less than 16.
    QVERIFY(classes.of(nodeNamed(*trace, "v")) < classes.of(nodeNamed(*trace, "c")));
    QVERIFY(classes.of(nodeNamed(*trace, "c")) < classes.labels.size());
}

void tst_ClassColors::timesOfARunAreAScale()
{
    const auto trace = traceOf(kKeptCode);
    proof::Equivalence proof;
    QVERIFY(classifyTimes(*trace, proof).isEmpty());
    proof::StageRun before;
    before.stage = "before";
    before.graph = trace->initial;
    before.run.nodeTimes = {{nodeNamed(*trace, "c"), 2e-6, 64}, {nodeNamed(*trace, "p"), 4e-4, 64}};
    proof.runs.push_back(std::move(before));

    const NodeClasses classes = classifyTimes(*trace, proof);
    QVERIFY(classes.isScale);
    QCOMPARE(classOf(classes, nodeNamed(*trace, "p")), QStringLiteral("to 400 \u00b5s"));
    QCOMPARE(classes.of(nodeNamed(*trace, "c")), std::uint8_t(0));
    QCOMPARE(classes.of(nodeNamed(*trace, "y")), kNoClass); // was not measured
}

void tst_ClassColors::theMemoryInUseFallsWhenTheLastReaderIsDone()
{
    const auto trace = traceOf(R"(
        def forward(self, x: "f32[4]"):
            a: "f32[4]" = torch.ops.aten.cos.default(x)
            b: "f32[4]" = torch.ops.aten.cos.default(a)
            c: "f32[4]" = torch.ops.aten.cos.default(b)
            return (c,)
    )");
    const std::vector<double> live = liveBytes(*trace);
    const auto at = [&](const char* name) { return live[nodeNamed(*trace, name).index()]; };
    QCOMPARE(at("x"), 16.0);
    QCOMPARE(at("a"), 32.0);
    QCOMPARE(at("b"), 48.0);
    QCOMPARE(at("c"), 48.0); // a is read no more
}

void tst_ClassColors::rulesColorTheFirstThatMatches()
{
    const auto trace = traceOf(kKeptCode);
    const NodeClasses classes =
        classifyByRules(trace,
                        {QStringLiteral("verdict:kept"), QStringLiteral("colour:red"),
                         QStringLiteral("kind:call")});
    QCOMPARE(classes.labels.size(), std::size_t(3));
    QCOMPARE(classes.of(nodeNamed(*trace, "p")), 0);
    QCOMPARE(classes.of(nodeNamed(*trace, "c")), 2);
    QCOMPARE(classes.of(nodeNamed(*trace, "x")), kNoClass);
    QVERIFY(classes.labels[1].contains(QStringLiteral("there is no \"colour\"")));
}

void tst_ClassColors::everyColoringHasItsOwnName()
{
    std::set<QString> names;
    for (const ClassBy by : allClassBys())
    {
        QVERIFY(names.insert(classByName(by)).second);
        QCOMPARE(classByNamed(classByKey(by)), by);
    }
}

void tst_ClassColors::textOnEveryFillCanBeRead_data()
{
    QTest::addColumn<QString>("theme");
    QTest::newRow("light") << "light";
    QTest::newRow("dark") << "dark";
}

void tst_ClassColors::textOnEveryFillCanBeRead()
{
    QFETCH(const QString, theme);
    const Theme& tried = theme == QLatin1String("light") ? Theme::light() : Theme::dark();
    for (const bool isScale : {false, true})
    {
        std::set<QRgb> seen;
        const std::size_t count = isScale ? 7 : 10;
        for (std::size_t i = 0; i < count; ++i)
        {
            const ClassColor color = classColor(tried, i, count, isScale);
            QVERIFY(contrast(tried.color(Surface::Text), color.fill) >= 4.5);
            QVERIFY(seen.insert(color.fill.rgb()).second);
        }
    }
}

void tst_ClassColors::boxesOfTheSceneHaveTheirClass()
{
    const auto trace = traceOf(kKeptCode);
    GraphScene scene;
    scene.setTrace(trace);
    scene.setClasses(classify(*trace, ClassBy::Verdict));
    const TraceCursor cursor(trace);
    scene.update(cursor, {}, {});
    for (std::uint32_t box = 0; box < scene.boxCount(); ++box)
        QCOMPARE(scene.classOfBox(box) != kNoClass, scene.boxNode(box) == nodeNamed(*trace, "p"));
    scene.setTrace(trace);
    QVERIFY(scene.classes().isEmpty());
}

QTEST_MAIN(tst_ClassColors)
#include "tst_class_colors.moc"
