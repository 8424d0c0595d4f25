// SPDX-License-Identifier: MIT
// Small programs computed on the host: what operators give, what in-place and views do, and what is said of
// programs that cannot run.
#include "core/exec/kernel_registry.h"

#include "tests/exec/small_programs.h"

using namespace reinspect;
using namespace reinspect::exec;

class tst_Executor : public QObject
{
    Q_OBJECT

private slots:
    void operatorsGive_data();
    void operatorsGive();
    void inPlaceIsInPlace_data();
    void inPlaceIsInPlace();
    void whatCannotRunIsNamed_data();
    void whatCannotRunIsNamed();
    void everyRowHasASchema();
    void unwrittenMemoryShows();
    void randomNumbersDependOnSeedAndNodeOnly();
    void nodesAreTimedWhereAsked();
    void repeatsLeaveTheResultsAlone();
    void aStopEndsTheRun();
};

void tst_Executor::operatorsGive_data()
{
    operatorColumns();
    const auto row = operatorRow;
    row("add", "r = torch.ops.aten.add.Tensor(x, 1)", "float32[2, 3]: 1 2 3 4 5 6");
    row("add alpha", "r = torch.ops.aten.add.Tensor(x, x, alpha = 3)",
        "float32[2, 3]: 0 4 8 12 16 20");
    row("rsub", "r = torch.ops.aten.rsub.Scalar(x, 1)", "float32[2, 3]: 1 0 -1 -2 -3 -4");
    row("integers divide to floats", "r = torch.ops.aten.div.Tensor(i, 4)", "float32[2]: 0.5 0");
    row("integers with a float number", "r = torch.ops.aten.mul.Tensor(i, 1.5)", "float32[2]: 3 0");
    row("bool and integer", "r = torch.ops.aten.add.Tensor(b, 2)", "int64[3]: 3 2 3");
    row("float16 keeps to itself beside numbers", "r = torch.ops.aten.mul.Tensor(h, 2.0)",
        "float16[2]: 3 4.5");
    row("floor division", "r = torch.ops.aten.floor_divide.default(i, -4)", "int64[2]: -1 0");
    row("remainder takes the divisor's sign", "r = torch.ops.aten.remainder.Scalar(x, -2)",
        "float32[2, 3]: 0 -1 0 -1 0 -1");
    row("pow", "r = torch.ops.aten.pow.Tensor_Scalar(x, 2)", "float32[2, 3]: 0 1 4 9 16 25");
    row("compare", "r = torch.ops.aten.gt.Scalar(x, 2)", "bool[2, 3]: 0 0 0 1 1 1");
    row("where", "z = torch.ops.aten.full.default([], 9.0);r = torch.ops.aten.where.self(b, x, z)",
        "float32[2, 3]: 0 9 2 3 9 5");
    row("clamp", "r = torch.ops.aten.clamp.default(x, 1, 3)", "float32[2, 3]: 1 1 2 3 3 3");
    row("not", "r = torch.ops.aten.bitwise_not.default(b)", "bool[3]: 0 1 0");
    row("permute", "r = torch.ops.aten.permute.default(x, [1, 0])", "float32[3, 2]: 0 3 1 4 2 5");
    row("slice with a step", "r = torch.ops.aten.slice.Tensor(x, 1, 0, 9223372036854775807, 2)",
        "float32[2, 2]: 0 2 3 5");
    row("select from the end", "r = torch.ops.aten.select.int(x, 1, -1)", "float32[2]: 2 5");
    row("diagonal", "r = torch.ops.aten.diagonal.default(x, 1)", "float32[2]: 1 5");
    row("as_strided", "r = torch.ops.aten.as_strided.default(x, [2, 2], [1, 2], 1)",
        "float32[2, 2]: 1 3 2 4");
    row("reshape of a transposed tensor copies",
        "p = torch.ops.aten.permute.default(x, [1, 0]);"
        "r = torch.ops.aten.reshape.default(p, [6])",
        "float32[6]: 0 3 1 4 2 5");
    row("expand", "r = torch.ops.aten.expand.default(h, [2, 2])",
        "float16[2, 2]: 1.5 2.25 1.5 2.25");
    row("cat", "r = torch.ops.aten.cat.default([x, x], 1)",
        "float32[2, 6]: 0 1 2 0 1 2 3 4 5 3 4 5");
    row("stack", "r = torch.ops.aten.stack.default([h, h], 1)", "float16[2, 2]: 1.5 1.5 2.25 2.25");
    row("index by two tensors", "r = torch.ops.aten.index.Tensor(x, [None, i])",
        "float32[2, 2]: 2 0 5 3");
    row("index by a mask", "r = torch.ops.aten.index.Tensor(x, [None, b])",
        "float32[2, 2]: 0 2 3 5");
    row("gather",
        "t = torch.ops.aten.unsqueeze.default(i, 0);r = torch.ops.aten.gather.default(x, 1, t)",
        "float32[1, 2]: 2 0");
    row("nonzero", "r = torch.ops.aten.nonzero.default(b)", "int64[2, 1]: 0 2");
    row("slice_scatter",
        "s = torch.ops.aten.full.default([2, 1], 9.0);"
        "r = torch.ops.aten.slice_scatter.default(x, s, 1, 1, 2)",
        "float32[2, 3]: 0 9 2 3 9 5");
    row("index_put adds up",
        "v = torch.ops.aten.full.default([2, 2], 1.0);"
        "r = torch.ops.aten.index_put.default(x, [None, i], v, True)",
        "float32[2, 3]: 1 1 3 4 4 6");
    row("sum of integers", "r = torch.ops.aten.sum.default(b)", "int64[]: 2");
    row("mean of rows", "r = torch.ops.aten.mean.dim(x, [1])", "float32[2]: 1 4");
    row("mm", "t = torch.ops.aten.permute.default(x, [1, 0]);r = torch.ops.aten.mm.default(x, t)",
        "float32[2, 2]: 5 14 14 50");
    row("arange", "r = torch.ops.aten.arange.start_step(1, 8, 3)", "int64[3]: 1 4 7");
    row("cast", "r = torch.ops.prims.convert_element_type.default(h, torch.int32)",
        "int32[2]: 1 2");
    row("foreach", "f = torch.ops.aten._foreach_add.Scalar([x, h], 1);r = f[1]",
        "float16[2]: 2.5 3.25");
    row("sizes", "s = torch.ops.aten.sym_size.int(x, 1);r = torch.ops.aten.full.default([s], 2.0)",
        "float32[3]: 2 2 2");
}

