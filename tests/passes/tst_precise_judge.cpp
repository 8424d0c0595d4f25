// SPDX-License-Identifier: MIT
// The precise analysis on small graphs, one rule each, and on large ones.
#include "tests/support/core_start.h"
#include "tests/support/graph_text.h"

#include <QTest>

#include <array>

using namespace reinspect;

class tst_PreciseJudge : public QObject
{
    Q_OBJECT

private slots:
    void shapes_data();
    void shapes();
    void chainsOfUpdatesAreAllowedThroughout();
    void oneReadAmongThousandsIsFound();
    void whatIsNotLookedAtIsNotAllowed();
};

void tst_PreciseJudge::shapes_data()
{
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* name, const char* code, const char* expected) {
        QTest::newRow(name) << QByteArray(code) << QByteArray(expected);
    };

    row("a view of the base made later reads another part", R"(
        def forward(self, x: "f32[8]", i: "i64[2]", v: "f32[2]"):
            c: "f32[8]" = torch.ops.aten.cos.default(x)
            low: "f32[4]" = torch.ops.aten.slice.Tensor(c, 0, 0, 4)
            p: "f32[4]" = torch.ops.aten.index_put.default(low, [i], v)
            high: "f32[4]" = torch.ops.aten.slice.Tensor(c, 0, 4, 8)
            y: "f32[4]" = torch.ops.aten.sin.default(high)
            return (p, y)
    )",
        "p: yes");
    row("a view of the base made later reads what is written", R"(
        def forward(self, x: "f32[8]", i: "i64[2]", v: "f32[2]"):
            c: "f32[8]" = torch.ops.aten.cos.default(x)
            low: "f32[4]" = torch.ops.aten.slice.Tensor(c, 0, 0, 4)
            p: "f32[4]" = torch.ops.aten.index_put.default(low, [i], v)
            mid: "f32[4]" = torch.ops.aten.slice.Tensor(c, 0, 3, 7)
            y: "f32[4]" = torch.ops.aten.sin.default(mid)
            return (p, y)
    )",
        "p: UsedLater (OldValueRead) by y, mid");
    row("column blocks that upstream takes for disjoint", R"(
        def forward(self, x: "f32[64]", i: "i64[2]", v: "f32[2, 4]"):
            c: "f32[64]" = torch.ops.aten.cos.default(x)
            a: "f32[4, 4][9, 1]" = torch.ops.aten.as_strided.default(c, [4, 4], [9, 1], 0)
            b: "f32[2, 4][9, 1]" = torch.ops.aten.as_strided.default(c, [2, 4], [9, 1], 20)
            p: "f32[4, 4][9, 1]" = torch.ops.aten.index_put.default(a, [i], v)
            y: "f32[2, 4]" = torch.ops.aten.sin.default(b)
            return (y,)
    )",
        "p: UsedLater (OldValueRead) by y, b");
    row("an input that nothing writes", R"(
        def forward(self, x: "f32[8]", i: "i64[2]", v: "f32[2]"):
            p: "f32[8]" = torch.ops.aten.index_put.default(x, [i], v)
            y: "f32[8]" = torch.ops.aten.sin.default(p)
            return (y,)
    )",
        "p: InputNotCopiedBack (OldValueRead) by x");
    row("a view of an input, put back by a scatter that is copied into it", R"(
        def forward(self, x: "f32[8]", i: "i64[2]", v: "f32[2]"):
            low: "f32[4]" = torch.ops.aten.slice.Tensor(x, 0, 0, 4)
            p: "f32[4]" = torch.ops.aten.index_put.default(low, [i], v)
            s: "f32[8]" = torch.ops.aten.slice_scatter.default(x, p, 0, 0, 4)
            copy_: "f32[8]" = torch.ops.aten.copy_.default(x, s)
            return ()
    )",
        "p: yes; _generalized_scatter: yes");
    row("a view of an input, put back elsewhere", R"(
        def forward(self, x: "f32[8]", i: "i64[2]", v: "f32[2]"):
            low: "f32[4]" = torch.ops.aten.slice.Tensor(x, 0, 0, 4)
            p: "f32[4]" = torch.ops.aten.index_put.default(low, [i], v)
            s: "f32[8]" = torch.ops.aten.slice_scatter.default(x, p, 0, 4, 8)
            copy_: "f32[8]" = torch.ops.aten.copy_.default(x, s)
            return ()
    )",
        "p: UsedLater (OldValueRead) by _generalized_scatter, x; _generalized_scatter: yes");
    row("an input that is overwritten later, result read before", R"(
        def forward(self, x: "f32[8]", i: "i64[2]", v: "f32[2]", y: "f32[8]"):
            p: "f32[8]" = torch.ops.aten.index_put.default(x, [i], v)
            z: "f32[8]" = torch.ops.aten.sin.default(p)
            copy_: "f32[8]" = torch.ops.aten.copy_.default(x, y)
            return (z,)
    )",
        "p: yes");
    row("an input that is overwritten later, result read after", R"(
        def forward(self, x: "f32[8]", i: "i64[2]", v: "f32[2]", y: "f32[8]"):
            p: "f32[8]" = torch.ops.aten.index_put.default(x, [i], v)
            copy_: "f32[8]" = torch.ops.aten.copy_.default(x, y)
            return (p,)
    )",
        "p: ResultOverwritten (ResultOverwritten) by copy_, output");
    row("a part is written, and all of it overwritten before another part is read", R"(
        def forward(self, x: "f32[8]", v: "f32[2]", y: "f32[8]"):
            s: "f32[8]" = torch.ops.aten.slice_scatter.default(x, v, 0, 0, 2)
            copy_: "f32[8]" = torch.ops.aten.copy_.default(x, y)
            high: "f32[1]" = torch.ops.aten.slice.Tensor(s, 0, 7, 8)
            return (high,)
    )",
        "_generalized_scatter: ResultOverwritten (ResultOverwritten) by copy_, output");
    row("the copied result is returned too", R"(
        def forward(self, x: "f32[8]", i: "i64[2]", v: "f32[2]"):
            p: "f32[8]" = torch.ops.aten.index_put.default(x, [i], v)
            copy_: "f32[8]" = torch.ops.aten.copy_.default(x, p)
            return (p,)
    )",
        "p: ResultEscapes (NewAlias) by p, x");
    row("a chain of updates, the last copied back", R"(
        def forward(self, x: "f32[8]", i: "i64[2]", v: "f32[2]"):
            p: "f32[8]" = torch.ops.aten.index_put.default(x, [i], v)
            q: "f32[8]" = torch.ops.aten.index_put.default(p, [i], v)
            copy_: "f32[8]" = torch.ops.aten.copy_.default(x, q)
            return ()
    )",
        "p: yes; q: yes");
    row("after an update in place its input's readers read the update", R"(
        def forward(self, x: "f32[8]", i: "i64[2]", v: "f32[2]"):
            p: "f32[8]" = torch.ops.aten.index_put.default(x, [i], v)
            copy_: "f32[8]" = torch.ops.aten.copy_.default(x, p)
            q: "f32[8]" = torch.ops.aten.index_put.default(p, [i], v)
            y: "f32[8]" = torch.ops.aten.sin.default(q)
            return (y,)
    )",
        "p: yes; q: ViewOfInput (OldValueRead) by x");
    row("the values view the destination", R"(
        def forward(self, x: "f32[8]", i: "i64[4]"):
            c: "f32[8]" = torch.ops.aten.cos.default(x)
            v: "f32[4]" = torch.ops.aten.slice.Tensor(c, 0, 0, 4)
            p: "f32[8]" = torch.ops.aten.index_put.default(c, [i], v)
            return (p,)
    )",
        "p: OperandAlias (OperandAlias) by v");
    row("a scatter reads its source, also where it replaces", R"(
        def forward(self, x: "f32[8]", i: "i64[2]", v: "f32[2]"):
            c: "f32[8]" = torch.ops.aten.cos.default(x)
            low: "f32[4]" = torch.ops.aten.slice.Tensor(c, 0, 0, 4)
            p: "f32[4]" = torch.ops.aten.index_put.default(low, [i], v)
            e: "f32[8]" = torch.ops.aten.empty.memory_format([8])
            s: "f32[8]" = torch.ops.aten.slice_scatter.default(e, c, 0, 0, 8)
            return (p, s)
    )",
        "p: UsedLater (OldValueRead) by _generalized_scatter, c; _generalized_scatter: yes");
    row("a scatter into an expanded tensor reads one element by several indices", R"(
        def forward(self, x: "f32[4]", i: "i64[2]", v: "f32[2]", w: "f32[1, 4]"):
            c: "f32[4]" = torch.ops.aten.cos.default(x)
            u: "f32[1, 4][4, 1]" = torch.ops.aten.unsqueeze.default(c, 0)
            e: "f32[2, 4][0, 1]" = torch.ops.aten.expand.default(u, [2, 4])
            p: "f32[4]" = torch.ops.aten.index_put.default(c, [i], v)
            s: "f32[2, 4]" = torch.ops.aten.slice_scatter.default(e, w, 0, 0, 1)
            return (p, s)
    )",
        "p: UsedLater (OldValueRead) by _generalized_scatter, e; "
        "_generalized_scatter: InternalOverlap (SameBufferWritten) by e");
    row("a copy from the result's transpose into its own memory", R"(
        def forward(self, x: "f32[4, 4]", i: "i64[2]", v: "f32[2, 4]"):
            p: "f32[4, 4]" = torch.ops.aten.index_put.default(x, [i], v)
            t: "f32[4, 4][1, 4]" = torch.ops.aten.permute.default(p, [1, 0])
            copy_: "f32[4, 4]" = torch.ops.aten.copy_.default(x, t)
            return ()
    )",
        "p: OperandAlias (OperandAlias) by copy_, t");
    row("one buffer under two names", R"(
        def forward(self, x: "f32[8]"):
            c: "f32[8]" = torch.ops.aten.cos.default(x)
            w = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, constant_args_idx = 0, grid = [(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'a': c, 'b': c}, tensors_to_clone = ['a', 'b'])
            a: "f32[8]" = w['a']
            b: "f32[8]" = w['b']
            return (a, b)
    )",
        "w[a]: yes; w[b]: StorageAlreadyTaken (SameBufferWritten) by c");
    row("two parts of one buffer under two names", R"(
        def forward(self, x: "f32[8]"):
            c: "f32[8]" = torch.ops.aten.cos.default(x)
            low: "f32[4]" = torch.ops.aten.slice.Tensor(c, 0, 0, 4)
            high: "f32[4]" = torch.ops.aten.slice.Tensor(c, 0, 4, 8)
            w = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, constant_args_idx = 0, grid = [(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'a': low, 'b': high}, tensors_to_clone = ['a', 'b'])
            a: "f32[4]" = w['a']
            b: "f32[4]" = w['b']
            return (a, b)
    )",
        "w[a]: yes; w[b]: yes");
    row("the copy that would be dropped copies the other result", R"(
        def forward(self, x: "f32[8]"):
            w = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, constant_args_idx = 0, grid = [(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'a': x, 'b': x}, tensors_to_clone = ['a', 'b'])
            b: "f32[8]" = w['b']
            copy_: "f32[8]" = torch.ops.aten.copy_.default(x, b)
            return ()
    )",
        "w[a]: StorageAlreadyTaken (SameBufferWritten) by copy_, b; w[b]: yes");
    row("a kernel reads what it writes under another name", R"(
        def forward(self, x: "f32[8]"):
            c: "f32[8]" = torch.ops.aten.cos.default(x)
            w = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, constant_args_idx = 0, grid = [(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'in0': c, 'out': c}, tensors_to_clone = ['out'])
            a: "f32[8]" = w['out']
            return (a,)
    )",
        "w[out]: OperandAlias (OperandAlias) by c");
    row("only the slice that the operator gets is written", R"(
        def forward(self, x: "f32[8]", y: "f32[8]"):
            c: "f32[8]" = torch.ops.aten.cos.default(x)
            high: "f32[4]" = torch.ops.aten.slice.Tensor(c, 0, 4, 8)
            w = torch.ops.higher_order.auto_functionalized_v2(torch.ops.demo.scale_.default, _x_base_index = 0, _x_slice_dim = 0, _x_slice_start = 0, _x_slice_end = 4, _all_bases = [c])
            a: "f32[8]" = w[1]
            z: "f32[4]" = torch.ops.aten.sin.default(high)
            return (a, z)
    )",
        "w[0]: yes");
    row("positions of the storage are others after the move", R"(
        def forward(self, x: "f32[8]", i: "i64[2]", v: "f32[2]"):
            c: "f32[8]" = torch.ops.aten.cos.default(x)
            high: "f32[4]" = torch.ops.aten.slice.Tensor(c, 0, 4, 8)
            p: "f32[4]" = torch.ops.aten.index_put.default(high, [i], v)
            s: "f32[2]" = torch.ops.aten.as_strided.default(p, [2], [1], 0)
            y: "f32[2]" = torch.ops.aten.sin.default(s)
            return (y,)
    )",
        "p: CopyBackLayoutDiffers (OldValueRead) by p, p");
    row("a kernel clones the result by its position", R"(
        def forward(self, x: "f32[8]", i: "i64[2]", v: "f32[2]"):
            c: "f32[8]" = torch.ops.aten.cos.default(x)
            high: "f32[4]" = torch.ops.aten.slice.Tensor(c, 0, 4, 8)
            p: "f32[4]" = torch.ops.aten.index_put.default(high, [i], v)
            w = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, constant_args_idx = 0, grid = [(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'a': p}, tensors_to_clone = ['a'])
            g: "f32[4]" = w['a']
            return (p, g)
    )",
        "p: CopyBackLayoutDiffers (OldValueRead) by p, p; w[a]: UsedLater (OldValueRead) by "
        "output");
    row("foreach: each element is read before it is written", R"(
        def forward(self, x: "f32[8]", y: "f32[8]"):
            f = torch.ops.aten._foreach_add.List([x, y], [x, y])
            a: "f32[8]" = f[0]
            b: "f32[8]" = f[1]
            copy_: "f32[8]" = torch.ops.aten.copy_.default(x, a)
            copy__1: "f32[8]" = torch.ops.aten.copy_.default(y, b)
            return ()
    )",
        "f: yes");
    row("foreach: another member's operand is written first", R"(
        def forward(self, x: "f32[8]", y: "f32[8]"):
            f = torch.ops.aten._foreach_add.List([x, y], [y, x])
            a: "f32[8]" = f[0]
            b: "f32[8]" = f[1]
            copy_: "f32[8]" = torch.ops.aten.copy_.default(x, a)
            copy__1: "f32[8]" = torch.ops.aten.copy_.default(y, b)
            return ()
    )",
        "f: OperandAlias (OperandAlias) by x");
    row("a collective's result is what the wait gives", R"(
        def forward(self, x: "f32[8]", y: "f32[8]"):
            r: "f32[8]" = torch.ops._c10d_functional.all_reduce.default(x, 'sum', '0')
            w: "f32[8]" = torch.ops._c10d_functional.wait_tensor.default(r)
            copy_: "f32[8]" = torch.ops.aten.copy_.default(x, y)
            return (w,)
    )",
        "r: ResultOverwritten (ResultOverwritten) by copy_, output");
    row("a size is no read", R"(
        def forward(self, x: "f32[8]", i: "i64[2]", v: "f32[2]"):
            c: "f32[8]" = torch.ops.aten.cos.default(x)
            p: "f32[8]" = torch.ops.aten.index_put.default(c, [i], v)
            e: "f32[8]" = torch.ops.aten.empty_like.default(c)
            return (p, e)
    )",
        "p: yes");
    row("an operator that is not known may keep a view", R"(
        def forward(self, x: "f32[8]", i: "i64[2]", v: "f32[2]"):
            c: "f32[8]" = torch.ops.aten.cos.default(x)
            k: "f32[8]" = torch.ops.mystery.peek.default(c)
            p: "f32[8]" = torch.ops.aten.index_put.default(c, [i], v)
            return (p, k)
    )",
        "p: UsedLater (OldValueRead) by output, k assumed");
}

