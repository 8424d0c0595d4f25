// SPDX-License-Identifier: MIT
// Presets, switches and overrides: what each is called, and graphs on which two presets part.
#include "tests/support/pass_text.h"

#include <QTest>

#include <set>

using namespace reinspect;

class tst_ReinplacePolicy : public QObject
{
    Q_OBJECT

private slots:
    void presetsPart_data();
    void presetsPart();
    void eachPresetIsASetOfSwitchesOfItsOwn();
    void aProducerNamesItsPreset();
    void aSwitchIsSetByName();
    void mistakesSayWhatThereIs_data();
    void mistakesSayWhatThereIs();
    void theDescriptionTellsWhatDiffers();
    void anOverrideOfAnArgumentGoesBeforeOneOfTheNode();
};

void tst_ReinplacePolicy::presetsPart_data()
{
    QTest::addColumn<std::string>("body");
    QTest::addColumn<std::string>("first");
    QTest::addColumn<std::string>("firstVerdicts");
    QTest::addColumn<std::string>("second");
    QTest::addColumn<std::string>("secondVerdicts");

    const auto row = [](const char* name, std::string body, const char* first,
                        const char* firstVerdicts, const char* second, const char* secondVerdicts) {
        QTest::newRow(name)
            << "def forward(self, x: \"f32[8][1]cuda:0\", i: \"i64[2][1]cuda:0\", v: "
               "\"f32[2][1]cuda:0\", n: \"f32[4][1]cuda:0\"):\n"
                + std::move(body)
            << std::string(first) << std::string(firstVerdicts) << std::string(second)
            << std::string(secondVerdicts);
    };
    const std::string cos = "    a: \"f32[8][1]cuda:0\" = torch.ops.aten.cos.default(x)\n";
    const std::string put =
        "    p: \"f32[8][1]cuda:0\" = torch.ops.aten.index_put.default(a, [i], v)\n";
    const std::string putInput =
        "    p: \"f32[8][1]cuda:0\" = torch.ops.aten.index_put.default(x, [i], v)\n";
    const std::string copy = "    c: \"f32[8][1]cuda:0\" = torch.ops.aten.copy_.default(x, p)\n";

    row("a read before the call is counted, then not",
        cos + "    t: \"f32[8][1]cuda:0\" = torch.ops.aten.sin.default(a)\n" + put
            + "    return (p, t)\n",
        "pr-111627", "kept TooManyUsers: t", "later-uses", "reinplaced");
    row("a reader through a view is overlooked, then seen",
        cos + "    s: \"f32[8][1]cuda:0\" = torch.ops.aten.view.default(a, [8])\n" + put
            + "    t: \"f32[8][1]cuda:0\" = torch.ops.aten.sin.default(s)\n    return (p, t)\n",
        "later-uses", "reinplaced", "alias-aware", "kept UsedLater: t, s");
    row("a view elsewhere is a reader, then not",
        cos
            + "    s: \"f32[4][1]cuda:0\" = torch.ops.aten.slice.Tensor(a, 0, 0, 4)\n"
              "    b: \"f32[4][1]cuda:0\" = torch.ops.aten.slice.Tensor(a, 0, 4, 8)\n"
              "    p: \"f32[4][1]cuda:0\" = torch.ops.aten.index_put.default(b, [i], v)\n"
              "    t: \"f32[4][1]cuda:0\" = torch.ops.aten.sin.default(s)\n    return (p, t)\n",
        "alias-aware", "kept UsedLater: t, s", "torch-2.11", "reinplaced");
    row("a shape is a read, then not",
        cos + put + "    t: \"Sym(8)\" = torch.ops.aten.sym_size.int(a, 0)\n    return (p, t)\n",
        "alias-aware", "kept UsedLater: t", "torch-2.11", "reinplaced");
    row("a read after the copy back counts, then not",
        putInput + copy
            + "    t: \"f32[8][1]cuda:0\" = torch.ops.aten.sin.default(x)\n"
              "    return (t,)\n",
        "alias-aware", "kept UsedLater: t", "torch-2.11", "reinplaced");
    row("the copy back must be of this result, then of any",
        putInput
            + "    t: \"f32[8][1]cuda:0\" = torch.ops.aten.sin.default(p)\n"
              "    c: \"f32[8][1]cuda:0\" = torch.ops.aten.copy_.default(x, t)\n    return ()\n",
        "alias-aware", "kept InputNotCopiedBack: x", "torch-2.11", "reinplaced");
    row("scatters are no candidates, then they are",
        "    p: \"f32[8][1]cuda:0\" = torch.ops.aten.slice_scatter.default(x, n, 0, 0, 4)\n" + copy
            + "    return ()\n",
        "alias-aware", "", "torch-2.11", "reinplaced");
    row("an expanded tensor is written, then not",
        "    z: \"f32[1][1]cuda:0\" = torch.ops.aten.sum.dim_IntList(x, [0], True)\n"
        "    a: \"f32[8][0]cuda:0\" = torch.ops.aten.expand.default(z, [8])\n"
            + put + "    return (p,)\n",
        "torch-2.11", "reinplaced", "main-2026", "kept InternalOverlap: a");
    row("a view of an input with a copy back through it",
        "    a: \"f32[8][1]cuda:0\" = torch.ops.aten.view.default(x, [8])\n" + put
            + "    r: \"f32[8][1]cuda:0\" = torch.ops.aten.view.default(p, [8])\n"
              "    c: \"f32[8][1]cuda:0\" = torch.ops.aten.copy_.default(x, r)\n    return ()\n",
        "torch-2.11", "kept ViewOfInput: x", "main-2026", "reinplaced");
    row("a scatter into an input whose result is returned",
        "    p: \"f32[8][1]cuda:0\" = torch.ops.aten.slice_scatter.default(x, n, 0, 0, 4)\n" + copy
            + "    return (p,)\n",
        "torch-2.11", "reinplaced", "main-2026", "kept ResultEscapes: output");
    row("a place in control_deps that only fixes an order",
        cos + put
            + "    t = torch.ops.higher_order.control_deps((a,), None, x)\n    return (p, t)\n",
        "torch-2.11", "kept UsedLater: t", "main-2026", "reinplaced");
    row("an index_put whose values lie in the memory it writes",
        cos
            + "    b: \"f32[8][1]cuda:0\" = torch.ops.aten.view.default(a, [8])\n"
              "    p: \"f32[8][1]cuda:0\" = torch.ops.aten.index_put.default(a, [i], b)\n"
              "    return (p,)\n",
        "torch-2.11", "reinplaced", "torch-2.15", "kept OperandAlias: b");
    row("an index_put whose values are of other memory", cos + put + "    return (p,)\n",
        "later-uses", "reinplaced", "torch-2.15", "reinplaced");
    row("a scatter whose source lies in the memory it writes",
        "    s: \"f32[4][1]cuda:0\" = torch.ops.aten.slice.Tensor(x, 0, 4, 8)\n"
        "    p: \"f32[8][1]cuda:0\" = torch.ops.aten.slice_scatter.default(x, s, 0, 0, 4)\n"
            + copy + "    return ()\n",
        "torch-2.11", "reinplaced", "torch-2.15", "kept OperandAlias: s");
    row("results may escape again",
        "    p: \"f32[8][1]cuda:0\" = torch.ops.aten.slice_scatter.default(x, n, 0, 0, 4)\n" + copy
            + "    return (p,)\n",
        "main-2026", "kept ResultEscapes: output", "torch-2.15", "reinplaced");
    row("foreach with a number joins",
        cos
            + "    k = torch.ops.aten._foreach_addcmul.Scalar([a], [x], [x], 0.5)\n"
              "    p: \"f32[8][1]cuda:0\" = k[0]\n    return (p,)\n",
        "main-2026", "", "torch-2.15", "kept ForeachMemberNotCopiedBack: a");
    row("random operators join",
        cos
            + "    p: \"f32[8][1]cuda:0\" = torch.ops.aten._philox_uniform.default(a, x, 0.0, "
              "1.0)\n"
              "    return (p,)\n",
        "torch-2.11", "", "main-2026", "reinplaced");
}

