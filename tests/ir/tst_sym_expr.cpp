// SPDX-License-Identifier: MIT
#include "core/ir/sym_expr.h"

#include <QTest>

#include <limits>
#include <string>

using namespace reinspect;

class tst_SymExpr : public QObject
{
    Q_OBJECT

private slots:
    void spellingsOfOneValueAreEqual_data();
    void spellingsOfOneValueAreEqual();
    void differentValuesAreNotEqual_data();
    void differentValuesAreNotEqual();
    void aPlainIntegerHasNoTree();
    void aTreeThatFoldsIsAPlainInteger();
    void symbolsComeOnceInOrder();
    void arithmeticSpellsAsSympyDoes_data();
    void arithmeticSpellsAsSympyDoes();
    void evaluationIsPythons_data();
    void evaluationIsPythons();
    void evaluationStopsWhereThereIsNoNumber_data();
    void evaluationStopsWhereThereIsNoNumber();
    void substitutionFoldsWhatItKnows();
    void overflowNeverWraps();
    void anExpressionBeyondTheLimitsEqualsOnlyItself();
    void unbackedSymbolsAreToldByTheirNames();
};

static SymExpr parsed(std::string_view text)
{
    const Result<SymExpr> result = SymExpr::parse(text);
    if (result.ok())
        return *result;
    qWarning("%s", toText(result.error()).c_str());
    return SymExpr::symbol("unreadable");
}

static QByteArray spelled(const SymExpr& expr)
{
    return QByteArray::fromStdString(toText(expr));
}

static std::optional<std::int64_t> traced(std::string_view symbol)
{
    if (symbol == "s0")
        return 5;
    if (symbol == "s1")
        return 3;
    return std::nullopt;
}

void tst_SymExpr::spellingsOfOneValueAreEqual_data()
{
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    const auto row = [](const char* a, const char* b) {
        QTest::addRow("%s == %s", a, b) << QByteArray(a) << QByteArray(b);
    };
    row("s0 + s0", "2*s0");
    row("s0*s1", "s1*s0");
    row("4*s27*(s77 - 1) + 4*s27", "4*s27*s77");
    row("(s0 + 1)**2", "s0**2 + 2*s0 + 1");
    row("s0 - s0", "0");
    row("-(s0 - s1)", "s1 - s0");
    row("(s0//2)", "FloorDiv(s0, 2)");
    row("(((s0 - 1)//2)) + 1", "((s0 + 1)//2)");
    row("((4*s0 + 6)//4)", "s0 + ((s0*0 + 3)//2)");
    row("((4*s0 + 2*s1)//4)", "s0 + (s1//2)");
    row("((s0*s1)//s1)", "s0");
    row("(((s0//2))//3)", "(s0//6)");
    row("Mod(s0, 8)", "PythonMod(s0 + 16, 8)");
    row("Mod(8*s0, 4)", "0");
    row("s0 % 8", "Mod(s0, 8)");
    row("ModularIndexing(s0, 2, 4)", "Mod((s0//2), 4)");
    row("Max(s0, 1)", "Max(1, s0)");
    row("Max(s0, s0 + 1)", "s0 + 1");
    row("Max(1, Max(s0, s1))", "Max(s1, 1, s0)");
    row("Min(s0, s0)", "s0");
    row("(6*s0)/3", "2*s0");
    row("-1/s0", "-(1/s0)");
    row("Eq(s0 + s0, 4)", "Eq(2*s0, 4)");
}

void tst_SymExpr::spellingsOfOneValueAreEqual()
{
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    QVERIFY(parsed(a.toStdString()) == parsed(b.toStdString()));
}

void tst_SymExpr::differentValuesAreNotEqual_data()
{
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    const auto row = [](const char* a, const char* b) {
        QTest::addRow("%s != %s", a, b) << QByteArray(a) << QByteArray(b);
    };
    row("s0", "s1");
    row("s0", "5");
    row("2*s0", "s0**2");
    row("((s0 + 63)//64)", "((s0 + 62)//64)");
    row("Max(1, s0)", "Min(1, s0)");
    row("f(s0)", "g(s0)");
    row("s0 < 1", "s0 <= 1");
    row("9223372036854775807*s0*2", "-2*s0"); // what wrapping around would give
}

