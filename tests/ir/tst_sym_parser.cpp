// SPDX-License-Identifier: MIT
#include "core/ir/sym_expr.h"

#include <QTest>

#include <string>

using namespace reinspect;

class tst_SymParser : public QObject
{
    Q_OBJECT

private slots:
    void textComesBackAsItWasWritten_data();
    void textComesBackAsItWasWritten();
    void looseTextIsPrintedAsSympyWould_data();
    void looseTextIsPrintedAsSympyWould();
    void brokenTextNamesThePlace_data();
    void brokenTextNamesThePlace();
    void deepNestingIsAnError_data();
    void deepNestingIsAnError();
    void aLongSumIsRead();
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

void tst_SymParser::textComesBackAsItWasWritten_data()
{
    QTest::addColumn<QByteArray>("text");
    const char* const texts[] = {
        "7",
        "-1",
        "s77",
        "2*s0",
        "s3*s4*s5",
        "4*s27*(s77 - 1) + 4*s27",
        "((s0 + 63)//64)",
        "((s27*s77 + 63)//64)",
        // Newer versions put functions in a pair of brackets of their own inside sums.
        "(((s2 - 1)//2)) + 1",
        "((((((((s76//80)) - 3)//2)) - 1)//2)) + 1",
        "(16*(((s1 - 1)//2)) + 16)*((((s2 - 1)//2)) + 1)",
        "(Mod(s0, 8)) + 1",
        "Max(1, s0)",
        "4*Max(1, s0)",
        "Mod(s0, 8)",
        "PythonMod(s0, 8)",
        "FloorDiv(s0, s1)",
        "ModularIndexing(s0, 2, 4)",
        "CeilToInt(IntTrueDiv(s0, 2))",
        "s0**2",
        "2**(-s0)",
        "(-s0)**2",
        "-s0**2",
        "-s0",
        "-(s0 + 1)",
        "-s0*s77 + 1",
        "1 - s0",
        "s0 - 3",
        "-3/s0",
        "s0/2 + 1/2",
        "s0/(2*s1)",
        "0.5*zf0",
        "1.5e-3*zf0",
        "Eq(s0, 4)",
        "s0 > 2",
        "(s0 > 2) & (s27 < 3)",
        "~(s0 > 2) | Ne(s0, 1)",
        "Piecewise((s0, s0 > 1), (1, True))",
        "-9223372036854775808",
        "9223372036854775807",
        "99999999999999999999999999*s0",
    };
    for (const char* text : texts)
        QTest::newRow(text) << QByteArray(text);
}

void tst_SymParser::textComesBackAsItWasWritten()
{
    QFETCH(QByteArray, text);
    QCOMPARE(spelled(parsed(text.toStdString())), text);
}

void tst_SymParser::looseTextIsPrintedAsSympyWould_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("printed");
    QTest::newRow("spaces") << QByteArray(" ( s0   +1 ) ") << QByteArray("s0 + 1");
    QTest::newRow("no spaces") << QByteArray("s0-3*s1") << QByteArray("s0 - 3*s1");
    QTest::newRow("bare floor division") << QByteArray("s0//2") << QByteArray("(s0//2)");
    QTest::newRow("floor division binds as *")
        << QByteArray("s0*s1//2*s1") << QByteArray("((s0*s1)//2)*s1");
    QTest::newRow("negative dividend") << QByteArray("-s0//2") << QByteArray("((-s0)//2)");
    QTest::newRow("minus a negative") << QByteArray("s0 - -1") << QByteArray("s0 + 1");
    QTest::newRow("plus sign") << QByteArray("+s0") << QByteArray("s0");
    QTest::newRow("numbers fold") << QByteArray("2*3 + 1") << QByteArray("7");
    QTest::newRow("negated remainder") << QByteArray("-(s0 % 8)") << QByteArray("-(s0 % 8)");
}

void tst_SymParser::looseTextIsPrintedAsSympyWould()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, printed);
    const SymExpr expr = parsed(text.toStdString());
    QCOMPARE(spelled(expr), printed);
    QCOMPARE(parsed(toText(expr)), expr);
}

