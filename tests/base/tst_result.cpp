// SPDX-License-Identifier: MIT
#include "core/base/result.h"

#include "core/base/checked_math.h"

#include <QTest>

#include <limits>
#include <memory>

using namespace reinspect;

class tst_Result : public QObject
{
    Q_OBJECT

private slots:
    void aResultHoldsAValueOrAnError();
    void tryHandsTheValueDown();
    void tryHandsTheErrorUp();
    void checkHandsTheErrorUp();
    void valuesThatOnlyMoveAreFine();
    void anErrorNamesItsPlaceAndPointsAtIt();
    void anErrorWithoutAPlaceIsOneLine();
    void aLongLineIsCutAroundThePlace();
    void aPlaceBeyondTheLineHasNoCaretInIt();
    void arithmeticAnswersNothingOnOverflow();
    void divisionRoundsAsPythonDoes_data();
    void divisionRoundsAsPythonDoes();
};

static Result<int> parsedDigit(char c)
{
    if (c < '0' || c > '9')
        return Error{.message = "not a digit"};
    return c - '0';
}

static Result<int> sumOfDigits(char a, char b)
{
    REINSPECT_TRY(const int first, parsedDigit(a));
    REINSPECT_TRY(const int second, parsedDigit(b));
    return first + second;
}

static Result<void> checkDigit(char c)
{
    const Result<int> digit = parsedDigit(c);
    if (!digit)
        return digit.error();
    return {};
}

static Result<void> checkDigits(char a, char b)
{
    REINSPECT_CHECK(checkDigit(a));
    REINSPECT_CHECK(checkDigit(b));
    return {};
}

static QByteArray printed(const Error& error)
{
    return QByteArray::fromStdString(toText(error));
}

void tst_Result::aResultHoldsAValueOrAnError()
{
    QVERIFY(parsedDigit('7').ok());
    QCOMPARE(*parsedDigit('7'), 7);
    QVERIFY(!parsedDigit('x'));
    QCOMPARE(parsedDigit('x').error().message, std::string("not a digit"));
    QCOMPARE(parsedDigit('x').error().kind, ErrorKind::BadInput);
}

void tst_Result::tryHandsTheValueDown()
{
    QCOMPARE(*sumOfDigits('3', '4'), 7);
}

void tst_Result::tryHandsTheErrorUp()
{
    QVERIFY(!sumOfDigits('3', 'x').ok());
    QVERIFY(!sumOfDigits('x', '3').ok());
}

void tst_Result::checkHandsTheErrorUp()
{
    QVERIFY(checkDigits('1', '2').ok());
    QCOMPARE(checkDigits('1', 'x').error().message, std::string("not a digit"));
}

void tst_Result::valuesThatOnlyMoveAreFine()
{
    const auto made = []() -> Result<std::unique_ptr<int>> {
        REINSPECT_TRY(std::unique_ptr<int> value, Result(std::make_unique<int>(5)));
        return value;
    };
    QCOMPARE(**made(), 5);
}

void tst_Result::anErrorNamesItsPlaceAndPointsAtIt()
{
    const Error error{.message = "unknown node '%cos_2'",
                      .hint = "Nearest name: '%cos_1'.",
                      .file = "sample.fx",
                      .span = {.line = 12, .column = 7, .length = 6},
                      .excerpt = "%y = f(%cos_2)"};
    QCOMPARE(printed(error),
             QByteArray("sample.fx:12:7: unknown node '%cos_2'\n"
                        "    %y = f(%cos_2)\n"
                        "          ^^^^^^\n"
                        "Nearest name: '%cos_1'.\n"));
}

void tst_Result::anErrorWithoutAPlaceIsOneLine()
{
    QCOMPARE(printed({.message = "cannot open it"}), QByteArray("cannot open it\n"));
    QCOMPARE(printed({.message = "cannot open it", .file = "a.fx"}),
             QByteArray("a.fx: cannot open it\n"));
}

void tst_Result::aLongLineIsCutAroundThePlace()
{
    std::string line(100'000, 'a');
    line[90'000] = '!';
    const Error error{.message = "odd",
                      .file = "a.fx",
                      .span = {.line = 1, .column = 90'001, .length = 1},
                      .excerpt = line};
    const QByteArrayList lines = printed(error).split('\n');
    QVERIFY(lines[1].size() < 200);
    QCOMPARE(lines[1].indexOf('!'), lines[2].indexOf('^'));
}

void tst_Result::aPlaceBeyondTheLineHasNoCaretInIt()
{
    for (const std::uint32_t column : {0u, 4u, 5u, 1'000u, 4'000'000'000u})
    {
        const Error error{.message = "odd",
                          .span = {.line = 1, .column = column, .length = 4'000'000'000u},
                          .excerpt = "abc"};
        QVERIFY(printed(error).startsWith("odd\n")); // and nothing is read outside the line
    }
}

void tst_Result::arithmeticAnswersNothingOnOverflow()
{
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
    QVERIFY(!checkedAdd(greatest, 1));
    QVERIFY(!checkedSubtract(least, 1));
    QVERIFY(!checkedMultiply(greatest, 2));
    QVERIFY(!checkedFloorDivide(least, -1));
    QVERIFY(!checkedFloorDivide(1, 0));
    QVERIFY(!checkedModulo(1, 0));
    QVERIFY(!checkedPower(2, 63));
    QVERIFY(!checkedPower(2, -1));
    QCOMPARE(checkedModulo(least, -1), std::optional<std::int64_t>(0));
    QCOMPARE(checkedPower(-2, 63), std::optional<std::int64_t>(least));
    QCOMPARE(checkedPower(-1, greatest), std::optional<std::int64_t>(-1));
    QCOMPARE(checkedPower(0, 0), std::optional<std::int64_t>(1));
}

void tst_Result::divisionRoundsAsPythonDoes_data()
{
    QTest::addColumn<qint64>("a");
    QTest::addColumn<qint64>("b");
    QTest::addColumn<qint64>("quotient");
    QTest::addColumn<qint64>("rest");
    QTest::newRow("7 by 2") << qint64(7) << qint64(2) << qint64(3) << qint64(1);
    QTest::newRow("-7 by 2") << qint64(-7) << qint64(2) << qint64(-4) << qint64(1);
    QTest::newRow("7 by -2") << qint64(7) << qint64(-2) << qint64(-4) << qint64(-1);
    QTest::newRow("-7 by -2") << qint64(-7) << qint64(-2) << qint64(3) << qint64(-1);
    QTest::newRow("-6 by 2") << qint64(-6) << qint64(2) << qint64(-3) << qint64(0);
}

void tst_Result::divisionRoundsAsPythonDoes()
{
    QFETCH(qint64, a);
    QFETCH(qint64, b);
    QFETCH(qint64, quotient);
    QFETCH(qint64, rest);
    QCOMPARE(checkedFloorDivide(a, b), std::optional<std::int64_t>(quotient));
    QCOMPARE(checkedModulo(a, b), std::optional<std::int64_t>(rest));
}

QTEST_APPLESS_MAIN(tst_Result)
#include "tst_result.moc"
