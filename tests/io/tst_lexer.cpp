// SPDX-License-Identifier: MIT
#include "core/io/lexer.h"

#include <QTest>

using namespace reinspect;

class tst_Lexer : public QObject
{
    Q_OBJECT

private slots:
    void aStatementIsCutIntoTokens();
    void aTokenKnowsItsPlace();
    void aLineBreakInsideBracketsIsNoToken();
    void aCommentRunsToTheEndOfItsLine();
    void operatorsAreTakenWhole_data();
    void operatorsAreTakenWhole();
    void numbersAreTakenWhole_data();
    void numbersAreTakenWhole();
    void aStringEndsInItsLine();
    void aBlockInTripleQuotesIsOneString();
    void escapesAreResolved_data();
    void escapesAreResolved();
    void seekLeavesAllBrackets();
};

static std::vector<std::string> tokensOf(std::string_view text)
{
    std::vector<std::string> tokens;
    Lexer lexer(text);
    for (Token token = lexer.next(); token.kind != TokenKind::End; token = lexer.next())
        tokens.emplace_back(token.text);
    return tokens;
}

void tst_Lexer::aStatementIsCutIntoTokens()
{
    const std::vector<std::string> expected = {"x", ":", "\"f32[4]\"", "=", "f",   "(",
                                               "a", ",", "k",          "=", "-",   "1",
                                               ")", ";", "a",          "=", "None"};

    QVERIFY(tokensOf("x: \"f32[4]\" = f(a, k = -1);  a = None") == expected);
}

void tst_Lexer::aTokenKnowsItsPlace()
{
    Lexer lexer("ab  cd");
    lexer.next();
    const Token token = lexer.next();

    QCOMPARE(token.offset, std::size_t{4});
    QCOMPARE(token.end(), std::size_t{6});
}

void tst_Lexer::aLineBreakInsideBracketsIsNoToken()
{
    const std::vector<std::string> expected = {"f", "(", "a", ",", "b", ")", "\n", "c"};

    QVERIFY(tokensOf("f(a,  # first\n  b)\nc") == expected);
}

void tst_Lexer::aCommentRunsToTheEndOfItsLine()
{
    const std::vector<std::string> expected = {"a", "# b = \"c", "\n", "d"};

    QVERIFY(tokensOf("a # b = \"c\nd") == expected);
}

void tst_Lexer::operatorsAreTakenWhole_data()
{
    QTest::addColumn<std::string>("symbol");
    for (const char* symbol :
         {"+", "**", "//", "<<", "==", "!=", "<=", ">=", "+=", "//=", "**=", "->"})
        QTest::newRow(symbol) << std::string(symbol);
}

void tst_Lexer::operatorsAreTakenWhole()
{
    QFETCH(const std::string, symbol);
    const std::vector<std::string> expected = {"a", symbol, "b"};

    QVERIFY(tokensOf("a" + symbol + "b") == expected);
}

void tst_Lexer::numbersAreTakenWhole_data()
{
    QTest::addColumn<std::string>("number");
    for (const char* number :
         {"0", "1.5", "1e-05", "1e+16", "9223372036854775807", "2j", ".5", "0x1f"})
        QTest::newRow(number) << std::string(number);
}

void tst_Lexer::numbersAreTakenWhole()
{
    QFETCH(const std::string, number);
    const std::vector<std::string> expected = {number, "-", "1"};

    QVERIFY(tokensOf(number + "-1") == expected);
}

void tst_Lexer::aStringEndsInItsLine()
{
    Lexer lexer("'open\nnext");

    QCOMPARE(lexer.next().kind, TokenKind::Broken);
    QCOMPARE(lexer.next().kind, TokenKind::LineBreak);
    QCOMPARE(lexer.next().text, std::string_view("next"));
}

void tst_Lexer::aBlockInTripleQuotesIsOneString()
{
    Lexer lexer("\"\"\"\na: 'b'\n\"\"\"\nx");

    QCOMPARE(lexer.next().kind, TokenKind::String);
    QCOMPARE(lexer.next().kind, TokenKind::LineBreak);
}

void tst_Lexer::escapesAreResolved_data()
{
    QTest::addColumn<std::string>("literal");
    QTest::addColumn<std::string>("value");

    QTest::newRow("plain") << std::string("'out_ptr'") << std::string("out_ptr");
    QTest::newRow("double quotes") << std::string("\"it's\"") << std::string("it's");
    QTest::newRow("letters") << std::string(R"('a\n\t\\\'')") << std::string("a\n\t\\'");
    QTest::newRow("hexadecimal") << std::string(R"('\x41\u00e9')") << std::string("A\xC3\xA9");
    QTest::newRow("unknown") << std::string(R"('\q')") << std::string("\\q");
    QTest::newRow("raw") << std::string(R"(r'\n')") << std::string("\\n");
    QTest::newRow("empty") << std::string("''") << std::string();
}

void tst_Lexer::escapesAreResolved()
{
    QFETCH(const std::string, literal);
    QFETCH(const std::string, value);

    QCOMPARE(unquoted(literal), value);
}

void tst_Lexer::seekLeavesAllBrackets()
{
    const std::string_view text = "f((\nx\ny";
    Lexer lexer(text);
    for (int i = 0; i < 3; ++i)
        lexer.next();
    lexer.seek(nextLineStart(text, 0));

    QCOMPARE(lexer.next().text, std::string_view("x"));
    QCOMPARE(lexer.next().kind, TokenKind::LineBreak);
}

QTEST_APPLESS_MAIN(tst_Lexer)
#include "tst_lexer.moc"
