// SPDX-License-Identifier: MIT
#include "core/ir/op_facts.h"

#include <QTest>

#include <algorithm>
#include <string>

using namespace reinspect;

class tst_OpFacts : public QObject
{
    Q_OBJECT

private slots:
    void anUnknownOperatorHasNoRow();
    void everyRowIsFoundByItsName();
    void rowsAreInOrderAndDiffer();
    void aViewSharesItsFirstArgument();
    void anInPlaceOperatorWritesWhatItReturns();
    void outArgumentsAreCountedAcrossTheStar();
    void inductorFactsAreThere();
    void aTwinTakesTheSameArguments();
    void theFactsAgreeWithTheSchema();
    void theTablesAreThoseOfThePass();
    void aUserSchemaIsRead();
    void defaultsMayHoldCommasAndQuotes();
    void aliasSetsAreReadWhereverTheyStand_data();
    void aliasSetsAreReadWhereverTheyStand();
    void malformedSchemasGiveNothing_data();
    void malformedSchemasGiveNothing();
    void resultsAreCounted_data();
    void resultsAreCounted();
};

static std::string text(std::string_view view)
{
    return std::string(view);
}

static const OpFacts& factsOf(std::string_view name)
{
    static const OpFacts none;
    const OpFacts* facts = findOpFacts(name);
    return facts ? *facts : none;
}

void tst_OpFacts::anUnknownOperatorHasNoRow()
{
    QVERIFY(!findOpFacts("demo.scale_.default"));
    QVERIFY(!findOpFacts(""));
    QVERIFY(!findOpFacts("aten.slice")); // has no default overload
    QCOMPARE(findOpFacts("aten.clone"), findOpFacts("aten.clone.default"));
    QVERIFY(!findOpFacts("higher_order.triton_kernel_wrapper_functional"));
}

void tst_OpFacts::everyRowIsFoundByItsName()
{
    QVERIFY(allOpFacts().size() > 4000);
    for (const OpFacts& facts : allOpFacts())
        QCOMPARE(findOpFacts(facts.name), &facts);
}

void tst_OpFacts::rowsAreInOrderAndDiffer()
{
    const auto unordered = std::ranges::adjacent_find(
        allOpFacts(), [](const OpFacts& a, const OpFacts& b) { return a.name >= b.name; });
    QVERIFY2(unordered == allOpFacts().end(), "a row of op_table.inc stands in the wrong place");
}

void tst_OpFacts::aViewSharesItsFirstArgument()
{
    const OpFacts& slice = factsOf("aten.slice.Tensor");
    QVERIFY(slice.isView);
    QVERIFY(!slice.isMutable);
    QCOMPARE(slice.aliasedArgument, 0);
    QCOMPARE(slice.mutatedArguments, 0u);

    // Each piece of a split is a view: split(Tensor(a -> *) self, ...) -> Tensor(a)[].
    QVERIFY(factsOf("aten.split.Tensor").isView);
    QCOMPARE(factsOf("aten.split.Tensor").aliasedArgument, 0);
    QCOMPARE(factsOf("aten.cos.default").aliasedArgument, -1);
}

void tst_OpFacts::anInPlaceOperatorWritesWhatItReturns()
{
    const OpFacts& facts = factsOf("aten.index_put_.default");
    QVERIFY(facts.isMutable);
    QVERIFY(!facts.isView);
    QCOMPARE(facts.mutatedArguments, 1u);
    QCOMPARE(facts.aliasedArgument, 0);
}

void tst_OpFacts::outArgumentsAreCountedAcrossTheStar()
{
    // add.out(self, other, *, alpha, out): the star is no argument.
    QCOMPARE(factsOf("aten.add.out").mutatedArguments, 8u);
    QCOMPARE(factsOf("aten.add.out").aliasedArgument, 3);
}

void tst_OpFacts::inductorFactsAreThere()
{
    QVERIFY(factsOf("aten._foreach_add.List").isForeach);
    QVERIFY(factsOf("aten.as_strided.default").needsRealizedInputs);
    QVERIFY(!factsOf("aten.add.Tensor").isFallback);
    QVERIFY(std::ranges::any_of(allOpFacts(), &OpFacts::isFallback));
}