void tst_Executor::operatorsGive()
{
    operatorGives();
}

void tst_Executor::inPlaceIsInPlace_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("x");
    const auto row = [](const char* name, const char* body, const char* x) {
        QTest::newRow(name) << QString::fromLatin1(body) << QString::fromLatin1(x);
    };
    row("copy_", "z = torch.ops.aten.full.default([3], 7.0);r = torch.ops.aten.copy_.default(x, z)",
        "float32[2, 3]: 7 7 7 7 7 7");
    row("add_ through a view",
        "v = torch.ops.aten.select.int(x, 0, 1);r = torch.ops.aten.add_.Tensor(v, 10)",
        "float32[2, 3]: 0 1 2 13 14 15");
    row("index_put_",
        "v = torch.ops.aten.full.default([2, 2], 9.0);"
        "r = torch.ops.aten.index_put_.default(x, [None, i], v)",
        "float32[2, 3]: 9 1 9 9 4 9");
    row("a cast on the way", "r = torch.ops.aten.copy_.default(x, b)",
        "float32[2, 3]: 1 0 1 1 0 1");
    row("out", "r = torch.ops.aten.mul.out(x, 2, out = x)", "float32[2, 3]: 0 2 4 6 8 10");
    row("functional leaves it", "r = torch.ops.aten.add.Tensor(x, 10)",
        "float32[2, 3]: 0 1 2 3 4 5");
}

void tst_Executor::inPlaceIsInPlace()
{
    QFETCH(const QString, body);
    QFETCH(const QString, x);
    RunInputs given = smallInputs();
    const GraphRun run = runSmall(body.toStdString(), given);
    QVERIFY2(!run.failure, run.failure ? toText(*run.failure).c_str() : "");
    QCOMPARE(valueText(given.placeholders.front()), x.toStdString());
}

void tst_Executor::whatCannotRunIsNamed_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<bool>("isInput"); // the input's fault, not this machine's
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* body, bool isInput, const char* message) {
        QTest::newRow(name) << QString::fromLatin1(body) << isInput << QString::fromLatin1(message);
    };
    row("unknown operator", "r = torch.ops.demo.nobody.default(x)", false,
        "node 'r' (demo.nobody.default)");
    row("index out of range",
        "i9 = torch.ops.aten.add.Tensor(i, 9);r = torch.ops.aten.index.Tensor(x, [i9])", true,
        "node 'r' (aten.index.Tensor): index 11 is out of range for dimension 0 of size 2");
    row("select out of range", "r = torch.ops.aten.select.int(x, 0, 5)", true,
        "index 5 is out of range");
    row("100 GB", "r = torch.ops.aten.full.default([25000000000], 1.0)", false,
        "node 'r' (aten.full.default): 100000000000 bytes");
    row("sizes that overflow", "r = torch.ops.aten.full.default([4294967296, 4294967296], 1.0)",
        false, "node 'r' (aten.full.default)");
    row("a negative size", "r = torch.ops.aten.full.default([-3], 1.0)", false,
        "node 'r' (aten.full.default)");
    row("an endless view",
        "h2 = torch.ops.aten.select.int(h, 0, 0);"
        "w = torch.ops.aten.expand.default(h2, [1000000000000]);r = torch.ops.aten.add.Tensor(w, "
        "1)",
        false, "node 'r' (aten.add.Tensor)");
    row("sizes that do not broadcast", "r = torch.ops.aten.add.Tensor(x, i)", true,
        "do not broadcast");
    row("a view outside", "r = torch.ops.aten.as_strided.default(x, [9], [1], 0)", true,
        "reaches outside");
    row("integer division by zero", "r = torch.ops.aten.floor_divide.default(i, i)", true,
        "integer division by zero");
    row("too many arguments", "r = torch.ops.aten.sin.default(x, x)", true,
        "takes 1 arguments, and 2 are given");
    row("an argument nobody has", "r = torch.ops.aten.sin.default(x, frob = 1)", true,
        "has no argument 'frob'");
}

