// SPDX-License-Identifier: MIT
// Each reason code has a small graph that produces exactly it, with its witnesses, and sentences for it.
#include "core/passes/explain.h"

#include "tests/support/pass_text.h"
#include "tests/support/small_programs.h"

#include <QTest>

#include <set>

using namespace reinspect;

namespace
{

const Decision* firstRefusal(const PassTrace& trace)
{
    const auto found = std::ranges::find(trace.decisions, Verdict::Kept, &Decision::verdict);
    return found == trace.decisions.end() ? nullptr : &*found;
}

std::string kernel(const std::string& arguments, const std::string& written)
{
    return "triton_kernel_wrapper_functional(kernel_idx = 0, constant_args_idx = 0, grid = [(1, 1, "
           "1)], tma_descriptor_metadata = {}, kwargs = {"
        + arguments + "}, tensors_to_clone = [" + written + "])\n";
}

struct ReasonRow
{
    std::string name;
    std::string code;
    std::string expected; // the first refusal
    std::string policy;
    std::string forbidden;
};

std::vector<ReasonRow> reasonRows()
{
    std::vector<ReasonRow> rows;
    const auto row = [&rows](std::string name, const std::string& body, std::string expected,
                             std::string policy = "torch-2.11", std::string forbidden = "") {
        rows.push_back({std::move(name),
                        "def forward(self, x: \"f32[8][1]cuda:0\", y: \"f32[8][1]cuda:0\", "
                        "i: \"i64[2][1]cuda:0\", v: \"f32[2][1]cuda:0\"):\n"
                            + body,
                        std::move(expected), std::move(policy), std::move(forbidden)});
    };
    const std::string cos = "    a: \"f32[8][1]cuda:0\" = torch.ops.aten.cos.default(x)\n";
    const std::string put =
        "    p: \"f32[8][1]cuda:0\" = torch.ops.aten.index_put.default(a, [i], v)\n";
    const std::string putInput =
        "    p: \"f32[8][1]cuda:0\" = torch.ops.aten.index_put.default(x, [i], v)\n";
    const std::string copy = "    c: \"f32[8][1]cuda:0\" = torch.ops.aten.copy_.default(x, p)\n";
    const std::string foreachAdd = "    f = torch.ops.aten._foreach_add.List([x, y], [y, x])\n"
                                   "    g: \"f32[8][1]cuda:0\" = f[0]\n"
                                   "    h: \"f32[8][1]cuda:0\" = f[1]\n";
    const std::string half =
        "    s: \"f32[4][1]cuda:0\" = torch.ops.aten.slice.Tensor(a, 0, 0, 4)\n";

    row("no storage",
        "    p: \"f32[8][1]cuda:0\" = torch.ops.aten.index_put.default(None, [i], v)\n"
        "    return (p,)\n",
        "kept NoStorage");
    row("list shares storage",
        cos + half
            + "    r = torch.ops._c10d_functional.all_reduce_coalesced.default([a, s], 'sum', "
              "'0')\n"
              "    return (r,)\n",
        "kept ListSharesStorage: s");
    row("list member refused",
        cos
            + "    b: \"f32[8][1]cuda:0\" = torch.ops.aten.sin.default(y)\n"
              "    r = torch.ops._c10d_functional.all_reduce_coalesced.default([a, b], 'sum', "
              "'0')\n"
              "    t: \"f32[8][1]cuda:0\" = torch.ops.aten.sin.default(b)\n"
              "    return (r, t)\n",
        "kept ListMemberRefused: b, t");
    row("input not copied back", putInput + "    return (p,)\n", "kept InputNotCopiedBack: x");
    row("used before the copy back",
        putInput + "    t: \"f32[8][1]cuda:0\" = torch.ops.aten.sin.default(x)\n" + copy
            + "    return (t,)\n",
        "kept UsedBeforeCopyBack: t");
    row("view of an input",
        "    a: \"f32[8][1]cuda:0\" = torch.ops.aten.view.default(x, [8])\n" + put
            + "    return (p,)\n",
        "kept ViewOfInput: x");
    row("used later",
        cos + put
            + "    t: \"f32[8][1]cuda:0\" = torch.ops.aten.sin.default(a)\n"
              "    return (p, t)\n",
        "kept UsedLater: t");
    row("used later through a view",
        cos + half + put
            + "    t: \"f32[4][1]cuda:0\" = torch.ops.aten.sin.default(s)\n"
              "    return (p, t)\n",
        "kept UsedLater: t, s");
    row("storage already taken",
        cos + "    k = torch.ops.higher_order." + kernel("'o': a, 'q': a", "'o', 'q'")
            + "    g: \"f32[8][1]cuda:0\" = k['o']\n    h: \"f32[8][1]cuda:0\" = k['q']\n"
              "    return (g, h)\n",
        "kept StorageAlreadyTaken: a");
    row("not profitable",
        cos
            + "    p: \"f32[8][1]cuda:0\" = torch.ops.aten.slice_scatter.default(a, v, 0, 0, 2)\n"
              "    t: \"f32[8][1]cuda:0\" = torch.ops.aten.sin.default(p)\n    return (t,)\n",
        "kept NotProfitable: _generalized_scatter");
    row("foreach member not copied back",
        foreachAdd
            + "    c: \"f32[8][1]cuda:0\" = torch.ops.aten.copy_.default(x, g)\n"
              "    return (h,)\n",
        "kept ForeachMemberNotCopiedBack: y");
    row("internal overlap",
        "    z: \"f32[1][1]cuda:0\" = torch.ops.aten.sum.dim_IntList(x, [0], True)\n"
        "    a: \"f32[8][0]cuda:0\" = torch.ops.aten.expand.default(z, [8])\n"
            + put + "    return (p,)\n",
        "kept InternalOverlap: a", "main-2026");
    row("copy back in another layout",
        "    a: \"f32[4, 2][2, 1]cuda:0\" = torch.ops.aten.view.default(x, [4, 2])\n"
        "    p: \"f32[4, 2][2, 1]cuda:0\" = torch.ops.aten.index_put.default(a, [i], v)\n"
        "    r: \"f32[8][1]cuda:0\" = torch.ops.aten.view.default(p, [8])\n"
        "    t: \"f32[4][2]cuda:0\" = torch.ops.aten.select.int(p, 1, 0)\n"
        "    c: \"f32[8][1]cuda:0\" = torch.ops.aten.copy_.default(x, t)\n    return ()\n",
        "kept CopyBackLayoutDiffers: c, x", "main-2026");
    row("result escapes",
        "    p: \"f32[8][1]cuda:0\" = torch.ops.aten.slice_scatter.default(x, v, 0, 0, 2)\n" + copy
            + "    return (p,)\n",
        "kept ResultEscapes: output", "main-2026");
    row("forbidden", cos + put + "    return (p,)\n", "kept ForbiddenByUser", "torch-2.11", "p");
    row("too many users",
        cos + "    t: \"f32[8][1]cuda:0\" = torch.ops.aten.sin.default(a)\n" + put
            + "    return (p, t)\n",
        "kept TooManyUsers: t", "pr-111627");
    row("operand alias",
        cos + half
            + "    p: \"f32[8][1]cuda:0\" = torch.ops.aten.index_put.default(a, [i], s)\n"
              "    return (p,)\n",
        "kept OperandAlias: s", "precise");
    row("result overwritten",
        putInput + copy
            + "    d: \"f32[8][1]cuda:0\" = torch.ops.aten.copy_.default(x, y)\n"
              "    t: \"f32[8][1]cuda:0\" = torch.ops.aten.sin.default(p)\n    return (t,)\n",
        "kept ResultOverwritten: d, t", "precise");
    row("too many aliases",
        "    b: \"f32[2, 4][4, 1]cuda:0\" = torch.ops.aten.cos.default(x)\n"
        "    a: \"f32[8][1]cuda:0\" = torch.ops.aten.view.default(b, [8])\n"
            + put + "    return (p,)\n",
        "kept TooManyAliases: b", "pr-111627");
    return rows;
}

} // namespace