void tst_OpFacts::aTwinTakesTheSameArguments()
{
    QCOMPARE(text(factsOf("aten.add.Tensor").inplaceTwin), text("aten.add_.Tensor"));
    QCOMPARE(text(factsOf("aten._unsafe_index_put.default").inplaceTwin),
             text("prims._unsafe_index_put_.default"));
    QCOMPARE(text(factsOf("aten.add_.Tensor").inplaceTwin), text(""));
    QCOMPARE(text(factsOf("aten.mm.default").inplaceTwin), text(""));

    for (const OpFacts& facts : allOpFacts())
    {
        if (facts.inplaceTwin.empty())
            continue;
        const OpFacts* twin = findOpFacts(facts.inplaceTwin);
        QVERIFY2(twin && twin->mutatedArguments == 1, text(facts.name).c_str());
        QCOMPARE(schemaArguments(twin->schema).size(), schemaArguments(facts.schema).size());
    }
}

// The script that wrote the table and schemaArguments read the same text in two languages.
void tst_OpFacts::theFactsAgreeWithTheSchema()
{
    for (const OpFacts& facts : allOpFacts())
    {
        const std::vector<SchemaArgument> arguments = schemaArguments(facts.schema);
        std::uint64_t mutated = 0;
        for (std::size_t i = 0; i < arguments.size(); ++i)
        {
            if (arguments[i].isMutable)
                mutated |= std::uint64_t{1} << i;
        }
        QVERIFY2(mutated == facts.mutatedArguments, text(facts.name).c_str());
        QVERIFY2(facts.isMutable == (mutated != 0), text(facts.name).c_str());
        QVERIFY2(!arguments.empty() || facts.schema.find("()") != std::string_view::npos
                     || facts.schema.find("(...)") != std::string_view::npos,
                 text(facts.name).c_str());
        if (facts.aliasedArgument >= 0)
        {
            const auto index = static_cast<std::size_t>(facts.aliasedArgument);
            QVERIFY2(index < arguments.size() && !arguments[index].aliasSet.empty(),
                     text(facts.name).c_str());
        }
    }
}

void tst_OpFacts::theTablesAreThoseOfThePass()
{
    QCOMPARE(reinplaceTable().size(), 5u);
    QCOMPARE(foreachTable().size(), 7u);
    for (const ReinplaceTableEntry& entry : reinplaceTable())
        QCOMPARE(entry.mutatedArgument, 0);
    QCOMPARE(text(reinplaceTable()[0].functional), text("aten.index_put.default"));
    QCOMPARE(text(reinplaceTable()[0].inplace), text("aten.index_put_.default"));
}

void tst_OpFacts::aUserSchemaIsRead()
{
    const auto arguments = schemaArguments(
        "demo::scale_(Tensor(a0!) x, Tensor? mask, *, float s=2., Tensor(a1!)[] outs) -> ()");

    QCOMPARE(arguments.size(), 4u);
    QCOMPARE(text(arguments[0].type), text("Tensor(a0!)"));
    QCOMPARE(text(arguments[0].name), text("x"));
    QCOMPARE(text(arguments[0].aliasSet), text("a0"));
    QVERIFY(arguments[0].isMutable);
    QVERIFY(!arguments[0].isKeywordOnly);
    QCOMPARE(text(arguments[1].type), text("Tensor?"));
    QVERIFY(!arguments[1].isMutable);
    QVERIFY(arguments[2].isKeywordOnly);
    QCOMPARE(text(arguments[2].defaultText), text("2."));
    QVERIFY(arguments[3].isMutable);
    QVERIFY(arguments[3].isKeywordOnly);
    QCOMPARE(text(arguments[3].type), text("Tensor(a1!)[]"));
}

void tst_OpFacts::defaultsMayHoldCommasAndQuotes()
{
    const auto arguments = schemaArguments(
        R"(demo::f(int[2] stride=[1, 1], str cut=", )\"(", str mode='a,b', int n = 3) -> Tensor)");

    QCOMPARE(arguments.size(), 4u);
    QCOMPARE(text(arguments[0].defaultText), text("[1, 1]"));
    QCOMPARE(text(arguments[1].defaultText), text(R"(", )\"(")"));
    QCOMPARE(text(arguments[2].defaultText), text("'a,b'"));
    QCOMPARE(text(arguments[3].name), text("n"));
    QCOMPARE(text(arguments[3].defaultText), text("3"));
}

