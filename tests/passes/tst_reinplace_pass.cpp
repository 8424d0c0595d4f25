// SPDX-License-Identifier: MIT
// The verdicts of the pass on small graphs, most of them after the upstream tests of the same idea
// (test/inductor/test_inplacing_pass.py).
#include "core/ir/graph_verifier.h"

#include "tests/support/pass_text.h"

#include <QTest>

using namespace reinspect;

namespace
{

std::string targetOf(const PassTrace& trace, std::string_view name)
{
    const NodeId node = trace.result->find(name);
    return node ? trace.result->node(node).target.str() : std::string("(removed)");
}

bool examined(const PassTrace& trace, UseVerdict verdict)
{
    return std::any_of(trace.events.begin(), trace.events.end(), [verdict](const Event& event) {
        const UseExamined* use = event.as<UseExamined>();
        return use && use->verdict == verdict;
    });
}

constexpr std::string_view kTwoArguments = R"(
    def forward(self, x: "f32[8][1]cuda:0"):
        empty: "f32[8][1]cuda:0" = torch.ops.aten.empty.memory_format([8])
        empty_1: "f32[8][1]cuda:0" = torch.ops.aten.empty.memory_format([8])
        wrapper = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, constant_args_idx = 0, grid = [(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'in0': x, 'out0': empty, 'out1': empty_1}, tensors_to_clone = ['out0', 'out1'])
        getitem: "f32[8][1]cuda:0" = wrapper['out0']
        getitem_1: "f32[8][1]cuda:0" = wrapper['out1']
        return (getitem, getitem_1, empty_1)
)";

constexpr std::string_view kSameBufferTwice = R"(
    def forward(self, x: "f32[8][1]cuda:0"):
        empty: "f32[8][1]cuda:0" = torch.ops.aten.empty.memory_format([8])
        wrapper = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, constant_args_idx = 0, grid = [(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'in0': x, 'out0': empty, 'out1': empty}, tensors_to_clone = ['out0', 'out1'])
        getitem: "f32[8][1]cuda:0" = wrapper['out0']
        getitem_1: "f32[8][1]cuda:0" = wrapper['out1']
        return (getitem, getitem_1)
)";

} // namespace

class tst_ReinplacePass : public QObject
{
    Q_OBJECT

private slots:
    void verdictsOfIndexPut_data();
    void verdictsOfIndexPut();
    void aCopyBackIsDropped();
    void aUseBeforeTheCopyBackRefuses();
    void shapeOnlyUsesDoNotRefuse();
    void withoutTheShapeSwitchShapeUsesRefuse();
    void disjointViewsDoNotRefuse();
    void withoutTheOverlapTestDisjointViewsRefuse();
    void eachArgumentOfAKernelIsDecidedByItself();
    void aBufferGivenTwiceIsTakenOnce();
    void nestedScattersBecomeOne();
    void aScatterThatCanBeFusedIsNotProfitable();
    void theInputGraphStays();
    void withoutAReturnAVerdictIsAssumed();
    void aCopyOfAHalfDonePassStandsByItself();
    void anUnknownShapeCostsNoNumber();
};

