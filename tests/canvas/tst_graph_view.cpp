// SPDX-License-Identifier: MIT
#include "tests/canvas/canvas_fixture.h"
#include "views/canvas/graph_view.h"
#include "views/canvas/legend.h"
#include "views/session/session.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

using namespace reinspect;

class tst_GraphView : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void aSmallGraphIsShownWhole();
    void aClickSelectsAndASecondOneWithControlAdds();
    void aClickBesideEverythingClearsTheSelection();
    void aDragMovesThePictureAndSelectsNothing();
    void controlAndWheelZoomAtTheMouse();
    void theWheelAlonePans();
    void keysZoomAndFit();
    void arrowKeysWalkAlongEdges();
    void aDoubleClickCenters();
    void steppingMovesNoBox();
    void theChosenNodeStaysWhenTheLayoutIsReplaced();
    void aMissingHelperIsSaidAndTheRowsStay();
    void theLegendExplainsOnlyWhatOccurs();
    void aLegendThatHidesABoxFoldsOnce();
    void theWholePictureIsAnImage();
    void picturesAreSavedByTheirEnding_data();
    void picturesAreSavedByTheirEnding();
    void itSpeaksToAssistiveTechnology();

private:
    void show(std::string_view code);
    NodeId node(std::string_view name) const { return nodeNamed(*m_session->trace(), name); }
    QPoint at(std::string_view name) const
    {
        return m_view->screenRect(node(name)).center().toPoint();
    }
    std::string chosen() const
    {
        const NodeId primary = m_session->selection().primary();
        return primary ? m_session->trace()->nameOf(primary) : std::string();
    }

    std::unique_ptr<Session> m_session;
    std::unique_ptr<GraphView> m_view;
};

void tst_GraphView::init()
{
    qputenv("REINSPECT_LAYOUT", "/nonexistent/reinspect-layout");
    m_session = std::make_unique<Session>();
    m_view = std::make_unique<GraphView>(m_session.get());
    m_view->resize(900, 700);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
}

void tst_GraphView::cleanup()
{
    m_view.reset();
    m_session.reset();
}

void tst_GraphView::show(std::string_view code)
{
    m_session->setDocument(documentFrom(code));
    QTRY_VERIFY(m_session->trace());
    QTRY_VERIFY(m_view->isLayoutSettled());
}

void tst_GraphView::aSmallGraphIsShownWhole()
{
    show(kKeptCode);
    QVERIFY(m_view->viewport().sceneRect().contains(m_view->scene().bounds()));
    QVERIFY(m_view->zoom() <= 1);
}

void tst_GraphView::aClickSelectsAndASecondOneWithControlAdds()
{
    show(kKeptCode);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, at("p"));
    QCOMPARE(chosen(), "p");
    QTest::mouseClick(m_view.get(), Qt::LeftButton, Qt::ControlModifier, at("y"));
    QCOMPARE(m_session->selection().nodes, (std::vector<NodeId>{node("y"), node("p")}));
}

void tst_GraphView::aClickBesideEverythingClearsTheSelection()
{
    show(kKeptCode);
    m_session->setSelection({{node("p")}, {}});
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, QPoint(3, 3));
    QVERIFY(m_session->selection().nodes.empty());
}

void tst_GraphView::aDragMovesThePictureAndSelectsNothing()
{
    show(kKeptCode);
    const Selection chosenBefore = m_session->selection();
    const QPoint start = at("y");
    QTest::mousePress(m_view.get(), Qt::LeftButton, {}, start);
    QTest::mouseMove(m_view.get(), start + QPoint(40, 30));
    QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, start + QPoint(40, 30));
    QCOMPARE(at("y"), start + QPoint(40, 30));
    QVERIFY(m_session->selection() == chosenBefore);
}