void tst_ReinplacePolicy::presetsPart()
{
    QFETCH(const std::string, body);
    QFETCH(const std::string, first);
    QFETCH(const std::string, firstVerdicts);
    QFETCH(const std::string, second);
    QFETCH(const std::string, secondVerdicts);

    QCOMPARE(verdicts(*traceOf(body, first)), firstVerdicts);
    QCOMPARE(verdicts(*traceOf(body, second)), secondVerdicts);
}

void tst_ReinplacePolicy::eachPresetIsASetOfSwitchesOfItsOwn()
{
    std::set<std::vector<bool>> sets;
    for (const PolicyPreset& preset : policyPresets())
    {
        const ReinplacePolicy policy = policyNamed(preset.name).value();
        std::vector<bool> values;
        for (const PolicySwitch& row : policySwitches())
            values.push_back(policy.*(row.value));
        QVERIFY2(sets.insert(values).second, std::string(preset.name).c_str());
        QCOMPARE(describe(policy), std::string(preset.name));
    }
    QVERIFY(policyNamed("torch-2.11").value() == ReinplacePolicy{});
    QCOMPARE(sets.size(), std::size_t{7});
}

void tst_ReinplacePolicy::aProducerNamesItsPreset()
{
    const std::pair<const char*, const char*> rows[] = {
        {"torch 2.4.1", "torch-2.11"},
        {"torch 2.11.0+cu130, python 3.12", "torch-2.11"},
        {"torch 2.14.1", "torch-2.11"},
        {"torch 2.15.0a0+git1234", "torch-2.15"},
        {"python 3.11.7, torch 2.16.0", "torch-2.15"},
        {"torch 3.0", "torch-2.15"},
        {"", ""},
        {"reinspect", ""},
        {"torch", ""},
        {"torch main", ""},
        {"torch 2", ""},
    };
    for (const auto& [producer, preset] : rows)
        QCOMPARE(std::string(presetOfProducer(producer)), std::string(preset));
}