void tst_ReinplacePass::verdictsOfIndexPut_data()
{
    QTest::addColumn<std::string>("body");
    QTest::addColumn<std::string>("expected");
    QTest::addColumn<std::string>("target");

    QTest::newRow("should_modify_inner") << std::string(R"(
        cos: "f32[8][1]cuda:0" = torch.ops.aten.cos.default(x)
        put: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(cos, [i], v)
        return (put,)
)") << std::string("reinplaced") << std::string("aten.index_put_.default");
    QTest::newRow("dont_modify_live") << std::string(R"(
        cos: "f32[8][1]cuda:0" = torch.ops.aten.cos.default(x)
        put: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(cos, [i], v)
        return (put, cos)
)") << std::string("kept UsedLater: output")
                                      << std::string("aten.index_put.default");
    QTest::newRow("dont_modify_view_of_live") << std::string(R"(
        cos: "f32[8][1]cuda:0" = torch.ops.aten.cos.default(x)
        part: "f32[8][1]cuda:0" = torch.ops.aten.view.default(cos, [8])
        put: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(part, [i], v)
        sin: "f32[8][1]cuda:0" = torch.ops.aten.sin.default(cos)
        return (put, sin)
)") << std::string("kept UsedLater: sin, cos") << std::string("aten.index_put.default");
    QTest::newRow("dont_modify_input") << std::string(R"(
        put: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(x, [i], v)
        return (put,)
)") << std::string("kept InputNotCopiedBack: x")
                                       << std::string("aten.index_put.default");
    QTest::newRow("should_modify_input") << std::string(R"(
        put: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(x, [i], v)
        copy_: "f32[8][1]cuda:0" = torch.ops.aten.copy_.default(x, put)
        return ()
)") << std::string("reinplaced") << std::string("aten.index_put_.default");
    QTest::newRow("view of an input") << std::string(R"(
        part: "f32[4][1]cuda:0" = torch.ops.aten.slice.Tensor(x, 0, 0, 4)
        put: "f32[4][1]cuda:0" = torch.ops.aten.index_put.default(part, [i], v)
        return (put,)
)") << std::string("kept ViewOfInput: x")
                                      << std::string("aten.index_put.default");
    QTest::newRow("view of the base made later") << std::string(R"(
        cos: "f32[8][1]cuda:0" = torch.ops.aten.cos.default(x)
        put: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(cos, [i], v)
        later: "f32[2, 4][4, 1]cuda:0" = torch.ops.aten.view.default(cos, [2, 4])
        sin: "f32[2, 4][4, 1]cuda:0" = torch.ops.aten.sin.default(later)
        return (put, sin)
)") << std::string("kept UsedLater: later") << std::string("aten.index_put.default");
    QTest::newRow("view made before and read later") << std::string(R"(
        cos: "f32[8][1]cuda:0" = torch.ops.aten.cos.default(x)
        early: "f32[2, 4][4, 1]cuda:0" = torch.ops.aten.view.default(cos, [2, 4])
        put: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(cos, [i], v)
        sin: "f32[2, 4][4, 1]cuda:0" = torch.ops.aten.sin.default(early)
        return (put, sin)
)") << std::string("kept UsedLater: sin, early") << std::string("aten.index_put.default");
}

void tst_ReinplacePass::verdictsOfIndexPut()
{
    QFETCH(const std::string, body);
    QFETCH(const std::string, expected);
    QFETCH(const std::string, target);

    const TracePtr trace = traceOf("\n    def forward(self, x: \"f32[8][1]cuda:0\", i: "
                                   "\"i64[3][1]cuda:0\", v: \"f32[3][1]cuda:0\"):"
                                   + body);

    QCOMPARE(verdicts(*trace), expected);
    QCOMPARE(targetOf(*trace, "put"), target);
    QVERIFY(verifyGraph(*trace->result));
    QVERIFY(trace->event(trace->decisions.front().decided).as<Decided>());
    QVERIFY(trace->event(trace->decisions.front().tried).as<ArgumentTried>());
}

void tst_ReinplacePass::aCopyBackIsDropped()
{
    const TracePtr trace = traceOf(R"(
        def forward(self, x: "f32[8][1]cuda:0", i: "i64[3][1]cuda:0", v: "f32[3][1]cuda:0"):
            put: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(x, [i], v)
            copy_: "f32[8][1]cuda:0" = torch.ops.aten.copy_.default(x, put)
            return ()
    )");

    QCOMPARE(targetOf(*trace, "copy_"), std::string("(removed)"));
    QCOMPARE(trace->nameOf(trace->decisions.front().copyBack), std::string("copy_"));
    QCOMPARE(trace->removed.size(), std::size_t{1});
    QCOMPARE(trace->nameOf(trace->removed.front()), std::string("copy_"));
    QCOMPARE(trace->retargeted.size(), std::size_t{1});
}

void tst_ReinplacePass::aUseBeforeTheCopyBackRefuses()
{
    const TracePtr trace = traceOf(R"(
        def forward(self, x: "f32[8][1]cuda:0", i: "i64[3][1]cuda:0", v: "f32[3][1]cuda:0"):
            put: "f32[8][1]cuda:0" = torch.ops.aten.index_put.default(x, [i], v)
            sin: "f32[8][1]cuda:0" = torch.ops.aten.sin.default(x)
            copy_: "f32[8][1]cuda:0" = torch.ops.aten.copy_.default(x, put)
            return (sin,)
    )");

    QCOMPARE(verdicts(*trace), std::string("kept UsedBeforeCopyBack: sin"));
    QCOMPARE(targetOf(*trace, "copy_"), std::string("aten.copy_.default"));
    QVERIFY(examined(*trace, UseVerdict::AfterCopyBack));
}

