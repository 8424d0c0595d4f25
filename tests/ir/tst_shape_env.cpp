// SPDX-License-Identifier: MIT
#include "core/ir/shape_env.h"

#include <QTest>

#include <limits>
#include <random>

using namespace reinspect;

Q_DECLARE_METATYPE(Known)

class tst_ShapeEnv : public QObject
{
    Q_OBJECT

private slots:
    void symbolsStartWithTheRangeOfTheirKind();
    void aHintIsPossibleWhateverTheRangeSays();
    void comparisonsAreDecidedByRanges_data();
    void comparisonsAreDecidedByRanges();
    void plainIntegersAreAlwaysDecided();
    void equalityIsDecidedByNormalFormOrRange();
    void aRangeNarrowsWhatIsKnown();
    void hintsAnswerOnlyWhenAsked();
    void overflowLeavesTheQuestionOpen();
    void whatIsKnownHoldsForEveryValue();
};

static SymExpr parsed(std::string_view text)
{
    return SymExpr::parse(text).value();
}

void tst_ShapeEnv::symbolsStartWithTheRangeOfTheirKind()
{
    const ShapeEnv shapes;
    QCOMPARE(shapes.facts("s77").lower, std::int64_t{2});
    QCOMPARE(shapes.facts("u0").lower, std::int64_t{0});
    QCOMPARE(shapes.facts("scale").lower, std::numeric_limits<std::int64_t>::min());
    QVERIFY(!shapes.facts("s77").upper);
    QVERIFY(!shapes.facts("s77").hint);
    QVERIFY(shapes.symbols().empty());
}

void tst_ShapeEnv::aHintIsPossibleWhateverTheRangeSays()
{
    ShapeEnv shapes;
    shapes.setHint("s0", 16);
    QCOMPARE(shapes.facts("s0").lower, std::int64_t{2});
    shapes.setHint("s1", 1); // marked so by the user: upstream then does not specialize it
    QCOMPARE(shapes.facts("s1").lower, std::int64_t{1});
    shapes.setRange("s2", 4, 8);
    shapes.setHint("s2", 12);
    QCOMPARE(shapes.facts("s2").upper, std::optional<std::int64_t>(12));
    QCOMPARE(shapes.symbols().size(), std::size_t{3});
}

void tst_ShapeEnv::comparisonsAreDecidedByRanges_data()
{
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    QTest::addColumn<Known>("less");
    QTest::addColumn<Known>("lessEqual");
    const auto row = [](const char* a, const char* b, Known less, Known lessEqual) {
        QTest::addRow("%s < %s", a, b) << QByteArray(a) << QByteArray(b) << less << lessEqual;
    };
    using enum Known;
    row("1", "s0", Yes, Yes);
    row("2", "s0", Unknown, Yes);
    row("3", "s0", Unknown, Unknown);
    row("s0", "1", No, No);
    row("s0", "s1", Unknown, Unknown);
    row("s0", "s0", No, Yes);
    row("s0", "s0 + 1", Yes, Yes);
    row("0", "u0", Unknown, Yes);
    row("u0", "u0 + s0", Yes, Yes);
    row("0", "n", Unknown, Unknown); // a symbol of unknown kind may be negative
    row("-1", "n**2", Yes, Yes);
    // The last element of all but the last row, against the start of the last row.
    row("s27*(s77 - 1) - 1", "s27*(s77 - 1)", Yes, Yes);
    row("s27", "s27*s77", Yes, Yes);
    row("s27*s77 - s27", "1", No, No);
    row("s27*(s77 - 1) + s27 - 1", "s27*s77", Yes, Yes);
    row("0", "((s0 + 63)//64)", Yes, Yes);
    row("((s0 - 5)//2)", "0", Unknown, Unknown);
    row("((s0 - 5)//2)", "-2", No, Unknown);
    row("Mod(s0, 8)", "8", Yes, Yes);
    row("Mod(s0, s1)", "s1", Unknown, Unknown);
    row("0", "Mod(n, 8)", Unknown, Yes);
    row("0", "Max(1, u0)", Yes, Yes);
    row("u0", "Max(1, u0)", Unknown, Unknown);
    row("Min(4, u0)", "5", Yes, Yes);
    row("f(s0)", "7", Unknown, Unknown);
}

void tst_ShapeEnv::comparisonsAreDecidedByRanges()
{
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    QFETCH(Known, less);
    QFETCH(Known, lessEqual);
    const ShapeEnv shapes;
    QCOMPARE(shapes.knownLess(parsed(a.toStdString()), parsed(b.toStdString())), less);
    QCOMPARE(shapes.knownLessEqual(parsed(a.toStdString()), parsed(b.toStdString())), lessEqual);
}

void tst_ShapeEnv::plainIntegersAreAlwaysDecided()
{
    const ShapeEnv shapes;
    const SymExpr least = std::numeric_limits<std::int64_t>::min();
    const SymExpr greatest = std::numeric_limits<std::int64_t>::max();
    QCOMPARE(shapes.knownLess(least, greatest), Known::Yes);
    QCOMPARE(shapes.knownLess(greatest, least), Known::No);
    QCOMPARE(shapes.knownLessEqual(4, 4), Known::Yes);
    QCOMPARE(shapes.knownEqual(4, 4), Known::Yes);
    QCOMPARE(shapes.knownEqual(least, greatest), Known::No);
}