void tst_ReinplacePolicy::aSwitchIsSetByName()
{
    for (const PolicySwitch& row : policySwitches())
    {
        ReinplacePolicy policy;
        const bool before = policy.*(row.value);
        QVERIFY(setSwitch(policy, std::string(row.name) + (before ? "=off" : "=on")).ok());
        QCOMPARE(policy.*(row.value), !before);
    }
}

void tst_ReinplacePolicy::mistakesSayWhatThereIs_data()
{
    QTest::addColumn<std::string>("assignment");
    QTest::addColumn<std::string>("message");
    QTest::addColumn<std::string>("hint");
    QTest::newRow("unknown") << std::string("overlap=on") << std::string("unknown switch 'overlap'")
                             << std::string("overlap-test");
    QTest::newRow("no value") << std::string("overlap-test")
                              << std::string("'overlap-test' does not say on or off")
                              << std::string("overlap-test=off");
    QTest::newRow("other value") << std::string("overlap-test=1")
                                 << std::string("'overlap-test=1' does not say on or off")
                                 << std::string("overlap-test=off");
}

void tst_ReinplacePolicy::mistakesSayWhatThereIs()
{
    QFETCH(const std::string, assignment);
    QFETCH(const std::string, message);
    QFETCH(const std::string, hint);
    ReinplacePolicy policy;

    const Result<void> result = setSwitch(policy, assignment);

    QVERIFY(!result.ok());
    QCOMPARE(result.error().message, message);
    QVERIFY2(result.error().hint.find(hint) != std::string::npos, result.error().hint.c_str());
    QVERIFY(result.error().kind == ErrorKind::BadUsage);
    QVERIFY(policy == ReinplacePolicy{});
}

void tst_ReinplacePolicy::theDescriptionTellsWhatDiffers()
{
    ReinplacePolicy policy = policyNamed("main-2026").value();
    QVERIFY(setSwitch(policy, "overlap-test=off").ok());
    QVERIFY(setSwitch(policy, "count-users=on").ok());
    setOverride(policy, overrideFrom("index_put", true));
    setOverride(policy, overrideFrom("wrapper:out0", false));

    QCOMPARE(describe(policy),
             std::string("main-2026 count-users=on overlap-test=off +index_put -wrapper:out0"));
}

void tst_ReinplacePolicy::anOverrideOfAnArgumentGoesBeforeOneOfTheNode()
{
    ReinplacePolicy policy;
    setOverride(policy, overrideFrom("k", true));
    setOverride(policy, overrideFrom("k:b", true));
    setOverride(policy, overrideFrom("k:b", false)); // in place of the one before

    QCOMPARE(policy.overrides.size(), std::size_t{2});
    QVERIFY(overrideFor(policy, "k", "a")->force);
    QVERIFY(!overrideFor(policy, "k", "b")->force);
    QVERIFY(!overrideFor(policy, "other", "a"));

    clearOverride(policy, "k", "b"); // the word about all of k covers b, too
    QVERIFY(policy.overrides.empty());
}

QTEST_APPLESS_MAIN(tst_ReinplacePolicy)
#include "tst_reinplace_policy.moc"