static constexpr std::string_view kShapeOnly = R"py(
    def forward(self, x: "f32[s0][1]cuda:0", i: "i64[3][1]cuda:0", v: "f32[3][1]cuda:0"):
        cos: "f32[s0][1]cuda:0" = torch.ops.aten.cos.default(x)
        put: "f32[s0][1]cuda:0" = torch.ops.aten.index_put.default(cos, [i], v)
        size: "Sym(s0)" = torch.ops.aten.sym_size.int(cos, 0)
        return (put, size)
)py";

void tst_ReinplacePass::shapeOnlyUsesDoNotRefuse()
{
    const TracePtr trace = traceOf(kShapeOnly);

    QCOMPARE(verdicts(*trace), std::string("reinplaced"));
    QVERIFY(examined(*trace, UseVerdict::ShapeOnly));
}

void tst_ReinplacePass::withoutTheShapeSwitchShapeUsesRefuse()
{
    ReinplacePolicy policy;
    policy.ignoreShapeOnlyUses = false;

    QCOMPARE(verdicts(*traceOf(kShapeOnly, policy)), std::string("kept UsedLater: size"));
}

static constexpr std::string_view kDisjoint = R"(
    def forward(self, x: "f32[8][1]cuda:0", i: "i64[3][1]cuda:0", v: "f32[3][1]cuda:0"):
        cos: "f32[8][1]cuda:0" = torch.ops.aten.cos.default(x)
        low: "f32[4][1]cuda:0" = torch.ops.aten.slice.Tensor(cos, 0, 0, 4)
        high: "f32[4][1]cuda:0" = torch.ops.aten.slice.Tensor(cos, 0, 4, 8)
        put: "f32[4][1]cuda:0" = torch.ops.aten.index_put.default(low, [i], v)
        sin: "f32[4][1]cuda:0" = torch.ops.aten.sin.default(high)
        return (put, sin)
)";

void tst_ReinplacePass::disjointViewsDoNotRefuse()
{
    const TracePtr trace = traceOf(kDisjoint);

    QCOMPARE(verdicts(*trace), std::string("reinplaced"));
    QVERIFY(std::any_of(trace->events.begin(), trace->events.end(), [&trace](const Event& event) {
        const OverlapTested* tested = event.as<OverlapTested>();
        return tested && trace->nameOf(tested->other) == "high"
            && tested->answer.kind == OverlapKind::Disjoint;
    }));
}

void tst_ReinplacePass::withoutTheOverlapTestDisjointViewsRefuse()
{
    ReinplacePolicy policy;
    policy.overlapTest = false;

    QCOMPARE(verdicts(*traceOf(kDisjoint, policy)), std::string("kept UsedLater: sin, high"));
}

void tst_ReinplacePass::eachArgumentOfAKernelIsDecidedByItself()
{
    const TracePtr trace = traceOf(kTwoArguments);

    QCOMPARE(verdicts(*trace), std::string("reinplaced; kept UsedLater: output"));
    QCOMPARE(trace->decisions[0].argument, std::string("out0"));
    QCOMPARE(trace->decisions[1].argument, std::string("out1"));
    QVERIFY(trace->decisions[1].missed);
    QCOMPARE(trace->summary.missedBytes, std::int64_t{32});
    // The result of the argument written in place is the argument itself.
    QCOMPARE(targetOf(*trace, "getitem"), std::string("(removed)"));
    QCOMPARE(targetOf(*trace, "getitem_1"), std::string("operator.getitem"));
    const Graph& result = *trace->result;
    QCOMPARE(toText(result, *result[result.find("wrapper")].kwarg("tensors_to_clone")),
             std::string("['out1']"));
    QVERIFY(result.inputs(result.output()).front() == result.find("empty"));
    QVERIFY(verifyGraph(result));
}

void tst_ReinplacePass::aBufferGivenTwiceIsTakenOnce()
{
    const TracePtr trace = traceOf(kSameBufferTwice);

    QCOMPARE(verdicts(*trace), std::string("reinplaced; kept StorageAlreadyTaken: empty"));
    QVERIFY(!trace->decisions[1].missed);
    QCOMPARE(trace->summary.missed, std::size_t{0});
    QCOMPARE(trace->summary.kept, std::size_t{1});
}

