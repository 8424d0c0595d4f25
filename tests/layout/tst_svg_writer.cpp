// SPDX-License-Identifier: MIT
#include "core/layout/node_label.h"
#include "core/layout/svg_writer.h"

#include <QTest>
#include <QXmlStreamReader>

using namespace reinspect;

class tst_SvgWriter : public QObject
{
    Q_OBJECT

private slots:
    void everyNodeAndEdgeIsDrawn();
    void namesCannotBreakTheFile();
    void operatorsAreNamedShortly_data();
    void operatorsAreNamedShortly();
};

static Node makeNode(const std::string& name, NodeOp op, const std::string& target,
                     NodeId input = {})
{
    Node node;
    node.name = name;
    node.op = op;
    node.target = target;
    if (input)
        node.args.push_back({input});
    return node;
}

static Graph sineOf(const std::string& inputName)
{
    Graph graph;
    const NodeId x = graph.append(makeNode(inputName, NodeOp::Placeholder, inputName));
    const NodeId y = graph.append(makeNode("sin", NodeOp::CallFunction, "aten.sin.default", x));
    graph.append(makeNode("output", NodeOp::Output, "output", y));
    return graph;
}

static int countElements(const std::string& svg, const QString& name)
{
    QXmlStreamReader reader(QByteArray::fromStdString(svg));
    int count = 0;
    while (!reader.atEnd())
    {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == name)
            ++count;
    }
    return reader.hasError() ? -1 : count;
}

void tst_SvgWriter::everyNodeAndEdgeIsDrawn()
{
    const std::string svg = writeSvg(sineOf("x"));
    QCOMPARE(countElements(svg, QStringLiteral("g")), 3);
    QCOMPARE(countElements(svg, QStringLiteral("polyline")), 2);
    QVERIFY(svg.find(">sin</text>") != std::string::npos);
}

void tst_SvgWriter::namesCannotBreakTheFile()
{
    QCOMPARE(countElements(writeSvg(sineOf("a<b>&\"c\"\x01")), QStringLiteral("g")), 3);
    QVERIFY(countElements(writeSvg(Graph()), QStringLiteral("svg")) == 1);
}

void tst_SvgWriter::operatorsAreNamedShortly_data()
{
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("default overload")
        << QByteArray("aten.index_put_.default") << QByteArray("index_put_");
    QTest::newRow("named overload") << QByteArray("aten.sum.dim_IntList") << QByteArray("sum");
    QTest::newRow("python") << QByteArray("operator.getitem") << QByteArray("getitem");
    QTest::newRow("higher order") << QByteArray("higher_order.cond") << QByteArray("cond");
    QTest::newRow("other library")
        << QByteArray("demo.scale_.default") << QByteArray("demo.scale_");
}

void tst_SvgWriter::operatorsAreNamedShortly()
{
    QFETCH(QByteArray, target);
    QFETCH(QByteArray, expected);
    QCOMPARE(shortOperator(target.toStdString()), expected.toStdString());
}

QTEST_APPLESS_MAIN(tst_SvgWriter)
#include "tst_svg_writer.moc"
