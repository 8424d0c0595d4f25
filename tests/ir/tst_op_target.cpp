// SPDX-License-Identifier: MIT
#include "core/ir/op_set.h"

#include <QTest>

using namespace reinspect;

class tst_OpTarget : public QObject
{
    Q_OBJECT

private slots:
    void readsAsItWasWritten_data();
    void readsAsItWasWritten();
    void equalTextIsEqual();
    void aSetHoldsWhatItWasGiven();
};

void tst_OpTarget::readsAsItWasWritten_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("hasFacts");
    QTest::addColumn<bool>("isRow");
    QTest::newRow("row of the table") << "aten.add.Tensor" << true << true;
    QTest::newRow("no overload named") << "aten.clone" << true << false;
    QTest::newRow("custom operator") << "demo.scale_.default" << false << false;
    QTest::newRow("python") << "operator.getitem" << false << false;
    QTest::newRow("placeholder") << "arg0_1" << false << false;
    QTest::newRow("nothing") << "" << false << false;
}

void tst_OpTarget::readsAsItWasWritten()
{
    QFETCH(const QString, text);
    QFETCH(const bool, hasFacts);
    QFETCH(const bool, isRow);
    const std::string written = text.toStdString();
    const OpTarget target(written);
    OpTarget copy;
    copy = target;
    QCOMPARE(target.str(), written);
    QCOMPARE(copy.str(), written);
    QVERIFY(copy == target && target == written);
    QCOMPARE(target.empty(), written.empty());
    QCOMPARE(target.facts() != nullptr, hasFacts);
    QCOMPARE(target.row() != nullptr, isRow);
}

void tst_OpTarget::equalTextIsEqual()
{
    QVERIFY(OpTarget("aten.clone") == OpTarget("aten.clone"));
    QVERIFY(OpTarget("aten.clone") != OpTarget("aten.clone.default"));
    QVERIFY(OpTarget("aten.add.Tensor") != OpTarget("aten.add.Scalar"));
    QVERIFY(OpTarget("") != OpTarget("aten.add.Tensor"));
    QVERIFY(OpTarget("output") == "output");
}

void tst_OpTarget::aSetHoldsWhatItWasGiven()
{
    const OpSet set = {"aten.add.Tensor", "operator.getitem", "aten.clone"};
    QVERIFY(set.contains("aten.add.Tensor"));
    QVERIFY(set.contains("operator.getitem"));
    QVERIFY(set.contains("aten.clone"));
    QVERIFY(!set.contains("aten.clone.default"));
    QVERIFY(!set.contains("aten.add.Scalar"));
    QVERIFY(!set.contains("operator.add"));
    QVERIFY(!set.contains(OpTarget()));
}

QTEST_APPLESS_MAIN(tst_OpTarget)
#include "tst_op_target.moc"