void tst_ReinplacePass::nestedScattersBecomeOne()
{
    const TracePtr trace = traceOf(R"(
        def forward(self, x: "f32[8, 8][8, 1]cuda:0", v: "f32[3, 2][2, 1]cuda:0"):
            rows: "f32[3, 8][8, 1]cuda:0" = torch.ops.aten.slice.Tensor(x, 0, 2, 5)
            inner: "f32[3, 8][8, 1]cuda:0" = torch.ops.aten.slice_scatter.default(rows, v, 1, 1, 3)
            outer: "f32[8, 8][8, 1]cuda:0" = torch.ops.aten.slice_scatter.default(x, inner, 0, 2, 5)
            copy_: "f32[8, 8][8, 1]cuda:0" = torch.ops.aten.copy_.default(x, outer)
            return ()
    )");

    QCOMPARE(verdicts(*trace), std::string("reinplaced"));
    QCOMPARE(std::count_if(trace->events.begin(), trace->events.end(),
                           [](const Event& event) { return event.as<ScattersFused>() != nullptr; }),
             std::ptrdiff_t{1});
    QCOMPARE(targetOf(*trace, "copy_"), std::string("(removed)"));
    QVERIFY(trace->canonicalEdits > 0);
    QVERIFY(trace->coreEdits > trace->canonicalEdits);
    for (const NodeId id : trace->result->order())
        QVERIFY(!trace->result->node(id).target.ends_with("generalized_scatter"));
    QVERIFY(verifyGraph(*trace->result));
}

void tst_ReinplacePass::aScatterThatCanBeFusedIsNotProfitable()
{
    const TracePtr trace = traceOf(R"(
        def forward(self, x: "f32[8][1]cuda:0", v: "f32[4][1]cuda:0"):
            cos: "f32[8][1]cuda:0" = torch.ops.aten.cos.default(x)
            put: "f32[8][1]cuda:0" = torch.ops.aten.slice_scatter.default(cos, v, 0, 0, 4)
            sin: "f32[8][1]cuda:0" = torch.ops.aten.sin.default(put)
            return (sin,)
    )");

    QCOMPARE(trace->decisions.size(), std::size_t{1});
    const Decision& decision = trace->decisions.front();
    QCOMPARE(verdictText(*trace, decision), "kept NotProfitable: " + trace->nameOf(decision.node));
    QVERIFY(!decision.missed);
}

void tst_ReinplacePass::theInputGraphStays()
{
    const Graph before = graphFrom(kTwoArguments);
    const auto given = std::make_shared<const Graph>(before);

    const TracePtr trace = runReinplace({given}).value();

    QVERIFY(sameGraph(*given, before));
    QVERIFY(trace->initial == given);
    QVERIFY(!sameGraph(*trace->result, before));
}

void tst_ReinplacePass::withoutAReturnAVerdictIsAssumed()
{
    // What is left of a text that was cut: its return, and whoever read after the cut, are not there.
    const Graph whole = graphFrom(kTwoArguments);
    Graph cut;
    for (const NodeId id : whole.order())
        if (whole[id].op != NodeOp::Output)
            cut.append(whole[id]);

    const TracePtr trace = runReinplace({std::make_shared<const Graph>(std::move(cut))}).value();

    QVERIFY(!trace->decisions.empty());
    for (const Decision& decision : trace->decisions)
    {
        QCOMPARE(decision.certainty, Certainty::Assumed);
        QVERIFY(!decision.assumption.empty());
    }
}

void tst_ReinplacePass::aCopyOfAHalfDonePassStandsByItself()
{
    ReinplacePass pass({std::make_shared<const Graph>(graphFrom(kTwoArguments))});
    pass.step();
    const ReinplacePass copy = pass;
    while (!pass.finished())
        pass.step();

    // A copy is a copy of the state: it stands where it stood.
    QVERIFY(!copy.finished());
    QCOMPARE(verdicts(pass.takeTrace()), std::string("reinplaced; kept UsedLater: output"));
}

void tst_ReinplacePass::anUnknownShapeCostsNoNumber()
{
    const TracePtr trace = traceOf(R"(
    def forward(self, x: "f32[16][1]cpu", i: "i64[1][1]cpu", v: "f32[1][1]cpu"):
        a = torch.ops.demo.thing.default(x)
        p = torch.ops.aten.index_put.default(a, [i], v)
        return (p,)
)");

    QCOMPARE(trace->decisions.size(), std::size_t{1});
    QCOMPARE(toText(trace->decisions.front().bytes), std::string(kUnknownBytes));
    QCOMPARE(trace->summary.missedBytes, std::int64_t{0});
}

QTEST_APPLESS_MAIN(tst_ReinplacePass)
#include "tst_reinplace_pass.moc"