void tst_SymExpr::differentValuesAreNotEqual()
{
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    QVERIFY(!(parsed(a.toStdString()) == parsed(b.toStdString())));
}

void tst_SymExpr::aPlainIntegerHasNoTree()
{
    const SymExpr sum = SymExpr(3) * SymExpr(4) + SymExpr::floorDiv(SymExpr(7), SymExpr(2));
    QVERIFY(sum.isConstant());
    QVERIFY(!sum.node());
    QCOMPARE(sum.constant(), std::optional<std::int64_t>(15));
    QVERIFY(parsed("15").isConstant());
    QVERIFY(sum == SymExpr(15));
    QVERIFY(sum.symbols().empty());
}

void tst_SymExpr::aTreeThatFoldsIsAPlainInteger()
{
    const SymExpr size = SymExpr::symbol("s0");
    QVERIFY((size - size).isConstant());
    QVERIFY(parsed("s0 + 4 - s0").isConstant());
    QCOMPARE(parsed("s0 + 4 - s0").constant(), std::optional<std::int64_t>(4));
    QCOMPARE(SymExpr::mod(8 * size, 4).constant(), std::optional<std::int64_t>(0));
    QVERIFY(!size.constant());
}

void tst_SymExpr::symbolsComeOnceInOrder()
{
    const std::vector<std::string> expected{"s77", "u0", "s3"};
    QCOMPARE(parsed("s77*Max(1, u0) + f(s3, s77)//2").symbols(), expected);
}

void tst_SymExpr::arithmeticSpellsAsSympyDoes_data()
{
    QTest::addColumn<QByteArray>("computed");
    QTest::addColumn<QByteArray>("expected");
    const SymExpr a = SymExpr::symbol("s27");
    const SymExpr b = SymExpr::symbol("s77");
    const auto row = [](const SymExpr& computed, const char* expected) {
        QTest::newRow(expected) << spelled(computed) << QByteArray(expected);
    };
    row(b * a, "s27*s77");
    row(b + a, "s27 + s77");
    row(a * b + 63, "s27*s77 + 63");
    row(4 * (a * (b - 1)) + 4 * a, "4*s27*(s77 - 1) + 4*s27");
    row(a + a, "2*s27");
    row(a * a, "s27**2");
    row(a * a * b - a, "s27**2*s77 - s27");
    row(1 - a, "1 - s27");
    row(1 - a * b, "-s27*s77 + 1");
    row(0 - a, "-s27");
    row(2 * (a + 1), "2*s27 + 2");
    row((a + 1) - (b + 1), "s27 - s77");
    row(SymExpr::floorDiv(a * b + 63, 64), "((s27*s77 + 63)//64)");
    row(SymExpr::floorDiv(4 * a + 6, 4), "s27 + 1");
    row(SymExpr::floorDiv(SymExpr::floorDiv(a, 2), 3), "(s27//6)");
    row(SymExpr::floorDiv(a - 1, 2) + 1, "(((s27 - 1)//2)) + 1");
    row(2 * SymExpr::floorDiv(a, b), "2*((s27//s77))");
    row(SymExpr::mod(a, 8), "Mod(s27, 8)");
    row(SymExpr::max(a, 1), "Max(1, s27)");
    row(4 * SymExpr::max(1, a), "4*Max(1, s27)");
    row(SymExpr::max(SymExpr::max(b, 1), a), "Max(1, s27, s77)");
    row(SymExpr::max(a, a + 1), "s27 + 1");
    row(SymExpr::min(a, a + 1), "s27");
}

void tst_SymExpr::arithmeticSpellsAsSympyDoes()
{
    QFETCH(QByteArray, computed);
    QFETCH(QByteArray, expected);
    QCOMPARE(computed, expected);
}

void tst_SymExpr::evaluationIsPythons_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("value");
    const auto row = [](const char* text, qint64 value) {
        QTest::newRow(text) << QByteArray(text) << value;
    };
    row("s0*s1 - 1", 14);
    row("-s0**2", -25);
    row("((-s0)//s1)", -2);
    row("Mod(-s0, s1)", 1);
    row("(s0 - 20) % (-4)", -3);
    row("FloorDiv(s0 + 63, 64)", 1);
    row("Max(1, s0, s1)", 5);
    row("Min(s0, s1)", 3);
    row("(s0 + 1)/s1", 2);
    row("ModularIndexing(s0 + 10, s1, 2)", 1);
    row("PowByNatural(s0, 3)", 125);
    row("s0 + 0*s1", 5);
}