void tst_ShapeEnv::equalityIsDecidedByNormalFormOrRange()
{
    ShapeEnv shapes;
    QCOMPARE(shapes.knownEqual(parsed("s0 + s0"), parsed("2*s0")), Known::Yes);
    QCOMPARE(shapes.knownEqual(parsed("s0"), parsed("s0 + 1")), Known::No);
    QCOMPARE(shapes.knownEqual(parsed("s0"), 0), Known::No);
    QCOMPARE(shapes.knownEqual(parsed("s0"), parsed("s1")), Known::Unknown);
    shapes.setRange("s9", 4, 4);
    QCOMPARE(shapes.knownEqual(parsed("s9*s0"), parsed("4*s0")), Known::Yes);
    QCOMPARE(shapes.knownEqual(parsed("s9 + 1"), 5), Known::Yes);
}

void tst_ShapeEnv::aRangeNarrowsWhatIsKnown()
{
    ShapeEnv shapes;
    QCOMPARE(shapes.knownLess(parsed("s0"), 64), Known::Unknown);
    shapes.setRange("s0", 8, 63);
    QCOMPARE(shapes.knownLess(parsed("s0"), 64), Known::Yes);
    QCOMPARE(shapes.knownLess(parsed("s0"), 8), Known::No);
    QCOMPARE(shapes.knownLessEqual(parsed("2*s0"), 126), Known::Yes);
    QCOMPARE(shapes.knownEqual(parsed("(s0//64)"), 0), Known::Yes);
}

void tst_ShapeEnv::hintsAnswerOnlyWhenAsked()
{
    ShapeEnv shapes;
    shapes.setHint("s0", 16);
    QCOMPARE(shapes.knownLess(parsed("s0"), 17), Known::Unknown);
    QCOMPARE(shapes.hintOf(parsed("2*s0 + 1")), std::optional<std::int64_t>(33));
    QCOMPARE(shapes.hintOf(7), std::optional<std::int64_t>(7));
    QVERIFY(!shapes.hintOf(parsed("s0 + s1")));
}

void tst_ShapeEnv::overflowLeavesTheQuestionOpen()
{
    ShapeEnv shapes;
    const std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
    shapes.setRange("a", 0, greatest - 1);
    shapes.setRange("b", std::numeric_limits<std::int64_t>::min() + 1, greatest - 1);
    QCOMPARE(shapes.knownLess(parsed("4*a*a"), greatest), Known::Unknown);
    QCOMPARE(shapes.knownLessEqual(0, parsed("4*a*a")), Known::Yes);
    QCOMPARE(shapes.knownLessEqual(0, parsed("b*b*b")), Known::Unknown);
    QCOMPARE(shapes.knownLess(parsed("b - 9223372036854775807"), parsed("b**3")), Known::Unknown);
}

static std::string randomExpression(std::mt19937& random, int depth)
{
    const auto pick = [&](unsigned count) { return random() % count; };
    if (depth == 0 || pick(5) == 0)
    {
        const char* const symbols[] = {"s0", "s1", "u0", "n"};
        return pick(4) == 0 ? std::to_string(pick(7)) : symbols[pick(4)];
    }
    const std::string a = randomExpression(random, depth - 1);
    const std::string b = randomExpression(random, depth - 1);
    switch (pick(7))
    {
    case 0: return "(" + a + ")*(" + b + ")";
    case 1: return "(" + a + ")-(" + b + ")";
    case 2: return "FloorDiv(" + a + "," + std::to_string(1 + pick(5)) + ")";
    case 3: return "Mod(" + a + "," + b + ")";
    case 4: return "Max(" + a + "," + b + ")";
    case 5: return "Min(" + a + "," + b + ")";
    default: return "(" + a + ")+(" + b + ")";
    }
}

void tst_ShapeEnv::whatIsKnownHoldsForEveryValue()
{
    ShapeEnv shapes;
    shapes.setRange("s0", 2, 5);
    shapes.setRange("u0", 0, 3);
    shapes.setRange("n", -3, 2);
    std::mt19937 random(7); // NOLINT: the same expressions every time
    int decided = 0;
    for (int round = 0; round < 3000; ++round)
    {
        const std::string textA = randomExpression(random, 3);
        const std::string textB = randomExpression(random, 3);
        const SymExpr a = parsed(textA);
        const SymExpr b = parsed(textB);
        const Known less = shapes.knownLess(a, b);
        const Known equal = shapes.knownEqual(a, b);
        decided += less != Known::Unknown ? 1 : 0;
        for (int sample = 0; sample < 20; ++sample)
        {
            const std::int64_t values[] = {2 + static_cast<std::int64_t>(random() % 4),
                                           2 + static_cast<std::int64_t>(random() % 9),
                                           static_cast<std::int64_t>(random() % 4),
                                           static_cast<std::int64_t>(random() % 6) - 3};
            const auto lookup = [&](std::string_view symbol) {
                const std::size_t index = symbol == "s0" ? 0
                    : symbol == "s1"                     ? 1
                    : symbol == "u0"                     ? 2
                                                         : 3;
                return std::optional<std::int64_t>(values[index]);
            };
            const auto left = a.evaluate(lookup);
            const auto right = b.evaluate(lookup);
            if (!left || !right)
                continue; // a remainder by 0
            const std::string where = textA + " against " + textB;
            if (less != Known::Unknown)
                QVERIFY2((*left < *right) == (less == Known::Yes), where.c_str());
            if (equal != Known::Unknown)
                QVERIFY2((*left == *right) == (equal == Known::Yes), where.c_str());
        }
    }
    QVERIFY(decided > 300); // the property is not empty
}

QTEST_APPLESS_MAIN(tst_ShapeEnv)
#include "tst_shape_env.moc"
