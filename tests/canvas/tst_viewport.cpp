// SPDX-License-Identifier: MIT
#include "views/canvas/grid_index.h"
#include "views/canvas/viewport.h"

#include <QTest>

#include <random>

using namespace reinspect;

class tst_Viewport : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void zoomingKeepsThePointUnderTheAnchor();
    void zoomStopsAtItsLimits();
    void fittingShowsAllAndIsNeverTooLarge();
    void revealingMovesNoMoreThanNeeded();
    void resizingKeepsTheMiddle();
    void theSceneCannotBeLost();
    void theGridFindsWhatASearchOfAllFinds();
    void theGridFindsLinesWithoutWidth();

private:
    Viewport m_viewport;
};

void tst_Viewport::init()
{
    m_viewport = {};
    m_viewport.resize({800, 600});
    m_viewport.center({400, 300});
}

void tst_Viewport::zoomingKeepsThePointUnderTheAnchor()
{
    const QPointF anchor(123, 456);
    m_viewport.pan({-70, 30});
    const QPointF before = m_viewport.toScene(anchor);
    m_viewport.zoomTo(2.5, anchor);
    QCOMPARE(m_viewport.scale(), 2.5);
    QCOMPARE(m_viewport.toScene(anchor), before);
    QCOMPARE(m_viewport.transform().map(before), anchor);
}

void tst_Viewport::zoomStopsAtItsLimits()
{
    m_viewport.zoomTo(1e9, {});
    QCOMPARE(m_viewport.scale(), Viewport::kLargest);
    m_viewport.zoomTo(0, {});
    QCOMPARE(m_viewport.scale(), Viewport::kSmallest);
}

void tst_Viewport::fittingShowsAllAndIsNeverTooLarge()
{
    const QRectF large(100, 100, 4000, 1000);
    m_viewport.fit(large, 1, 10);
    QVERIFY(m_viewport.sceneRect().contains(large));
    m_viewport.fit(QRectF(0, 0, 10, 10), 1, 10);
    QCOMPARE(m_viewport.scale(), 1.0);
    QCOMPARE(m_viewport.sceneRect().center(), QPointF(5, 5));
}

void tst_Viewport::revealingMovesNoMoreThanNeeded()
{
    const Viewport before = m_viewport;
    m_viewport.reveal(QRectF(100, 100, 50, 50), 20);
    QVERIFY(m_viewport == before); // it was there
    m_viewport.reveal(QRectF(790, 100, 50, 50), 20);
    QCOMPARE(m_viewport.toScreen(QPointF(840, 0)).x(), 780.0);
    QCOMPARE(m_viewport.toScreen(QPointF(0, 100)).y(), 100.0);
}

void tst_Viewport::resizingKeepsTheMiddle()
{
    const QPointF middle = m_viewport.sceneRect().center();
    m_viewport.resize({300, 900});
    QCOMPARE(m_viewport.sceneRect().center(), middle);
}

void tst_Viewport::theSceneCannotBeLost()
{
    m_viewport.pan({1e7, -1e7});
    m_viewport.keepNear(QRectF(0, 0, 500, 500));
    QVERIFY(m_viewport.sceneRect().intersects(QRectF(0, 0, 500, 500)));
}

static bool touches(const QRectF& a, const QRectF& b)
{
    return a.left() <= b.right() && b.left() <= a.right() && a.top() <= b.bottom()
        && b.top() <= a.bottom();
}

void tst_Viewport::theGridFindsWhatASearchOfAllFinds()
{
    std::mt19937 random(5);
    const auto upTo = [&random](int limit) {
        return static_cast<double>(random() % static_cast<unsigned>(limit));
    };
    std::vector<QRectF> rects;
    for (int i = 0; i < 500; ++i)
        rects.emplace_back(upTo(5000), upTo(3000), 1 + upTo(300), 1 + upTo(80));
    const GridIndex index(rects);
    for (int i = 0; i < 200; ++i)
    {
        const QRectF area(upTo(5000), upTo(3000), 1 + upTo(900), 1 + upTo(900));
        std::vector<std::uint32_t> expected;
        for (std::uint32_t number = 0; number < rects.size(); ++number)
        {
            if (touches(rects[number], area))
                expected.push_back(number);
        }
        QCOMPARE(index.in(area), expected);
    }
}

void tst_Viewport::theGridFindsLinesWithoutWidth()
{
    const GridIndex index({QRectF(10, 0, 0, 100), QRectF(500, 500, 10, 10)});
    QCOMPARE(index.in(QRectF(0, 40, 20, 20)), (std::vector<std::uint32_t>{0}));
    QVERIFY(GridIndex().in(QRectF(0, 0, 10, 10)).empty());
}

QTEST_MAIN(tst_Viewport)
#include "tst_viewport.moc"