void tst_SymExpr::evaluationIsPythons()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, value);
    const SymExpr expr = parsed(text.toStdString());
    QCOMPARE(expr.evaluate(traced), std::optional<std::int64_t>(value));
    QCOMPARE(expr.substitute(traced).constant(), std::optional<std::int64_t>(value));
}

void tst_SymExpr::evaluationStopsWhereThereIsNoNumber_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text :
         {"s9", "s0 + s9", "(s0//(s1 - 3))", "Mod(s0, s1 - 3)", "s0/2", "s0**(-1)", "s0**100",
          "9223372036854775807 + s0", "Eq(s0, 5)", "f(s0)", "0.5*s0", "99999999999999999999 + s0"})
        QTest::newRow(text) << QByteArray(text);
}

void tst_SymExpr::evaluationStopsWhereThereIsNoNumber()
{
    QFETCH(QByteArray, text);
    QVERIFY(!parsed(text.toStdString()).evaluate(traced));
}

void tst_SymExpr::substitutionFoldsWhatItKnows()
{
    const auto onlyS0 = [](std::string_view symbol) {
        return symbol == "s0" ? std::optional<std::int64_t>(5) : std::nullopt;
    };
    QCOMPARE(spelled(parsed("4*s0*(s77 - 1) + s0").substitute(onlyS0)), QByteArray("20*s77 - 15"));
    QCOMPARE(spelled(parsed("((s0*s77 + 5)//5)").substitute(onlyS0)), QByteArray("s77 + 1"));
    QCOMPARE(spelled(parsed("Max(1, s0, s77)").substitute(onlyS0)), QByteArray("Max(5, s77)"));
    QCOMPARE(spelled(parsed("f(s0, s77)").substitute(onlyS0)), QByteArray("f(5, s77)"));
    // Nothing known: the spelling stays.
    QCOMPARE(spelled(parsed("s9 + 2*s77 + 1").substitute(onlyS0)), QByteArray("s9 + 2*s77 + 1"));
}

void tst_SymExpr::overflowNeverWraps()
{
    const SymExpr big = std::numeric_limits<std::int64_t>::max();
    const SymExpr small = std::numeric_limits<std::int64_t>::min();
    for (const SymExpr& expr :
         {big + 1, small - 1, big * 2, 0 - small, SymExpr::floorDiv(small, -1)})
    {
        QVERIFY(!expr.constant());
        QVERIFY(!expr.evaluate(traced));
    }
    QVERIFY(big + 1 == big + 1);
    QCOMPARE(spelled(big + 1), QByteArray("9223372036854775807 + 1"));
    QCOMPARE((0 * (big * 2)).constant(), std::optional<std::int64_t>(0));
    QCOMPARE(SymExpr::mod(small, -1).constant(), std::optional<std::int64_t>(0));
    QVERIFY(!SymExpr::floorDiv(1, 0).constant());
    QVERIFY(!SymExpr::mod(1, 0).constant());
}

void tst_SymExpr::anExpressionBeyondTheLimitsEqualsOnlyItself()
{
    // A size computed along a long chain of nodes.
    SymExpr size = SymExpr::symbol("s0");
    for (int i = 0; i < 1000; ++i)
        size = SymExpr::floorDiv(size * SymExpr::symbol("s1") + 1, SymExpr::symbol("s2"));
    QVERIFY(size == size);
    QVERIFY(!(size + 1 == size));
    QVERIFY(!(size * 2 == size * 2));
    QVERIFY(!size.constant());
    QVERIFY(!(parsed(toText(size)) == size));
}

void tst_SymExpr::unbackedSymbolsAreToldByTheirNames()
{
    QVERIFY(isUnbackedSymbol("u0"));
    QVERIFY(isUnbackedSymbol("u12"));
    QVERIFY(!isUnbackedSymbol("s0"));
    QVERIFY(!isUnbackedSymbol("u"));
    QVERIFY(!isUnbackedSymbol("units"));
}

QTEST_APPLESS_MAIN(tst_SymExpr)
#include "tst_sym_expr.moc"