void tst_PreciseJudge::shapes()
{
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, expected);
    const CoreStart start(std::make_shared<const Graph>(graphFrom(code.toStdString())), {});
    QCOMPARE(QByteArray::fromStdString(told(start)), expected);
}

void tst_PreciseJudge::chainsOfUpdatesAreAllowedThroughout()
{
    constexpr int kUpdates = 10000;
    std::string code = "def forward(self, x: \"f32[8]\", i: \"i64[2]\", v: \"f32[2]\"):\n";
    std::string last = "x";
    for (int k = 0; k < kUpdates; ++k)
    {
        const std::string name = "p" + std::to_string(k);
        code += "    " + name + ": \"f32[8]\" = torch.ops.aten.index_put.default(" + last
            + ", [i], v)\n";
        last = name;
    }
    code += "    copy_: \"f32[8]\" = torch.ops.aten.copy_.default(x, " + last + ")\n";
    code += "    return ()\n";
    const CoreStart start(std::make_shared<const Graph>(graphFrom(code)), {});
    PreciseJudge judge(start.graph, start.analysis, start.facts);
    InPlaceChoices choices;
    for (const Decision& decision : start.trace->decisions)
    {
        QVERIFY(!start.judge(judge, decision).reason);
        start.accept(judge, decision, choices);
    }
    QCOMPARE(choices.written.size(), std::size_t{kUpdates});
}

