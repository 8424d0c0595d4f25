// SPDX-License-Identifier: MIT
#include "tests/layout/layout_checks.h"

#include "core/layout/graphviz_layout.h"

#include <QTest>

using namespace reinspect;

class tst_GraphvizLayout : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void nothingIsPlacedAsNothing();
    void randomProgramsKeepTheRules_data();
    void randomProgramsKeepTheRules();
    void theSameRequestGivesTheSamePicture();
    void processesGiveTheSamePicture();
    void aStopIsHeard();
};

void tst_GraphvizLayout::initTestCase()
{
    if (!hasGraphviz())
        QSKIP("This build has no Graphviz.");
}

void tst_GraphvizLayout::nothingIsPlacedAsNothing()
{
    const Result<LayoutResult> result = graphvizLayout({});
    QVERIFY(result.ok());
    QCOMPARE(result->engine, "graphviz");
}

void tst_GraphvizLayout::randomProgramsKeepTheRules_data()
{
    QTest::addColumn<unsigned>("boxes");
    for (unsigned boxes : {1u, 7u, 30u, 61u, 120u})
        QTest::addRow("%u boxes", boxes) << boxes;
}

void tst_GraphvizLayout::randomProgramsKeepTheRules()
{
    QFETCH(unsigned, boxes);
    for (unsigned seed = 0; seed < 2; ++seed)
    {
        const LayoutRequest request = randomProgram(boxes, seed);
        const Result<LayoutResult> result = graphvizLayout(request);
        QVERIFY2(result.ok(), result.ok() ? "" : result.error().message.c_str());
        // dot's lines may touch the corner of a box; that they end where they should is ours.
        QVERIFY(checkAnswers(*result, request).ok());
        VERIFY_NO_FAULT(overlapFault(*result));
        VERIFY_NO_FAULT(boundsFault(*result));
        VERIFY_NO_FAULT(directionFault(request, *result));
        VERIFY_NO_FAULT(endsFault(request, *result));
    }
}

void tst_GraphvizLayout::theSameRequestGivesTheSamePicture()
{
    const LayoutRequest request = randomProgram(100, 7);
    QVERIFY(*graphvizLayout(request) == *graphvizLayout(request));
}

// The first of these makes its own processes, so that dot starts anew in each.
void tst_GraphvizLayout::processesGiveTheSamePicture()
{
    const LayoutRequest request = randomProgram(300, 11);
    const Result<LayoutResult> one = graphvizLayout(request, {}, 1);
    QVERIFY(one.ok());
    for (const unsigned processes : {2u, 5u})
    {
        const Result<LayoutResult> several = graphvizLayout(request, {}, processes);
        QVERIFY(several.ok());
        QVERIFY(*several == *one);
    }
}

void tst_GraphvizLayout::aStopIsHeard()
{
    std::stop_source source;
    source.request_stop();
    QVERIFY(!graphvizLayout(randomProgram(50, 1), {.stop = source.get_token()}).ok());
}

QTEST_APPLESS_MAIN(tst_GraphvizLayout)
#include "tst_graphviz_layout.moc"