void tst_OpFacts::aliasSetsAreReadWhereverTheyStand_data()
{
    QTest::addColumn<std::string>("declaration");
    QTest::addColumn<std::string>("aliasSet");
    QTest::addColumn<bool>("isMutable");

    QTest::newRow("none") << text("Tensor x") << text("") << false;
    QTest::newRow("read") << text("Tensor(a) x") << text("a") << false;
    QTest::newRow("written") << text("Tensor(b!) x") << text("b") << true;
    QTest::newRow("into a list") << text("Tensor(a -> *) x") << text("a") << false;
    QTest::newRow("list of tensors") << text("Tensor(a!)[]? x") << text("a") << true;
    QTest::newRow("the list itself") << text("t[](a!) x") << text("a") << true;
    QTest::newRow("dictionary") << text("Dict(str, t)(a!) x") << text("a") << true;
    QTest::newRow("dictionary alone") << text("Dict(str, t) x") << text("") << false;
    QTest::newRow("tuple") << text("(int, int) x") << text("") << false;
}

void tst_OpFacts::aliasSetsAreReadWhereverTheyStand()
{
    QFETCH(std::string, declaration);
    QFETCH(std::string, aliasSet);
    QFETCH(bool, isMutable);

    const std::string schema = "demo::f(" + declaration + ") -> ()";
    const std::vector<SchemaArgument> arguments = schemaArguments(schema);

    QCOMPARE(arguments.size(), 1u);
    QCOMPARE(text(arguments[0].name), text("x"));
    QCOMPARE(text(arguments[0].aliasSet), aliasSet);
    QCOMPARE(arguments[0].isMutable, isMutable);
}

void tst_OpFacts::malformedSchemasGiveNothing_data()
{
    QTest::addColumn<std::string>("schema");

    QTest::newRow("nothing") << text("");
    QTest::newRow("a name") << text("demo::f");
    QTest::newRow("no name") << text("(Tensor x) -> ()");
    QTest::newRow("never closed") << text("demo::f(Tensor(a! x) -> ()");
    QTest::newRow("closed twice") << text("demo::f(Tensor x)) -> ()");
    QTest::newRow("no arrow") << text("demo::f(Tensor x)");
    QTest::newRow("no result") << text("demo::f(Tensor x) -> ");
    QTest::newRow("a comma too much") << text("demo::f(Tensor x,, Tensor y) -> ()");
    QTest::newRow("a comma at the end") << text("demo::f(Tensor x,) -> ()");
    QTest::newRow("an argument without name") << text("demo::f(Tensor) -> ()");
    QTest::newRow("an open quote") << text("demo::f(str x=\"a) -> ()");
    QTest::newRow("a quote in a type") << text("demo::f(Tensor\"(\" x) -> ()");
    QTest::newRow("brackets only") << text("([)]");
}

void tst_OpFacts::malformedSchemasGiveNothing()
{
    QFETCH(std::string, schema);
    QVERIFY(schemaArguments(schema).empty());
}

void tst_OpFacts::resultsAreCounted_data()
{
    QTest::addColumn<std::string>("results");
    QTest::addColumn<std::size_t>("count");

    QTest::newRow("none") << text("()") << std::size_t{0};
    QTest::newRow("one") << text("Tensor(a!)") << std::size_t{1};
    QTest::newRow("a list is one") << text("Tensor(a)[]") << std::size_t{1};
    QTest::newRow("three") << text("(Tensor, Tensor(a!) out, Dict(str, int))") << std::size_t{3};
    QTest::newRow("one in parentheses") << text("(Tensor out)") << std::size_t{1};
    QTest::newRow("never closed") << text("(Tensor, Tensor") << std::size_t{0};
}

void tst_OpFacts::resultsAreCounted()
{
    QFETCH(std::string, results);
    QFETCH(std::size_t, count);
    QCOMPARE(schemaReturnCount("demo::f(Tensor x) -> " + results), count);
}

QTEST_APPLESS_MAIN(tst_OpFacts)
#include "tst_op_facts.moc"
