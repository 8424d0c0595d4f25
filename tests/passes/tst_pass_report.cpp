// SPDX-License-Identifier: MIT
#include "core/passes/pass_report.h"

#include "core/passes/reinplace_pass.h"

#include "tests/support/graph_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace reinspect;

class tst_PassReport : public QObject
{
    Q_OBJECT

private slots:
    void theReportHasItsKeys();
    void aReportWithoutGraphsIsEmpty();
};

static QJsonObject reportOf(std::span<const std::shared_ptr<const PassTrace>> traces)
{
    const std::string text = decisionsJson("a.fx", "torch-2.11", traces);
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

void tst_PassReport::theReportHasItsKeys()
{
    const Graph graph = graphFrom(R"(
        def forward(self, x: "f32[8][1]cuda:0", i: "i64[3][1]cuda:0", v: "f32[3][1]cuda:0"):
            cos: "f32[8][1]cuda:0" = torch.ops.aten.cos.default(x)
            put: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(cos, [i], v)
            put_1: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(x, [i], v)
            copy_: "f32[8][1]cuda:0" = torch.ops.aten.copy_.default(x, put_1)
            return (put, cos)
    )");
    const std::vector traces{runReinplace({std::make_shared<const Graph>(graph)}).value()};

    const QJsonObject report = reportOf(traces);
    QCOMPARE(report["file"].toString(), QString("a.fx"));
    QCOMPARE(report["policy"].toString(), QString("torch-2.11"));
    QCOMPARE(report["graphs"].toArray().size(), 1);
    const QJsonObject entry = report["graphs"].toArray()[0].toObject();
    QCOMPARE(entry["nodes"].toInt(), static_cast<int>(graph.size()));
    QCOMPARE(entry["decisions"].toArray().size(), 2);

    const QJsonObject kept = entry["decisions"].toArray()[0].toObject();
    QCOMPARE(kept["node"].toString(), QString("put"));
    QCOMPARE(kept["kind"].toString(), QString("table"));
    QCOMPARE(kept["operator"].toString(), QString("aten.index_put.default"));
    QCOMPARE(kept["argument"].toString(), QString("0"));
    QCOMPARE(kept["mutated"].toString(), QString("cos"));
    QCOMPARE(kept["verdict"].toString(), QString("kept"));
    QCOMPARE(kept["reason"].toString(), QString("UsedLater"));
    QCOMPARE(kept["witnesses"].toArray(), QJsonArray{"output"});
    QCOMPARE(kept["bytes"].toInt(), 32);
    QCOMPARE(kept["certainty"].toString(), QString("certain"));
    QVERIFY(!kept.contains("assumption"));
    QVERIFY(kept["missed"].isBool());

    const QJsonObject done = entry["decisions"].toArray()[1].toObject();
    QCOMPARE(done["verdict"].toString(), QString("reinplaced"));
    QVERIFY(done["reason"].isNull());
    QCOMPARE(entry["removed"].toArray(), QJsonArray{"copy_"});
    QCOMPARE(entry["retargeted"].toObject()["put_1"].toArray(),
             (QJsonArray{"aten.index_put.default", "aten.index_put_.default"}));
    const QJsonObject summary = entry["summary"].toObject();
    QCOMPARE(summary["candidates"].toInt(), 2);
    QCOMPARE(summary["reinplaced"].toInt(), 1);
    QCOMPARE(summary["kept"].toInt(), 1);
    QVERIFY(summary.contains("missed") && summary.contains("missed_bytes"));
}

void tst_PassReport::aReportWithoutGraphsIsEmpty()
{
    QVERIFY(reportOf({})["graphs"].isArray());
    QVERIFY(reportOf({})["graphs"].toArray().isEmpty());
}

QTEST_APPLESS_MAIN(tst_PassReport)
#include "tst_pass_report.moc"
