// SPDX-License-Identifier: MIT
#include "core/io/json_tree.h"

#include <QTest>

using namespace reinspect;

class tst_JsonTree : public QObject
{
    Q_OBJECT

private slots:
    void valuesKeepTheirKindAndOrder();
    void everyValueKnowsItsPlace();
    void whatIsAbsentReadsAsNull();
    void stringsAreUnescaped_data();
    void stringsAreUnescaped();
    void numbersAreIntegersWhenTheyFit();
    void brokenTextSaysWhatWasExpected_data();
    void brokenTextSaysWhatWasExpected();
    void nestingHasALimit();
};

static Result<std::shared_ptr<const JsonTree>> parsed(const std::string& text)
{
    return JsonTree::parse(std::make_shared<const SourceText>("t.json", text));
}

void tst_JsonTree::valuesKeepTheirKindAndOrder()
{
    const auto tree = parsed(R"({"z": [1, true, null], "a": {"b": "c"}})");

    QVERIFY(tree.ok());
    const JsonValue root = (*tree)->root();
    std::string keys;
    QVERIFY(root.forEachPair([&](JsonValue key, JsonValue) -> Result<void> {
                    keys += key.string();
                    return {};
                })
                .ok());
    QCOMPARE(keys, std::string("za"));
    QCOMPARE(root["z"].count(), std::size_t{3});
    QCOMPARE(root["a"]["b"].string(), std::string_view("c"));
    QCOMPARE((*root["z"].begin()).integer(), std::optional<std::int64_t>(1));
}

void tst_JsonTree::everyValueKnowsItsPlace()
{
    const auto tree = parsed(R"({"a": [10, 20]})");

    const JsonValue list = (*tree)->root()["a"];
    QCOMPARE(list.offset(), std::size_t{6});
    QCOMPARE(list.raw(), std::string_view("[10, 20]"));
}

void tst_JsonTree::whatIsAbsentReadsAsNull()
{
    const auto tree = parsed(R"({"a": 1})");

    const JsonValue absent = (*tree)->root()["b"]["c"];
    QVERIFY(!absent.present());
    QVERIFY(absent.isNull());
    QVERIFY(absent.begin() == absent.end());
    QCOMPARE(absent.string(), std::string_view());
}

void tst_JsonTree::stringsAreUnescaped_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("value");

    QTest::newRow("plain") << std::string(R"("abc")") << std::string("abc");
    QTest::newRow("letters") << std::string(R"("\"\\\/\n\t")") << std::string("\"\\/\n\t");
    QTest::newRow("code point") << std::string(R"("\u00e9")") << std::string("\xC3\xA9");
    QTest::newRow("pair") << std::string(R"("\ud83d\ude00")") << std::string("\xF0\x9F\x98\x80");
    QTest::newRow("half a pair") << std::string(R"("\ud83d!")") << std::string("\xEF\xBF\xBD!");
}

void tst_JsonTree::stringsAreUnescaped()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, value);

    const auto tree = parsed(text);

    QVERIFY(tree.ok());
    QCOMPARE(std::string((*tree)->root().string()), value);
}

void tst_JsonTree::numbersAreIntegersWhenTheyFit()
{
    QCOMPARE((*parsed("-7"))->root().integer(), std::optional<std::int64_t>(-7));
    QVERIFY(!(*parsed("1.5"))->root().integer());
    QVERIFY(!(*parsed("99999999999999999999"))->root().integer());
    QCOMPARE((*parsed("1.5e3"))->root().number(), std::optional<double>(1500));
}

void tst_JsonTree::brokenTextSaysWhatWasExpected_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("message");

    const std::string wrong = "this is not valid JSON: expected ";
    const std::string cut = "the JSON ends too early: expected ";
    QTest::newRow("no comma") << std::string("[1 2]") << wrong + "',' or ']'";
    QTest::newRow("no colon") << std::string(R"({"a" 1})") << wrong + "':' after the key";
    QTest::newRow("bare key") << std::string("{a: 1}") << wrong + "a key in double quotes";
    QTest::newRow("no value") << std::string(R"({"a": })") << wrong + "a value";
    QTest::newRow("bad escape") << std::string(R"("\q")")
                                << std::string("this is not valid JSON: unknown escape");
    QTest::newRow("bad number") << std::string("1.x") << wrong + "a digit";
    QTest::newRow("two values") << std::string("{} {}")
                                << std::string("text after the end of the JSON value");
    QTest::newRow("cut list") << std::string("[1,") << cut + "a value";
    QTest::newRow("cut string") << std::string("[\"ab") << cut + "a closing '\"'";
    QTest::newRow("cut object") << std::string(R"({"a": 1)") << cut + "',' or '}'";
    QTest::newRow("line break in a string")
        << std::string("\"a\nb\"") << wrong + "a closing '\"' before the end of the line";
}

void tst_JsonTree::brokenTextSaysWhatWasExpected()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, message);

    const auto tree = parsed(text);

    QVERIFY(!tree.ok());
    QCOMPARE(tree.error().message, message);
    QVERIFY(tree.error().span.line > 0);
}

void tst_JsonTree::nestingHasALimit()
{
    const auto tree = parsed(std::string(100'000, '['));

    QVERIFY(!tree.ok());
    QCOMPARE(tree.error().message, std::string("nested deeper than 200 levels"));
    QCOMPARE(tree.error().span.column, 201u);
}

QTEST_APPLESS_MAIN(tst_JsonTree)
#include "tst_json_tree.moc"
