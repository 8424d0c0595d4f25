// SPDX-License-Identifier: MIT
#include "tests/layout/layout_checks.h"

#include <QTest>

#include <limits>

using namespace reinspect;

class tst_GraphLayout : public QObject
{
    Q_OBJECT

private slots:
    void aRequestReadsBackAsItWasWritten();
    void aResultReadsBackAsItWasWritten();
    void brokenRequestsAreRefused_data();
    void brokenRequestsAreRefused();
    void textThatIsNoResultIsRefused();
    void aResultForAnotherRequestIsRefused();
};

void tst_GraphLayout::aRequestReadsBackAsItWasWritten()
{
    LayoutRequest request = randomProgram(90, 3);
    request.options = {.boxGap = 1.5, .rankGap = 2, .groupGap = 3, .aspect = 0.7};
    const Result<LayoutRequest> read = layoutRequestFromJson(toJson(request));
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message.c_str());
    QVERIFY(*read == request);
}

void tst_GraphLayout::aResultReadsBackAsItWasWritten()
{
    const LayoutResult result = rowLayout(randomProgram(90, 3));
    const Result<LayoutResult> read = layoutResultFromJson(toJson(result));
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message.c_str());
    QVERIFY(*read == result);
}

void tst_GraphLayout::brokenRequestsAreRefused_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("message");
    const QByteArray options = R"("options":{"boxGap":1,"rankGap":1,"groupGap":1,"aspect":1})";
    const auto form = [&options](const QByteArray& boxes, const QByteArray& edges,
                                 const QByteArray& groups) {
        return "{\"boxes\":" + boxes + ",\"edges\":" + edges + ",\"groups\":" + groups + ','
            + options + '}';
    };
    QTest::newRow("no JSON") << QByteArray("boxes, please") << QByteArray("not a layout request");
    QTest::newRow("another form") << QByteArray("[1, 2]") << QByteArray("not a layout request");
    QTest::newRow("box without height")
        << form("[[1]]", "[]", "[0]") << QByteArray("not a layout request");
    QTest::newRow("negative size")
        << form("[[-1,2,0]]", "[]", "[0]") << QByteArray("box 0 has no usable size");
    QTest::newRow("inset below the box")
        << form("[[1,2,3]]", "[]", "[0]") << QByteArray("box 0 has no usable");
    QTest::newRow("edge to nowhere")
        << form("[[1,2,0]]", "[[0,1]]", "[0]") << QByteArray("edge 0 to 1");
    QTest::newRow("edge backward")
        << form("[[1,2,0],[1,2,0]]", "[[1,0]]", "[0]") << QByteArray("edge 1 to 0");
    QTest::newRow("edge to itself")
        << form("[[1,2,0]]", "[[0,0]]", "[0]") << QByteArray("edge 0 to 0");
    QTest::newRow("no groups") << form("[[1,2,0]]", "[]", "[]")
                               << QByteArray("the groups do not cover");
    QTest::newRow("group beyond") << form("[[1,2,0]]", "[]", "[0,1]")
                                  << QByteArray("the groups do not cover");
}

void tst_GraphLayout::brokenRequestsAreRefused()
{
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, message);
    const Result<LayoutRequest> read = layoutRequestFromJson(json.toStdString());
    QVERIFY(!read.ok());
    QVERIFY2(read.error().message.starts_with(message.toStdString()), read.error().message.c_str());
}

void tst_GraphLayout::textThatIsNoResultIsRefused()
{
    QVERIFY(!layoutResultFromJson("").ok());
    QVERIFY(!layoutResultFromJson(R"({"boxes": []})").ok());
}

void tst_GraphLayout::aResultForAnotherRequestIsRefused()
{
    const LayoutRequest request = plainRequest(3, {{0, 1}, {1, 2}});
    LayoutResult result = rowLayout(request);
    QVERIFY(checkAnswers(result, request).ok());
    QVERIFY(!checkAnswers(result, plainRequest(2, {{0, 1}})).ok());
    result.boxes[1].x = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(!checkAnswers(result, request).ok());
}

QTEST_APPLESS_MAIN(tst_GraphLayout)
#include "tst_graph_layout.moc"
