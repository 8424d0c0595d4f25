// SPDX-License-Identifier: MIT
// Queries: how they read, what is wrong with them, and which nodes of a small program they find.
#include "tests/support/graph_text.h"
#include "tests/support/small_programs.h"

#include "core/passes/reinplace_pass.h"
#include "views/models/found_model.h"
#include "views/models/node_search.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace reinspect;

class tst_NodeSearch : public QObject
{
    Q_OBJECT

private slots:
    void queriesFind_data();
    void queriesFind();
    void badQueriesSayWhatIsWrong_data();
    void badQueriesSayWhatIsWrong();
    void foundNodesAreRowsOfATable();
};

static std::shared_ptr<const PassTrace> traceOf(std::string_view code)
{
    const std::shared_ptr<const Document> document = documentFrom(code);
    return *runReinplace({document->graphs.front().graph, document->facts, document->shapes});
}

static QString namesFound(const PassTrace& trace, const std::vector<NodeId>& nodes)
{
    QStringList names;
    for (const NodeId node : nodes)
        names.append(QString::fromStdString(trace.nameOf(node)));
    return names.join(u' ');
}

void tst_NodeSearch::queriesFind_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<QString>("found");
    QTest::newRow("part of a name or operator") << "index"
                                                << "p";
    QTest::newRow("in program order") << "kind:call"
                                      << "c v p y";
    QTest::newRow("operator") << "op:add"
                              << "y";
    QTest::newRow("operator, whole") << "op=index_put"
                                     << "p";
    QTest::newRow("operator, not whole") << "op=index"
                                         << "";
    QTest::newRow("alternatives") << "op:cos,add"
                                  << "c y";
    QTest::newRow("dtype") << "dtype:i64"
                           << "i";
    QTest::newRow("shape with and without blanks") << "shape:[2]"
                                                   << "v y";
    QTest::newRow("storage by any of its names") << "storage=v"
                                                 << "c v";
    QTest::newRow("verdict") << "verdict:kept"
                             << "p";
    QTest::newRow("reason without case") << "reason:usedlater"
                                         << "p";
    QTest::newRow("all must hold") << "verdict:kept op:cos"
                                   << "";
    QTest::newRow("bytes") << "bytes>8 kind:call"
                           << "c p";
    QTest::newRow("bytes in units") << "bytes<0.01K kind:call"
                                    << "v y";
    QTest::newRow("sign after the colon") << "bytes:>=16 kind:call"
                                          << "c p";
    QTest::newRow("users") << "users>1"
                           << "c";
    QTest::newRow("negated") << "kind:call -op:index_put -view"
                             << "c v y";
    QTest::newRow("negated kind") << "kind:call -kind:view"
                                  << "c p y";
    QTest::newRow("capitals do not matter") << "OP:Add"
                                            << "y";
    QTest::newRow("quoted") << "\"index\""
                            << "p";
    QTest::newRow("input") << "kind:input"
                           << "x i src";
}

void tst_NodeSearch::queriesFind()
{
    QFETCH(const QString, query);
    QFETCH(const QString, found);
    const auto trace = traceOf(kKeptCode);
    const NodeSearch search(trace);
    const Result<std::vector<QueryTerm>> terms = parseQuery(query.toStdString());
    QVERIFY(terms.ok());
    QCOMPARE(namesFound(*trace, search.find(*terms)), found);
}

void tst_NodeSearch::badQueriesSayWhatIsWrong_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<QString>("message");
    QTest::newRow("unknown key") << "colour:red"
                                 << "there is no \"colour\" to look for";
    QTest::newRow("no value") << "op:"
                              << "\"op\" needs a value";
    QTest::newRow("no number") << "bytes>much"
                               << "\"much\" is no number";
    QTest::newRow("unknown unit") << "bytes>1X"
                                  << "\"1x\" is no number";
    QTest::newRow("text compared") << "name>b"
                                   << "\"name\" is a text";
}

void tst_NodeSearch::badQueriesSayWhatIsWrong()
{
    QFETCH(const QString, query);
    QFETCH(const QString, message);
    const Result<std::vector<QueryTerm>> terms = parseQuery(query.toStdString());
    QVERIFY(!terms.ok());
    QCOMPARE(QString::fromStdString(terms.error().message), message);
    QVERIFY(!terms.error().hint.empty());
}

void tst_NodeSearch::foundNodesAreRowsOfATable()
{
    const auto trace = traceOf(kKeptCode);
    FoundModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setNodes(trace, NodeSearch(trace).find(*parseQuery("op:index_put")));
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.index(0, FoundModel::Name).data().toString(), QStringLiteral("p"));
    QCOMPARE(model.index(0, FoundModel::Operator).data().toString(), QStringLiteral("index_put"));
    QCOMPARE(model.index(0, FoundModel::Shape).data().toString(), QStringLiteral("f32[4]"));
    QCOMPARE(model.index(0, FoundModel::Bytes).data().toString(), QStringLiteral("16 B"));
    QCOMPARE(model.index(0, FoundModel::Verdict).data().toString(), QStringLiteral("kept"));
    model.setNodes(trace, {});
    QCOMPARE(model.rowCount(), 0);
}

QTEST_GUILESS_MAIN(tst_NodeSearch)
#include "tst_node_search.moc"