namespace
{

// Updates of every second pair of elements, then reads of the others; pair `readTwice` is updated and read.
std::string manyViews(int count, int readTwice)
{
    std::string views;
    std::string updates;
    std::string reads;
    for (int k = 0; k < count; ++k)
    {
        const std::string n = std::to_string(k);
        const auto view = [k](const std::string& name, int from) {
            return "    " + name + ": \"f32[2]\" = torch.ops.aten.slice.Tensor(c, 0, "
                + std::to_string(4 * k + from) + ", " + std::to_string(4 * k + from + 2) + ")\n";
        };
        views += view("a" + n, 0) + view("b" + n, 2);
        updates +=
            "    p" + n + ": \"f32[2]\" = torch.ops.aten.index_put.default(a" + n + ", [i], v)\n";
        reads += "    y" + n + ": \"f32[2]\" = torch.ops.aten.sin.default("
            + (k == readTwice ? "a" : "b") + n + ")\n";
    }
    const std::string all = "\"f32[" + std::to_string(4 * count) + "]\"";
    return "def forward(self, x: " + all + ", i: \"i64[2]\", v: \"f32[2]\"):\n    c: " + all
        + " = torch.ops.aten.cos.default(x)\n" + views + updates + reads + "    return (p0,)\n";
}

} // namespace