static void turnWheel(QWidget* widget, QPoint position, QPoint angle,
                      Qt::KeyboardModifiers modifiers)
{
    QWheelEvent event(position, widget->mapToGlobal(position), {}, angle, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
}

void tst_GraphView::controlAndWheelZoomAtTheMouse()
{
    show(kKeptCode);
    const QPoint mouse = at("y");
    const double before = m_view->zoom();
    turnWheel(m_view.get(), mouse, {0, 240}, Qt::ControlModifier);
    QVERIFY(m_view->zoom() > before);
    QVERIFY((at("y") - mouse).manhattanLength() <= 1);
}

void tst_GraphView::theWheelAlonePans()
{
    show(kKeptCode);
    const double zoom = m_view->zoom();
    const QPoint before = at("p");
    turnWheel(m_view.get(), before, {0, 120}, {});
    QCOMPARE(m_view->zoom(), zoom);
    QVERIFY(at("p").y() > before.y());
    QCOMPARE(at("p").x(), before.x());
}

void tst_GraphView::keysZoomAndFit()
{
    show(kKeptCode);
    const double fitted = m_view->zoom();
    QTest::keyClick(m_view.get(), Qt::Key_Plus);
    QVERIFY(m_view->zoom() > fitted);
    QTest::keyClick(m_view.get(), Qt::Key_0);
    QCOMPARE(m_view->zoom(), 1.0);
    QTest::keyClick(m_view.get(), Qt::Key_Minus);
    QVERIFY(m_view->zoom() < 1);
    QTest::keyClick(m_view.get(), Qt::Key_F);
    QCOMPARE(m_view->zoom(), fitted);
}

void tst_GraphView::arrowKeysWalkAlongEdges()
{
    show(kKeptCode);
    m_session->setSelection({{node("p")}, {}});
    QTest::keyClick(m_view.get(), Qt::Key_Up);
    QCOMPARE(chosen(), "c");
    QTest::keyClick(m_view.get(), Qt::Key_Down);
    QCOMPARE(chosen(), "v");
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    QCOMPARE(chosen(), "");
}

void tst_GraphView::aDoubleClickCenters()
{
    show(kKeptCode);
    QTest::mouseDClick(m_view.get(), Qt::LeftButton, {}, at("y"));
    QVERIFY((at("y") - m_view->rect().center()).manhattanLength() <= 2);
}

void tst_GraphView::steppingMovesNoBox()
{
    show(kCopiedBackCode);
    const QPoint before = at("s");
    m_session->step(Move::ToStart);
    m_session->step(Move::ToEnd);
    m_session->step(Move::BackInto);
    QCOMPARE(at("s"), before);
}

void tst_GraphView::theChosenNodeStaysWhenTheLayoutIsReplaced()
{
#ifdef REINSPECT_LAYOUT_PROGRAM
    qputenv("REINSPECT_LAYOUT", REINSPECT_LAYOUT_PROGRAM);
#else
    QSKIP("reinspect-layout is not built: there is no Graphviz.");
#endif
    QSignalSpy traced(m_session.get(), &Session::traceChanged);
    m_session->setDocument(documentFrom(kKeptCode));
    QVERIFY(traced.wait());
    QVERIFY(!m_view->isLayoutSettled());
    m_session->setSelection({{node("p")}, {}});
    m_view->zoomIn(); // the reader has taken over
    const QPoint before = at("p");
    QSignalSpy settled(m_view.get(), &GraphView::layoutSettled);
    QVERIFY(settled.wait());
    QVERIFY((at("p") - before).manhattanLength() <= 1);
}

void tst_GraphView::aMissingHelperIsSaidAndTheRowsStay()
{
    show(kKeptCode);
    QVERIFY(m_session->message().contains(QStringLiteral("reinspect-layout")));
    QVERIFY(!m_view->scene().isEmpty());
}

void tst_GraphView::theLegendExplainsOnlyWhatOccurs()
{
    const auto* legend = m_view->findChild<LegendItem*>();
    QVERIFY(!legend->isVisible());
    show(kKeptCode);
    m_session->step(Move::ToStart);
    QVERIFY(legend->isVisible());
    QVERIFY(legend->accessibleDescription().contains(roleMeaning(Role::Candidate)));
    QVERIFY(!legend->accessibleDescription().contains(roleMeaning(Role::Kept)));
    m_session->step(Move::ToEnd);
    QVERIFY(legend->accessibleDescription().contains(roleMeaning(Role::Kept)));
    m_view->setLegendVisible(false);
    QVERIFY(!legend->isVisible());
}

void tst_GraphView::aLegendThatHidesABoxFoldsOnce()
{
    m_view->resize(560, 560);
    show(kKeptCode);
    auto* legend = m_view->findChild<LegendItem*>();
    QVERIFY(legend->isFolded());
    for (const char* name : {"x", "i", "src", "c", "v", "p", "y", "output"})
        QVERIFY2(!m_view->screenRect(node(name)).intersects(legend->geometry()), name);

    // The reader wants it nevertheless: it stays open from then on.
    legend->setFolded(false);
    m_session->step(Move::BackInto);
    QVERIFY(!legend->isFolded());
    // A view that shows all again is another matter.
    m_view->fit();
    QVERIFY(legend->isFolded());
}

void tst_GraphView::theWholePictureIsAnImage()
{
    QVERIFY(m_view->renderWhole(1).isNull());
    show(kKeptCode);
    const QImage image = m_view->renderWhole(2);
    QCOMPARE(image.size(), (m_view->scene().bounds().size() * 2).toSize());
    QCOMPARE(image.pixelColor(0, 0), m_view->theme().color(Surface::Background));
}

void tst_GraphView::picturesAreSavedByTheirEnding_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("svg") << QStringLiteral("a.svg") << QByteArray("<?xml");
    QTest::newRow("pdf") << QStringLiteral("a.pdf") << QByteArray("%PDF");
    QTest::newRow("png") << QStringLiteral("a.PNG") << QByteArray("\x89PNG");
    QTest::newRow("other") << QStringLiteral("a.bmp") << QByteArray();
    QTest::newRow("no such folder") << QStringLiteral("no/such/folder/a.png") << QByteArray();
}

void tst_GraphView::picturesAreSavedByTheirEnding()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, start);
    show(kKeptCode);
    const QTemporaryDir folder;
    const QString path = folder.filePath(name);
    const Result<void> saved = m_view->savePicture(path);
    QCOMPARE(saved.ok(), !start.isEmpty());
    if (!saved)
        return;
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().startsWith(start));
}

void tst_GraphView::itSpeaksToAssistiveTechnology()
{
    QVERIFY(!m_view->accessibleName().isEmpty());
    show(kKeptCode);
    m_session->setSelection({{node("p")}, {}});
    QVERIFY(m_view->accessibleDescription().contains(QStringLiteral("index_put")));
}

QTEST_MAIN(tst_GraphView)
#include "tst_graph_view.moc"