class tst_Reasons : public QObject
{
    Q_OBJECT

private slots:
    void eachReasonHasAGraph_data();
    void eachReasonHasAGraph();
    void everyReasonIsAmongThem();
    void whatIsNoTensorCannotBeForced();
    void aForcedWriteRemembersWhatWasOverruled();
};

void tst_Reasons::eachReasonHasAGraph_data()
{
    QTest::addColumn<std::string>("code");
    QTest::addColumn<std::string>("policy");
    QTest::addColumn<std::string>("forbidden");
    QTest::addColumn<std::string>("expected");
    for (const ReasonRow& row : reasonRows())
        QTest::newRow(row.name.c_str()) << row.code << row.policy << row.forbidden << row.expected;
}

void tst_Reasons::eachReasonHasAGraph()
{
    QFETCH(const std::string, code);
    QFETCH(const std::string, policy);
    QFETCH(const std::string, forbidden);
    QFETCH(const std::string, expected);
    ReinplacePolicy chosen = policyNamed(policy).value();
    if (!forbidden.empty())
        setOverride(chosen, overrideFrom(forbidden, false));

    const TracePtr trace = traceOf(code, chosen);

    const Decision* refusal = firstRefusal(*trace);
    QVERIFY2(refusal, verdicts(*trace).c_str());
    QCOMPARE(verdictText(*trace, *refusal), expected);
    const std::string sentence = explain(*trace, refusal->decided);
    QVERIFY2(sentence.find("must not write") != std::string::npos, sentence.c_str());
    QVERIFY2(sentence.find("in place: ") + 12 < sentence.find(" (costs"), sentence.c_str());
}