void tst_SymParser::brokenTextNamesThePlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("column");
    QTest::addColumn<QByteArray>("message");
    const QByteArray tooEarly("the symbolic expression ends too early");
    QTest::newRow("empty") << QByteArray() << 1 << tooEarly;
    QTest::newRow("blank") << QByteArray("   ") << 4 << tooEarly;
    QTest::newRow("no operand") << QByteArray("s0 +") << 5 << tooEarly;
    QTest::newRow("half a number") << QByteArray("1e") << 3 << tooEarly;
    QTest::newRow("open bracket") << QByteArray("2*(s0") << 3
                                  << QByteArray("this '(' is never closed");
    const auto unexpected = [](char c) {
        return QByteArray("unexpected '") + c + "' in a symbolic expression";
    };
    QTest::newRow("stray bracket") << QByteArray("s0)") << 3 << unexpected(')');
    QTest::newRow("two symbols") << QByteArray("s0 s1") << 4 << unexpected('s');
    QTest::newRow("number and name") << QByteArray("3s0") << 2 << unexpected('s');
    QTest::newRow("assignment") << QByteArray("s0 = 1") << 4 << unexpected('=');
    QTest::newRow("shift") << QByteArray("s0 << 1") << 5 << unexpected('<');
    QTest::newRow("empty argument") << QByteArray("Max(,)") << 5 << unexpected(',');
    QTest::newRow("other signs") << QByteArray("s0 @ 1") << 4 << unexpected('@');
    QTest::newRow("not ASCII") << QByteArray("s0 \xc2\xb7 2") << 4
                               << QByteArray("unexpected character in a symbolic expression");
}

void tst_SymParser::brokenTextNamesThePlace()
{
    QFETCH(QByteArray, text);
    QFETCH(int, column);
    QFETCH(QByteArray, message);
    const Result<SymExpr> result = SymExpr::parse(text.toStdString());
    QVERIFY(!result.ok());
    QCOMPARE(QByteArray::fromStdString(result.error().message), message);
    QCOMPARE(result.error().span.line, 1u);
    QCOMPARE(result.error().span.column, static_cast<std::uint32_t>(column));
    QCOMPARE(QByteArray::fromStdString(result.error().excerpt), text);
}

void tst_SymParser::deepNestingIsAnError_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto repeated = [](const char* part, int count) {
        return QByteArray(part).repeated(count);
    };
    QTest::newRow("100,000 brackets") << repeated("(", 100'000) + "s0" + repeated(")", 100'000);
    QTest::newRow("300 brackets") << repeated("(", 300) + "s0" + repeated(")", 300);
    QTest::newRow("calls") << repeated("f(", 20'000) + "s0" + repeated(")", 20'000);
    QTest::newRow("signs") << repeated("-", 60'000) + "s0";
    QTest::newRow("powers") << "s0" + repeated("**s0", 10'000);
    QTest::newRow("divisions") << "s0" + repeated("//s1", 10'000);
    QTest::newRow("a megabyte") << "s0" + repeated(" + s0", 200'000);
}

void tst_SymParser::deepNestingIsAnError()
{
    QFETCH(QByteArray, text);
    const Result<SymExpr> result = SymExpr::parse(text.toStdString());
    QVERIFY(!result.ok());
    QVERIFY(result.error().message.find("too") != std::string::npos);
    QCOMPARE(result.error().span.line, 1u);
}

void tst_SymParser::aLongSumIsRead()
{
    // Sizes of concatenated ragged tensors look like this.
    std::string text = "u0";
    for (int i = 1; i < 2000; ++i)
        text += " + u" + std::to_string(i);
    const SymExpr sum = parsed(text);
    QCOMPARE(toText(sum), text);
    QCOMPARE(sum.symbols().size(), std::size_t{2000});
    QCOMPARE(sum, parsed(text));
}

QTEST_APPLESS_MAIN(tst_SymParser)
#include "tst_sym_parser.moc"