// Runs of reads elsewhere are passed over; the one that counts is not.
void tst_PreciseJudge::oneReadAmongThousandsIsFound()
{
    constexpr int kViews = 4000;
    constexpr int kReadTwice = 3333;
    const Graph graph = graphFrom(manyViews(kViews, kReadTwice));
    const CaptureFacts facts;
    const CoreAnalysis analysis(graph, facts, {});
    PreciseJudge judge(graph, analysis, facts);
    for (int k = 0; k < kViews; ++k)
    {
        const NodeId update = graph.find("p" + std::to_string(k));
        const std::array argument{graph[update].args.front().node()};
        const PreciseAnswer answer =
            judge.judge(update, CandidateKind::Table, "0", argument, false);
        QCOMPARE(answer.reason.has_value(), k == kReadTwice);
        if (!answer.reason)
            judge.accept(update, CandidateKind::Table, "0", argument);
        else
            QCOMPARE(graph[answer.witnesses.front()].name, "y" + std::to_string(k));
    }
}

// Odd and even elements lie among each other, so that each read has to be compared. Beyond the limit
// the answer is no, and that it is assumed.
void tst_PreciseJudge::whatIsNotLookedAtIsNotAllowed()
{
    std::string code = R"(def forward(self, x: "f32[8]", i: "i64[2]", v: "f32[2]"):
    c: "f32[8]" = torch.ops.aten.cos.default(x)
    odd: "f32[4][2]" = torch.ops.aten.slice.Tensor(c, 0, 1, 8, 2)
    even: "f32[4][2]" = torch.ops.aten.slice.Tensor(c, 0, 0, 8, 2)
    p: "f32[4][2]" = torch.ops.aten.index_put.default(odd, [i], v)
)";
    const auto answerWith = [&code](int reads) {
        std::string text = code;
        for (int k = 0; k < reads; ++k)
            text +=
                "    y" + std::to_string(k) + ": \"f32[4]\" = torch.ops.aten.sin.default(even)\n";
        const CoreStart start(std::make_shared<const Graph>(graphFrom(text + "    return ()\n")),
                              {});
        return told(start);
    };
    QCOMPARE(answerWith(3000), std::string("p: yes"));
    const std::string beyond = answerWith(6000);
    QVERIFY2(beyond.starts_with("p: UsedLater") && beyond.ends_with(" assumed"), beyond.c_str());
}

QTEST_APPLESS_MAIN(tst_PreciseJudge)
#include "tst_precise_judge.moc"