void tst_Reasons::everyReasonIsAmongThem()
{
    std::set<std::string> produced;
    for (const ReasonRow& row : reasonRows())
        produced.insert(row.expected.substr(5, row.expected.find(':') - 5));
    for (int i = 0; i <= static_cast<int>(Reason::ResultOverwritten); ++i)
    {
        const std::string name(reasonName(static_cast<Reason>(i)));
        QVERIFY2(produced.contains(name), name.c_str());
    }
}

void tst_Reasons::whatIsNoTensorCannotBeForced()
{
    ReinplacePolicy policy;
    setOverride(policy, overrideFrom("p", true));

    const TracePtr trace = traceOf(R"(
    def forward(self, i: "i64[2][1]cuda:0", v: "f32[2][1]cuda:0"):
        p: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(None, [i], v)
        return (p,)
)",
                                   policy);

    QCOMPARE(verdicts(*trace), std::string("kept NoStorage"));
}

void tst_Reasons::aForcedWriteRemembersWhatWasOverruled()
{
    ReinplacePolicy policy;
    setOverride(policy, overrideFrom("p:0", true));

    const TracePtr trace = traceOf(kKeptCode, policy);

    QCOMPARE(verdicts(*trace), std::string("reinplaced"));
    QCOMPARE(trace->result->node(trace->result->find("p")).target,
             std::string("aten.index_put_.default"));
    const Decision& decision = trace->decisions.front();
    QVERIFY(decision.forced);
    QVERIFY(decision.overruled == Reason::UsedLater);
    const std::string sentence = explain(*trace, decision.decided);
    QVERIFY2(sentence.find("is made to write") != std::string::npos, sentence.c_str());
    QVERIFY2(sentence.find("UsedLater") != std::string::npos, sentence.c_str());
}

QTEST_APPLESS_MAIN(tst_Reasons)
#include "tst_reasons.moc"