void tst_Executor::whatCannotRunIsNamed()
{
    QFETCH(const QString, body);
    QFETCH(const bool, isInput);
    QFETCH(const QString, message);
    RunInputs given = smallInputs();
    const GraphRun run =
        runSmall(body.toStdString(), given, {.memoryLimit = std::int64_t{1} << 30});
    QVERIFY(run.failure.has_value());
    QVERIFY2(run.failure->message.find(message.toStdString()) != std::string::npos,
             run.failure->message.c_str());
    QCOMPARE(run.failure->kind == ErrorKind::BadInput, isInput);
    QVERIFY(run.nodesRun >= given.placeholders.size()); // the inputs, and all before
}

void tst_Executor::everyRowHasASchema()
{
    std::string without;
    for (const KernelRow* row : allKernels())
        if (!resolveKernel(row->name).row)
            without += std::string(row->name) + " ";
    QVERIFY2(without.empty(), without.c_str());
}

void tst_Executor::unwrittenMemoryShows()
{
    RunInputs given = smallInputs();
    const GraphRun run =
        runSmall("r = torch.ops.aten.empty.memory_format([2], dtype = torch.float32)", given);
    QVERIFY(!run.failure);
    for (const double number : readAll<double>(*run.outputs.front().tensor()))
        QVERIFY(std::isnan(number));
}

void tst_Executor::randomNumbersDependOnSeedAndNodeOnly()
{
    RunInputs given = smallInputs();
    const auto drawn = [&](const char* body, std::uint64_t seed) {
        return valueText(runSmall(body, given, {.seed = seed}).outputs.front());
    };
    const std::string first = drawn("r = torch.ops.aten.rand.default([4])", 1);
    QCOMPARE(drawn("q = torch.ops.aten.rand.default([4]);r = torch.ops.aten.rand.default([4])", 1),
             first);
    QVERIFY(drawn("r = torch.ops.aten.rand.default([4])", 2) != first);
}

// By the host's clock: that it is positive is all that can be said of it.
void tst_Executor::nodesAreTimedWhereAsked()
{
    RunInputs given = smallInputs();
    RunOptions options;
    QVERIFY(runSmall("r = torch.ops.aten.neg.default(x)", given, options).nodeTimes.empty());
    options.timesNodes = true;
    for (const int repeats : {0, 2})
    {
        options.repeats = repeats;
        const GraphRun run = runSmall("r = torch.ops.aten.neg.default(x)", given, options);
        QVERIFY(!run.failure);
        QCOMPARE(run.nodeTimes.size(), std::size_t{8}); // six inputs, the node, the output
        QCOMPARE(run.nodeTimes[6].bytes, std::int64_t{48});
        QVERIFY(run.nodeTimes[6].seconds > 0);
        QVERIFY(!run.nodeTimes[6].isOnHost);
    }
}

// What is asked of time changes no result: x is written in place.
void tst_Executor::repeatsLeaveTheResultsAlone()
{
    for (const int repeats : {0, 3})
    {
        RunInputs given = smallInputs();
        RunOptions options;
        options.repeats = repeats;
        const GraphRun run = runSmall("r = torch.ops.aten.add_.Tensor(x, 1)", given, options);
        QVERIFY(!run.failure);
        QCOMPARE(run.repeatSeconds.size(), static_cast<std::size_t>(repeats));
        QCOMPARE(QString::fromStdString(valueText(run.outputs.front())),
                 QString("float32[2, 3]: 1 2 3 4 5 6"));
        QCOMPARE(QString::fromStdString(valueText(given.placeholders.front())),
                 QString("float32[2, 3]: 1 2 3 4 5 6"));
    }
}

void tst_Executor::aStopEndsTheRun()
{
    std::stop_source source;
    source.request_stop();
    RunInputs given = smallInputs();
    const Graph graph = smallGraph("", "x");
    const GraphRun run = runGraph(graph, {}, given, {}, {source.get_token(), {}});
    QVERIFY(run.failure.has_value());
    QCOMPARE(run.failure->message, std::string("stopped"));
}

QTEST_APPLESS_MAIN(tst_Executor)
#include "tst_executor.moc"
